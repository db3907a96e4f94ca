"""Sharing: links that contain games, malicious links, pictures, copies."""

import base64
import random
import struct
import tempfile
import zlib

from analysing import VARIATIONS, record
from harness import *


def allow_clipboard(page):
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])


def clipboard(page):
    return page.evaluate("navigator.clipboard.readText()")


def link_of(page):
    page.click("#save")
    page.click("#share-link")
    # The page explains that the link opens only on this computer, and the dialog stays open.
    until(page, "!document.querySelector('#save-dialog').open || !document.querySelector('#share-said').hidden")
    page.keyboard.press("Escape")
    return clipboard(page)


def a_link_holds_a_game_and_a_position(world):
    page = world.visit()
    allow_clipboard(page)
    paste(page, VARIATIONS)
    until_ply(page, 6)
    text, link = saved(page, "pgn"), link_of(page)
    assert "#game=" in link and "token" not in link, link
    # The link is opened in another tab that was admitted before, and is removed from the address.
    other = page.context.new_page()
    world.watch(other)
    other.goto(link)
    until_ply(other, 6)
    eventually(lambda: other.evaluate("location.hash") == "")
    assert saved(other, "pgn") == text
    # The same tab opens another link, and the previous game can be restored.
    page.click("#open")
    page.fill("#open-text", "3k5/9/9/9/9/9/9/9/9/R3K4 w")
    page.click("#open-take")
    until_ply(page, 0)
    position = link_of(page)
    other.evaluate("link => { location.hash = link.slice(link.indexOf('#')); }", position)
    until_ply(other, 0)
    stands(other, "a0", "R")
    other.click("#game-before")
    until_ply(other, 6)


def random_games_survive_the_link(world):
    """Checks with the page's own functions that links preserve every byte."""
    page = world.visit()
    numbers = random.Random(35)
    letters = "炮马卒车象abcXYZ 0123 {}[]()<>&\"'\\%#?=+/\n\t—🀄𠀀é"

    def text():
        return "".join(numbers.choice(letters) for _ in range(numbers.randrange(60)))

    games = []
    for _ in range(200):
        moves = [f"{numbers.choice('abcdefghi')}{numbers.randrange(10)}{numbers.choice('abcdefghi')}{numbers.randrange(10)}" for _ in range(numbers.randrange(300))]
        games.append(f'[Event "{text()}"]\n\n' + " ".join(f"{move} {{{text()}}}" if numbers.random() < 0.1 else move for move in moves))
    wrong = page.evaluate(
        """async (games) => {
            const { linkOf, textOf } = await import("./share.js");
            let wrong = 0;
            for (const game of games) {
                const link = await linkOf(game);
                if (!/^[-\\w]+$/.test(link.split("#game=")[1]) || (await textOf(link.slice(link.indexOf("#")))) !== game) wrong += 1;
            }
            return wrong;
        }""",
        games,
    )
    assert wrong == 0, f"{wrong} of {len(games)} are not the same"
    # Ten games of legal moves are written, opened and written again with the same result.
    played = page.evaluate(
        """async () => {
            const { ask } = await import("./desk.js");
            const games = [];
            for (let number = 0; number < 10; number += 1) {
                const moves = [];
                for (let ply = 0; ply < 60; ply += 1) {
                    const { legal } = await ask({ do: "look", moves });
                    if (!legal || legal.length === 0) break;
                    moves.push(legal[(number * 31 + ply * 17) % legal.length]);
                }
                const tree = { start: "startpos", tags: [["Red", `甲 ${number}`]], result: "*", nodes: moves.map((move, place) => ({ parent: place, move })) };
                const { text } = await ask({ do: "save", form: "pgn", notation: "iccs", tree });
                const again = await ask({ do: "open", text });
                const saved = await ask({ do: "save", form: "pgn", notation: "iccs", tree: again.games[0].tree });
                games.push([text, saved.text]);
            }
            return games;
        }"""
    )
    assert len(played) == 10 and all(one == other for one, other in played)


def packed(content):
    squeeze = zlib.compressobj(9, zlib.DEFLATED, -15)
    return base64.urlsafe_b64encode(squeeze.compress(content) + squeeze.flush()).decode().rstrip("=")


def pictures_show_only_the_arrows_of_the_user(world):
    page = world.visit()
    page.keyboard.press("a")
    eventually(lambda: page.locator("#board .arrows .arrow").count() > 0)
    page.mouse.move(*centre(page, "b0"))
    page.mouse.down(button="right")
    page.mouse.move(*centre(page, "c2"))
    page.mouse.up(button="right")
    eventually(lambda: page.locator("#board .own .arrow").count() == 1)
    text = saved(page, button="#share-svg")[1].decode()
    assert text.count('class="arrow ') == 1 and 'class="arrow own"' in text
    page.emulate_media(media="print")
    assert not page.is_visible("#board .arrows .arrow") and page.is_visible("#board .own .arrow")


def hostile_links_give_one_sentence(world):
    page = world.visit()
    page.keyboard.press("a")
    typed(page, "h2e2")
    whole = packed(record(["h2e2", "h9g7"]).encode())
    hostile = {
        "script": "%3Cscript%3Ealert(1)%3C/script%3E",
        "damaged": whole[: len(whole) // 2],
        "turned": whole[::-1],
        "empty": "",
        "a megabyte": "A" * 1_000_000,
        "a bomb": packed(b"h2e2 " * 20_000_000),
        "no text": packed(bytes(range(256)) * 10),
        "no game": packed(b"<script>alert(1)</script><img src=x onerror=alert(2)>"),
    }
    for name, link in hostile.items():
        page.evaluate("document.querySelector('#notice').textContent = ''")
        page.evaluate("link => { location.hash = `#game=${link}`; }", link)
        until(page, "document.querySelector('#notice').textContent !== ''")
        said = page.text_content("#notice")
        assert said.count(".") <= 2 and len(said) < 200 and "<img" not in page.inner_html("#notice"), f"{name}: {said}"
        settled(page)
        assert len(names(page)) == 1, f"{name}: the game is gone"
    # Names are inserted as text, never as HTML.
    page.evaluate("link => { location.hash = `#game=${link}`; }", packed(record(["h2e2", "h9g7"]).replace("甲", "<img src=x onerror=alert(3)>").encode()))
    until_ply(page, 2)
    eventually(lambda: "<img src=x" in page.text_content("#game-title") and page.locator("#game-title img").count() == 0)


def pictures_of_the_board_and_of_a_game(world):
    page = world.visit()
    allow_clipboard(page)
    page.keyboard.press("a")
    typed(page, "h2e2", "h9g7", "h0g2", "i9h9")
    save = lambda button: saved(page, button=button)[1]
    svg = save("#share-svg").decode()
    assert svg.count("<g") > 32 and "var(" not in svg and "<style" not in svg and 'fill="rgb(' in svg
    # The picture must not depend on the page's style sheet, since the PNG is drawn from it.
    png = save("#share-png")
    assert png[:8] == b"\x89PNG\r\n\x1a\n" and struct.unpack(">II", png[16:24]) == (900, 1068)
    gif = save("#share-gif")
    assert gif[:6] == b"GIF89a" and gif[-1] == 0x3B and gif.count(b"\x21\xf9\x04") == 5
    shown = page.evaluate(
        """async (bytes) => {
            const decoder = new ImageDecoder({ data: new Uint8Array(bytes), type: "image/gif" });
            await decoder.tracks.ready;
            const pixels = [];
            for (let frame = 0; frame < decoder.tracks.selectedTrack.frameCount; frame += 1) {
                const { image } = await decoder.decode({ frameIndex: frame });
                const canvas = new OffscreenCanvas(image.displayWidth, image.displayHeight);
                const context = canvas.getContext("2d", { willReadFrequently: true });
                context.drawImage(image, 0, 0);
                const at = (x, y) => [...context.getImageData(Math.round(x / 2), Math.round((y + 34) / 2), 1, 1).data].slice(0, 3);
                // The middle of h2 and of e2, beside the strokes, where a piece is light and the board is not.
                pixels.push([at(750 - 30, 750 + 5), at(450 - 30, 750 + 5)]);
            }
            return pixels;
        }""",
        list(gif),
    )
    light = lambda pixel: min(pixel) > 235
    assert len(shown) == 5
    assert light(shown[0][0]) and not light(shown[0][1]), shown
    assert all(not light(frame[0]) and light(frame[1]) for frame in shown[1:]), shown
    page.click("#save")
    page.click("#share-fen")
    eventually(lambda: clipboard(page).startswith("rnbakab1r/") or " w " in clipboard(page))
    # The moves are copied in each notation.
    for notation, first in [("chinese", "炮二平五"), ("wxf", "C2=5"), ("iccs", "H2-E2")]:
        page.click("#save")
        page.select_option("#save-form", "moves")
        page.select_option("#save-notation", notation)
        page.click("#save-copy")
        eventually(lambda: first in clipboard(page))


def a_local_server_offers_what_friends_can_open(world):
    page = world.visit()
    allow_clipboard(page)
    paste(page, VARIATIONS)
    until_ply(page, 6)
    page.click("#save")
    assert not page.is_visible("#share-said")
    page.click("#share-link")
    eventually(lambda: page.is_visible("#share-said") and "this computer only" in page.text_content("#share-said"))
    page.click("#share-forum")
    eventually(lambda: clipboard(page).startswith("[DhtmlXQ]"))
    # The self-contained page is a file that can be opened without a server; it contains no scripts from the
    # game.
    name, content = saved(page, button="#share-page")
    assert name == "甲-img srcx onerroralert1.html", name
    with tempfile.TemporaryDirectory() as folder:
        with open(f"{folder}/game.html", "wb") as file:
            file.write(content)
        friend = world.context().new_page()
        friend.on("pageerror", lambda error: world.faults.append(f"a friend's page: {error}"))
        friend.on("request", lambda request: request.url.startswith("file:") or world.faults.append(f"a friend's page asks for {request.url}"))
        friend.goto(f"file://{folder}/game.html")
        assert friend.locator("ol.moves li:not(.notes)").count() == 6
        assert "1... H8+7 2. H2+3 (2. P3+1!?) 2... R9=8" in friend.text_content("ol.moves")
        friend.keyboard.press("End")
        eventually(lambda: "quiet" in friend.text_content("#said"))
        friend.keyboard.press("Home")
        friend.locator("ol.moves a").first.click()
        eventually(lambda: "The central cannon" in friend.text_content("#said"))
        # Every move of a variation is shown, and the arrow keys follow it.
        here = lambda: friend.text_content("ol.moves .here")
        friend.locator("ol.moves a", has_text="P3+1!?").click()
        eventually(lambda: here() == "2. P3+1!?")
        friend.keyboard.press("ArrowLeft")
        eventually(lambda: here() == "1... H8+7")
        friend.keyboard.press("End")
        eventually(lambda: here() == "2... R9=8")
        assert friend.locator("ol.moves img, #said img, h1 img").count() == 0


def links_lead_to_the_hosted_page(world):
    world.server.end()
    world.server = Server(world.chuhe, more=["--public-url", "https://example.org/chuhe/"])
    page = world.visit()
    allow_clipboard(page)
    page.keyboard.press("a")
    typed(page, "h2e2")
    assert link_of(page).startswith("https://example.org/chuhe/#game=")


OF_SERVERS = [a_local_server_offers_what_friends_can_open, links_lead_to_the_hosted_page]
