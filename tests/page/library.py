"""The library: searching, scrolling, adding games, and the moves played beside the analysis."""

import functools
import itertools

import access
from harness import *

GAMES = 100_000
HU = """[Event "全國賽"]\n[Red "胡榮華"]\n[Black "楊官璘"]\n[Date "1960.11.1"]\n[Result "1-0"]\n\n1. h2e2 h9g7 2. h0g2 i9h9 3. i0h0 b9c7 1-0\n"""
LU = """[Event "Cup"]\n[Red "Lü Qin"]\n[Black "Xu Yinchuan"]\n[Date "1999"]\n[Result "1/2-1/2"]\n\n1. b2e2 b9c7 2. b0c2 h9g7 1/2-1/2\n"""
ZHAO = """[Event "Cup"]\n[Red "Zhao Guorong"]\n[Black "Lü Qin"]\n[Date "2001"]\n[Result "0-1"]\n\n1. c3c4 b7c7 0-1\n"""


def made(world, folder, text):
    """Creates a library of these games."""
    games, path = f"{folder}/games.pgn", f"{folder}/a.games.db"
    with open(games, "w", encoding="utf-8") as file:
        file.write(text)
    subprocess.run([world.chuhe, "games", "add", games, "--to", path], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return path


def shelved(world, path, *more):
    """Starts a server with this library."""
    world.server.end()
    world.server = Server(world.chuhe, more=["--games", path, *more])


def with_games(scene):
    """Decorator for scenes with a server whose library has three games."""

    @functools.wraps(scene)
    def run(world):
        with tempfile.TemporaryDirectory() as folder:
            path = made(world, folder, "\n".join([HU, LU, ZHAO]))
            shelved(world, path)
            scene(world, path)

    return run


def rows(page):
    return page.eval_on_selector_all("#library-list [role=option] .names", "names => names.map(name => name.textContent)")


def count(page):
    return page.text_content("#library-count")


def many():
    """Generates any number of different games: pawns and cannons move forward and sideways in all orders."""
    orders = list(itertools.permutations("acegi"))
    for number, (cannon, reply, red, black) in enumerate(itertools.product("gfdci", "gfdci", orders, orders)):
        moves = [f"h2{cannon}2", f"h7{reply}7"]
        for one, two in zip(red, black):
            moves += [f"{one}3{one}4", f"{two}6{two}5"]
        tags = {"Event": f"Round {number % 97}", "Red": f"Player {number % 1009}", "Black": f"Player {number % 703}", "Date": 1950 + number % 70}
        yield "".join(f'[{name} "{value}"]\n' for name, value in tags.items()) + f"\n{' '.join(moves)} *\n"


@nightly
def a_hundred_thousand_games_scroll(world):
    with tempfile.TemporaryDirectory() as folder:
        shelved(world, made(world, folder, "\n".join(itertools.islice(many(), GAMES))))
        page = world.visit()
        page.keyboard.press("g")
        eventually(lambda: count(page) == f"{GAMES} of {GAMES} games" and len(rows(page)) > 0)
        page.focus("#library-list")
        # The page contains only the list entries that are visible.
        last = lambda: page.evaluate("Number(document.querySelector('#library-list [aria-selected=true]')?.getAttribute('aria-posinset'))")
        few = lambda: 0 < page.locator("#library-list [role=option]").count() < 40
        told = lambda: "…" not in page.eval_on_selector_all("#library-list [role=option]", "rows => rows.map(row => row.textContent)")
        page.keyboard.press("End")
        eventually(lambda: last() == GAMES and few() and told())
        page.keyboard.press("PageUp")
        eventually(lambda: GAMES - 40 < last() < GAMES and few() and told())
        page.keyboard.press("Home")
        eventually(lambda: last() == 1 and few() and told())
        # Scrolls through the list quickly and measures the frames; --all also measures those of an idle page.
        frames = """(step) => new Promise((done) => {
            const list = document.querySelector("#library-list");
            const times = [performance.now()];
            const frame = (now) => {
                times.push(now);
                list.scrollTop += step;
                if (times.length <= 60) requestAnimationFrame(frame);
                else done(times.slice(1).map((time, place) => time - times[place]).sort((one, two) => one - two));
            };
            requestAnimationFrame(frame);
        })"""
        for name, step in [("at rest", 0), ("through the list", 60_000)] if world.all else [("through the list", 60_000)]:
            times = page.evaluate(frames, step)
            say(f"       frames {name}: median {times[30]:.0f} ms, longest {times[-1]:.0f} ms")
        eventually(lambda: page.evaluate("document.querySelector('#library-list').scrollTop") > 3_000_000 and few() and told())
        page.fill("#library-player", "Player 1008")
        eventually(lambda: 0 < len(rows(page)) < 40 and all("Player 1008" in names for names in rows(page)))
        eventually(lambda: f"of {GAMES} games" in count(page) and count(page) != f"{GAMES} of {GAMES} games")


@with_games
def games_are_searched_and_opened(world, _):
    page = world.visit()
    page.keyboard.press("g")
    eventually(lambda: count(page) == "3 of 3 games" and rows(page) == ["胡榮華 – 楊官璘", "Lü Qin – Xu Yinchuan", "Zhao Guorong – Lü Qin"])
    # A search in simplified characters finds traditional ones.
    page.fill("#library-player", "胡荣华")
    eventually(lambda: rows(page) == ["胡榮華 – 楊官璘"] and count(page) == "1 of 3 games")
    page.fill("#library-player", "lü qin")
    eventually(lambda: len(rows(page)) == 2)
    page.select_option("#library-result", "0-1")
    eventually(lambda: rows(page) == ["Zhao Guorong – Lü Qin"])
    page.select_option("#library-result", "")
    page.fill("#library-until", "2000")
    eventually(lambda: rows(page) == ["Lü Qin – Xu Yinchuan"])
    page.fill("#library-until", "")
    page.fill("#library-player", "")
    page.fill("#library-event", "cup")
    page.fill("#library-opening", "仙人指路")
    eventually(lambda: rows(page) == ["Zhao Guorong – Lü Qin"])
    page.fill("#library-opening", "")
    page.fill("#library-event", "")
    eventually(lambda: len(rows(page)) == 3)
    # The keyboard moves the focus from a field to the list and along the list, and opens a game.
    page.press("#library-event", "Enter")
    eventually(lambda: page.evaluate("document.activeElement.id") == "library-list" and len(rows(page)) == 3)
    page.keyboard.press("ArrowDown")
    eventually(lambda: page.get_attribute("#library-list", "aria-activedescendant") == "library-game-1")
    eventually(lambda: page.get_attribute("#library-game-1", "aria-selected") == "true")
    page.keyboard.press("Enter")
    until_ply(page, 4)
    eventually(lambda: page.get_attribute("#mode-analyse", "aria-current") == "page" and "Lü Qin" in page.text_content("#game-title"))
    # The library is unchanged after returning to it.
    page.keyboard.press("g")
    eventually(lambda: page.get_attribute("#library-game-1", "aria-selected") == "true")
    page.locator("#library-game-2").click()
    until_ply(page, 2)


@with_games
def back_returns_from_links_of_the_library(world, path):
    shelved(world, path, "--games-edit")
    page = world.visit()
    here = lambda: page.get_attribute("body", "data-mode")
    page.keyboard.press("g")
    eventually(lambda: len(rows(page)) == 3)
    # An opening of the results.
    page.click("#library-results summary")
    page.locator("#library-tables button").first.click()
    eventually(lambda: len(rows(page)) == 2)
    page.go_back()
    eventually(lambda: here() == "library" and len(rows(page)) == 3)
    page.go_forward()
    eventually(lambda: here() == "library" and len(rows(page)) == 2)
    # A game.
    page.click("#library-open")
    eventually(lambda: here() == "analyse")
    page.go_back()
    eventually(lambda: here() == "library")
    page.go_forward()
    eventually(lambda: here() == "analyse")
    page.go_back()
    eventually(lambda: here() == "library")
    page.go_back()
    eventually(lambda: len(rows(page)) == 3)
    page.go_back()
    eventually(lambda: here() == "play")
    # A link to a game.
    page.keyboard.press("a")
    typed(page, "h2e2")
    link = page.evaluate("async () => (await import('./share.js')).linkOf('1. c3c4 *')")
    page.keyboard.press("p")
    page.evaluate("link => { location.hash = new URL(link).hash; }", link)
    eventually(lambda: here() == "analyse" and names(page) == ["P7+1"])
    page.go_back()
    eventually(lambda: here() == "play")
    page.go_back()
    eventually(lambda: here() == "analyse")


@with_games
def the_position_on_the_board_is_searched(world, _):
    page = world.visit()
    page.keyboard.press("a")
    typed(page, "h2e2", "h9g7", "h0g2")
    page.keyboard.press("g")
    page.check("#library-here")
    # One of the two games contains the mirror image.
    eventually(lambda: rows(page) == ["胡榮華 – 楊官璘", "Lü Qin – Xu Yinchuan"])
    page.click("#go-back")
    page.click("#go-back")
    page.click("#go-back")
    eventually(lambda: len(rows(page)) == 3)
    page.click("#go-last")
    eventually(lambda: len(rows(page)) == 2)
    # The game is opened at the position, so the list still matches the board.
    page.focus("#library-list")
    page.keyboard.press("Home")
    page.keyboard.press("Enter")
    until_ply(page, 6)
    eventually(lambda: page.locator("#moves [aria-current=true]").text_content().startswith("H2+3"))
    page.keyboard.press("End")
    page.keyboard.press("g")
    eventually(lambda: rows(page) == ["胡榮華 – 楊官璘"])


@with_games
def what_was_played_stands_beside_the_analysis(world, _):
    page = world.visit()
    # The table lists the library's moves first, with their probability in the book, then the moves that are
    # only in the book.
    known = lambda: page.eval_on_selector_all("#known tbody tr", "rows => rows.map(row => [...row.children].map(cell => cell.textContent))")
    played = lambda: [[row[0], *row[3:]] for row in known() if row[3]]
    page.keyboard.press("a")
    eventually(lambda: len(played()) == 2 and len(known()) > 2)
    eventually(lambda: [row[1:5] for row in played()] == [["2", "1", "1", "0"], ["1", "0", "0", "1"]])
    eventually(lambda: played()[0][0].endswith("=5") and played()[0][5] == "1999" and known()[0][2].endswith(" %"))
    # The headings of the table do not overlap.
    heads = page.eval_on_selector_all("#known thead th", "heads => heads.map(head => [head.scrollWidth, head.clientWidth])")
    assert all(text <= room for text, room in heads), heads
    before = pieces(page)
    page.locator("#known button").first.hover()
    until(page, "before => document.querySelector('#board').dataset.pieces !== before", before)
    page.locator("#known button").first.click()
    until_ply(page, 1)
    eventually(lambda: [row[1:5] for row in played()] == [["2", "1", "1", "0"]])
    is_for_analysis_alone(page, "#known")


def explored_moves_stand_beside_the_analysis_which_is_remembered(world):
    with tempfile.TemporaryDirectory() as folder:
        database = f"{folder}/a.explore.db"
        effort = ["--nodes", "2000", "--rest", "20", "--lines", "3", "--hash", "1"]
        subprocess.run([world.chuhe, "explore", "--to", database, "--positions", "6", *effort], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        shown = lambda *moves: json.loads(subprocess.run([world.chuhe, "explore", "show", database, "--json", "--moves", " ".join(moves)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout or "null")
        world.server.end()
        world.server = Server(world.chuhe, more=["--explored", database, "--explored-add"])
        page = world.visit()
        page.keyboard.press("a")
        cells = lambda: page.eval_on_selector_all("#known tbody tr", "rows => rows.map(row => [row.dataset.row, ...[...row.children].slice(3, 5).map(cell => cell.textContent)])")
        start = shown()
        number = lambda value: f"{'−' if value < 0 else '+' if value > 0 else ''}{abs(value) / 100:.2f}"
        wanted = [[entry["move"], number(entry["value"]), str(entry["below"])] for entry in start["moves"][:12]]
        eventually(lambda: all(row in cells() for row in wanted))
        # Without the engine's lines, arrows show the values of good moves.
        page.keyboard.press("a")
        labels = lambda: page.eval_on_selector_all("#board .arrows .label", "labels => labels.map(label => label.textContent)")
        eventually(lambda: labels() and set(labels()) <= {row[1] for row in wanted})
        # An unexplored move is analysed, and stored when another position is shown.
        assert shown("a0a2") is None
        page.click("#options")
        page.check("#set-remember")
        page.keyboard.press("Escape")
        drag(page, "a0a2")
        page.keyboard.press("a")
        eventually(lambda: re.search(r"depth 1\d", page.text_content("#engine-depth") or ""))
        page.keyboard.press("ArrowLeft")
        eventually(lambda: (shown("a0a2") or {}).get("depth", 0) >= 10)


@with_games
def games_are_added_only_if_the_command_line_allows_it(world, path):
    more = "1. g3g4 g6g5 *\n\n1. h2e2 h9g7 2. h0g2 i9h9 3. i0h0 b9c7 1-0\n\n1. h2e2 h2e2 *\n".encode()
    page = world.visit()
    page.keyboard.press("g")
    eventually(lambda: count(page) == "3 of 3 games")
    assert not page.is_visible("#library-add")
    # A dropped file is opened in this view as well.
    drop(page, "one.pgn", b"1. g3g4 g6g5 *\n")
    until_ply(page, 2)
    page.close()
    shelved(world, path, "--games-add")
    page = world.visit()
    page.keyboard.press("g")
    eventually(lambda: page.is_visible("#library-add") and count(page) == "3 of 3 games")
    drop(page, "more.pgn", more)
    eventually(lambda: count(page) == "4 of 4 games" and len(rows(page)) == 4)
    eventually(lambda: page.text_content("#live") == "1 added, 1 already there, 1 not readable.")


def without_a_library_there_is_no_place_for_it(world):
    page = world.visit()
    page.keyboard.press("a")
    ready(page)
    page.keyboard.press("g")
    settled(page)
    assert not page.is_visible("#mode-library") and page.get_attribute("#mode-analyse", "aria-current") == "page"
    assert not page.is_visible("#library-panel") and not page.locator("#known td.by").count()


@with_games
def the_library_speaks_both_languages_and_axe_finds_nothing(world, _):
    passed = 0
    ways = [("en-US", "dark", {}), ("zh-CN", "light", {"viewport": PHONE, "has_touch": True})]
    for language, scheme, more in [*ways, ("zh-CN", "dark", {})] if world.all else ways:
        page = world.visit(language=language, scheme=scheme, bypass_csp=True, **more)
        page.evaluate(world.axe)
        page.keyboard.press("g")
        eventually(lambda: len(rows(page)) == 3)
        name = f"{language} {scheme} library"
        passed += access.inspect(world, page, name)
        said = page.inner_text("#library-panel")
        assert bool(re.search("Player|Result|found", said)) == (language == "en-US") and bool(re.search("棋手|结果|找到", said)) == (language == "zh-CN"), said
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"{name}: wider than the window"
        page.keyboard.press("a")
        eventually(lambda: page.locator("#known td.by").count() > 2)
        passed += access.inspect(world, page, f"{name}, what was played")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"{name}: wider than the window"
        page.close()
    say(f"       {passed} rules passed")
