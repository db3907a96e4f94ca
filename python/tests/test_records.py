"""Records, books, tablebases, mates and the library of games."""

import chuhe
import pytest
from chuhe import Game, Library, Position, Query, Record

PGN = """[Event "Cup"]
[Red "胡荣华"]
[Black "柳大华"]
[Date "1980.09.01"]
[Result "1-0"]

1. 炮二平五 {the centre} 马8进7 (1... 炮8平5 2. 马二进三) 2. 马二进三 车9平8 1-0
"""


@pytest.fixture
def record():
    (record,) = chuhe.parse_records(PGN)
    return record


def test_a_record_has_headers_moves_variations_and_comments(record):
    assert record.headers["Red"] == "胡荣华" and record.result == "1-0"
    assert [move.uci() for move in record.mainline_moves] == ["h2e2", "h9g7", "h0g2", "i9h9"]
    first = record.root.next()
    assert first.comment == "the centre" and first.move.uci() == "h2e2" and first.parent == record.root
    assert [node.move.uci() for node in first.variations] == ["h9g7", "h7e7"]
    assert first.position() == Position(moves=["h2e2"]) and record.game() == Game(moves=record.mainline_moves)


def test_a_tree_is_built_move_by_move():
    record = Record(Game(moves=["h2e2"]), headers=[("Red", "One")], result="0-1")
    first = record.root.next()
    reply = first.add_variation("马8进7", comment="usual")
    reply.add_nag(1)
    assert first.add_variation("h9g7") == reply and reply.nags == [1] and reply.comment == "usual"
    first.add_variation("c6c5")
    assert "(1... 卒３进１)" in record.to_pgn()
    with pytest.raises(chuhe.IllegalMoveError):
        reply.add_variation("h9g7")
    record.set_header("Red", "")
    record.result = "*"
    assert "Red" not in record.headers and repr(record).endswith("2 moves>")
    with pytest.raises(ValueError):
        record.result = "won"


@pytest.mark.parametrize("format", ["pgn", "xqf", "cbr", "cbl", "cbf", "dhtmlxq", "wxf", "position", "moves"])
def test_every_format_comes_back(record, format):
    games = chuhe.parse_records(record.to_bytes(format))
    (again,) = games
    assert again.mainline_moves == record.mainline_moves
    assert games.format == {"cbl": "cbr", "moves": "pgn"}.get(format, format)


def test_a_file_is_read_game_by_game_and_a_fault_does_not_end_it(tmp_path):
    path = tmp_path / "games.pgn"
    path.write_text(PGN + PGN.replace("马8进7", "马8进9进", 1) + PGN, encoding="utf-8")
    games, read, faults = chuhe.read_records(path), 0, []
    while True:
        try:
            next(games)
            read += 1
        except StopIteration:
            break
        except chuhe.RecordError as error:
            faults.append(str(error))
    assert read == 2 and len(faults) == 1 and "line" in faults[0]
    with pytest.raises(OSError):
        chuhe.read_records(tmp_path / "none.pgn")


def test_a_library_finds_games_by_names_and_positions(record, tmp_path):
    path = tmp_path / "games.db"
    library = Library(path, add=True)
    assert library.add([record, record]) == 1 and len(library) == 1
    (found,) = library.find(Query(player="胡榮華"), Position(moves=["b2e2"]))
    assert (found.red, found.result, found.plies, found.ply) == ("胡荣华", "1-0", 4, 1)
    assert library.game(found.id) == record and library.game(99) is None
    assert not library.find(Query(since=1990)) and library.ids() == [found.id]
    (played,) = Library(path).moves(Position())
    assert played.results == (1, 0, 0, 0) and played.move.uci() in ("h2e2", "b2e2")
    with pytest.raises(chuhe.LibraryError):
        Library(tmp_path / "none.db")


def test_the_book_knows_the_start(tmp_path):
    moves = chuhe.Book().moves(Position())
    assert len(moves) > 1 and all(Position().is_legal(entry.move) for entry in moves)
    (tmp_path / "x.obk").write_bytes(b"no book")
    with pytest.raises(chuhe.BookError):
        chuhe.Book(tmp_path / "x.obk")


def test_mates_are_proved_and_named():
    solution = chuhe.solve_mate("3k5/4P4/9/9/9/9/9/9/9/R3K4 w")
    assert (solution.status, solution.moves, solution.quiet) == ("mate", 1, 0)
    keys, line = chuhe.shortest_mate("3k5/4P4/9/9/9/9/9/9/9/R3K4 w", 3)
    assert len(keys) == 2 and len(line) == 1
    assert chuhe.solve_mate(Position()).status == "no mate by checks"
    assert chuhe.shortest_mate(Position(), 2) is None
    horse_and_cannon = Position("5k3/9/5N3/9/C8/9/9/9/9/4K4 w")
    assert chuhe.mate_pattern(horse_and_cannon, "a5f5", "zh") == "马后炮"
    assert chuhe.mate_pattern(Position(), "h2e2") is None


def test_tables_know_endings(tmp_path):
    tables = chuhe.Tables()
    assert tables.probe("3k5/9/9/9/9/9/9/9/4R4/4K4 w").wdl == 1
    assert tables.probe(Position()) is None and tables.best_moves(Position()) is None
    with pytest.raises(chuhe.TablesError):
        chuhe.Tables(tmp_path / "none")
