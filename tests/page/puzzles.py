"""Puzzles: solved, missed, with hints, and with the solution shown; progress is stored, and the game is
unchanged."""

import tempfile

from analysing import HUNG_ROOK, record
from harness import *

# A fork in two moves, a mate in one with an alternative, and a mate for which every other move is slower.
FORK = "r3k4/9/9/1N7/9/9/9/9/9/3K5 w ; pv b6c8 e9e8 c8a9 ; rating 1000 ; themes win fork ending"
MATE = "3k5/4P4/9/9/9/9/9/9/9/R3K4 w ; pv a0a9 ; rating 1100 ; themes mate ending"
ROOKS = "3k5/R8/9/9/9/1R7/9/9/9/5K3 w ; pv b4b9 ; rating 900 ; themes mate ending"
BLACK = "5R1CC/4k4/9/4c4/9/9/4r4/5p3/9/2B2K3 b ; pv e6f6 f9f6 e3e0 ; rating 1700 ; themes mate sacrifice"


def puzzles(world, *lines, **more):
    """Opens a page with these puzzles."""
    world.server.end()
    file = tempfile.NamedTemporaryFile("w", suffix=".epd", encoding="utf-8")
    file.write("\n".join(lines) + "\n")
    file.flush()
    world.server = Server(world.chuhe, more=["--puzzles", file.name])
    file.close()
    page = world.visit(**more)
    page.keyboard.press("t")
    until(page, "document.querySelector('#puzzle-text').textContent !== ''")
    return page


def says(page, text):
    until(page, "text => document.querySelector('#puzzle-text').textContent.includes(text)", text)


def progress(page, text):
    until(page, "text => document.querySelector('#puzzle-progress').textContent.includes(text)", text)


def a_puzzle_is_solved_and_the_rating_stays(world):
    page = puzzles(world, FORK, MATE)
    says(page, "Red to move and win")
    drag(page, "b6c8")
    stands(page, "e8", "k")
    says(page, "Right")
    typed(page, "c8a9")
    says(page, "Solved!")
    says(page, "Rating 1030 (+30)")
    says(page, "fork, ending")
    progress(page, "1 of 2 tried, 1 solved")
    page.reload()
    ready(page)
    progress(page, "Rating 1030")
    # Solving a puzzle again does not count.
    drag(page, "b6c8")
    stands(page, "e8", "k")
    drag(page, "c8a9")
    says(page, "Solved!")
    progress(page, "Rating 1030")
    page.keyboard.press("n")
    says(page, "Red to move and mate")


def wrong_moves_hints_and_the_answer(world):
    page = puzzles(world, FORK)
    # The button states the cost of a hint, as long as there is one.
    eventually(lambda: page.text_content("#puzzle-hint") == "Hint (lowers the rating)")
    drag(page, "b6d7")
    says(page, "Not good enough")
    stands(page, "b6", "N")
    progress(page, "Rating 970")
    assert page.text_content("#puzzle-hint") == "Hint"
    page.keyboard.press("h")
    says(page, "Theme: fork, ending")
    page.click("#puzzle-hint")
    says(page, "Look at your horse on file 8.")
    eventually(lambda: page.locator("#board .ring.best").count() == 1)
    page.click("#puzzle-hint")
    eventually(lambda: page.locator("#board .arrow.best").count() == 1)
    assert page.is_disabled("#puzzle-hint")
    # The board does not step while a puzzle is waiting for a move.
    page.keyboard.press("ArrowLeft")
    page.click("#puzzle-show")
    eventually(lambda: page.is_visible("#puzzle-again") and not page.is_visible("#puzzle-show"))
    until_ply(page, 3)  # the engine has named the moves
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    stands(page, "a9", "N")
    progress(page, "1 of 1 tried, 0 solved")
    # A puzzle that is solved at the second attempt still counts as missed.
    page.click("#puzzle-again")
    stands(page, "b6", "N")
    drag(page, "b6c8")
    stands(page, "e8", "k")
    drag(page, "c8a9")
    says(page, "Solved!")
    progress(page, "1 of 1 tried, 0 solved")
    page.click("#puzzle-analyse")
    until(page, "document.querySelectorAll('#lines li').length > 0")


def any_mate_is_right_where_a_mate_is_asked_for(world):
    page = puzzles(world, MATE)
    drag(page, "a0d0")
    says(page, "That works too!")
    progress(page, "1 of 1 tried, 1 solved")


def a_slower_mate_is_not_the_solution(world):
    page = puzzles(world, ROOKS)
    drag(page, "b4b5")
    says(page, "Still winning, but there is a mate in 1.")
    stands(page, "b4", "R")
    progress(page, "0 of 1 tried")
    drag(page, "b4b9")
    says(page, "Solved!")


def skipped_puzzles_come_after_all_others(world):
    page = puzzles(world, FORK, MATE, BLACK)
    seen = set()
    for _ in range(3):
        ready(page)
        seen.add(pieces(page))
        page.click("#puzzle-next")
    assert len(seen) == 3, seen


def hints_continue_after_the_arrow(world):
    page = puzzles(world, FORK)
    for _ in range(3):
        page.click("#puzzle-hint")
    drag(page, "b6c8")
    stands(page, "e8", "k")
    page.click("#puzzle-hint")
    says(page, "Look at your horse on file 7.")
    eventually(lambda: page.locator("#board .ring.best").count() == 1)


def puzzles_are_chosen_by_theme_and_difficulty_in_both_languages(world):
    page = puzzles(world, FORK, MATE, BLACK, language="zh-CN")
    says(page, "红方先行，取胜")
    assert page.eval_on_selector_all("#puzzle-theme option", "options => options.map(option => option.textContent)") == [
        "全部（3）", "基本杀法与残局课程（36）", "杀法（2）", "谋子取势（1）", "捉双（1）", "弃子（1）", "残局（2）",
    ]
    page.select_option("#puzzle-theme", "sacrifice")
    says(page, "黑方先行，将死对方")
    eventually(lambda: page.evaluate("document.body.classList.contains('flipped')"))
    page.select_option("#puzzle-level", "easy")
    says(page, "没有这样的题目")
    page.keyboard.press("l")
    eventually(lambda: "sacrifice (1)" in page.text_content("#puzzle-theme"))
    page.select_option("#puzzle-level", "hard")
    says(page, "Black to move and mate")


def a_game_goes_on_after_puzzles(world):
    page = world.visit()
    seats(page, "human", "human")
    ready(page)
    typed(page, "h2e2", "h9g7")
    page.keyboard.press("t")
    until(page, "document.querySelector('#puzzle-text').textContent !== ''")
    ready(page)
    page.click("#puzzle-next")
    page.click("#puzzle-next")
    page.reload()
    ready(page)
    until(page, "document.querySelector('#puzzle-text').textContent !== ''")
    page.click("#mode-play")
    until_ply(page, 2)
    ready(page)
    typed(page, "h0g2")
    eventually(lambda: page.is_visible("#play-live"))


def the_board_turns_back_after_puzzles(world):
    page = puzzles(world, BLACK)
    turned = lambda: page.evaluate("document.body.classList.contains('flipped')")
    eventually(turned)
    assert page.text_content("#moves") == ""
    # If no game was interrupted, the next puzzle begins.
    page.click("#mode-play")
    eventually(lambda: not turned() and page.is_visible("#play-live") and pieces(page).count("P") == 5)
    # The board turns back in every view, also while the puzzle is on it and after a reload.
    page.click("#flip")
    page.click("#flip")
    page.keyboard.press("t")
    eventually(turned)
    page.reload()
    ready(page)
    until(page, "document.querySelector('#puzzle-text').textContent !== ''")
    eventually(turned)
    page.keyboard.press("e")
    eventually(lambda: not turned())
    page.keyboard.press("a")
    page.click("#flip")
    page.keyboard.press("t")
    until(page, "document.querySelector('#puzzle-text').textContent !== ''")
    page.keyboard.press("a")
    paste(page, "3k5/9/9/9/9/9/9/9/9/R3K4 w")
    stands(page, "a0", "R")
    eventually(turned)
    page.click("#flip")
    eventually(lambda: not turned())


def lessons_are_learnt_in_order_and_endings_are_played_out(world):
    page = world.visit()
    page.keyboard.press("t")
    until(page, "document.querySelectorAll('#puzzle-theme option').length > 10")
    page.select_option("#puzzle-theme", "lesson")
    says(page, "Cannon behind the horse")
    ready(page)
    drag(page, "a5f5")
    says(page, "Solved!")
    page.keyboard.press("n")
    says(page, "Double cannons")
    progress(page, "Rating 1000")
    while "Horse against an elephant" not in page.text_content("#puzzle-text"):
        page.keyboard.press("n")
        ready(page)
    # One move of eleven keeps the win.
    values = page.evaluate("async () => { const { ask } = await import('./desk.js'); const { told } = await import('./game.js'); return (await ask({ do: 'endings', ...told() })).moves; }")
    (right,) = [entry["move"] for entry in values if entry["value"] == "win"]
    before = pieces(page)
    drag(page, next(entry["move"] for entry in values if entry["move"] != right and entry["move"][:2] == "d5"))
    says(page, "the tablebase says: draws")
    eventually(lambda: pieces(page) == before)
    drag(page, right)
    says(page, "Keep going")
    assert fen(page).split()[1] == "w"
    # The titles of the following lessons are in the other language.
    page.click("#language")
    page.click("#puzzle-next")
    says(page, "单兵擒孤将")


def mistakes_of_ones_own_games_become_puzzles(world):
    page = world.visit()
    paste(page, record(HUNG_ROOK))
    until_ply(page, len(HUNG_ROOK))
    review(page)
    bad = page.locator("#moments .sign.blunder, #moments .sign.mistake").count()
    until(page, "JSON.parse(localStorage.getItem('chuhe.game.' + sessionStorage.getItem('chuhe.tab'))).review")
    moves = kept(page)["review"]["moves"]
    page.click("#review-puzzles")
    eventually(lambda: page.text_content("#live").startswith(f"{bad} new"))
    # A second review adds no puzzle.
    page.click("#review-puzzles")
    eventually(lambda: page.text_content("#live").startswith("0 new"))
    page.keyboard.press("t")
    until(page, "[...document.querySelectorAll('#puzzle-theme option')].some(option => option.value === 'mine')")
    page.select_option("#puzzle-theme", "mine")
    says(page, "find a better move than the one played")
    assert f"From my games ({bad})" in page.text_content("#puzzle-theme")
    ready(page)
    # The board shows the position before a mistake, and the best move of the review solves the puzzle.
    mine = page.evaluate("JSON.parse(localStorage.getItem('chuhe.puzzles.mine'))")
    (asked,) = [one for one in mine if one["start"].split()[:2] == fen(page).split()[:2]]
    assert asked["line"][0] in [move["best"] for move in moves]
    drag(page, asked["line"][0])
    says(page, "Solved!")
    page.reload()
    ready(page)
    until(page, "[...document.querySelectorAll('#puzzle-theme option')].some(option => option.value === 'mine')")


def the_puzzles_in_the_program_are_shown(world):
    page = world.visit()
    page.keyboard.press("t")
    until(page, "document.querySelectorAll('#puzzle-theme option').length > 10")
    progress(page, "of 500 tried")
    for theme in page.eval_on_selector_all("#puzzle-theme option", "options => options.map(option => option.value)"):
        page.select_option("#puzzle-theme", theme)
        ready(page)
        until(page, "document.querySelector('#puzzle-text').textContent.includes('to move')")
        page.click("#puzzle-show")
        eventually(lambda: page.is_visible("#puzzle-again"))
        page.click("#puzzle-next")
        eventually(lambda: page.is_visible("#puzzle-show"))


OF_SERVERS = [
    a_puzzle_is_solved_and_the_rating_stays,
    wrong_moves_hints_and_the_answer,
    any_mate_is_right_where_a_mate_is_asked_for,
    a_slower_mate_is_not_the_solution,
    skipped_puzzles_come_after_all_others,
    hints_continue_after_the_arrow,
    puzzles_are_chosen_by_theme_and_difficulty_in_both_languages,
    the_board_turns_back_after_puzzles,
]
