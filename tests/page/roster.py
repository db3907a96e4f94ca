"""Engines added, tested and removed on the page; nothing starts that the user has not confirmed;
pondering."""

import functools
import pathlib

import access
from engines import analyse, ours
from harness import *


def _with_home(*more):
    """Decorator for scenes with a server whose user has an engine in the home folder."""

    def decorate(scene):
        @functools.wraps(scene)
        def run(world):
            with tempfile.TemporaryDirectory() as folder:
                home = pathlib.Path(folder).resolve()
                (home / "engines").mkdir()
                program = home / "engines" / "mine"
                program.write_text(f"#!/bin/sh\necho >> '{home}/started'\nexec '{os.path.realpath(world.chuhe)}' --protocol uci\n")
                program.chmod(0o755)
                (home / "engines" / "readme.txt").write_text("text")
                os.mkfifo(home / "engines" / "pipe", 0o777)
                world.server.end()
                world.server = Server(world.chuhe, more=more, settings=folder)
                scene(world, home)
                world.server.end()

        return run

    return decorate


def _starts(home):
    """Returns how often the engine has been started."""
    started = home / "started"
    return len(started.read_text().splitlines()) if started.exists() else 0


def _dialog(page):
    page.click("#options")
    page.click("#set-engines")
    until(page, "document.querySelector('#engine-dialog').open")
    page.click("#engine-add summary")


def _names(page):
    return page.eval_on_selector_all("#engine-name option", "all => all.map(one => one.value)")


@_with_home()
def an_engine_is_added_tested_and_removed(world, home):
    page = world.visit()
    assert not page.is_visible("#analysts")
    _dialog(page)
    # The engine is chosen in a list of folders and programs.
    page.click("#engine-browse")
    eventually(lambda: page.input_value("#engine-path") == str(home))
    listed = lambda: page.eval_on_selector_all("#engine-files button", "all => all.map(one => one.textContent)")
    eventually(lambda: "engines/" in listed())
    page.get_by_role("button", name="engines/").click()
    eventually(lambda: listed() == ["↑ Parent folder", "mine"])
    page.get_by_role("button", name="mine", exact=True).click()
    eventually(lambda: page.is_visible("#engine-confirm") and f"Start {home}/engines/mine?" in page.text_content("#engine-asks"))
    assert _starts(home) == 0
    page.click("#engine-not")
    eventually(lambda: not page.is_visible("#engine-confirm"))
    # The path is typed; errors are shown.
    for path, said in [("/nowhere/engine", "no program /nowhere/engine"), ("mine", "no program mine"), (f"{home}/engines/readme.txt", "may not be run"), (f"{home}/engines/pipe", "may not be run")]:
        page.fill("#engine-path", path)
        page.press("#engine-path", "Enter")
        eventually(lambda: said in page.text_content("#engine-fault") and not page.is_visible("#engine-confirm"))
    page.fill("#engine-path", "~/engines/mine")
    page.press("#engine-path", "Enter")
    eventually(lambda: page.is_visible("#engine-confirm"))
    page.fill("#engine-label", "My <b>engine</b>")
    assert _starts(home) == 0
    page.click("#engine-start")
    eventually(lambda: _names(page) == ["My <b>engine</b>"] and "(UCI)" in page.text_content("#engine-identity"))
    page.click("#engine-test")
    eventually(lambda: page.text_content("#engine-identity").startswith("Plays "))
    page.keyboard.press("Escape")
    assert "My <b>engine</b>" in page.eval_on_selector_all("#seat-red option", "all => all.map(one => one.textContent)")
    analyse(page, "My <b>engine</b>")
    until(page, "document.querySelectorAll('#lines li').length > 0")
    # The command line and another page list the engine, too.
    listing = subprocess.run([world.chuhe, "engines", "list"], env={**os.environ, "XDG_CONFIG_HOME": str(home)}, capture_output=True, text=True).stdout
    assert f"{home}/engines/mine" in listing, listing
    other = world.visit()
    _dialog(other)
    eventually(lambda: _names(other) == ["My <b>engine</b>"])
    other.click("#engine-remove")
    other.click("#engine-remove")
    eventually(lambda: not other.is_visible("#engine-one"))
    page.reload()
    ready(page)
    eventually(lambda: not page.is_visible("#analysts"))
    until(page, "document.querySelectorAll('#lines li').length > 0")  # Chuhe analyses instead


@_with_home("--no-engines-from-page")
def engines_are_fixed_if_the_user_says_so(world, home):
    page = world.visit()
    page.click("#options")
    settled(page)
    assert not page.is_visible("#set-engines")


@_with_home()
def nothing_starts_that_the_user_has_not_named(world, home):
    program = f"{home}/engines/mine"
    context = world.context()
    page = world.visit(context)
    # Stored names, as an earlier page or another program could have left them, and a record with a name.
    stored = {"analyst": program, "second": program, "red": f"engine:{program}", "black": f"engine:{program}", "engines": {program: {"Book Files": "/etc/passwd"}}, "language": "en"}
    page.evaluate("stored => localStorage.setItem('chuhe.settings', JSON.stringify(stored))", stored)
    page.reload()
    ready(page)
    page.click("#mode-analyse")
    until(page, "document.querySelectorAll('#lines li').length > 0")
    paste(page, f'[Red "{program}"]\n[RedSeat "engine:{program}"]\n[BlackSeat "engine:{program}"]\n\n1. h2e2 *\n')
    until_ply(page, 1)
    page.click("#mode-play")
    settled(page)
    if not page.locator("#play-here").is_visible():
        page.locator("#new-game summary").click()
    page.click("#play-here")
    settled(page)
    # In an open page, the address would only change the part after #, upon which the page connects again.
    page.goto("about:blank")
    page.goto(f"{world.server.url}&engine={program}&add_engine={program}")
    ready(page)
    settled(page)
    # Enter in the path field only opens the question; it does not start the engine.
    _dialog(page)
    page.fill("#engine-path", program)
    page.press("#engine-path", "Enter")
    eventually(lambda: page.is_visible("#engine-confirm"))
    page.keyboard.press("Escape")
    settled(page)
    assert page.get_attribute("#engine-confirm", "hidden") is not None and _starts(home) == 0


def an_engine_ponders_only_if_the_user_wants(world):
    world.server.end()
    world.server = Server(world.chuhe, more=ours(world, "One", "uci"))
    page = world.visit()

    def talk():
        page.keyboard.press("a")
        page.click("#engine-options")
        until(page, "document.querySelector('#engine-talk').textContent.includes('bestmove')")
        text = page.text_content("#engine-talk")
        page.keyboard.press("Escape")
        page.keyboard.press("p")
        return text

    seats(page, "human", "engine:One")
    drag(page, "h2e2")
    until_ply(page, 2)
    assert "go infinite" not in talk()
    page.click("#options")
    page.check("#set-ponder")
    page.keyboard.press("Escape")
    seats(page, "human", "engine:One")
    drag(page, "h2e2")
    until_ply(page, 2)
    ready(page)
    eventually(lambda: "go infinite" in talk())
    drag(page, "h0g2")
    until_ply(page, 4)  # the search ends, and the engine moves
    # The strongest level ponders, too, and its search ends with the game.
    seats(page, "human", "10")
    drag(page, "h2e2")
    until_ply(page, 2)
    ready(page)
    page.click("#resign")
    page.click("#resign")
    until(page, "document.querySelector('#play-end').checkVisibility()")
    page.keyboard.press("a")
    until(page, "document.querySelectorAll('#lines li').length > 0")


@nightly
@_with_home()
def axe_finds_nothing_about_adding_engines(world, home):
    for language, scheme, more in [("en-US", "dark", {}), ("zh-CN", "light", {"viewport": PHONE, "has_touch": True})]:
        page = world.visit(language=language, scheme=scheme, bypass_csp=True, **more)
        page.evaluate(world.axe)
        _dialog(page)
        page.click("#engine-browse")
        eventually(lambda: page.locator("#engine-files button").count() > 0)
        access.inspect(world, page, f"{language} files")
        page.fill("#engine-path", f"{home}/engines/mine")
        page.press("#engine-path", "Enter")
        eventually(lambda: page.is_visible("#engine-confirm"))
        access.inspect(world, page, f"{language} question")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "wider than the window"
        page.close()
