"""The user's own games: stored, listed, continued, reviewed, changed, exported; results; names; the
switch."""

import functools
import pathlib

import access
from harness import *
from library import HU, LU, ZHAO, count, made, rows


def _with_data(scene):
    """Decorator for scenes with a server that stores games in a folder for tests."""

    @functools.wraps(scene)
    def run(world):
        with tempfile.TemporaryDirectory() as folder:
            world.server.end()
            world.server = Server(world.chuhe, data=folder)
            scene(world, folder)

    return run


def _lost(world, page, *moves):
    """Plays a game against level 1 and resigns."""
    seats(page, "human", "1")
    play(world, page, *(moves or ["h2e2"]))
    page.click("#resign")
    page.click("#resign")
    until(page, "document.querySelector('#play-end').checkVisibility()")


def _mine(page):
    page.keyboard.press("g")
    eventually(lambda: page.is_visible("#library-panel"))


def results(page):
    """Returns the tables of results as lists of rows."""
    return page.eval_on_selector_all("#library-tables table", "tables => tables.map(table => [...table.rows].map(row => [...row.cells].map(cell => cell.textContent.replaceAll('\\u00a0', ' '))))")


@_with_data
def every_game_is_stored_and_counted(world, folder):
    page = world.visit()
    _mine(page)
    eventually(lambda: "are stored here" in count(page))
    assert not page.is_visible("#library-which") and not page.is_visible("#library-actions")
    _lost(world, page)
    _mine(page)
    eventually(lambda: rows(page) == ["You – Chuhe, level 1"])
    # A second game, between two users, followed by the start of a rematch.
    seats(page, "human", "human")
    typed(page, *MATE)
    until(page, "document.querySelector('#play-end').checkVisibility()")
    page.click("#rematch")
    _mine(page)
    eventually(lambda: len(rows(page)) == 2 and rows(page)[1] == "You – Chuhe, level 1" and count(page) == "2 of 2 games")
    # A game without moves is not stored; an abandoned game is.
    page.click("#mode-play")
    seats(page, "1", "human")
    until_ply(page, 1)
    drag(page, "h7e7")
    until_ply(page, 3)
    seats(page, "human", "1")
    _mine(page)
    eventually(lambda: len(rows(page)) == 3)
    assert page.eval_on_selector_all("#library-list .result", "all => all.map(one => one.textContent)")[0] == "unfinished"
    page.click("#library-results summary")
    eventually(lambda: results(page) and results(page)[0] == [["Opponent", "As Red", "As Black", "Total"], ["Chuhe, level 1", "0–0–1 · 0 %", "0–0–0 (+1)", "0–0–1 (+1) · 0 %"]])
    # The games and the results with one colour.
    page.select_option("#library-colour", "black")
    eventually(lambda: len(rows(page)) == 2 and rows(page)[0] == "Chuhe, level 1 – You" and results(page)[0] == [["Opponent", "Total"], ["Chuhe, level 1", "0–0–0 (+1)"]])
    assert "You · As Black" in page.text_content("#library-tables")
    page.select_option("#library-colour", "red")
    eventually(lambda: len(rows(page)) == 2 and results(page)[0][1] == ["Chuhe, level 1", "0–0–1 · 0 %"])
    page.select_option("#library-colour", "")
    page.click("#language")
    eventually(lambda: results(page) and results(page)[0][0] == ["对手", "执红", "执黑", "合计"] and results(page)[0][1][0] == "楚河 1 级")
    # A reload changes nothing, and another page finds the same games.
    page.reload()
    ready(page)
    other = world.visit()
    _mine(other)
    eventually(lambda: len(rows(other)) == 3)


@_with_data
def a_game_is_continued_where_it_was_left(world, folder):
    page = world.visit()
    page.click("#new-game summary") if not page.is_visible("#minutes") else None
    page.fill("#minutes", "7")
    page.press("#minutes", "Tab")
    seats(page, "human", "1")
    drag(page, "h2e2")
    until_ply(page, 2)
    ready(page)
    before = pieces(page)
    page.click("#new-game summary")
    page.fill("#minutes", "0")
    page.press("#minutes", "Tab")
    _lost(world, page, "c3c4")
    _mine(page)
    eventually(lambda: len(rows(page)) == 2)
    eventually(lambda: page.is_disabled("#library-continue"))
    page.locator("#library-game-1").click()
    eventually(lambda: page.is_enabled("#library-continue"))
    page.click("#library-continue")
    eventually(lambda: page.get_attribute("#mode-play", "aria-current") == "page" and pieces(page) == before)
    eventually(lambda: re.match(r"[67]:", page.text_content("#player-bottom .clock") or ""))
    assert "GameId" not in saved(page, "pgn")[1].decode()
    ready(page)
    drag(page, legal_move(world, page))
    until_ply(page, 4)
    page.click("#resign")
    page.click("#resign")
    _mine(page)
    # It is the same game.
    eventually(lambda: len(rows(page)) == 2 and page.eval_on_selector_all("#library-list .result", "all => all.map(one => one.textContent)") == ["0-1", "0-1"])
    # A game remains the same if a move is taken back after its end.
    page.keyboard.press("p")
    page.keyboard.press("u")
    until_ply(page, 2)
    page.click("#resign")
    page.click("#resign")
    _mine(page)
    eventually(lambda: "2 plies" in page.text_content("#library-game-1"))
    assert len(rows(page)) == 2


def _plies(page):
    """Returns the numbers of plies in the list of games."""
    return [int(re.search(r"(\d+) pl", text)[1]) for text in page.eval_on_selector_all("#library-list .game", "all => all.map(one => one.textContent)")]


@_with_data
def a_running_game_is_stored_after_every_move(world, folder):
    page = world.visit(expect=("404",))  # an SVG file has no icon
    seats(page, "human", "1")
    play(world, page, None, None)
    _mine(page)
    eventually(lambda: _plies(page) == [4])
    page.keyboard.press("p")
    earlier = kept(page)
    play(world, page, None)
    _mine(page)
    eventually(lambda: _plies(page) == [6])
    # The running game continues where it is.
    page.click("#library-continue")
    eventually(lambda: page.is_visible("#play-live"))
    until_ply(page, 6)
    # Simulates a browser that ended before it had stored the last moves.
    page.goto(world.server.url.split("#")[0] + "icon.svg")
    page.evaluate("earlier => localStorage.setItem('chuhe.game.' + sessionStorage.getItem('chuhe.tab'), JSON.stringify(earlier))", earlier)
    page.goto(world.server.url)
    until_ply(page, 6)
    ready(page)
    play(world, page, None)
    _mine(page)
    eventually(lambda: _plies(page) == [8])


@_with_data
def two_tabs_that_continue_one_game_store_two_games(world, folder):
    page = world.visit()
    seats(page, "human", "human")
    typed(page, "a3a4", "a6a5")
    other = world.visit()
    for tab in (page, other):
        _mine(tab)
        eventually(lambda: _plies(tab) == [2])
        tab.click("#library-continue")
        until_ply(tab, 2)
        ready(tab)
    typed(page, "h2e2", "h9g7")
    typed(other, "c3c4")
    eventually(lambda: "separate game" in other.text_content("#notice"))
    typed(other, "c6c5", "b0c2")
    _mine(page)
    eventually(lambda: sorted(_plies(page)) == [4, 5])


@_with_data
def a_handicap_is_for_one_game_and_in_the_list(world, folder):
    page = world.visit()
    page.locator("#new-game summary").click() if not page.is_visible("#handicap") else None
    page.select_option("#seat-black", "1")
    eventually(lambda: "Black gives a horse" in page.text_content("#handicap"))
    page.select_option("#seat-red", "1")
    eventually(lambda: "Red gives a horse" in page.text_content("#handicap"))
    page.select_option("#handicap", "horse")
    _lost(world, page)
    assert page.input_value("#handicap") == "none" and pieces(page).count("n") == 1
    # Another game with the same players has the same handicap.
    page.click("#rematch")
    until_ply(page, 1)
    eventually(lambda: pieces(page).count("N") == 1)
    seats(page, "human", "human")
    eventually(lambda: pieces(page).count("N") == 2)
    _mine(page)
    eventually(lambda: "Black gives a horse" in page.text_content("#library-game-0"))


@_with_data
def the_library_lists_the_running_game_with_its_last_move(world, folder):
    page = world.visit()
    seats(page, "human", "1")
    drag(page, "h2e2")
    until_ply(page, 2)
    page.click("#mode-puzzles")
    until(page, "document.querySelector('#puzzle-text').textContent !== ''")
    page.click("#game-before")
    until_ply(page, 2)
    ready(page)
    drag(page, legal_move(world, page))
    until_ply(page, 4)
    _mine(page)
    eventually(lambda: "4 plies" in (page.text_content("#library-game-0") or ""))
    page.click("#library-continue")
    until_ply(page, 4)


@_with_data
def a_rematch_leaves_the_colours_of_the_last_game(world, folder):
    page = world.visit()
    _lost(world, page)
    page.click("#rematch")
    until_ply(page, 1)
    _mine(page)
    page.click("#library-results summary")
    eventually(lambda: results(page) and results(page)[0][1] == ["Chuhe, level 1", "0–0–1 · 0 %", "", "0–0–1 · 0 %"])


@_with_data
def a_game_is_reviewed_edited_exported_and_removed(world, folder):
    page = world.visit()
    _lost(world, page)
    _lost(world, page, "c3c4", None)
    _mine(page)
    eventually(lambda: len(rows(page)) == 2)
    page.evaluate("document.querySelector('#review-nodes').options[0].value = '6000'")
    page.select_option("#review-nodes", "6000") if page.is_visible("#review-nodes") else page.evaluate("document.querySelector('#review-nodes').value = '6000'")
    page.click("#library-review")
    eventually(lambda: page.get_attribute("body", "data-mode") == "review")
    page.go_back()
    eventually(lambda: page.get_attribute("body", "data-mode") == "library")
    page.click("#library-review")
    until(page, "document.querySelector('#review-table tbody')")
    _mine(page)
    page.click("#library-edit")
    page.fill("#tags-Red", "Li <b>Ming</b>")
    page.fill("#tags-Event", "Club")
    page.select_option("#tags-result", "1/2-1/2")
    page.click("#tags-save")
    eventually(lambda: rows(page)[0] == "Li <b>Ming</b> – Chuhe, level 1" and "Club" in page.text_content("#library-game-0"))
    with page.expect_download() as download:
        page.click("#library-export")
    text = pathlib.Path(download.value.path()).read_text()
    assert download.value.suggested_filename == "games.pgn" and text.count("[Game ") == 2 and "Li <b>Ming</b>" in text
    page.click("#library-names")
    page.fill("#names-name", "You")
    page.fill("#names-spelling", "Li <b>Ming</b>")
    page.click("#names-merge")
    eventually(lambda: "You = Li <b>Ming</b>" in page.text_content("#names-merged"))
    page.fill("#names-name", "Somebody")
    page.fill("#names-spelling", "Li <b>Ming</b>")
    page.click("#names-merge")
    eventually(lambda: "already a spelling of You" in page.text_content("#names-fault"))
    page.keyboard.press("Escape")
    eventually(lambda: rows(page) == ["You – Chuhe, level 1"] * 2)
    page.click("#library-remove")
    eventually(lambda: page.text_content("#library-remove") == "Really delete?")
    page.click("#library-remove")
    eventually(lambda: len(rows(page)) == 1 and count(page) == "1 of 1 game")
    # A removed game is not stored again when the page is left, although it is still on the board.
    page.click("#library-remove")
    page.click("#library-remove")
    eventually(lambda: rows(page) == [])
    page.reload()
    ready(page)
    _mine(page)
    eventually(lambda: "are stored here" in count(page))


@_with_data
def a_game_removed_in_another_tab_is_not_stored_again(world, folder):
    page = world.visit()
    seats(page, "human", "1")
    drag(page, "h2e2")
    until_ply(page, 2)
    _mine(page)
    page.reload()  # a page that is hidden stores its game
    ready(page)
    _mine(page)
    eventually(lambda: len(rows(page)) == 1)
    other = world.visit()
    _mine(other)
    eventually(lambda: len(rows(other)) == 1)
    other.click("#library-remove")
    other.click("#library-remove")
    eventually(lambda: rows(other) == [])
    page.keyboard.press("p")
    ready(page)
    page.click("#resign")
    page.click("#resign")
    until(page, "document.querySelector('#play-end').checkVisibility()")
    _mine(page)
    eventually(lambda: "are stored here" in count(page) and rows(page) == [])


@_with_data
def games_between_engines_are_stored_but_are_no_results(world, folder):
    page = world.visit()
    seats(page, "2", "1")
    until(page, "document.querySelectorAll('#moves .pair .move').length >= 3")
    seats(page, "human", "1")
    _mine(page)
    eventually(lambda: rows(page) == ["Chuhe, level 2 – Chuhe, level 1"] and count(page) == "1 of 1 game")
    page.click("#library-results summary")
    settled(page)
    assert results(page) == []


@_with_data
def games_are_stored_only_if_the_user_wants(world, folder):
    page = world.visit()
    page.click("#options")
    page.uncheck("#set-mine")
    page.keyboard.press("Escape")
    _lost(world, page)
    # An opened record is not one of the user's games, even after moves are made in it.
    page.click("#options")
    page.check("#set-mine")
    page.keyboard.press("Escape")
    paste(page, HU)
    until_ply(page, 6)
    paste(page, LU)
    _mine(page)
    eventually(lambda: "1 of 1 game" in count(page) or "are stored here" in count(page))
    assert rows(page) in ([], ["You – Chuhe, level 1"])


def a_given_library_is_changed_if_it_may_be(world):
    with tempfile.TemporaryDirectory() as folder:
        path = made(world, folder, "\n".join([HU, LU, ZHAO]))
        world.server.end()
        world.server = Server(world.chuhe, more=["--games", path, "--games-edit"], data=folder)
        page = world.visit()
        _mine(page)
        eventually(lambda: len(rows(page)) == 3 and page.is_visible("#library-which") and page.is_visible("#library-add"))
        assert not page.is_visible("#library-continue")
        page.fill("#library-player", "lü qin")
        eventually(lambda: len(rows(page)) == 2)
        page.click("#library-results summary")
        # One game with each colour, and both together.
        expected = [["Opening", "As Red", "As Black", "Total"], ["0–1–0 · 50 %", "", "0–1–0 · 50 %"], ["", "1–0–0 · 100 %", "1–0–0 · 100 %"]]
        eventually(lambda: sorted(row[1:] for row in results(page)[0][2:]) == sorted(expected[1:]) if results(page) else False)
        # The first row is the sum; an opening leads to its games.
        assert results(page)[0][1] == ["Total", "0–1–0 · 50 %", "1–0–0 · 100 %", "1–1–0 · 75 %"]
        page.locator("#library-tables button").first.click()
        eventually(lambda: len(rows(page)) == 1 and page.input_value("#library-opening") != "")
        page.fill("#library-opening", "")
        # The games and the results with one colour.
        page.select_option("#library-colour", "black")
        eventually(lambda: rows(page) == ["Zhao Guorong – Lü Qin"] and results(page)[0][0] == ["Opening", "Total"])
        assert results(page)[0][1][1] == "1–0–0 · 100 %" and "lü qin · As Black" in page.text_content("#library-tables")
        page.select_option("#library-colour", "red")
        eventually(lambda: rows(page) == ["Lü Qin – Xu Yinchuan"] and results(page)[0][1][1] == "0–1–0 · 50 %")
        page.select_option("#library-colour", "")
        page.fill("#library-player", "")
        eventually(lambda: len(rows(page)) == 3 and results(page)[0][0] == ["Opening", "Total"])
        page.locator("#library-game-1").click()
        settled(page)
        assert page.is_visible("#library-panel")  # the first click chooses, the second one opens
        page.click("#library-remove")
        page.click("#library-remove")
        eventually(lambda: rows(page) == ["胡榮華 – 楊官璘", "Zhao Guorong – Lü Qin"])
        page.select_option("#library-which", "mine")
        eventually(lambda: rows(page) == [] and not page.is_visible("#library-add"))


def an_annotated_game_is_stored_in_its_library(world):
    with tempfile.TemporaryDirectory() as folder:
        path = made(world, folder, "\n".join([HU, LU, ZHAO]))
        world.server.end()
        world.server = Server(world.chuhe, more=["--games", path, "--games-edit"])
        page = world.visit()
        _mine(page)
        eventually(lambda: len(rows(page)) == 3)
        page.locator("#library-game-1").click()
        page.click("#library-open")
        until_ply(page, 4)
        page.locator("#annotate summary").click()
        page.keyboard.press("ArrowRight")
        page.fill("#comment", "central cannon")
        page.reload()
        ready(page)
        page.keyboard.press("Home")
        typed(page, "c3c4")
        page.locator("#annotate summary").click()
        page.click("#store-back")
        eventually(lambda: page.text_content("#live").startswith("Stored"))
        page.click("#store-back")
        # A game that was added without notes gets those of its duplicate; others are not replaced silently.
        _mine(page)
        drop(page, "again.pgn", HU.replace("h2e2", "h2e2 {first}").encode())
        eventually(lambda: "variations of 1 were added" in page.text_content("#live"))
        drop(page, "again.pgn", HU.replace("h2e2", "h2e2 {second}").encode())
        eventually(lambda: "1 differ" in page.text_content("#live"))
        text = subprocess.run([world.chuhe, "games", "find", path, "--to", "pgn"], capture_output=True, text=True).stdout
        assert text.count("[Game ") == 3 and "{central cannon}" in text and "(1. C3-C4)" in text and "{first}" in text and "second" not in text, text
        # The page of another server does not replace a game that has other moves.
        page.keyboard.press("a")
        eventually(lambda: page.is_visible("#store-back"))


@_with_data
def axe_finds_nothing_about_ones_own_games(world, folder):
    page = world.visit()
    _lost(world, page)
    passed = 0
    ways = [("en-US", "dark", {}), ("zh-CN", "light", {"viewport": PHONE, "has_touch": True})]
    for language, scheme, more in [*ways, ("zh-CN", "dark", {})] if world.all else ways:
        page = world.visit(language=language, scheme=scheme, bypass_csp=True, **more)
        page.evaluate(world.axe)
        page.click("#mode-library")
        eventually(lambda: len(rows(page)) == 1)
        page.click("#library-results summary")
        eventually(lambda: len(results(page)) == 2)
        name = f"{language} my games"
        passed += access.inspect(world, page, name)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"{name}: wider than the window"
        for button, dialog in [("#library-edit", "tags"), ("#library-names", "names")]:
            page.click(button)
            until(page, f"document.querySelector('#{dialog}-dialog').open")
            passed += access.inspect(world, page, f"{name}, {dialog}")
            page.keyboard.press("Escape")
        page.close()
    say(f"       {passed} rules passed")
