"""Robustness: long names and texts, too many pages, a server that ends during a game, and data that must not
be lost."""

from analysing import record
from harness import *

FAULTY = "h2e2 h9g7 h0g2 i9h9 a0a9".split()


def a_note_about_a_record_outlasts_a_reload(world):
    page = world.visit()
    paste(page, record(FAULTY))
    until(page, "document.querySelector('#game-note').textContent.startsWith('Read up to ply 4:')")
    eventually(lambda: (kept(page) or {}).get("note", "").startswith("Read up to ply 4:"))
    page.reload()
    ready(page)
    until_ply(page, 4)
    eventually(lambda: page.is_visible("#game-note") and page.text_content("#game-note").startswith("Read up to ply 4:"))
    paste(page, record(MATE))
    until_ply(page, len(MATE))
    eventually(lambda: not page.is_visible("#game-note"))


def the_opening_book_stands_beside_the_analysis(world):
    page = world.visit()
    book = lambda: page.eval_on_selector_all("#known tbody tr", "rows => rows.map(row => [...row.children].map(cell => cell.textContent))")
    page.keyboard.press("a")
    # Each move has the engine's score, once it is known, and its probability in the book.
    eventually(lambda: len(book()) > 1 and any(move == "C2=5" and re.fullmatch(r"[+−]?\d\.\d\d", score) and share.endswith(" %") for move, score, share, *_ in book()))
    before, first = pieces(page), book()
    page.locator("#known button", has_text="C2=5").hover()
    until(page, "before => document.querySelector('#board').dataset.pieces !== before", before)
    page.locator("#known button", has_text="C2=5").click()
    until_ply(page, 1)
    stands(page, "e2", "C")
    eventually(lambda: names(page) == ["C2=5"] and len(book()) > 0 and book() != first)
    is_for_analysis_alone(page, "#known")


def a_book_of_ones_own_takes_the_place_of_the_other(world):
    with tempfile.TemporaryDirectory() as folder:
        with open(f"{folder}/games.pgn", "w", encoding="utf-8") as file:
            file.write("1. a3a4 a6a5 2. a0a3 1-0\n")
        subprocess.run([world.chuhe, "book", "build", f"{folder}/games.pgn", "--out", f"{folder}/my.book"], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        world.server.end()
        world.server = Server(world.chuhe, more=["--book", f"{folder}/my.book"])
        page = world.visit()
        page.keyboard.press("a")
        eventually(lambda: page.locator("#known tbody button").all_text_contents() == ["P9+1"])
        # The book is used at every level, too.
        seats(page, "1", "human")
        until_ply(page, 1)
        eventually(lambda: names(page) == ["P9+1"])


def a_long_name_moves_nothing(world):
    for viewport in (SCREEN, PHONE):
        page = world.visit(viewport=viewport)
        page.keyboard.press("a")
        ready(page)
        before = page.locator("#board").bounding_box()
        paste(page, record(MATE).replace("[Red ", '[Red "' + "A" * 2000 + '"]\n[Was ').replace("[Black ", '[Black "' + "马" * 2000 + '"]\n[Was '))
        until_ply(page, len(MATE))
        eventually(lambda: "AAAA" in page.text_content("#player-bottom .name") and "马马" in page.text_content("#player-top .name"))
        settled(page)
        after = page.locator("#board").bounding_box()
        assert [after[side] for side in ("x", "width")] == [before[side] for side in ("x", "width")], (before, after)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def a_text_that_is_too_long_is_refused(world):
    page = world.visit()
    page.evaluate(
        """() => {
            const transfer = new DataTransfer();
            transfer.setData("text/plain", "x".repeat(21 << 20));
            document.querySelector("#board").dispatchEvent(new DragEvent("drop", { bubbles: true, cancelable: true, dataTransfer: transfer }));
        }"""
    )
    eventually(lambda: "20 MB" in page.text_content("#notice"))
    seats(page, "human", "human")
    drag(page, "h2e2")
    until_ply(page, 1)


def arrows_drawn_by_hand_go_with_their_position(world):
    page = world.visit()
    page.keyboard.press("a")
    page.mouse.move(*centre(page, "b2"))
    page.mouse.down(button="right")
    page.mouse.move(*centre(page, "e2"))
    page.mouse.up(button="right")
    eventually(lambda: page.locator("#board .arrow.own").count() == 1)
    typed(page, "h2e2")
    eventually(lambda: page.locator("#board .arrow.own").count() == 0)


def a_phone_shows_board_and_pieces_together_in_the_editor(world):
    for height in (640, 740):
        page = world.visit(viewport={"width": 360, "height": height}, has_touch=True)
        page.click("#mode-edit")
        page.tap("[data-brush='R']")
        page.tap("[data-brush='n']")
        eventually(lambda: page.get_attribute("[data-brush='n']", "aria-pressed") == "true")
        page.touchscreen.tap(*centre(page, "a9"))
        stands(page, "a9", "n")
        page.touchscreen.tap(*centre(page, "i0"))
        stands(page, "i0", "n")
        assert page.evaluate("scrollY") == 0, "the page had to scroll"


def the_menu_fits_narrow_phones_in_english(world):
    for width in (390, 320):
        page = world.visit(viewport={"width": width, "height": 640})
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), width
        edge = page.evaluate("Math.max(...[...document.querySelectorAll('nav button')].map(one => one.getBoundingClientRect().right))")
        assert edge <= width, (width, edge)


def an_edited_position_outlasts_a_reload(world):
    page = world.visit()
    page.keyboard.press("e")
    page.click("#edit-clear")
    page.click("[data-brush='R']")
    click(page, "a3")
    stands(page, "a3", "R")
    eventually(lambda: (kept(page) or {}).get("edited"))
    page.reload()
    ready(page)
    stands(page, "a3", "R")
    eventually(lambda: page.is_enabled("#edit-analyse") and page.text_content("#edit-faults") == "This position is legal.")
    page.click("#edit-analyse")
    ready(page)
    stands(page, "a3", "R")


def undo_in_the_editor_brings_back_the_side(world):
    page = world.visit()
    page.keyboard.press("e")
    until(page, "document.querySelector('#edit-red').checked")
    page.check("#edit-black")
    eventually(lambda: " b " in page.input_value("#edit-fen"))
    page.click("#edit-undo")
    eventually(lambda: " w " in page.input_value("#edit-fen") and page.is_checked("#edit-red"))


def the_first_game_names_its_players(world):
    page = world.visit()
    drag(page, "h2e2")
    until_ply(page, 2)
    page.keyboard.press("a")
    eventually(lambda: page.text_content("#player-top .name") == "Black Chuhe, level 3" and page.text_content("#player-bottom .name") == "Red You")


def clocks_stand_while_the_connection_is_lost(world):
    page = world.visit(expect=("WebSocket", "ERR_CONNECTION", "Failed to load"))
    page.fill("#minutes", "1")
    page.press("#minutes", "Tab")
    seats(page, "human", "3")
    ready(page)
    clock = lambda: page.text_content("#player-bottom .clock")
    eventually(lambda: clock() < "1:00")  # it runs
    world.server.end(kill=True)
    until(page, "document.body.classList.contains('offline')")
    settled(page)
    stood = clock()
    page.wait_for_timeout(1100)  # the clock shows seconds
    assert clock() == stood, (stood, clock())


def a_fifth_engine_does_not_come_and_says_why(world):
    context = world.context()
    pages = [world.visit(context) for _ in range(5)]
    for page in pages[:4]:
        page.keyboard.press("a")
        until(page, "document.querySelectorAll('#lines li').length > 0")
    pages[4].keyboard.press("a")
    eventually(lambda: "busy" in pages[4].text_content("#lines-said") and pages[4].is_visible("#lines-said"))
    # The page is admitted when another one closes.
    pages[0].close()

    lines, said = pages[4].locator("#lines li"), pages[4].locator("#lines-said")

    def again():
        pages[4].click("#engine")
        eventually(lambda: not said.is_visible())
        pages[4].click("#engine")
        eventually(lambda: said.is_visible() or lines.count() > 0)
        return lines.count() > 0

    eventually(again)
    eventually(lambda: not said.is_visible())


def an_answer_that_is_none_ends_in_a_sentence(world):
    """Sends each kind of response without its fields, and responses of unknown kinds."""

    def break_in(page):
        return lambda route: connect(page, route)

    def connect(page, route):
        server = route.connect_to_server()

        def hear(text):
            event = json.loads(text)
            if event["is"] == page.broken[0]:
                text = json.dumps({"id": event["id"], "is": page.broken[1]})
            route.send(text)

        server.on_message(hear)

    tasks = {
        "position": lambda page: page.reload(),
        "games": lambda page: (page.click("#open"), page.fill("#open-text", record(MATE)), page.click("#open-take")),
        "file": lambda page: (page.click("#save"), page.click("#save-take")),
        "line": lambda page: page.keyboard.press("a"),
    }
    for place, (kind, act) in enumerate(tasks.items()):
        for instead in (kind, "nonsense") if world.all else [(kind, "nonsense")[place % 2]]:
            page = world.context().new_page()
            world.watch(page, ("no answer to",))
            page.broken = ("nothing", "")
            page.route_web_socket(re.compile("/ws$"), break_in(page))
            page.goto(world.server.url)
            ready(page)
            page.broken = (kind, instead)
            act(page)
            until(page, "document.querySelector('#notice').checkVisibility() && document.querySelector('#notice').textContent.includes('could not be understood')")
            page.close()


OF_SERVERS = [a_book_of_ones_own_takes_the_place_of_the_other, clocks_stand_while_the_connection_is_lost, a_fifth_engine_does_not_come_and_says_why]
