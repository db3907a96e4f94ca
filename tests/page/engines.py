"""Other engines: they analyse and play, alone, side by side and against each other; the page reports failing
engines."""

import os
import pathlib
import signal
import sys
import tempfile
import time

from harness import *
from access import inspect  # not the module with this name

BAD = pathlib.Path(__file__).with_name("bad_engine.py")


def ours(world, name, protocol):
    return ["--engine", f"cmd={world.chuhe} --protocol {protocol},name={name},protocol={protocol},nodes=2000"]


def bad(character):
    return ["--engine", f"cmd='{sys.executable}' '{BAD}' {character},name={character},patience=1,movetime=0.2"]


def serve(world, *engines):
    """Replaces the current server by one with engines."""
    world.server.end()
    world.server = Server(world.chuhe, more=[word for engine in engines for word in engine])


def analyse(page, first, second=""):
    page.click("#mode-analyse")
    page.select_option("#analyst", first)
    page.select_option("#second", second)


def lines(page, where="lines"):
    return page.eval_on_selector_all(f"#{where} li .score", "scores => scores.map(score => score.textContent)")


def _given(world):
    """Returns the engines given by --engine, or by default Chuhe in every dialect."""
    if world.engines:
        return [["--engine", engine] for engine in world.engines]
    return [ours(world, "甲", "ucci"), ours(world, "Second <b>", "uci"), ours(world, "Third", "uci-variant")]


def every_engine_analyses_alone_and_beside_another(world):
    serve(world, *_given(world))
    page = world.visit()
    page.keyboard.press("a")
    until(page, "document.querySelectorAll('#analyst option').length > 3")
    names_of = page.eval_on_selector_all("#analyst option", "options => options.map(option => option.value)")
    for name in names_of[1:]:
        analyse(page, name)
        until(page, "document.querySelectorAll('#lines li').length > 0")
        eventually(lambda: page.locator("#board .arrow.best").count() == 1)
        analyse(page, "", name)
        until(page, "document.querySelectorAll('#lines-second li').length > 0 && document.querySelectorAll('#lines li').length > 0")
        eventually(lambda: page.locator("#board .arrow.second").count() == 1)
    # Two engines, and another position.
    analyse(page, names_of[1], names_of[2])
    page.keyboard.press("Escape")
    typed(page, "h2e2")
    until(page, "document.querySelectorAll('#lines-second li').length > 0 && document.querySelectorAll('#lines li').length > 0")
    page.locator("#lines-second li button").first.click()
    until_ply(page, 2)


def an_engine_may_have_the_name_of_this_one(world):
    serve(world, ours(world, "chuhe", "uci"))
    page = world.visit()
    analyse(page, "", "chuhe")
    until(page, "document.querySelectorAll('#lines-second li').length > 0")
    page.click("#engine-options")
    eventually(lambda: "> go " in page.text_content("#engine-talk"))


@nightly
def engines_play_each_other_and_chuhe(world):
    serve(world, *_given(world))
    page = world.visit()
    until(page, "document.querySelectorAll('#seat-red option').length > 12")
    others = [value for value in page.eval_on_selector_all("#seat-red option", "options => options.map(option => option.value)") if value.startswith("engine:")]
    pairs = [*zip(others, others[1:] + others[:1]), *((other, "1") for other in others)]
    for red, black in pairs:
        seats(page, red, black)
        if world.all:
            end = time.time() + 1800
            while not page.is_visible("#play-end"):
                assert time.time() < end and not page.is_visible("#play-live .fault"), "no end"
                page.wait_for_timeout(500)
            say(f"       {red} – {black}: {len(names(page))} plies, {page.text_content('#result')}")
        else:
            until(page, "document.querySelectorAll('#moves .pair .move').length >= 4")
    # The user against an engine.
    seats(page, "human", others[0])
    drag(page, "h2e2")
    until_ply(page, 2)
    eventually(lambda: page.is_disabled("#offer-draw"))


def options_are_set_in_a_form_and_the_log_shows_it(world):
    serve(world, ours(world, "One", "uci"))
    page = world.visit()
    analyse(page, "One")
    page.click("#engine-options")
    until(page, "document.querySelectorAll('#engine-fields input').length > 1")
    eventually(lambda: "(UCI)" in page.text_content("#engine-identity"))
    page.get_by_label("Skill Level").fill("4")
    page.get_by_label("Skill Level").press("Tab")
    page.click("#engine-dialog summary")
    eventually(lambda: "> setoption name Skill Level value 4" in page.text_content("#engine-talk"))
    page.keyboard.press("Escape")
    # The browser stores the option, and the next analysis uses it.
    page.reload()
    ready(page)
    until(page, "document.querySelectorAll('#lines li').length > 0")
    page.click("#engine-options")
    eventually(lambda: page.get_by_label("Skill Level").input_value() == "4")


def a_killed_engine_is_said_to_be_dead_and_starts_again(world):
    # A program with a unique name, so that its processes can be found.
    with tempfile.TemporaryDirectory() as folder:
        victim = pathlib.Path(folder) / "victim"
        victim.symlink_to(os.path.realpath(world.chuhe))
        serve(world, ["--engine", f"cmd={victim},name=Victim,protocol=ucci"])
        page = world.visit()
        analyse(page, "Victim")
        until(page, "document.querySelectorAll('#lines li').length > 0")

        def killed():
            for process in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
                try:
                    if str(victim).encode() in process.read_bytes().split(b"\0")[:1]:
                        os.kill(int(process.parent.name), signal.SIGKILL)
                except OSError:
                    pass
            return page.is_visible("#dead-first") and "Victim has crashed" in page.text_content("#dead-first")

        # Repeated, because on a busy machine the first killed process may belong to an analysis that is over.
        eventually(killed)
        page.click("#revive-first")
        eventually(lambda: not page.is_visible("#dead-first"))
        until(page, "document.querySelectorAll('#lines li').length > 0")


@nightly
def silent_and_lying_engines_are_told_of(world):
    missing = ["--engine", "cmd=/nowhere/engine,name=missing"]
    serve(world, *[bad(character) for character in ("silent", "lying", "ending", "mute")], missing)
    page = world.visit()
    for name, said in [("lying", "not legal"), ("ending", "has crashed"), ("mute", "does not start")]:
        analyse(page, name)
        eventually(lambda: page.is_visible("#dead-first") and said in page.text_content("#dead-first"))
    # An engine that never answers is detected only when an answer is due.
    for name, said in [("silent", "does not respond"), ("ending", "has crashed")]:
        seats(page, f"engine:{name}", "human")
        eventually(lambda: said in page.text_content("#play-status"))
        eventually(lambda: "Resume" in page.text_content("#pause"))
    seats(page, "human", "1")
    drag(page, "h2e2")
    until_ply(page, 2)
    page.close()
    # Every word is in the language of the page, except the names of engines and files.
    page = world.visit(language="zh-CN")
    for name, said in [("lying", "Lying 走了 a0i9，不合规则。"), ("ending", "Ending 已崩溃（退出码 3）。"), ("mute", "Mute 无法启动：它没有响应。"), ("missing", "Missing 无法启动：找不到程序 /nowhere/engine。")]:
        analyse(page, name)
        eventually(lambda: page.text_content("#dead-text-first") == said)


def an_engine_without_lines_still_says_its_move(world):
    serve(world, bad("terse"), bad("lost"))
    page = world.visit()
    for name, said in [("terse", "only a move: C2=5."), ("lost", "returned no move.")]:
        analyse(page, name)
        eventually(lambda: page.is_visible("#lines-said") and page.text_content("#lines-said").endswith(said))
        analyse(page, "", name)
        eventually(lambda: page.locator("#lines li").count() > 0 and not page.is_visible("#lines-said"))
        eventually(lambda: page.text_content("#second-depth").endswith(said))


@nightly
def axe_finds_nothing_about_engines(world):
    serve(world, ours(world, "One", "uci"), bad("ending"))
    for language, scheme, more in [("en-US", "dark", {}), ("zh-CN", "light", {"viewport": PHONE, "has_touch": True})]:
        page = world.visit(language=language, scheme=scheme, bypass_csp=True, **more)
        page.evaluate(world.axe)
        analyse(page, "One", "ending")
        eventually(lambda: page.is_visible("#dead-second") and page.locator("#lines li").count() > 0)
        inspect(world, page, f"{language} engines")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "wider than the window"
        page.click("#engine-options")
        until(page, "document.querySelectorAll('#engine-fields input').length > 1")
        page.click("#engine-dialog summary")
        inspect(world, page, f"{language} engine dialog")
        page.close()
