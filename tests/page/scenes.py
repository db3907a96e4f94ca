#!/usr/bin/env python3
"""Tests the page of `chuhe serve` in a headless browser with scenes by mouse, touch and keyboard. With
--folder, tests the page that contains its engine.

    tests/page/run.sh target/release/chuhe target/page PYTHON      # installs the requirements
    python tests/page/scenes.py CHUHE --axe axe.min.js [scene ...] # uses the installed programs

Every scene has its own browser context. The page must not write to the console or send requests to other
hosts, unless a scene expects it. A scene that fails runs once more, and the output says so; the exit status
is 1 if it fails again. --pictures FOLDER saves screenshots.
--lag 300 makes the page as slow as on an overloaded machine.
"""

import argparse
import inspect
import pathlib
import sys
import time
import traceback

import access
import analysing
import engines
import keeping
import kind
import library
import mine
import playing
import puzzles
import room
import roster
import rough
import sharing
from harness import ARGUMENTS, World, say
from playwright.sync_api import sync_playwright

MODULES = (playing, analysing, engines, roster, kind, sharing, library, mine, puzzles, keeping, room, rough, access)


def scenes_of(module):
    """Returns the scenes of a module in their order."""
    functions = [one for name, one in vars(module).items() if inspect.isfunction(one) and one.__module__ == module.__name__ and name[0] != "_"]
    return [one for one in functions if inspect.getargs(one.__code__) == (["world"], None, None)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("chuhe")
    parser.add_argument("--browser", default="/usr/bin/chromium")
    parser.add_argument("--axe", type=pathlib.Path, required=True, help="axe.min.js")
    parser.add_argument("--pictures", type=pathlib.Path)
    parser.add_argument("--folder", help="of the static page (src/wasm/build.sh), in place of a server")
    parser.add_argument("--lag", type=int, default=0, help="milliseconds by which frames and the engine's answers are late: shows what is asserted too early")
    parser.add_argument("--all", action="store_true", help="the nightly scenes too; accessibility in all eight combinations of language, colours and size; whole games between engines")
    parser.add_argument("--engine", action="append", default=[], help="of another maker, as `chuhe serve` takes it, in place of Chuhe in three dialects")
    parser.add_argument("--part", default="1/1", metavar="K/N", help="every N-th scene, beginning with the K-th")
    parser.add_argument("scene", nargs="*", help="names, or parts of them; by default all that are not nightly")
    options = parser.parse_args()
    of_servers = keeping.OF_SERVERS + rough.OF_SERVERS + kind.OF_SERVERS + sharing.OF_SERVERS + puzzles.OF_SERVERS + scenes_of(library) + scenes_of(mine) + scenes_of(roster) + scenes_of(engines)
    others = of_servers if options.folder else keeping.OF_FOLDERS
    scenes = [scene for module in MODULES for scene in scenes_of(module) if scene not in others]
    by_name = lambda scene: any(part in scene.__name__ for part in options.scene)
    chosen = [scene for scene in scenes if (by_name(scene) if options.scene else options.all or not hasattr(scene, "is_nightly"))]
    part, parts = map(int, options.part.split("/"))
    chosen = chosen[part - 1 :: parts]
    began = time.time()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=options.browser, args=ARGUMENTS)
        first = [scene for scene in chosen if not passes(scene, browser, options)]
        # A scene that fails for want of time on a busy machine has a second run; the output names it.
        failed = [scene for scene in first if not passes(scene, browser, options)]
        browser.close()
    for scene in first:
        if scene not in failed:
            say(f"FAILED ONCE, PASSED IN A SECOND RUN: {spoken(scene)}")
    say(f"{len(chosen) - len(failed)} passed, {len(failed)} failed, in {time.time() - began:.0f} s")
    sys.exit(bool(failed) or not chosen)


def spoken(scene):
    return scene.__name__.replace("_", " ")


def passes(scene, browser, options):
    """Runs a scene; prints its result and, if it fails, the reason."""
    world, start = World(browser, options.chuhe, options.axe.read_text(), options.folder, options.lag, options.all, options.engine), time.time()
    wrong = None
    try:
        scene(world)
        assert not world.faults, "; ".join(world.faults[:5])
    except Exception:  # the other scenes run even if one fails
        wrong = traceback.format_exc(limit=3)
        if options.pictures:
            take_pictures(world, options.pictures, scene.__name__)
    world.close()
    world.server.end()
    say(f"{'FAILED' if wrong else 'ok    '} {spoken(scene)} ({time.time() - start:.1f} s)")
    if wrong:
        say(wrong)
    return not wrong


def take_pictures(world, folder, name):
    folder.mkdir(parents=True, exist_ok=True)
    for number, page in enumerate(page for context in world.contexts for page in context.pages):
        try:
            page.screenshot(path=folder / f"{name}-{number}.png")
        except Exception:
            say("   (no picture could be taken)")


if __name__ == "__main__":
    main()
