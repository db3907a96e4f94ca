#!/usr/bin/env python3
"""Opens a page written by `chuhe review --html` in a headless browser, as a local file, and checks its
behaviour.

    pip install playwright                       # --browser selects a browser of the system
    npm pack axe-core && tar xzf axe-core-*.tgz  # gives package/axe.min.js
    chuhe review game.pgn --html report.html
    python3 tests/report_page.py report.html --axe package/axe.min.js --pictures shots

The page must not load external resources, and the console must remain empty. Arrow keys, Home, End, n and f
must step through the game and flip the board. axe-core must find no violation of WCAG 2 A and AA, in light
and dark mode, at the width of a screen and of a phone. --pictures saves screenshots.
"""

import argparse
import pathlib
import sys

from playwright.sync_api import sync_playwright

SIZES = {"screen": {"width": 1200, "height": 860}, "phone": {"width": 390, "height": 844}}
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"]


def stands(page):
    """Returns the ply marked in the move list, 0 for the start, and the board's pieces."""
    here = page.query_selector("ol.moves li.here")
    pieces = page.eval_on_selector_all("#pieces use", "pieces => pieces.map(piece => [piece.getAttribute('href'), piece.getAttribute('x')].join()).sort().join(' ')")
    return int(here.get_attribute("id")[1:]) if here else 0, pieces


def check_keys(page):
    """Returns the errors of the keys."""
    wrong, last = [], page.locator("ol.moves li").count()
    bad = [int(ply[1:]) for ply in page.eval_on_selector_all("ol.moves li[data-judged]", "moves => moves.map(move => move.id)")]
    expected = [("Home", 0), ("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("End", last), ("Home", 0)]
    expected += [("n", ply) for ply in bad]
    for key, ply in expected:
        page.keyboard.press(key)
        if stands(page)[0] != ply:
            wrong.append(f"{key} leads to ply {stands(page)[0]}, not {ply}")
    page.keyboard.press("ArrowRight")
    before = stands(page)[1]
    page.keyboard.press("f")
    if stands(page)[1] == before:
        wrong.append("f does not turn the board")
    page.keyboard.press("f")
    if stands(page)[1] != before:
        wrong.append("f twice is not the board as it was")
    page.locator("ol.moves a").nth(2).click()
    if stands(page)[0] != 3:
        wrong.append("a click on the third move does not show it")
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("page", type=pathlib.Path, nargs="+")
    parser.add_argument("--axe", type=pathlib.Path, required=True, help="axe.min.js")
    parser.add_argument("--browser", default="/usr/bin/chromium")
    parser.add_argument("--pictures", type=pathlib.Path, help="folder for screenshots")
    options = parser.parse_args()
    axe, wrong = options.axe.read_text(), []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=options.browser, args=["--no-sandbox"])
        for file in options.page:
            for size, viewport in SIZES.items():
                for scheme in ("light", "dark"):
                    # axe runs inside the page, which the page's policy forbids, so the policy is disabled for
                    # this visit.
                    for inspected in (False, True):
                        context = browser.new_context(viewport=viewport, color_scheme=scheme, bypass_csp=inspected)
                        page, heard = context.new_page(), []
                        address = file.resolve().as_uri()
                        page.on("request", lambda request: request.url == address or heard.append(f"request: {request.url}"))
                        page.on("console", lambda message: heard.append(f"console: {message.text}"))
                        page.on("pageerror", lambda error: heard.append(f"error: {error}"))
                        page.goto(address)
                        name = f"{file.stem}-{size}-{scheme}"
                        if inspected:
                            page.evaluate(axe)
                            found = page.evaluate("rules => axe.run({runOnly: rules})", RULES)
                            heard += [
                                f"axe: {rule['id']}: {node['html'][:120]}: {node['failureSummary']}"
                                for rule in found["violations"]
                                for node in rule["nodes"][:3]
                            ]
                            print(f"{name}: axe-core passed {len(found['passes'])} rules", flush=True)
                        else:
                            heard += check_keys(page)
                            if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
                                heard.append("wider than the window")
                            if options.pictures:
                                options.pictures.mkdir(parents=True, exist_ok=True)
                                page.keyboard.press("Home")
                                page.keyboard.press("n")
                                page.screenshot(path=options.pictures / f"{name}.png")
                        wrong += [f"{name}: {what}" for what in heard]
                        context.close()
        browser.close()
    print(*wrong, f"{len(wrong)} faults", sep="\n")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
