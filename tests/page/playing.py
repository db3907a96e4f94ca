"""Moving pieces by mouse, touch and keyboard; playing against the engine; clocks."""

import time

from harness import *


def is_mate(page):
    """Checks that the game of four moves has ended correctly."""
    until(page, "document.querySelector('#referee').dataset.state === 'over'")
    eventually(lambda: "Checkmate" in page.text_content("#ruling"))
    eventually(lambda: page.is_visible("#play-end") and "Checkmate" in page.text_content("#result"))
    eventually(lambda: page.is_visible("#review-mine"))
    # A mated side cannot move.
    before = pieces(page)
    click(page, "e9")
    click(page, "e8")
    assert pieces(page) == before and len(names(page)) == len(MATE)


def a_game_to_mate_by_drag_and_by_click(world):
    page = world.visit()
    seats(page, "human", "human")
    ready(page)
    for number, move in enumerate(MATE):
        moved = piece(page, move[:2])
        if number % 2 == 0:
            drag(page, move)
        else:
            click(page, move[:2])
            eventually(lambda: page.locator("#board .hints .dot, #board .hints .takes").count() > 0)
            click(page, move[2:])
        stands(page, move[2:], moved)
        stands(page, move[:2], ".")
        eventually(lambda: page.locator("#board .corners").count() == 2)
        ready(page)
    eventually(lambda: names(page)[:2] == ["C2=5", "P5+1"])
    eventually(lambda: page.locator("#board .marks .check").count() == 1)
    is_mate(page)


def what_is_illegal_can_not_be_moved(world):
    page = world.visit()
    seats(page, "human", "human")
    ready(page)
    before = pieces(page)
    drag(page, "h2h7")  # a cannon can only capture over a screen
    drag(page, "e9e8")  # Black is not to move
    click(page, "a0")
    click(page, "b1")
    drag(page, "c3c5")
    assert pieces(page) == before and len(names(page)) == 0
    # A piece dropped outside the board returns to its square.
    page.mouse.move(*centre(page, "b2"))
    page.mouse.down()
    page.mouse.move(5, 300, steps=4)
    page.mouse.up()
    assert pieces(page) == before
    drag(page, "b2e2")
    stands(page, "e2", "C")


def a_game_to_mate_by_touch(world):
    page = world.visit(viewport=PHONE, has_touch=True, is_mobile=True)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "wider than a phone"
    seats(page, "human", "human")
    ready(page)
    page.evaluate("scrollTo(0, 0)")
    touch = page.context.new_cdp_session(page)
    for number, move in enumerate(MATE):
        (x, y), (to_x, to_y) = centre(page, move[:2]), centre(page, move[2:])
        if number % 2 == 0:
            page.touchscreen.tap(x, y)
            page.touchscreen.tap(to_x, to_y)
        else:
            steps = [("touchStart", x, y), ("touchMove", (x + to_x) / 2, (y + to_y) / 2), ("touchMove", to_x, to_y)]
            for kind, at_x, at_y in steps:
                touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": at_x, "y": at_y}]})
            touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        until_ply(page, number + 1)
        ready(page)
        assert page.evaluate("scrollY") == 0, "the page scrolled under the finger"
    is_mate(page)


def a_game_to_mate_by_keyboard(world):
    page = world.visit()
    page.focus("#mode-play")
    page.keyboard.press("Enter")
    # The players are selected without a mouse.
    page.focus("#seat-black")
    page.keyboard.press("Home")
    page.focus("#play-start")
    page.keyboard.press("Enter")
    ready(page)
    page.keyboard.press("b")

    def go(name):
        for _ in range(20):
            label = page.evaluate("document.activeElement.getAttribute('aria-label')")
            file, rank = ord(label[0]) - ord(name[0]), int(label[1]) - int(name[1])
            if file == 0 and rank == 0:
                return label
            page.keyboard.press("ArrowLeft" if file > 0 else "ArrowRight" if file < 0 else "ArrowDown" if rank > 0 else "ArrowUp")
        raise AssertionError(f"{name} can't be reached")

    focused = lambda: page.evaluate("document.activeElement.getAttribute('aria-label')")

    for number, move in enumerate(MATE):
        go(move[:2])
        eventually(lambda: "empty" not in focused())
        page.keyboard.press("Enter")
        until(page, "document.activeElement.getAttribute('aria-label').includes('selected')")
        go(move[2:])
        eventually(lambda: "can" in focused())  # a possible target
        page.keyboard.press("Space")
        until_ply(page, number + 1)
        ready(page)
    eventually(lambda: any(word in page.text_content("#live") for word in ("Checkmate", "Red wins")))
    # Escape cancels the selection on the board; outside the board, the arrow keys step through the game.
    page.keyboard.press("/")
    page.keyboard.press("Escape")
    page.keyboard.press("ArrowLeft")
    stands(page, "b4", "C")
    page.keyboard.press("Home")
    until(page, "document.querySelector('#board').dataset.pieces.startsWith('rnbakabnr')")
    page.keyboard.press("f")
    eventually(lambda: cell(page, "e9").bounding_box()["y"] > cell(page, "e0").bounding_box()["y"])


@nightly
def ninety_points_in_both_orientations(world):
    page = world.visit()
    page.keyboard.press("e")
    page.click("#edit-clear")
    page.click("[data-brush='R']")
    labels = set()
    # A rook is placed on every point; after the board is turned, each is removed.
    for expected in ("R", "."):
        for rank in range(10):
            for file in "abcdefghi":
                name = f"{file}{rank}"
                assert piece(page, name) != expected
                click(page, name)
                stands(page, name, expected)
                eventually(lambda: ("rook" in cell(page, name).get_attribute("aria-label")) == (expected == "R"))
                labels.add(name)
        page.click("#flip")
    assert len(labels) == 90 and pieces(page) == 90 * "."
    # The edges: each side numbers the files from its own right.
    read = lambda: page.eval_on_selector_all("#board .label", "labels => labels.map(label => label.textContent).join('')")
    eventually(lambda: sorted(read()) == sorted("一二三四五六七八九123456789"))
    order = lambda: page.evaluate(
        """() => [...document.querySelectorAll('#board .label')].map(label => [Number(label.getAttribute('y')), Number(label.getAttribute('x')), label.textContent])
            .sort((one, other) => one[0] - other[0] || one[1] - other[1]).map(label => label[2]).join('')"""
    )
    eventually(lambda: order() == "123456789九八七六五四三二一")
    page.click("#flip")
    eventually(lambda: order() == "一二三四五六七八九987654321")


def an_answer_takes_nothing_out_of_the_hand(world):
    page = world.visit()
    page.keyboard.press("e")
    page.click("[data-brush='R']")
    page.mouse.move(*centre(page, "a3"))
    page.mouse.down()
    # The response to another request updates the board with the same pieces.
    page.evaluate("document.querySelector('#edit-black').click()")
    page.mouse.up()
    stands(page, "a3", "R")


def a_game_against_the_engine(world):
    page = answered(world)
    eventually(lambda: page.text_content("#player-top .name").startswith("Black"))
    # A hint consists of an arrow and a sentence.
    page.click("#hint")
    until(page, "document.querySelectorAll('#board .arrow.best').length === 1")
    # Takeback undoes two plies.
    page.click("#take-back")
    until_ply(page, 0)
    eventually(lambda: pieces(page).startswith("rnbakabnr") and page.text_content("#play-status").startswith("Your move"))
    drag(page, "b2e2")
    until_ply(page, 2)
    ready(page)
    # While an earlier move is displayed, the engine does not play.
    page.keyboard.press("Home")
    drag(page, "h2e2")
    assert len(names(page)) == 2
    eventually(lambda: "looking at an earlier position" in page.text_content("#notice"))
    page.click("#play-return")
    eventually(lambda: not page.is_visible("#play-return") and page.text_content("#play-status").startswith("Your move"))
    page.click("#offer-draw")
    until(page, "document.querySelector('#notice').textContent !== ''")
    if page.is_visible("#resign"):
        page.click("#resign")
        page.click("#resign")
        eventually(lambda: "Red resigns" in page.text_content("#result"))
    # A rematch with swapped colours: the board turns, the engine begins, and the form has the new players.
    eventually(lambda: page.text_content("#rematch") == "Play again, colours swapped")
    page.click("#rematch")
    until_ply(page, 1)
    eventually(lambda: page.text_content("#player-bottom .name").startswith("Black"))
    assert [page.input_value(f"#seat-{side}") for side in ("red", "black")] == ["1", "human"]


def clocks_run_and_come_back_with_a_takeback(world):
    page = world.visit()
    page.fill("#minutes", "1")
    page.press("#minutes", "Tab")
    page.fill("#seconds", "2")
    page.press("#seconds", "Tab")
    seats(page, "human", "human")
    ready(page)

    def clock():
        minutes, seconds = page.text_content("#player-bottom .clock").split(":")
        return 60 * int(minutes) + float(seconds)

    eventually(lambda: clock() < 60)
    before, asked = clock(), time.time()
    drag(page, "h2e2")
    until_ply(page, 1)
    until(page, "document.querySelector('#player-top .clock.running')")
    # The clock gains two seconds and loses the time of the move; the displayed time is rounded.
    spent = time.time() - asked
    eventually(lambda: before + 2 - spent - 1 <= clock() <= before + 3)
    after = clock()
    page.click("#take-back")
    until_ply(page, 0)
    eventually(lambda: after - 5 - (time.time() - asked) <= clock() < after)


def two_engines_play_each_other(world):
    page = world.visit()
    seats(page, "2", "1")
    until(page, "document.querySelectorAll('#moves .pair .move').length >= 4")
    page.click("#pause")
    eventually(lambda: "Paused" in page.text_content("#play-status"))
    count = len(names(page))
    page.click("#pause")
    until(page, "count => document.querySelectorAll('#moves .pair .move').length >= count + 2", count)


def a_new_game_shows_the_whole_board_on_a_phone(world):
    page = world.visit(viewport=PHONE, has_touch=True)
    for _ in range(2):
        seats(page, "human", "human")
        eventually(lambda: page.evaluate("scrollY") == 0 and not page.is_visible("#play-start"))
        assert page.locator("#board").bounding_box()["y"] >= 0


def a_handicap_is_given_by_the_engine_or_by_red(world):
    page = world.visit()
    counts = {"none": (16, 16), "horse": (16, 15), "horses": (16, 14), "rook": (16, 15), "rookHorse": (16, 14), "rooks": (16, 14), "nine": (16, 7)}
    assert page.eval_on_selector_all("#handicap option", "options => options.map(option => option.value)") == list(counts)
    count = lambda: (sum(letter.isupper() for letter in pieces(page)), sum(letter.islower() for letter in pieces(page)))
    for name, (red, black) in counts.items():
        for seat in (("human", "1"), ("human", "human")):
            if not page.locator("#play-start").is_visible():
                page.locator("#new-game summary").click()
            page.select_option("#handicap", name)
            seats(page, *seat)
            eventually(lambda: count() == ((red, black) if seat[1] == "1" else (black, red)))
    # The game with the last handicap is played: Red moves, and Black has a legal reply.
    assert fen(page).startswith("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/9/1C5C1/9/RN2K2NR w")
    drag(page, "h2e2")
    until_ply(page, 1)
    ready(page)
    page.locator("#new-game summary").click()
    page.select_option("#handicap", "none")


def moves_tried_in_an_analysis_are_not_moves_of_the_game(world):
    page = world.visit()
    seats(page, "human", "human")
    ready(page)
    typed(page, "h2e2", "h9g7")
    page.click("#mode-analyse")
    ready(page)
    typed(page, "h0g2", "i9h9")
    page.click("#mode-play")
    eventually(lambda: page.text_content("#moves [aria-current]") == "H8+7")
    typed(page, "e2e6")
    eventually(lambda: len(names(page)) == 3 and page.locator("#moves .variation .move").count() == 2)
    # Moves tried after the last one do not remain in a game that has ended.
    page.click("#mode-analyse")
    ready(page)
    typed(page, "g7e6")
    page.click("#mode-play")
    eventually(lambda: page.text_content("#moves [aria-current]") == "C5+4")
    page.click("#resign")
    page.click("#resign")
    eventually(lambda: page.is_visible("#play-end"))
    text = saved(page, "pgn")[1].decode()
    assert "1. C2=5 H8+7 2. C5+4 (2. H2+3 R9=8) 1-0" in " ".join(text.split()), text


def an_analysis_does_not_add_a_move_of_the_engine(world):
    page = world.visit()
    seats(page, "human", "10")
    ready(page)
    page.evaluate("document.querySelector('#typed').focus()")
    drag(page, "a3a4")
    page.click("#mode-analyse")
    until(page, "document.querySelectorAll('#lines li').length > 0")
    assert len(names(page)) == 1, names(page)
    page.click("#mode-play")
    until_ply(page, 2)
    ready(page)
    assert len(names(page)) == 2 and page.locator("#moves .variation").count() == 0
