#!/usr/bin/env python3
"""Takes the pictures of docs/10-board.md.

    python tests/page/pictures.py target/release/chuhe docs/pictures      # requires Playwright and Chromium; ImageMagick compresses the pictures
"""

import pathlib
import shutil
import subprocess
import sys
import tempfile

import harness
from harness import *
from playwright.sync_api import sync_playwright

# Level 4 against level 6: chuhe play --side none --level 4,6 --seed 6
GAME = """[Game "Chinese Chess"]
[Red "Chuhe (level 4)"]
[Black "Chuhe (level 6)"]
[Result "0-1"]

1. H8+7 H8+7 2. C8+7 C8=9 3. C8-1 R9=8 4. C2=3 R1=2 5. C8=7 R2+1 6. E7+5 C2=1 7. H2+1 P7+1 8. P3+1
C9+4 9. H1-3 R8+7 10. H7-5 C9=7 11. R1+2 R8-5 12. C7-1 R8+4 13. H3-1 R2=3 14. C7=8 R3=2 15. C8=6
P7+1 16. C6-6 R2+7 17. C6+5 H7+6 18. C6=1 H6+4 19. R1=2 R8=9 20. R2+4 R9+3 21. C1=5 P7=6 22. C5-1
C1-1 23. C3+7 K5+1 24. R9+2 C1=2 25. R9=6 H4+6 26. R2=5 E3+5 27. R5=1 E5-7 28. R1=5 E7+5 29. R5=3
E5+7 30. R3=5 E7-5 31. R5=3 E5+7 32. R3=5 E7-5 0-1
"""
OPENING = """[Game "Chinese Chess"]
[Event "The central cannon"]
[Result "*"]

1. 炮二平五 马8进7 2. 马二进三 车9平8 3. 车一平二 马2进3 (3... 卒7进1 4. 车二进六 马2进3 5. 兵七进一 {Both sides have opened the horses' way.}) 4. 兵七进一 卒7进1
5. 车二进六 炮8平9 6. 车二平三 炮9退1 7. 马八进七 士4进5 8. 炮八平九 $1 炮9平7 9. 车三平四 马7进8 10. 车九平八 车1平2 *
"""
PLIES = {"opening": 20, "game": 64}


def steps(page, ply):
    """Steps from the start to a ply."""
    page.keyboard.press("Home")
    for _ in range(ply):
        page.keyboard.press("ArrowRight")
    page.mouse.move(5, 790)


def quiet(page, milliseconds):
    """Waits for the engine's lines and for notices to disappear."""
    page.wait_for_timeout(milliseconds)
    page.evaluate("document.activeElement.blur()")


def shot(page, milliseconds, path):
    quiet(page, milliseconds)
    page.screenshot(path=path)
    page.close()


def play(world, folder):
    page = world.visit()
    for move in ("h2e2", "h0g2"):
        count = len(names(page))
        drag(page, move)
        until_ply(page, count + 2)
        ready(page)
    page.click("#new-game summary")
    click(page, "i0")
    shot(page, 300, folder / "board-play.png")


def analyse(world, folder, name, **more):
    page = world.visit(**more)
    page.keyboard.press("a")
    paste(page, OPENING)
    until_ply(page, PLIES["opening"])
    for ply in (6, 7, 8, 11, 9):
        steps(page, ply)
        quiet(page, 1200)
    shot(page, 4000, folder / f"{name}.png")


def reviewed(world, folder):
    page = world.visit()
    paste(page, GAME)
    until_ply(page, PLIES["game"])
    page.keyboard.press("r")
    page.select_option("#review-nodes", "30000")
    page.click("#review-start")
    until(page, "document.querySelectorAll('#moments button').length > 0")
    page.locator("#moments button", has_text="??").nth(1).click()
    quiet(page, 4000)
    page.screenshot(path=folder / "board-review.png")
    page.keyboard.press("a")
    page.keyboard.press("End")
    until(page, "document.querySelector('#referee').dataset.state === 'over'")
    page.keyboard.press("w")
    until(page, "document.querySelectorAll('#reasons tbody tr').length > 0")
    shot(page, 1000, folder / "board-referee.png")


def editor(world, folder):
    page = world.visit()
    page.keyboard.press("e")
    page.click("#edit-clear")
    for brush, points in (("R", ["e6", "h4"]), ("C", ["e3"]), ("A", ["d0"]), ("B", ["b5"]), ("a", ["d9", "e8"]), ("n", ["c7"])):
        page.click(f"[data-brush='{brush}']")
        for point in points:
            click(page, point)
    until(page, "document.querySelectorAll('#board .marks .fault').length > 0")
    shot(page, 300, folder / "board-edit.png")


def library(world, folder):
    """Returns games of four engines."""
    with tempfile.TemporaryDirectory() as place:
        engines = [word for nodes in (100, 200, 400, 800) for word in ("--engine", f"cmd=self,nodes={nodes},name={nodes} nodes")]
        subprocess.run([world.chuhe, "match", *engines, "--each", "hash=4", "--games", "40", "--order", "random", "--out", f"{place}/match"], check=True, stdout=subprocess.DEVNULL)
        shelf = f"{place}/engines.games.db"
        subprocess.run([world.chuhe, "games", "add", f"{place}/match/games.pgn", "--to", shelf], check=True, stdout=subprocess.DEVNULL)
        world.server.end()
        world.server = Server(world.chuhe, more=["--games", shelf])
        page = world.visit()
        page.keyboard.press("g")
        page.fill("#library-player", "800")
        page.select_option("#library-result", "1-0")
        until(page, "document.querySelectorAll('#library-list [role=option]').length > 5")
        page.focus("#library-list")
        page.keyboard.press("ArrowDown")
        shot(page, 500, folder / "board-library.png")


def puzzles(world, folder):
    page = world.visit()
    page.keyboard.press("t")
    until(page, "document.querySelectorAll('#puzzle-theme option').length > 10")
    page.select_option("#puzzle-theme", "fork")
    ready(page)
    page.click("#puzzle-hint")
    shot(page, 300, folder / "board-puzzles.png")


def phone(world, folder):
    page = world.visit(language="zh-CN", viewport=PHONE, has_touch=True, is_mobile=True, device_scale_factor=1.5)
    for move in ("h2e2", "h0g2"):
        count = len(names(page))
        (x, y), (to_x, to_y) = centre(page, move[:2]), centre(page, move[2:])
        page.touchscreen.tap(x, y)
        page.touchscreen.tap(to_x, to_y)
        until_ply(page, count + 2)
        ready(page)
    page.touchscreen.tap(*centre(page, "b0"))
    shot(page, 300, folder / "board-phone.png")


def main():
    chuhe, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    harness.PATIENCE = 600_000  # a thorough review takes several minutes
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=ARGUMENTS)
        world = World(browser, chuhe, "")
        try:
            play(world, folder)
            analyse(world, folder, "board-analyse")
            analyse(world, folder, "board-dark", language="zh-CN", scheme="dark")
            reviewed(world, folder)
            editor(world, folder)
            puzzles(world, folder)
            phone(world, folder)
            library(world, folder)
        finally:
            world.close()
            world.server.end()
        browser.close()
        assert not world.faults, world.faults
    for picture in folder.glob("board-*.png"):
        if shutil.which("convert"):
            small = ["convert", picture, "+dither", "-colors", "96", "-define", "png:compression-level=9", f"PNG8:{picture}"]
            subprocess.run(small, check=True)
        say(f"{picture} {picture.stat().st_size}")


if __name__ == "__main__":
    main()
