"""Usability: mistakes lose no data, lists show their length, large files can be opened, and the board's
appearance can be changed."""

import random

from analysing import HUNG_ROOK, record
from harness import *


def resigning_asks_once(world):
    page = world.visit()
    seats(page, "human", "1")
    ready(page)
    page.click("#resign")
    eventually(lambda: page.text_content("#resign") == "Really resign?")
    # Any other action cancels the resignation.
    page.focus("#hint")
    eventually(lambda: page.text_content("#resign") == "Resign")
    assert page.is_visible("#play-live") and not page.is_visible("#play-end")
    page.click("#resign")
    page.click("#resign")
    eventually(lambda: "Red resigns" in page.text_content("#result"))


def a_game_that_was_left_comes_back(world):
    page = world.visit()
    seats(page, "human", "human")
    ready(page)
    assert not page.is_visible("#game-before")
    typed(page, "h2e2", "h9g7", "h0g2")
    # A game abandoned by Start can be restored, even after a reload.
    seats(page, "human", "human")
    until_ply(page, 0)
    page.reload()
    ready(page)
    page.click("#game-before")
    until_ply(page, 3)
    ready(page)
    eventually(lambda: page.is_visible("#play-live"))
    typed(page, "i9h9")
    # So can a game abandoned by Open.
    page.keyboard.press("a")
    paste(page, record(["b2e2", "b9c7"]))
    until_ply(page, 2)
    page.click("#game-before")
    until_ply(page, 4)
    page.click("#game-before")
    until_ply(page, 2)


def a_running_game_is_continued_from_the_play_view(world):
    page = world.visit()
    seats(page, "human", "human")
    ready(page)
    typed(page, "h2e2", "h9g7")
    # Moves of the running game cannot be deleted, only taken back.
    assert page.evaluate("document.querySelector('#remove').disabled")
    # Records that are opened do not replace the running game.
    for moves in (["b2e2"], ["c3c4", "b9c7", "h2e2"]):
        paste(page, record(moves))
        until_ply(page, len(moves))
    page.click("#mode-play")
    page.click("#play-continue")
    until_ply(page, 2)
    eventually(lambda: page.is_visible("#play-live") and not page.is_visible("#play-continue"))
    # Neither does a puzzle, which is left through another view.
    page.keyboard.press("t")
    until(page, "document.querySelector('#puzzle-text').textContent !== ''")
    page.click("#mode-edit")
    page.click("#mode-play")
    page.click("#play-continue")
    until_ply(page, 2)
    ready(page)
    typed(page, "h0g2")


def a_game_that_comes_back_has_its_review(world):
    page = world.visit()
    paste(page, record(HUNG_ROOK))
    until_ply(page, len(HUNG_ROOK))
    review(page)
    paste(page, record(["b2e2"]))
    until_ply(page, 1)
    page.click("#game-before")
    eventually(lambda: page.is_visible("#moments button"))


def players_and_event_are_edited_and_saved(world):
    page = world.visit()
    page.keyboard.press("a")
    typed(page, "h2e2")
    page.click("#about-game summary")
    for name, text in [("Red", "胡荣华"), ("Black", "<b>Yang</b>"), ("Event", "Shanghai"), ("Date", "1960.11.01")]:
        page.fill(f"#tag-{name}", text)
    page.select_option("#tag-result", "1-0")
    eventually(lambda: "胡荣华 – <b>Yang</b>" in page.text_content("#game-title"))
    page.reload()
    ready(page)
    eventually(lambda: page.text_content("#game-title") == "胡荣华 – <b>Yang</b> · 1-0")
    text = saved(page, "pgn")[1].decode()
    for tag in ('[Red "胡荣华"]', '[Black "<b>Yang</b>"]', '[Event "Shanghai"]', '[Date "1960.11.01"]', '[Result "1-0"]'):
        assert tag in text, text


def drop_all(page, files):
    page.evaluate(
        """(files) => {
            const transfer = new DataTransfer();
            for (const [name, text] of files) transfer.items.add(new File([text], name));
            document.querySelector("#board").dispatchEvent(new DragEvent("drop", { bubbles: true, cancelable: true, dataTransfer: transfer }));
        }""",
        files,
    )


def several_files_are_all_opened(world):
    page = world.visit()
    games = [("one.pgn", record(["h2e2", "h9g7"])), ("broken.pgn", "no game at all"), ("two.pgn", record(["b2e2"]) + record(["c3c4"]))]
    drop_all(page, games)
    eventually(lambda: page.locator("#open-games button").count() == 3)
    eventually(lambda: "broken.pgn" in page.text_content("#open-fault") and "3 of 3" in page.text_content("#open-count"))
    assert "Click a game" in page.text_content("#open-list")
    page.locator("#open-games button", has_text="two.pgn").last.click()
    until_ply(page, 1)
    page.keyboard.press("End")
    stands(page, "c4", "P")


def results_of_a_list_are_words_in_chinese(world):
    page = world.visit(language="zh-CN")
    drop_all(page, [("two.pgn", record(["h2e2"]).replace('"*"', '"1-0"').replace(" *", " 1-0") + record(["b2e2"]))])
    eventually(lambda: [text.split(" · ")[1:] for text in page.locator("#open-games button").all_text_contents()] == [["红胜"], []])


def a_long_list_says_how_many_and_is_filtered(world):
    page = world.visit()
    games = "".join(record([move]).replace("甲", f"Player {number}") for number, move in enumerate(["h2e2", "b2e2", "c3c4"] * 400))
    drop(page, "games.pgn", games.encode())
    eventually(lambda: "500 of 1200 games" in page.text_content("#open-count"))
    page.fill("#open-filter", "player 1199")
    eventually(lambda: "1 of 1200 games" in page.text_content("#open-count"))
    page.click("#open-take")
    until_ply(page, 1)
    page.keyboard.press("End")
    stands(page, "c4", "P")


def large_tree(variations, length):
    """Returns the main line h2e2 h9g7 h0g2 with variations to the second ply, in which two cannons move along
    their files."""
    random_numbers = random.Random(1)
    lines = []
    for _ in range(variations):
        ranks, line = {"h": 7, "b": 2}, []
        for ply in range(length):
            file, free = ("h", range(3, 9)) if ply % 2 == 0 else ("b", range(1, 7))
            to = random_numbers.choice([rank for rank in free if rank != ranks[file]])
            line.append(f"{file}{ranks[file]}{file}{to}")
            ranks[file] = to
        lines.append(f"({' '.join(line)})")
    return record(["h2e2", "h9g7", *lines, "h0g2"])


@nightly
def a_tree_of_two_hundred_thousand_moves_opens(world):
    page = world.visit()
    text = large_tree(12_000, 20)
    page.evaluate("text => window.text = text", text)
    page.evaluate(
        """() => {
            const transfer = new DataTransfer();
            transfer.items.add(new File([window.text], "large.pgn"));
            document.querySelector("#board").dispatchEvent(new DragEvent("drop", { bubbles: true, cancelable: true, dataTransfer: transfer }));
            window.began = performance.now();
            const seen = new MutationObserver(() => {
                if (document.querySelectorAll("#moves .pair .move").length === 3) window.opened ??= performance.now() - window.began;
            });
            seen.observe(document.querySelector("#moves"), { childList: true, subtree: true });
        }"""
    )
    until(page, "window.opened > 0")
    say(f"       {len(text) / 1e6:.1f} MB, open after {page.evaluate('window.opened') / 1000:.1f} s")
    until_ply(page, 3)
    eventually(lambda: names(page) == ["C2=5", "H8+7", "H2+3"])
    # Stepping through a variation remains fast.
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    eventually(lambda: page.locator("#moves .variation [aria-current=true]").count() == 1)
    for _ in range(5):
        page.keyboard.press("ArrowRight")
    eventually(lambda: page.locator("#moves .variation .move").count() >= 6)
    ready(page)
    assert saved(page, "pgn")[1].count(b"(") > 9000


def levels_say_their_elo_and_what_they_are_like(world):
    page = world.visit()
    until(page, "document.querySelectorAll('#seat-black option').length >= 11")
    texts = page.eval_on_selector_all("#seat-black option", "options => options.map(option => option.textContent)")
    assert "Elo 1000" in texts[1] and "beginner" in texts[1] and "Elo 2980" in texts[10], texts
    # The text of every level fits its field.
    page.set_viewport_size({"width": 1366, "height": 768})
    for language in ("en", "zh"):
        widths = page.evaluate("""() => {
            const list = document.querySelector("#seat-black");
            const context = document.createElement("canvas").getContext("2d");
            context.font = getComputedStyle(list).font;
            const room = list.clientWidth - 2 * parseFloat(getComputedStyle(list).paddingLeft) - 16;
            return [room, ...[...list.options].map((option) => context.measureText(option.textContent).width)];
        }""")
        assert max(widths[1:]) <= widths[0], (language, widths)
        page.click("#language")


def single_keys_can_be_switched_off(world):
    page = world.visit()
    page.click("#options")
    page.uncheck("#set-keys")
    page.keyboard.press("Escape")
    page.keyboard.press("e")
    page.keyboard.press("?")
    settled(page)
    assert page.get_attribute("#mode-play", "aria-current") == "page" and not page.is_visible("#help-dialog")
    page.click("#mode-analyse")  # the keys are switched off
    typed(page, "h2e2")
    page.keyboard.press("ArrowLeft")
    stands(page, "h2", "C")
    page.click("#options")
    page.check("#set-keys")
    page.keyboard.press("Escape")
    page.keyboard.press("e")
    eventually(lambda: page.get_attribute("#mode-edit", "aria-current") == "page")


def the_board_has_themes_and_sizes_and_its_coordinates_lie_beside_it(world):
    page = world.visit()
    width = page.locator("#board").bounding_box()["width"]
    page.click("#options")
    colours = set()
    for theme in ("jade", "wood", "paper", "slate"):
        page.select_option("#set-board", theme)
        colours.add(page.evaluate("getComputedStyle(document.querySelector('#board .field')).fill"))
    assert len(colours) == 4
    page.fill("#set-size", "60")
    eventually(lambda: page.locator("#board").bounding_box()["width"] < 0.75 * width)
    page.fill("#set-size", "100")
    page.check("#set-coordinates")
    page.keyboard.press("Escape")
    overlap = """() => {
        const box = (node) => node.getBoundingClientRect();
        const pieces = [...document.querySelectorAll("#board .disc")].map(box);
        return [...document.querySelectorAll("#board .label")].map(box)
            .filter((label) => pieces.some((piece) => label.left < piece.right && piece.left < label.right && label.top < piece.bottom && piece.top < label.bottom)).length;
    }"""
    eventually(lambda: page.locator("#board .label").count() == 28)
    assert page.evaluate(overlap) == 0
    # The points for keys and screen readers have not moved.
    drag(page, "a0a1")
    stands(page, "a1", "R")


def the_browsers_back_closes_a_dialog_or_returns_to_the_previous_view(world):
    page = world.visit()
    here = lambda: page.get_attribute("body", "data-mode")
    page.click("#mode-analyse")
    page.click("#mode-edit")
    for button, dialog in (("#options", "options"), ("#save", "save")):
        page.click(button)
        eventually(lambda: page.is_visible(f"#{dialog}-dialog"))
        page.go_back()
        eventually(lambda: not page.is_visible(f"#{dialog}-dialog"))
        assert here() == "edit"
    # A dialog that has been closed with a key needs no step back.
    page.click("#options")
    page.keyboard.press("Escape")
    page.go_back()
    eventually(lambda: here() == "analyse")
    page.go_back()
    eventually(lambda: here() == "play")
    page.go_forward()
    eventually(lambda: here() == "analyse")
    # A view entered after a dialog was closed replaces the dialog's history entry; a reload keeps the views.
    page.click("#help")
    page.keyboard.press("Escape")
    page.click("#mode-review")
    page.reload()
    ready(page)
    page.go_back()
    eventually(lambda: here() == "analyse")
    paste(page, record(["h2e2"]))
    until_ply(page, 1)
    page.go_back()
    eventually(lambda: here() == "play")


def the_language_of_the_command_line_applies_until_another_is_chosen(world):
    world.server.end()
    world.server = Server(world.chuhe, more=["--language", "zh"])
    # The page loses its server below.
    page = world.visit(expect=("WebSocket",))
    language = lambda: page.get_attribute("html", "lang")
    eventually(lambda: language() == "zh-Hans" and page.text_content("#mode-play") == "对弈" and page.text_content("#play-status") == "轮到您走（红方）。")
    # Changing another setting does not fix the language.
    page.click("#options")
    page.uncheck("#set-sound")
    page.reload()
    ready(page)
    eventually(lambda: language() == "zh-Hans")
    assert not page.is_checked("#set-sound")
    page.click("#language")
    eventually(lambda: language() == "en")
    page.reload()
    ready(page)
    settled(page)
    assert language() == "en"
    # The option of the next run applies again.
    port = world.server.port
    world.server.end()
    world.server = Server(world.chuhe, port, more=["--language", "zh"])
    page.goto(world.server.url)
    ready(page)
    eventually(lambda: language() == "zh-Hans")
    page.click("#language")
    eventually(lambda: language() == "en")


def bookmarks_and_expired_addresses(world):
    page = world.visit(expect=("WebSocket",))
    context = page.context
    other = context.new_page()
    other.goto(f"http://127.0.0.1:{world.server.port}/")
    ready(other)
    port = world.server.port
    world.server.end()
    eventually(lambda: page.is_visible("#notice") and "reconnecting" in page.text_content("#notice"))
    world.server = Server(world.chuhe, port)
    eventually(lambda: "expired" in page.text_content("#notice") and "chuhe serve" in page.text_content("#notice"))
    # The printed address admits all tabs, and afterwards the bookmark does too.
    fresh = context.new_page()
    fresh.goto(world.server.url)
    ready(fresh)
    eventually(lambda: not page.is_visible("#notice") and not other.is_visible("#notice"))
    marked = context.new_page()
    marked.goto(f"http://127.0.0.1:{port}/")
    ready(marked)


def an_address_that_opens_nothing_shuts_nobody_out(world):
    page = world.visit(expect=("WebSocket",))
    address = f"http://127.0.0.1:{world.server.port}/"
    for guess in ("guess", "0" * 32):
        other = page.context.new_page()
        other.goto(f"{address}#token={guess}")
        ready(other)
        page.evaluate("guess => { location.hash = `token=${guess}`; }", guess)
        until(page, "location.hash === ''")
        page.reload()
        ready(page)
        marked = page.context.new_page()
        marked.goto(address)
        ready(marked)


def clock(page, side):
    return page.text_content(f"[data-side={side}] .clock")


def start(page, kind, minutes, seconds, black=None):
    if not page.locator("#play-start").is_visible():
        page.locator("#new-game summary").click()
    page.select_option("#clock-kind", kind)
    fields = {"seconds": seconds}
    if kind != "move":
        page.set_checked("#unequal", black is not None)
        fields["minutes"] = minutes
        if black is not None:
            fields["minutesBlack"] = black
    for name, value in fields.items():
        page.fill(f"#{name}", str(value))
        page.press(f"#{name}", "Tab")
    seats(page, "human", "human")
    ready(page)


def pass_time(page, side, milliseconds):
    """Advances the clock by this amount once a side's clock is running."""
    ready(page)  # the clock does not run before the engine has reported that the game is not over
    until(page, "side => document.querySelector(`[data-side=${side}] .clock.running`)", side)
    page.clock.fast_forward(milliseconds)


def clocks_of_every_kind(world):
    page = world.context().new_page()
    world.watch(page)
    page.clock.install()
    page.goto(world.server.url)
    ready(page)
    # The page's clock also runs between the jumps, so the times are long enough for a busy machine.
    # Byo-yomi: after the minute there are five seconds for each move.
    start(page, "byoyomi", 1, 300)
    pass_time(page, "red", 70_000)
    eventually(lambda: "byo-yomi" in clock(page, "red"))
    drag(page, "h2e2")
    until_ply(page, 1)
    eventually(lambda: clock(page, "red").startswith("5:00"))
    drag(page, "h7e7")
    until_ply(page, 2)
    pass_time(page, "red", 301_000)
    eventually(lambda: "Red ran out of time" in page.text_content("#result"))
    # Time per move: it is restored completely after each move.
    start(page, "move", 0, 300)
    pass_time(page, "red", 60_000)
    drag(page, "h2e2")
    until_ply(page, 1)
    eventually(lambda: clock(page, "red") == "5:00")
    pass_time(page, "black", 301_000)
    eventually(lambda: "Black ran out of time" in page.text_content("#result"))
    # With a delay, quick moves cost no time; the sides have different times.
    start(page, "delay", 3, 300, black=5)
    eventually(lambda: clock(page, "black") == "5:00")
    pass_time(page, "red", 60_000)
    drag(page, "h2e2")
    until_ply(page, 1)
    eventually(lambda: clock(page, "red") == "3:00")
    pass_time(page, "black", 360_000)
    eventually(lambda: "3:00" < clock(page, "black") <= "4:00")
    # A pause stops both clocks.
    page.click("#pause")
    eventually(lambda: page.text_content("#pause") == "Resume")
    settled(page)
    before = clock(page, "black")
    page.clock.fast_forward(60_000)
    settled(page)
    assert clock(page, "black") == before


def two_people_share_a_board(world):
    page = world.visit()
    page.click("#options")
    page.check("#set-turning")
    page.keyboard.press("Escape")
    seats(page, "human", "human")
    ready(page)
    page.keyboard.press("/")
    page.fill("#typed", "h2e2")
    page.press("#typed", "Enter")
    until_ply(page, 1)
    eventually(lambda: page.text_content("#player-bottom .name").startswith("Black"))
    drag(page, "h9g7")
    until_ply(page, 2)
    eventually(lambda: page.text_content("#player-bottom .name").startswith("Red"))
    page.click("#take-back")
    until_ply(page, 1)
    page.click("#offer-draw")
    eventually(lambda: "Draw by agreement" in page.text_content("#result"))


OF_SERVERS = [the_language_of_the_command_line_applies_until_another_is_chosen, bookmarks_and_expired_addresses, an_address_that_opens_nothing_shuts_nobody_out]
