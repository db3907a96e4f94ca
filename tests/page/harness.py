"""A server or a folder, a browser, and the actions of the scenes on a page."""

import functools
import http.server
import inspect
import json
import os
import re
import subprocess
import sys
import tempfile
import threading
import time

ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
]
SCREEN = {"width": 1280, "height": 800}
PHONE = {"width": 360, "height": 740}
# Long enough for a busy machine; a passing test never waits this long.
PATIENCE = 30_000
# Script that --lag adds to every page: it delays each frame and each response of the engine by this number of
# milliseconds.
LAGGING = """(() => {
    const frame = window.requestAnimationFrame;
    window.requestAnimationFrame = (draw) => setTimeout(() => frame.call(window, draw), LAG);
    const later = (kind, name) => {
        const { get, set } = Object.getOwnPropertyDescriptor(kind.prototype, name);
        Object.defineProperty(kind.prototype, name, { get, set(hear) { set.call(this, (event) => setTimeout(() => hear(event), LAG)); } });
    };
    later(WebSocket, "onmessage");
    later(WebSocket, "onclose");
    later(Worker, "onmessage");
})()"""

# Red mates with two cannons in four moves.
MATE = "h2e2 e6e5 e2e5 h9i7 b2b4 h7h4 b4e4".split()


class Server:
    """`chuhe serve` on a port."""

    def __init__(self, chuhe, port=0, more=(), data=None, settings="/nonexistent"):
        command = [chuhe, "serve", "--port", str(port), "--hash", "32", "--threads", "1", *more]
        # The user's own list of engines is not used, and games are stored only in a folder for tests.
        command += [] if data else ["--no-my-games"]
        environment = {**os.environ, "XDG_CONFIG_HOME": settings, "XDG_DATA_HOME": data or "/nonexistent"}
        if os.path.isdir(settings):
            environment["HOME"] = settings
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment)
        self.url = self.process.stdout.readline().strip()
        assert self.url.startswith("http://127.0.0.1:"), f"no address: {self.url!r}"
        self.port = int(re.search(r":(\d+)/", self.url).group(1))

    def end(self, kill=False):
        self.process.kill() if kill else self.process.terminate()
        self.process.wait()


class Folder:
    """The page that contains its engine, served as static files, as by any web host."""

    class Handler(http.server.SimpleHTTPRequestHandler):
        extensions_map = {**http.server.SimpleHTTPRequestHandler.extensions_map, ".js": "text/javascript", ".wasm": "application/wasm", ".webmanifest": "application/manifest+json"}

        def log_message(self, *_):
            pass

    def __init__(self, path, port=0):
        handler = functools.partial(self.Handler, directory=path)
        self.host = http.server.ThreadingHTTPServer(("127.0.0.1", port), handler)
        self.port = self.host.server_port
        self.url = f"http://127.0.0.1:{self.port}/"
        threading.Thread(target=self.host.serve_forever, daemon=True).start()

    def end(self):
        self.host.shutdown()
        self.host.server_close()


class World:
    """Server, browser and options passed to every scene."""

    def __init__(self, browser, chuhe, axe, folder=None, lag=0, all=False, engines=()):
        self.engines = engines
        self.browser, self.chuhe, self.axe, self.folder, self.lag, self.all = browser, chuhe, axe, folder, lag, all
        self.server = Folder(folder) if folder else Server(chuhe)
        self.contexts = []
        self.faults = []

    def context(self, language="en-US", scheme="light", viewport=None, **more):
        more.setdefault("reduced_motion", "reduce")
        context = self.browser.new_context(
            locale=language, color_scheme=scheme, viewport=viewport or SCREEN, accept_downloads=True, **more
        )
        context.set_default_timeout(PATIENCE)
        if self.lag:
            context.add_init_script(LAGGING.replace("LAG", str(self.lag)))
        self.contexts.append(context)
        return context

    def watch(self, page, expect=()):
        """Records every unexpected error of the page."""

        def hear(text):
            if not any(part in text for part in expect):
                self.faults.append(text)

        page.on("console", lambda message: message.type in ("error", "warning") and hear(f"console: {message.text}"))
        page.on("pageerror", lambda error: hear(f"error: {error}"))
        page.on("request", lambda request: request.url.startswith((f"http://127.0.0.1:{self.server.port}/", "blob:", "data:")) or hear(f"request: {request.url}"))

    def visit(self, context=None, expect=(), **more):
        """Opens a new page with its engine; it has no stored data unless the context has."""
        page = (context or self.context(**more)).new_page()
        self.watch(page, expect)
        page.goto(self.server.url)
        ready(page)
        return page

    def close(self):
        for context in self.contexts:
            context.close()
        self.contexts = []


def nightly(scene):
    """Decorator for scenes that run only with --all or by name."""
    scene.is_nightly = True
    return scene


def ready(page):
    """Waits until the engine has reported the state of the position."""
    until(page, "document.querySelector('#board').dataset.fen")


def pieces(page):
    return page.get_attribute("#board", "data-pieces")


def fen(page):
    return page.get_attribute("#board", "data-fen")


def piece(page, name):
    """Returns the piece on a point as a letter, or a dot."""
    return pieces(page)["abcdefghi".index(name[0]) + 9 * (9 - int(name[1]))]


def until(page, what, argument=None):
    """Waits until an expression is true. Playwright's own function requires `eval`, which the page's policy
    forbids."""
    end = time.time() + PATIENCE / 1000
    while not page.evaluate(what, argument):
        assert time.time() < end, f"in vain: {what} {argument or ''}"
        page.wait_for_timeout(20)


def eventually(check):
    """Waits until a check of the displayed page succeeds. The effect of a click is drawn a frame later, and
    the engine's response later still."""
    end = time.time() + PATIENCE / 1000
    while not check():
        assert time.time() < end, f"in vain: {inspect.getsource(check).strip()}"
        time.sleep(0.02)


def settled(page):
    """Waits until two frames have been drawn, so that earlier changes are displayed. Used to check that
    something is *absent*."""
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


def until_ply(page, ply):
    """Waits until this number of moves of the main line is listed."""
    until(page, "ply => document.querySelectorAll('#moves .pair .move').length === ply", ply)


def stands(page, name, letter):
    """Waits until a piece is on a point."""
    place = "abcdefghi".index(name[0]) + 9 * (9 - int(name[1]))
    until(page, "([place, letter]) => document.querySelector('#board').dataset.pieces[place] === letter", [place, letter])


def cell(page, name):
    return page.locator(f"#grid [role=gridcell][aria-label^='{name},']")


def centre(page, name):
    box = cell(page, name).bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def click(page, name):
    page.mouse.click(*centre(page, name))


def drag(page, move):
    """Drags a piece after the engine has reported the legal moves."""
    ready(page)
    (x, y), (to_x, to_y) = centre(page, move[:2]), centre(page, move[2:])
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move((x + to_x) / 2, (y + to_y) / 2, steps=3)
    page.mouse.move(to_x, to_y, steps=3)
    page.mouse.up()


def typed(page, *moves):
    """Types moves into the input field and waits for each."""
    for move in moves:
        before = page.get_attribute("#board", "data-pieces")
        page.fill("#typed", move)
        page.press("#typed", "Enter")
        until(page, "before => document.querySelector('#board').dataset.pieces !== before", before)
        ready(page)
    page.keyboard.press("Escape")


def seats(page, red, black):
    """Starts a new game between two players."""
    page.locator("#mode-play").click()
    if not page.locator("#play-start").is_visible():
        page.locator("#new-game summary").click()
    page.select_option("#seat-red", red)
    page.select_option("#seat-black", black)
    page.click("#play-start")


def legal_move(world, page):
    """Returns a legal move of the displayed position. Level 1 moves at random, so a fixed move may become
    illegal."""
    divided = subprocess.run([world.chuhe, "perft", "1", "--divide", "--fen", fen(page)], check=True, capture_output=True, text=True)
    return divided.stdout.split(":")[0]


def play(world, page, *moves):
    """Plays moves against the engine and waits for each reply; `None` is any legal move."""
    for move in moves:
        ready(page)
        count = page.locator("#moves .pair .move").count()
        drag(page, move or legal_move(world, page))
        until_ply(page, count + 2)
        ready(page)


def answered(world):
    """Opens a page with a game against level 1 in which each side has moved."""
    page = world.visit()
    seats(page, "human", "1")
    drag(page, "h2e2")
    until_ply(page, 2)
    ready(page)
    return page


def is_for_analysis_alone(page, panel):
    """Checks that a panel is hidden while a user plays, and for a position without data."""
    page.keyboard.press("p")
    eventually(lambda: not page.is_visible(panel))
    page.keyboard.press("a")
    paste(page, "3k5/9/9/9/9/9/9/9/9/4K4 w")
    ready(page)
    eventually(lambda: not page.is_visible(panel))


def review(page):
    """Reviews the game with few nodes, which are sufficient for its obvious mistakes."""
    page.click("#mode-review")
    page.select_option("#review-nodes", "30000")
    page.evaluate("document.querySelector('#review-nodes').options[0].value = '6000'")
    page.click("#review-start")
    until(page, "document.querySelectorAll('#moments button').length > 0")


def paste(page, text):
    """Opens a pasted text."""
    page.click("#open")
    page.fill("#open-text", text)
    page.click("#open-take")
    until(page, "!document.querySelector('#open-dialog').open")


def kept(page):
    """Returns the stored game of the page."""
    return page.evaluate("JSON.parse(localStorage.getItem('chuhe.game.' + sessionStorage.getItem('chuhe.tab')))")


def names(page):
    """Returns the displayed moves of the main line."""
    return page.eval_on_selector_all("#moves .pair .move", "moves => moves.map(move => move.firstChild.textContent)")


def convert(chuhe, text, suffix):
    """Converts a record to another format with the command line."""
    with tempfile.TemporaryDirectory() as folder:
        source = f"{folder}/game.pgn"
        with open(source, "w", encoding="utf-8") as file:
            file.write(text)
        target = f"{folder}/game.{suffix}"
        subprocess.run([chuhe, "convert", source, "--to", suffix, "--out", target], check=True, stdout=subprocess.DEVNULL)
        with open(target, "rb") as file:
            return file.read()


def saved(page, form=None, button="#save-take"):
    """Returns the name and the bytes of a file that the page offers for download."""
    page.click("#save")
    if form:
        page.select_option("#save-form", form)
    with page.expect_download() as download:
        page.click(button)
    with open(download.value.path(), "rb") as file:
        return download.value.suggested_filename, file.read()


def drop(page, name, content):
    """Drops a file on the page."""
    page.evaluate(
        """([name, bytes]) => {
            const transfer = new DataTransfer();
            transfer.items.add(new File([new Uint8Array(bytes)], name));
            for (const kind of ["dragover", "drop"]) {
                document.querySelector("#board").dispatchEvent(new DragEvent(kind, { bubbles: true, cancelable: true, dataTransfer: transfer }));
            }
        }""",
        [name, list(content)],
    )


def say(text):
    print(text, flush=True)


__all__ = [name for name in dir() if not name.startswith("_")]
