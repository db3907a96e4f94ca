"""Records, analysis, the referee, the review, exercises, the editor."""

from harness import *

VARIATIONS = """[Game "Chinese Chess"]
[Event "Fair <b>& square</b>"]
[Red "甲"]
[Black "<img src=x onerror=alert(1)>"]
[Result "1-0"]

{Before <script>alert(2)</script>} 1. 炮二平五 {The central cannon} 炮8平5 (1... 马8进7 2. 马二进三 (2. 兵三进一 $5) 2... 车9平8) 2. 马二进三 $1 马8进7
3. 车一平二 $2 卒7进1 {<i>quiet</i>} 1-0
"""

PERPETUAL = "3k5/9/9/p8/9/9/P8/9/4R4/5K3 w - - 0 1"
CHECKS = "e1d1 d9e9 d1e1 e9d9 e1d1 d9e9 d1e1 e9d9".split()

# Red loses a rook for a cannon with the fifth move.
HUNG_ROOK = "h2e2 h9g7 h0g2 i9h9 i0h0 b9c7 h0h6 g6g5 h6h7 h9h7".split()


def record(moves):
    return f"""[Game "Chinese Chess"]\n[Red "甲"]\n[Black "乙"]\n[Result "*"]\n\n{' '.join(moves)} *\n"""


def an_xqf_is_dropped_stepped_exported_and_opened_again(world):
    page = world.visit()
    content = convert(world.chuhe, VARIATIONS, "xqf")
    assert content[:2] == b"XQ"
    drop(page, "game.xqf", content)
    until_ply(page, 6)
    eventually(lambda: page.get_attribute("#mode-analyse", "aria-current") == "page")
    first = names(page)
    for ply in range(1, 7):
        page.keyboard.press("ArrowRight")
        until(page, "([ply]) => document.querySelectorAll('#moves .pair .move')[ply - 1].getAttribute('aria-current') === 'true'", [ply])
    stands(page, "g5", "p")
    # The keys up and down select the variation.
    for _ in range(4):
        page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowDown")
    stands(page, "g7", "n")
    eventually(lambda: page.locator("#moves .variation .move").count() == 4)
    name, again = saved(page, "xqf")
    assert name.endswith(".xqf") and again[:2] == b"XQ"
    paste(page, "startpos")
    until_ply(page, 0)
    drop(page, "again.xqf", again)
    eventually(lambda: names(page) == first)
    eventually(lambda: page.locator("#moves .variation .move").count() == 4)
    eventually(lambda: "The central cannon" in page.text_content("#moves"))


@nightly
def every_format_is_written_and_read_again(world):
    page = world.visit()
    paste(page, VARIATIONS)
    until_ply(page, 6)
    first = names(page)
    page.click("#save")
    forms = page.eval_on_selector_all("#save-form option", "options => options.map(option => option.value)")
    page.keyboard.press("Escape")
    assert {"pgn", "xqf", "cbr", "cbf", "dhtmlxq"} <= set(forms), forms
    for form in forms:
        name, content = saved(page, form)
        paste(page, "startpos")
        until_ply(page, 0)
        drop(page, name, content)
        eventually(lambda: names(page) == first)
        paste(page, VARIATIONS)
        until_ply(page, 6)


def imported_text_is_text(world):
    page = world.visit()
    paste(page, VARIATIONS)
    until_ply(page, 6)
    page.keyboard.press("End")
    signs = lambda: sorted(page.locator("#moves .sign").all_text_contents())
    elements = lambda: page.locator("#moves b:not(.sign), #moves i, #moves u, #moves script, #moves img, main img, h2 img").count()
    eventually(lambda: "<script>alert(2)</script>" in page.text_content("#moves"))
    eventually(lambda: "<img src=x" in page.text_content("#game-title") or "<img src=x" in page.text_content("#player-top"))
    assert elements() == 0
    # Glyphs, comments, and a removed move.
    eventually(lambda: signs() == ["!", "!?", "?"])
    page.locator("#annotate summary").click()
    page.fill("#comment", "<u>mine</u>")
    page.click("[data-glyph='3']")
    eventually(lambda: "<u>mine</u>" in page.text_content("#moves"))
    eventually(lambda: signs() == ["!", "!!", "!?", "?"])
    assert elements() == 0
    page.click("#remove")
    until_ply(page, 5)


def a_deleted_variation_is_brought_back(world):
    page = world.visit()
    paste(page, VARIATIONS)
    until_ply(page, 6)
    whole = saved(page, "pgn")
    text = page.text_content("#moves")
    page.locator("#annotate summary").click()
    page.keyboard.press("ArrowRight")
    # Removes the first move, then a variation that has become the main line, and restores both.
    page.click("#remove")
    until_ply(page, 0)
    eventually(lambda: "Ctrl+Z" in page.text_content("#live"))
    page.keyboard.press("Control+z")
    until_ply(page, 6)
    stands(page, "e2", "C")
    page.locator("#moves .variation .move").first.click()
    page.click("#promote")
    eventually(lambda: names(page)[1:2] == ["H8+7"] or len(names(page)) == 4)
    page.click("#remove")
    page.click("#undo")
    page.click("#undo")
    eventually(lambda: page.text_content("#moves") == text and not page.is_visible("#undo"))
    assert saved(page, "pgn") == whole
    # If the deleted move is played again, its deletion can no longer be undone.
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    stands(page, "e2", "C")
    page.click("#remove")
    eventually(lambda: page.is_visible("#undo"))
    typed(page, "h2e2")
    eventually(lambda: not page.is_visible("#undo"))


def a_variation_follows_the_move_that_it_replaces(world):
    page = world.visit()
    paste(page, "1. h2e2 (1. c3c4 c6c5 2. h2f2 (2. b0c2 h9g7 (2... b9c7)) 2... h7e7) 1... h9g7 *")
    until_ply(page, 2)
    moves = lambda: page.locator("#moves .variation").text_content()
    eventually(lambda: moves() == "1.P7+1P3+12.C2=4(2.H8+7H8+7(2...H2+3))2...C8=5")


def a_search_for_a_mate_outlasts_that_for_the_threat(world):
    page = world.visit()
    page.keyboard.press("a")
    until(page, "document.querySelectorAll('#lines li').length > 0")
    page.keyboard.press("x")
    page.click("#mate")
    until(page, "document.querySelector('#mate-said').textContent !== '' && !document.querySelector('#mate').disabled")
    assert "mate" in page.text_content("#mate-said"), page.text_content("#mate-said")
    # The analysis continues.
    until(page, "document.querySelectorAll('#lines li').length > 0")


def the_reasons_of_other_rules_are_not_shown(world):
    page = world.visit()
    paste(page, record(CHECKS).replace("\n\n", f'\n[FEN "{PERPETUAL}"]\n\n', 1))
    until_ply(page, 8)
    page.keyboard.press("End")
    page.click("#why")
    eventually(lambda: page.is_visible("#reasons"))
    page.click("#options")
    page.select_option("#rules-set", "draw")
    page.keyboard.press("Escape")
    eventually(lambda: "raw" in page.text_content("#ruling") and not page.is_visible("#reasons"))


def the_board_turns_back_after_exercises(world):
    page = world.visit()
    paste(page, record(HUNG_ROOK))
    until_ply(page, 10)
    review(page)
    turned = lambda: page.evaluate("document.body.classList.contains('flipped')")
    page.click("#flip")
    page.click("#learn-red")
    eventually(lambda: not turned())
    page.click("#learn-leave")
    eventually(turned)


def exercises_outlast_a_reload(world):
    page = world.visit()
    paste(page, record(HUNG_ROOK))
    until_ply(page, 10)
    review(page)
    page.click("#flip")
    # The first move is a mistake too, so that there are two questions at least.
    change = "const { found } = (await import('./review.js')).review; Object.assign(found.moves[0], { judgement: 'mistake', best: 'c3c4' });"
    questions = "return found.moves.filter(({ side, judgement, best, move }) => side === 'red' && judgement && best !== move).length"
    count = page.evaluate(f"async () => {{ {change} {questions} }}")
    assert count >= 2
    page.click("#learn-red")
    page.click("#learn-show")
    page.click("#learn-next")
    text = lambda: page.text_content("#learn-text")
    eventually(lambda: text().startswith(f"Question 2 of {count}"))
    asked, before = text(), pieces(page)
    eventually(lambda: (kept(page).get("lesson") or {}).get("at") == 1)
    page.reload()
    ready(page)
    eventually(lambda: text() == asked and pieces(page) == before and page.is_visible("#learn-hint"))
    assert page.evaluate("document.body.classList.contains('secret')")
    page.click("#learn-leave")
    eventually(lambda: page.evaluate("document.body.classList.contains('flipped')"))


def inaccuracies_become_no_puzzles_and_the_button_says_so(world):
    page = world.visit()
    paste(page, record(HUNG_ROOK))
    until_ply(page, 10)
    review(page)
    page.evaluate("async () => (await import('./review.js')).review.found.moves.forEach((move) => (move.judgement &&= 'inaccuracy'))")
    page.click("#review-puzzles")
    eventually(lambda: "only inaccuracies" in page.text_content("#notice"))


def a_second_review_replaces_the_first(world):
    page = world.visit()
    paste(page, record(HUNG_ROOK))
    until_ply(page, 10)
    review(page)
    until(page, "!/[a-i]\\d[a-i]\\d/.test(document.querySelector('#moves').textContent)")
    page.click("#language")
    page.click("#review-start")
    until(page, "!document.querySelector('#review-ready').hidden")
    # The remarks are those of the latest review, in its language, and each bad move has at most one better line.
    judged = lambda: [move for move in kept(page)["review"]["moves"] if move["judgement"]]
    eventually(lambda: page.locator("#moves > .said").all_text_contents() == [move["text"] for move in judged()])
    assert page.locator("#moves .variation").count() <= len(judged()) > 0


def notations_and_pieces_change(world):
    page = world.visit()
    paste(page, VARIATIONS)
    until_ply(page, 6)
    page.click("#options")
    for form, first in [("chinese", "炮二平五"), ("iccs", "H2-E2"), ("wxf", "C2=5")]:
        page.select_option("#set-notation", form)
        until(page, "first => document.querySelector('#moves .move').firstChild.textContent === first", first)
    faces = lambda: page.eval_on_selector_all("#board .pieces .face", "faces => faces.map(face => face.getAttribute('d'))")
    seen = set()
    for pieces in ["traditional", "simplified", "pictograms"]:
        page.select_option("#set-pieces", pieces)
        eventually(lambda: len(faces()) == 32 and "".join(sorted(set(faces()))) not in seen)
        seen.add("".join(sorted(set(faces()))))
    page.check("#set-coordinates")
    labels = lambda: page.locator("#board .label").all_text_contents()
    eventually(lambda: set("abcdefghi") <= set(labels()))


def an_analysis_shows_lines_arrows_bar_and_a_preview(world):
    page = world.visit()
    page.keyboard.press("a")
    until(page, "document.querySelectorAll('#lines li').length === 3")
    page.keyboard.press("5")
    until(page, "document.querySelectorAll('#lines li').length === 5")
    page.keyboard.press("2")
    until(page, "document.querySelectorAll('#lines li').length === 2")
    until(page, "document.querySelectorAll('#board .arrow.best').length === 1")
    eventually(lambda: 20 < float(page.evaluate("document.querySelector('#bar-red').style.height || '0'").rstrip("%")) < 80)
    before = pieces(page)
    page.locator("#lines li").first.locator("button").nth(2).hover()
    until(page, "before => document.querySelector('#board').dataset.pieces !== before", before)
    eventually(lambda: "preview" in page.get_attribute("#board", "class"))
    page.mouse.move(640, 790)
    page.locator("#go-first").hover()
    until(page, "before => document.querySelector('#board').dataset.pieces === before", before)
    # A click plays the line up to that move.
    page.locator("#lines li").first.locator("button").nth(1).click()
    until_ply(page, 2)
    page.keyboard.press("Home")
    ready(page)
    # The lines of the previous position remain until the next frame and cannot be played.
    settled(page)
    until(page, "document.querySelectorAll('#lines li').length > 0")
    page.keyboard.press(" ")
    until(page, "document.querySelector('#moves [aria-current]')")
    ready(page)
    page.keyboard.press("x")
    until(page, "document.querySelectorAll('#board .arrow.threat').length === 1")
    # Without analysis there are no lines and no arrows.
    page.keyboard.press("a")
    until(page, "document.querySelectorAll('#lines li').length === 0 && document.querySelectorAll('#board .arrow.best').length === 0")


def typed_moves_in_any_notation(world):
    page = world.visit()
    page.keyboard.press("a")
    typed(page, "炮二平五", "H8+7", "h0g2")
    eventually(lambda: names(page) == ["C2=5", "H8+7", "H2+3"])
    page.fill("#typed", "车五进九")
    page.press("#typed", "Enter")
    until(page, "document.querySelector('#typed').getAttribute('aria-invalid') === 'true'")
    assert len(names(page)) == 3


def a_perpetual_check_is_warned_of_ruled_and_explained(world):
    page = world.visit()
    paste(page, PERPETUAL)
    until(page, "document.querySelector('#board').dataset.pieces.includes('k')")
    ready(page)
    typed(page, *CHECKS[:6])
    until(page, "document.querySelector('#referee').dataset.state === 'warning'")
    eventually(lambda: "Red's rook gives check with every move" in page.text_content("#ruling"))
    # The move of the warning is marked on the board.
    click(page, "d1")
    until(page, "document.querySelectorAll('#board .hints .warned').length === 1")
    page.keyboard.press("Escape")
    page.click("#why")
    until(page, "document.querySelectorAll('#reasons tbody tr').length === 4")
    eventually(lambda: "check" in page.text_content("#reasons tbody") and page.locator("#board .arrow.attack").count() >= 1)
    typed(page, *CHECKS[6:])
    until(page, "document.querySelector('#referee').dataset.state === 'over'")
    eventually(lambda: "Black wins" in page.text_content("#ruling"))
    page.keyboard.press("w")
    until(page, "document.querySelectorAll('#reasons tbody tr.red').length >= 2")
    eventually(lambda: "Red's rook" in page.text_content("#reasons"))
    # The warning is also in Chinese, and under another rule set the result is a draw.
    page.click("#language")
    until(page, "document.querySelector('#ruling').textContent.includes('长将')")
    page.click("#options")
    page.select_option("#rules-set", "draw")
    until(page, "document.querySelector('#ruling').textContent.includes('和')")


def several_effects_of_a_move_are_separated_as_in_the_language(world):
    for language, separator in [("zh-CN", "；"), ("en-US", "; ")]:
        page = world.visit(language=language)
        paste(page, "5k3/9/9/8p/2n6/9/8P/9/c2R5/4K4 w")
        stands(page, "d1", "R")
        ready(page)
        typed(page, *("d1c1 c5d7 c1d1 d7c5".split() * 2))
        page.click("#why")
        until(page, "document.querySelectorAll('#reasons tbody tr').length > 0")
        # The rook chases the horse, and still attacks the cannon.
        effects = page.text_content("#reasons tbody tr.red td:last-child")
        assert separator in effects and (language == "en-US" or "; " not in effects), effects
        labels = page.evaluate("[...document.querySelectorAll('[role=gridcell]')].map((cell) => cell.ariaLabel)")
        assert len(labels) == 90 and all((", " in label) == (language == "en-US") for label in labels), labels


def a_line_of_many_thousand_moves_has_a_board(world):
    page = world.visit()
    found = page.evaluate("""async () => {
        const { Tree, path } = await import("./tree.js");
        const tree = new Tree();
        let node = tree.root;
        for (let ply = 0; ply < 20_001; ply += 1) node = tree.add(node, ["h0g2", "h9g7", "g2h0", "g7h9"][ply % 4]);
        return [path(node).length, tree.turn(node), node.pieces.join() === tree.add(tree.root, "h0g2").pieces.join()];
    }""")
    assert found == [20_001, "black", True], found


def the_referee_names_pieces_by_their_files_unless_the_board_shows_letters(world):
    page = world.visit()
    paste(page, "5k3/9/9/8p/2n6/9/8P/9/3R5/4K4 w")
    stands(page, "d1", "R")
    ready(page)
    typed(page, *("d1c1 c5d7 c1d1 d7c5".split() * 2))
    page.click("#why")
    eventually(lambda: "rook on file 7 chases the horse on file 3" in page.text_content("#reasons"))
    page.click("#options")
    page.check("#set-coordinates")
    page.keyboard.press("Escape")
    page.click("#why")
    page.click("#why")
    eventually(lambda: "rook on c1 chases the horse on c5" in page.text_content("#reasons"))


def a_match_keeps_its_rules_until_it_is_over(world):
    def choose_draw():
        page.click("#options")
        page.select_option("#rules-set", "asian")
        page.select_option("#rules-set", "draw")
        page.keyboard.press("Escape")

    page = world.visit()
    seats(page, "human", "human")
    paste(page, PERPETUAL)
    until(page, "document.querySelector('#board').dataset.pieces.includes('k')")
    page.click("#mode-play")
    page.click("#new-game summary")
    page.click("#play-here")
    ready(page)
    typed(page, *CHECKS[:6])
    page.keyboard.press("a")
    choose_draw()
    page.click("#mode-play")
    typed(page, *CHECKS[6:])
    eventually(lambda: "Black wins" in page.text_content("#result"))
    choose_draw()
    eventually(lambda: "draw" in page.text_content("#ruling"))


def a_review_with_a_clicked_blunder_and_a_lesson(world):
    page = world.visit()
    paste(page, record(HUNG_ROOK))
    until_ply(page, len(HUNG_ROOK))
    review(page)
    eventually(lambda: page.locator("#review-table tbody tr").count() == 2)
    eventually(lambda: page.locator("#review-table .blunder").first.text_content() != "0")
    blunder = page.locator("#moments button", has_text="??").first
    ply = int(blunder.get_attribute("data-ply"))
    page.keyboard.press("Home")
    blunder.click()
    until(page, "ply => document.querySelectorAll('#moves .pair .move')[ply - 1].getAttribute('aria-current') === 'true'", ply)
    eventually(lambda: all(word in page.text_content("#review-text") for word in ("rook", "lunder")))
    eventually(lambda: page.locator("#moves .sign.blunder").count() >= 1 and page.locator("#graph .spot.blunder").count() >= 1)
    eventually(lambda: page.locator("#board .arrow.good").count() == 1)  # the better move
    eventually(lambda: page.locator("#moves .variation").count() >= 1)  # the better line
    until(page, "[...document.querySelectorAll('#moves .variation .move')].every(move => !/[a-i][0-9][a-i][0-9]/.test(move.textContent))")
    # A click on the graph selects a move.
    box = page.locator("#graph").bounding_box()
    page.mouse.click(box["x"] + 1, box["y"] + 20)
    until(page, "!document.querySelector('#moves [aria-current]')")
    # Exercises: the page does not reveal the answer.
    until(page, "JSON.parse(localStorage.getItem('chuhe.game.' + sessionStorage.getItem('chuhe.tab'))).review")
    reviewed = kept(page)["review"]["moves"]
    questions = [move for move in reviewed if move["side"] == "red" and move["judgement"] and move["best"] != move["move"]]
    page.click("#learn-red")
    for question in questions:
        until(page, "ply => document.querySelectorAll('#moves .pair .move').length === ply - 1", question["ply"])
        ready(page)
        settled(page)
        assert page.locator("#board .arrow").count() == 0, "an arrow shows the answer"
        assert not page.is_visible("#lines") and not page.is_visible("#graph") and not page.is_visible("#moments")
        assert page.evaluate("getComputedStyle(document.querySelector('#bar')).visibility") == "hidden"
        assert page.locator("#moves .sign, #moves .said, #moves .variation").count() == 0
        assert not page.is_visible("#review-text") and not page.is_visible("#annotate")
        page.click("#learn-hint")
        eventually(lambda: "Look at your" in page.text_content("#learn-text") and page.locator("#board .ring.best").count() == 1)
        drag(page, question["move"])
        until(page, "document.querySelector('#learn-text').dataset.state === 'wrong'")
        drag(page, question["best"])
        until(page, "document.querySelector('#learn-text').dataset.state === 'right'")
        eventually(lambda: page.locator("#board .arrow.best").count() == 1)
        # The judgement refers to the move of the game, not to the answer.
        sign = {"inaccuracy": "?!", "mistake": "?", "blunder": "??"}[question["judgement"]]
        eventually(lambda: f"{question['name']}{sign} {question['judgement'].capitalize()}:" in page.text_content("#learn-text"))
        page.click("#learn-next")
    until(page, "document.querySelector('#learn').hidden")
    eventually(lambda: page.is_visible("#moments") and f"0 of {len(questions)}" in page.text_content("#notice"))


def the_editor_says_why_a_set_up_is_impossible(world):
    page = world.visit()
    page.keyboard.press("e")
    page.click("#edit-clear")
    until(page, "document.querySelector('#edit-faults').textContent.includes('is legal')")
    drag(page, "d0e0")
    until(page, "document.querySelector('#edit-faults').textContent.includes('face each other')")
    eventually(lambda: page.is_disabled("#edit-analyse"))
    drag(page, "e0d0")
    until(page, "document.querySelector('#edit-faults').textContent.includes('is legal')")
    page.click("[data-brush='B']")
    click(page, "b5")
    until(page, "document.querySelectorAll('#board .marks .fault').length === 1")
    eventually(lambda: "elephant" in page.text_content("#edit-faults"))
    # The piece is dragged off the board.
    page.mouse.move(*centre(page, "b5"))
    page.mouse.down()
    page.mouse.move(60, 400, steps=5)
    page.mouse.up()
    stands(page, "b5", ".")
    page.click("[data-brush='R']")
    click(page, "e1")
    stands(page, "e1", "R")
    page.click("#edit-black")
    until(page, "document.querySelector('#edit-fen').value.includes(' b ')")
    page.click("#edit-mirror")
    stands(page, "f0", "K")
    page.click("#edit-undo")
    stands(page, "d0", "K")
    page.click("#edit-swap")
    stands(page, "e8", "r")
    page.click("#edit-undo")
    page.fill("#edit-fen", "4k4/9/9 w")
    page.press("#edit-fen", "Tab")
    until(page, "document.querySelector('#edit-faults').textContent.includes('10 ranks')")
    page.fill("#edit-fen", PERPETUAL)
    page.press("#edit-fen", "Tab")
    stands(page, "e1", "R")
    until(page, "document.querySelector('#edit-faults').textContent.includes('is legal')")
    page.click("#edit-analyse")
    until(page, "document.querySelector('#mode-analyse').getAttribute('aria-current') === 'page'")
    ready(page)
    typed(page, "e1d1")


def an_edited_position_remains_when_another_view_is_shown(world):
    page = world.visit()
    page.keyboard.press("e")
    page.click("#edit-clear")
    for mode in "pa":
        page.keyboard.press(mode)
        eventually(lambda: pieces(page).count("P") == 5)
        page.keyboard.press("e")
        eventually(lambda: pieces(page).replace(".", "") == "kK")
    page.click("#edit-here")
    eventually(lambda: pieces(page).count("P") == 5)


def a_file_that_cannot_be_opened_says_why(world):
    page = world.visit()
    board = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/"
    for text, reason in [(board + "RNBAKABN w", "rank 0 has 8 files"), (board.rstrip("/") + " w", "10 ranks"), (board + "XNBAKABNR w", "'X'")]:
        page.click("#open")
        page.fill("#open-text", text)
        page.click("#open-take")
        eventually(lambda: reason in page.text_content("#open-fault"))
        page.keyboard.press("Escape")
    drop(page, "picture.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR")
    eventually(lambda: "not a game file" in page.text_content("#notice"))
    # A position that no game can reach is shown with the reason.
    paste(page, "9/9/9/9/9/9/9/9/4R4/4K4 w")
    eventually(lambda: page.is_visible("#game-note") and "ply 0" not in page.text_content("#game-note"))


def a_game_that_is_drawn_is_analysed_as_if_it_began_there(world):
    page = world.visit()
    paste(page, record("h2e2 h9g7 e2h2 g7h9".split() * 3))
    until_ply(page, 12)
    page.keyboard.press("End")
    until(page, "document.querySelector('#referee').dataset.state === 'over'")
    until(page, "document.querySelectorAll('#lines li').length === 3")
    eventually(lambda: "as if it began here" in page.text_content("#lines-said"))
    # A mated position has no lines, but a message with the reason.
    paste(page, record(MATE))
    until_ply(page, len(MATE))
    page.keyboard.press("End")
    until(page, "document.querySelector('#lines-said').textContent === 'The game is over.'")
    eventually(lambda: page.locator("#lines li").count() == 0)
    page.keyboard.press("Home")
    until(page, "document.querySelectorAll('#lines li').length === 3")
    eventually(lambda: not page.is_visible("#lines-said"))


def a_game_that_is_too_long_says_so(world):
    page = world.visit()
    paste(page, record("h0g2 h9g7 g2h0 g7h9".split() * 251))
    until(page, "document.querySelector('#game-note').textContent.includes('at most 1000 plies')")
    page.keyboard.press("End")
    until(page, "document.querySelector('#lines-said').textContent.includes('at most 1000 plies')")
    page.keyboard.press("Home")
    until(page, "document.querySelectorAll('#lines li').length === 3")
    eventually(lambda: not page.is_visible("#lines-said") and page.is_visible("#game-note"))


def a_fault_in_a_record_stays_over_the_moves(world):
    page = world.visit()
    paste(page, record("h2e2 h9g7 h0g2 i9h9 a0a9".split()))
    until_ply(page, 4)
    page.keyboard.press("End")
    until(page, "document.querySelector('#game-note').textContent.startsWith('Read up to ply 4:')")
    eventually(lambda: "a0a9" in page.text_content("#game-note").lower().replace("-", ""))
    page.click("#language")  # the whole note, including the engine's output
    until(page, "/^读到第 4 着为止：第.*行：.*不能走/.test(document.querySelector('#game-note').textContent)")
    page.click("#language")
    until(page, "document.querySelector('#game-note').textContent.startsWith('Read up to ply 4: Line')")
    # Each game has its own note, or none.
    paste(page, record(MATE))
    until_ply(page, len(MATE))
    eventually(lambda: not page.is_visible("#game-note"))


def the_move_on_the_board_stays_in_sight_when_lines_take_the_room_of_the_list(world):
    # A window with one column beside the board.
    page = world.visit(viewport={"width": 1100, "height": 1000})
    paste(page, record(["h2e2", "h9g7", "e2h2", "g7h9"] * 10))
    page.click("#mode-play")
    page.click("#mode-analyse")
    page.keyboard.press("1")
    until(page, "document.querySelectorAll('#lines li').length === 1")
    page.keyboard.press("End")
    until_ply(page, 40)
    height = lambda: page.evaluate("document.querySelector('#moves').clientHeight")
    sight = """() => {
      const list = document.querySelector("#moves").getBoundingClientRect();
      const move = document.querySelector("#moves [aria-current]")?.getBoundingClientRect();
      return move && move.top >= list.top - 1 && move.bottom <= list.bottom + 1;
    }"""
    eventually(lambda: page.evaluate(sight))
    before = height()
    page.keyboard.press("5")
    eventually(lambda: height() < before - 20)
    eventually(lambda: page.evaluate(sight))
    page.wait_for_timeout(500)
    assert page.evaluate(sight), "the move is out of sight"


def a_mate_is_proved_and_becomes_variations(world):
    page = world.visit()
    paste(page, "2bak4/9/9/9/9/9/9/9/9/3K2R1R w")
    until_ply(page, 0)
    page.click("#mate")
    eventually(lambda: "mates in 3 by checks" in page.text_content("#mate-said"))
    eventually(lambda: page.locator("#moves .move").count() == 5)
    page.keyboard.press("ArrowRight")
    eventually(lambda: page.text_content("#mate-said") == "")
    # Black has no mate; the page reports this and adds no move.
    count = page.locator("#moves .move").count()
    page.click("#mate")
    eventually(lambda: "no mate by checks" in page.text_content("#mate-said"))
    assert page.locator("#moves .move").count() == count


def the_speed_of_a_search_takes_one_line_on_a_phone(world):
    rows = "(() => { const text = document.createRange(); text.selectNodeContents(document.querySelector('#engine-depth')); return text.getClientRects().length; })()"
    for language in ("en-US", "zh-CN"):
        page = world.visit(language=language, viewport=PHONE, has_touch=True)
        page.click("#mode-analyse")
        until(page, "document.querySelector('#engine-depth').textContent !== ''")
        assert page.evaluate(rows) == 1
