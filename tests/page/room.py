"""Layout: the size of the list of moves in every mode and window size, and the elements beside the board."""

from analysing import HUNG_ROOK, record
from harness import *
from pictures import GAME, PLIES

ROWS = 10
# Counts the visible rows of the list. On a phone the list grows with the game up to its maximum height.
SEEN = """() => {
    const list = document.querySelector("#moves");
    const most = parseFloat(getComputedStyle(list).maxHeight);
    const row = list.querySelector(".pair")?.getBoundingClientRect().height;
    return (Number.isFinite(most) ? most : list.clientHeight) / (row ?? 24);
}"""


def the_list_of_moves_has_ten_rows_in_every_mode(world):
    sizes = {"1366": {"width": 1366, "height": 768}, "1920": {"width": 1920, "height": 1080}, "390": {"width": 390, "height": 844}}
    for name, viewport in sizes.items():
        page = world.visit(viewport=viewport)
        found = {}
        for mode in ("play", "analyse", "review", "puzzles"):
            page.click(f"#mode-{mode}")
            if mode == "analyse":
                paste(page, GAME)
                until_ply(page, PLIES["game"])
                for _ in range(20):
                    page.keyboard.press("ArrowRight")
                until(page, "document.querySelectorAll('#lines li').length === 3")
            settled(page)
            found[mode] = round(page.evaluate(SEEN), 1)
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"{name} {mode}: wider than the window"
        say(f"       {name}: {found}")
        assert min(found.values()) >= ROWS, f"{name}: {found}"
        height = page.locator("#board").bounding_box()["height"]
        assert name == "390" or height >= 0.75 * viewport["height"], f"{name}: the board is {height} high"
        page.close()


def the_opening_has_its_name_beside_the_board(world):
    page = world.visit()
    assert not page.is_visible("#opening-name")
    seats(page, "human", "human")
    typed(page, "h2e2", "h7e7")
    eventually(lambda: page.text_content("#opening-name").startswith("D00 "))
    page.click("#language")
    eventually(lambda: "顺炮" in page.text_content("#opening-name"))
    page.keyboard.press("t")
    eventually(lambda: not page.is_visible("#opening-name"))


def space_plays_after_a_file_was_opened(world):
    page = world.visit()
    paste(page, record(HUNG_ROOK))
    until_ply(page, len(HUNG_ROOK))
    for where in (None, "#moves .move", "#go-first"):
        if where:
            page.locator(where).first.click()
        until(page, "document.querySelectorAll('#lines li').length > 0")
        ready(page)
        before = pieces(page)
        page.keyboard.press(" ")
        until(page, "before => document.querySelector('#board').dataset.pieces !== before", before)
        assert not page.evaluate("document.querySelector('dialog[open]')")
        page.keyboard.press("Home")
        ready(page)
        settled(page)


def a_won_ending_says_so(world):
    page = world.visit()
    page.keyboard.press("a")
    paste(page, "3k5/4a4/9/9/9/9/9/9/9/N3K4 w")
    until(page, "document.querySelector('#endings p')?.textContent.startsWith('Tablebase: Red wins')")
    until(page, "document.querySelectorAll('#lines .score').length > 0")
    assert not any(re.search(r"\d{3}", text) for text in page.locator("#lines .score").all_text_contents())
    page.click("#language")
    until(page, "document.querySelector('#endings p')?.textContent.startsWith('残局库：红方胜')")


def the_board_fits_low_windows_and_pages_at_200_percent(world):
    for width, height in ((683, 384), (844, 390), (640, 360)):
        page = world.visit(viewport={"width": width, "height": height})
        for mode in ("play", "analyse", "review", "puzzles", "edit"):
            page.click(f"#mode-{mode}")
            settled(page)
            bottom = page.evaluate("Math.max(...['#board', '#player-bottom'].map(id => document.querySelector(id).getBoundingClientRect().bottom))")
            assert bottom <= height, f"{width} {mode}: {bottom}"
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"{width} {mode}: wider than the window"
        # The last button of a dialog is visible without scrolling, and a notice is beside the panels.
        for dialog in ("open", "save", "options", "help"):
            page.click(f"#{dialog}")
            box = page.locator(f"#{dialog}-dialog .row.end button").last.bounding_box()
            assert box["y"] + box["height"] <= height, f"{width} {dialog}: {box}"
            page.keyboard.press("Escape")
        page.evaluate("async () => (await import('./table.js')).notice('A notice of some length about a game', true)")
        notice, panel = page.locator("#notice").bounding_box(), page.locator("#side").bounding_box()
        assert notice["x"] + notice["width"] <= panel["x"], f"{width}: {notice}, {panel}"
        page.close()


def _shown(page, scores):
    """Returns the text and the class of each score in the list of lines, and its text in the bar."""
    page.keyboard.press("a")
    until(page, "document.querySelectorAll('#lines li').length > 0")
    shown = page.evaluate(
        """async () => {
            const { analysis, drawLines } = await import("./lines.js");
            const { game } = await import("./game.js");
            const [line] = analysis.lines;
            const draw = (score) => {
                analysis.analysts[0].lines = [{ ...line, score, red: 0.5 }];
                game.node.value = { points: 0.5, score, depth: 99 };
                drawLines();
                const cell = document.querySelector("#lines .score");
                const bar = document.querySelector("#bar-text");
                const fits = [cell, bar].every((one) => one.scrollWidth <= one.clientWidth && (!score.mate || one.clientHeight < 30));
                return [cell.textContent, cell.className, bar.textContent, fits];
            };
            return SCORES.map(draw);
        }""".replace("SCORES", scores)
    )
    assert all(line.pop() for line in shown), shown
    return shown


def a_mate_is_a_sentence_where_there_is_room(world):
    for language, sentence in (("en-US", "Red mates in 1"), ("zh-CN", "红方 1 步成杀")):
        page = world.visit(language=language)
        page.keyboard.press("a")
        typed(page, *MATE[:-1])
        eventually(lambda: sentence in page.text_content("#engine-depth"))
        eventually(lambda: sentence in page.get_attribute("#bar", "aria-label"))
        eventually(lambda: page.locator("#lines .score").first.text_content() in ("+M1", "红 1 步杀"))
        page.close()
    page = world.visit()
    texts = page.evaluate("async () => { const { longText } = await import('./score.js'); return [longText({ mate: -6 }, 'red'), longText({ mate: 6 }, 'black'), longText({ cp: 22 }, 'red')]; }")
    assert texts == ["Black mates in 6", "Black mates in 6", "+0.22"], texts


def scores_are_neutral_at_zero_and_short_in_the_bar(world):
    page = world.visit()
    shown = _shown(page, "[{ cp: 0 }, { cp: 22 }, { cp: -1231 }, { cp: 21_990 }, { cp: -21_990 }, { mate: 12 }]")
    assert shown == [
        ["0.00", "score", "0.0"],
        ["+0.22", "score for-red", "+0.2"],
        ["−12.31", "score for-red", "−12.3"],
        ["Red wins", "score for-red", "1-0"],
        ["Black wins", "score for-red", "0-1"],
        ["+M12", "score for-red", "M12"],
    ], shown
    # In Chinese, a mate is not abbreviated.
    chinese = world.visit(language="zh-CN")
    shown = _shown(chinese, "[{ mate: 12 }, { mate: -6 }]")
    assert [line[0::2] for line in shown] == [["红 12 步杀", "12步"], ["黑 6 步杀", "6步"]], shown
    text = page.locator("#bar-text")
    style = text.evaluate("node => [getComputedStyle(node).writingMode, parseFloat(getComputedStyle(node).fontSize)]")
    assert style[0] == "horizontal-tb" and style[1] >= 11, style


def files_are_named_after_the_players_and_the_date(world):
    page = world.visit()
    paste(page, record(HUNG_ROOK).replace("[Result", '[Date "2026.11.26"]\n[Result'))
    until_ply(page, len(HUNG_ROOK))
    assert saved(page, "xqf")[0] == "甲-乙-2026-11-26.xqf"
    assert saved(page, button="#share-svg")[0] == "甲-乙-2026-11-26.svg"
