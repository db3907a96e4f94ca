"""Persistence: reloads, lost connections, several tabs; both languages; the size of the page."""

import pathlib
import re
import subprocess
import tempfile

from harness import *

HEAVIEST = 320_000
LOST = ("WebSocket", "ERR_CONNECTION", "Failed to load")
PAGE = pathlib.Path(__file__).resolve().parents[2] / "src/app/web/page"


def a_reload_restores_the_game(world):
    page = answered(world)
    before, moves = pieces(page), names(page)
    page.click("#flip")
    page.reload()
    ready(page)
    until_ply(page, 2)
    eventually(lambda: pieces(page) == before and names(page) == moves)
    eventually(lambda: page.text_content("#player-bottom .name").startswith("Black"))  # the board is turned
    # The game continues at the same position.
    page.click("#flip")
    drag(page, legal_move(world, page))
    until_ply(page, 4)


def what_is_pressed_at_once_counts(world):
    """Checks that keys take effect before the page has determined its stored game."""
    context = world.context()
    context.add_init_script(
        "const request = LockManager.prototype.request;"
        "LockManager.prototype.request = function (...all) { return new Promise((done) => setTimeout(done, 700)).then(() => request.apply(this, all)); };"
    )
    page = context.new_page()
    world.watch(page)
    page.goto(world.server.url)
    until(page, "document.querySelector('#keys dt')")  # the page handles keys
    page.keyboard.press("a")
    until(page, "document.querySelectorAll('#lines li').length > 0")
    eventually(lambda: page.get_attribute("#engine", "aria-pressed") == "true")


def the_server_goes_and_comes_back(world):
    page = world.visit(expect=LOST)
    page.keyboard.press("a")
    typed(page, "h2e2")
    port = world.server.port
    world.server.end(kill=True)
    until(page, "document.body.classList.contains('offline')")
    eventually(lambda: "connection" in page.text_content("#notice") and page.is_visible("#notice"))
    eventually(lambda: names(page) == ["C2=5"])  # the game is still shown
    # Another run has another token: the page explains the next step, and opening the new address in the same
    # tab is sufficient.
    world.server = Server(world.chuhe, port)
    assert world.server.port == port
    until(page, "document.querySelector('#notice').textContent.includes('address')")
    page.goto(world.server.url)
    until(page, "!document.body.classList.contains('offline')")
    eventually(lambda: not page.is_visible("#notice") or "connection" not in page.text_content("#notice"))
    typed(page, "h9g7")
    eventually(lambda: names(page) == ["C2=5", "H8+7"])


def a_lost_connection_comes_back_by_itself(world):
    context = world.context()
    page = context.new_page()
    world.watch(page, LOST)
    routes = []

    def connect(route):
        routes.append((route, route.connect_to_server()))

    page.route_web_socket(re.compile("/ws$"), connect)
    page.goto(world.server.url)
    ready(page)
    page.keyboard.press("a")
    typed(page, "h2e2")
    routes[0][1].close()
    routes[0][0].close()
    until(page, "document.body.classList.contains('offline')")
    until(page, "!document.body.classList.contains('offline')")
    assert len(routes) >= 2
    until(page, "document.querySelectorAll('#lines li').length > 0")
    typed(page, "h9g7")


def a_browser_that_keeps_nothing_still_plays(world):
    denied = "for (const name of ['localStorage', 'sessionStorage']) Object.defineProperty(window, name, { get() { throw new DOMException('denied', 'SecurityError'); } });"
    full = "Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); };"
    for script in (denied, full):
        context = world.context()
        context.add_init_script(script)
        page = world.visit(context)
        seats(page, "human", "1")
        drag(page, "h2e2")
        until_ply(page, 2)


def two_tabs_keep_their_own_games(world):
    context = world.context()
    one = world.visit(context)
    one.keyboard.press("a")
    typed(one, "h2e2")
    two = world.visit(context)
    two.keyboard.press("a")
    assert names(two) == [], "the second tab has taken the first one's game"
    typed(two, "c3c4", "h9g7")
    typed(one, "b9c7")
    for page, moves in ((one, ["C2=5", "H2+3"]), (two, ["P7+1", "H8+7"])):
        page.reload()
        ready(page)
        eventually(lambda: names(page) == moves)
    # A new tab continues the game of a closed tab.
    one.close()
    three = world.visit(context)
    eventually(lambda: names(three) == ["C2=5", "H2+3"])


def both_languages_everywhere(world):
    page = world.visit(language="zh-CN")
    eventually(lambda: page.get_attribute("html", "lang") == "zh-Hans" and page.text_content("#mode-play") == "对弈")
    page.keyboard.press("a")
    typed(page, "h2e2")
    eventually(lambda: names(page) == ["炮二平五"])
    # The page contains no text in the other language, except the language switch and the names of formats.

    def english():
        said = page.evaluate("document.body.innerText")
        left = re.sub(r"Chuhe|EN|FEN|WXF|ICCS|PGN|XQF|CBR|CBL|CBF|UBB|DhtmlXQ|Home|End|[a-zA-Z0-9/]{20,}|[kMw] ?|−|\b[a-z]\b", "", said)
        return re.findall(r"[A-Za-z]{3,}", left)

    def chinese():
        said = page.evaluate("document.body.innerText").replace("楚河", "").replace("中文", "").replace("中", "")
        said = re.sub("[一二三四五六七八九]", "", said)  # Red's files, at the edge of the board
        return re.findall(r"[\u4e00-\u9fff]+", said)

    for mode in "parew":
        page.keyboard.press(mode)
        settled(page)
        eventually(lambda: not english())
    page.keyboard.press("l")
    until(page, "document.documentElement.lang === 'en'")
    for mode in "parew":
        page.keyboard.press(mode)
        settled(page)
        eventually(lambda: not chinese())
    eventually(lambda: names(page) == ["C2=5"])
    page.reload()
    ready(page)
    eventually(lambda: page.get_attribute("html", "lang") == "en")  # the language is stored


def every_word_is_there_and_used(world):
    """Compares the table with the page's source."""
    sources = {path.name: path.read_text(encoding="utf-8") for path in PAGE.iterdir() if path.suffix in (".js", ".html")}
    tables = [sources.pop(name) for name in ("texts.js", "texts_of_games.js")]
    texts = re.sub(r'" \+\s+"', "", "\n".join(tables))
    table = re.findall(r'^  (\w+): \[\s*"((?:[^"\\]|\\.)*)",\s+"((?:[^"\\]|\\.)*)",?\s*\],$', texts, re.M)
    assert len(table) == len(re.findall(r"^  \w+: \[", texts, re.M))
    known = {key for key, _, _ in table}
    assert len(known) == len(table) > 150, "a key stands twice"
    for key, chinese, english in table:
        assert chinese and english, key
        assert set(re.findall(r"\{\w+\}", chinese)) == set(re.findall(r"\{\w+\}", english)), key
    rest = "\n".join(sources.values())
    asked = set(re.findall(r'\bt\(\s*"(\w+)"', rest)) | set(re.findall(r'data-t(?:-\w+)?="(\w+)"', rest))
    assert asked <= known, asked - known
    # Keys with a variable part, such as `level_${number}`.
    parts = [re.sub(r"\$\{[^}]*\}", r"\\w*", text) for text in re.findall(r"`((?:\w|\$\{[^}]*\})+)`", rest)]
    parts = [part for part in parts if r"\w*" in part and len(part.replace(r"\w*", "")) > 3]
    computed = {key for key in known if any(re.fullmatch(part, key) for part in parts)}
    unused = {key for key in known - asked - computed if f'"{key}"' not in rest}
    assert not unused, unused


def the_page_is_light(world):
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([world.chuhe, "serve", "--export", folder], check=True, stdout=subprocess.DEVNULL)
        files = [path for path in pathlib.Path(folder).rglob("*") if path.is_file() and path.suffix != ".wasm"]
        weight = sum(path.stat().st_size for path in files)
    say(f"       {len(files)} files, {weight} bytes")
    assert weight < HEAVIEST
    long = [path.name for path in PAGE.iterdir() if path.suffix in (".js", ".css", ".html") and len(path.read_text().splitlines()) > 450]
    assert not long, long


def it_works_without_a_network(world):
    page = world.visit()
    until(page, "navigator.serviceWorker.controller !== null && navigator.serviceWorker.ready.then(() => true)")
    world.server.end()
    page.reload()
    ready(page)
    # From the second visit on, the page is isolated, so a search receives the stop.
    eventually(lambda: page.evaluate("crossOriginIsolated"))
    page.keyboard.press("a")
    until(page, "document.querySelector('#lines li')")
    typed(page, "h2e2", "h9g7", "h0g2")
    eventually(lambda: names(page) == ["C2=5", "H8+7", "H2+3"])
    world.server = Folder(world.folder)


# Scenes that require a server, and scenes about the source files.
OF_SERVERS = [the_server_goes_and_comes_back, a_lost_connection_comes_back_by_itself, every_word_is_there_and_used, the_page_is_light]
# Scenes that require a page containing its engine.
OF_FOLDERS = [it_works_without_a_network]
