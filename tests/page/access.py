"""Accessibility: axe-core in six views, light and dark, on a screen and on a phone; print."""

from analysing import HUNG_ROOK, record
from harness import *

RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]


def inspect(world, page, name):
    found = page.evaluate("rules => axe.run({ runOnly: rules })", RULES)
    for rule in found["violations"]:
        for node in rule["nodes"][:3]:
            world.faults.append(f"{name}: {rule['id']}: {node['html'][:110]}: {node['failureSummary'][:300]}")
    return len(found["passes"])


def axe_finds_nothing(world):
    passed = 0
    phone = {"viewport": PHONE, "has_touch": True}
    # Two combinations contain every value of language, colours and size, four every pair of values.
    ways = [("en-US", "light", {}), ("zh-CN", "dark", phone)]
    if world.all:
        ways += [("zh-CN", "dark", {}), ("en-US", "dark", phone), ("zh-CN", "light", phone)]
        ways += [("en-US", "dark", {}), ("zh-CN", "light", {}), ("en-US", "light", phone)]
    boards = ["jade", "wood", "paper", "slate"] * 2
    for (language, scheme, more), board in zip(ways, boards):
        # axe runs inside the page, which the page's policy forbids, so the policy is disabled for these
        # visits.
        page = world.visit(language=language, scheme=scheme, bypass_csp=True, **more)
        page.evaluate(world.axe)
        page.click("#options")
        page.select_option("#set-board", board)
        page.check("#set-coordinates")
        page.keyboard.press("Escape")
        name = f"{language} {scheme} {board} {'phone' if more else 'screen'}"
        passed += inspect(world, page, f"{name} play")
        page.keyboard.press("a")
        paste(page, record(HUNG_ROOK))
        until_ply(page, len(HUNG_ROOK))
        page.keyboard.press("End")
        until(page, "document.querySelectorAll('#lines li').length > 0")
        page.locator("#annotate summary").click()
        page.locator("#about-game summary").click()
        passed += inspect(world, page, f"{name} analyse")
        review(page)
        passed += inspect(world, page, f"{name} review")
        page.keyboard.press("t")
        until(page, "document.querySelector('#puzzle-text').textContent !== ''")
        passed += inspect(world, page, f"{name} puzzles")
        page.keyboard.press("e")
        page.fill("#edit-fen", "4k4/9/9/9/9/9/9/9/9/4K4 w")
        page.press("#edit-fen", "Tab")
        until(page, "!document.querySelector('#edit-faults .fine')")
        passed += inspect(world, page, f"{name} edit")
        for button in ("open", "save", "options", "help"):
            page.click(f"#{button}")
            passed += inspect(world, page, f"{name} {button}")
            page.keyboard.press("Escape")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"{name}: wider than the window"
        page.close()  # there are four engines for all pages
    say(f"       {passed} rules passed")


def everything_is_reached_by_tab(world):
    page = world.visit()
    seen = []
    for _ in range(80):
        page.keyboard.press("Tab")
        here = page.evaluate("document.activeElement.id || document.activeElement.getAttribute('aria-label')?.slice(0, 2) || document.activeElement.tagName")
        if here == "BODY" or here in seen[:1]:
            break
        seen.append(here)
    wanted = {"mode-play", "mode-edit", "open", "language", "help", "hint", "resign", "flip", "typed", "moves"}
    assert wanted <= set(seen), wanted - set(seen)
    points = [name for name in seen if len(name) == 2]
    assert len(points) == 1, f"the board takes {points}"


def print_shows_board_and_moves(world):
    page = world.visit()
    page.keyboard.press("a")
    typed(page, "h2e2", "h9g7")
    page.emulate_media(media="print")
    eventually(lambda: page.is_visible("#board") and page.is_visible("#moves"))
    for hidden in ("header", "#lines-panel", "#controls", "#annotate"):
        eventually(lambda: not page.is_visible(hidden))
