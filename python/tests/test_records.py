"""Records, books, tablebases, mates and the library of games."""

import warnings

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


def test_variations_are_promoted_and_removed():
    record = Record(Game(moves=["h2e2", "h9g7"]))
    first = record.root.next()
    for move in ("b9c7", "c6c5"):
        first.add_variation(move)
    order = lambda: [node.uci() for node in first.variations]
    first.promote("c6c5")
    assert order() == ["h9g7", "c6c5", "b9c7"]
    first.promote_to_main(first.variation("b9c7"))
    assert order() == ["b9c7", "h9g7", "c6c5"] and record.mainline_moves[-1].uci() == "b9c7"
    first.demote("马2进3")
    assert order() == ["h9g7", "b9c7", "c6c5"] and first.variation(2).uci() == "c6c5"
    first.demote("c6c5")
    first.promote("h9g7")
    assert order() == ["h9g7", "b9c7", "c6c5"]
    main = first.add_main_variation("g6g5", comment="other")
    assert order()[0] == "g6g5" and main.comment == "other" and main.is_mainline() and not main.starts_variation()
    removed = first.variation("b9c7")
    last = removed.add_line(["h0g2", "h9i7"], comment="end")
    assert last.ply() == 4 and last.comment == "end" and removed.end() == last and last.is_end() and not last.is_mainline()
    assert removed.mainline()[-1] == last and removed.mainline_moves == [node.move for node in removed.mainline()] and last.san() == "H8+9"
    first.remove_variation(removed)
    assert order() == ["g6g5", "h9g7", "c6c5"] and not first.has_variation("b9c7") and first.has_variation("h9g7") and "马２进３" not in record.to_pgn()
    assert removed.move.uci() == "b9c7" and last.position().turn == chuhe.RED == last.turn()
    for refused in (lambda: last.add_variation("i0h0"), lambda: removed.set_clock(1), lambda: first.promote(removed), lambda: first.variation(3),
                    lambda: first.remove_variation("b9c7"), lambda: setattr(last, "comment", "x"), record.root.san, record.root.uci):
        with pytest.raises(ValueError):
            refused()
    assert record.root == first.root and first.record is record and [node.uci() for node in record.mainline()] == ["h2e2", "g6g5"]
    assert next(chuhe.parse_records(record.to_bytes("xqf"))).mainline_moves == record.mainline_moves
    for _ in range(3):
        first.remove_variation(first.variation(0))
    assert record == Record(Game(moves=["h2e2"]))


def test_comments_hold_scores_and_clocks():
    record = Record(Game(moves=["h2e2", "h9g7"]))
    node = record.root.next()
    assert (node.eval(), node.eval_depth(), node.clock(), node.emt()) == (None,) * 4
    node.comment = "a [%clk 1:02:03.25] clock"
    assert node.clock() == 3723.25
    node.set_clock(62)
    assert node.comment == "a [%clk 0:01:02] clock" and node.clock() == 62
    node.set_eval(chuhe.Score(-35, chuhe.BLACK), 12)
    assert node.eval() == chuhe.Score(35) and node.eval().turn == chuhe.RED and node.eval_depth() == 12
    node.set_emt(3.5)
    again = next(chuhe.parse_records(record.to_pgn())).root.next()
    assert (again.eval(), again.eval_depth(), again.clock(), again.emt()) == (chuhe.Score(35), 12, 62, 3.5)
    node.set_eval(chuhe.Score.from_mate(-3, chuhe.RED))
    assert node.eval().mate == -3 and node.eval_depth() is None
    node.set_eval(None)
    node.set_clock(None)
    node.set_emt(None)
    assert "%" not in node.comment and "a" in node.comment and "clock" in node.comment
    for wrong in (lambda: node.set_eval(chuhe.Score(3)), lambda: node.set_clock(float("nan")), lambda: node.set_clock(-1), lambda: node.set_emt(1e18),
                  lambda: node.add_nag(256), lambda: node.set_eval(chuhe.Score(24_990, chuhe.RED))):
        with pytest.raises(ValueError):
            wrong()
    for damaged in ("[%eval]", "[%eval x]", "[%clk 1:99:00]", "[%clk 5]", "[%eval 0.3", "[%evaluation 3]"):
        node.comment = damaged
        assert node.eval() is None and node.clock() is None


def test_errors_name_the_file(tmp_path):
    text, broken = tmp_path / "text.txt", tmp_path / "broken.pgn"
    text.write_text("hello")
    broken.write_text("1. 炮二平五 马8进9进 *", encoding="utf-8")
    missing = tmp_path / "missing"
    for call in (chuhe.read_records, chuhe.Network.load):
        with pytest.raises(FileNotFoundError) as caught:
            call(missing)
        assert caught.value.filename == str(missing) and caught.value.errno == 2
    with pytest.raises(OSError, match="text.txt"):
        chuhe.Network.embedded().save(text / "x.net")
    for call, path in ((chuhe.Network.load, text), (Library, missing), (Library, text), (chuhe.Book, missing), (chuhe.Book, tmp_path), (chuhe.PlayedGames, missing),
                       (chuhe.load_samples, missing), (chuhe.Tables, missing), (lambda path: list(chuhe.read_records(path)), broken),
                       (lambda path: list(chuhe.PlayedGames(path)), broken), (chuhe.load_samples, broken)):
        with pytest.raises(chuhe.Error, match=path.name):
            call(path)


@pytest.mark.parametrize("format", ["pgn", "xqf", "cbr", "cbl", "cbf", "dhtmlxq", "wxf", "position", "moves"])
def test_every_format_comes_back(record, format):
    games = chuhe.parse_records(record.to_bytes(format))
    (again,) = games
    assert again.mainline_moves == record.mainline_moves
    assert games.format == {"moves": "pgn"}.get(format, format)


def nested(depth):
    """Returns a record with variations nested so deeply."""
    record = Record(Game(moves=["h2e2"]))
    node = record.root.next()
    for _ in range(depth):
        main, variation = node.position().legal_moves[:2]
        node.add_variation(main)
        node = node.add_variation(variation)
    return record


def test_a_record_that_could_not_be_read_again_is_not_written():
    assert next(chuhe.parse_records(nested(200).to_bytes())) == nested(200)
    wide = Record()
    for node in [wide.root, *[wide.root.add_variation(move) for move in Position().legal_moves]]:
        for reply in node.position().legal_moves:
            for answer in node.add_variation(reply).position().legal_moves[: 5000 // 40]:
                node.variation(reply).add_variation(answer)
    long = Record(Game(moves=["h2e2"]))
    long.root.next().comment = "x" * (17 << 20)
    for record, format in ((nested(201), "pgn"), (wide, "dhtmlxq"), (long, "pgn"), (long, "cbf"), (long, "dhtmlxq")):
        with pytest.raises(ValueError, match="of the game"):
            record.to_bytes(format)
    assert next(chuhe.parse_records(nested(201).to_bytes("xqf"))) == nested(201)


@pytest.mark.parametrize("format", ["xqf", "cbr", "cbl", "dhtmlxq", "pgn"])
def test_a_zero_in_a_text_becomes_a_space(format):
    record = Record(Game(moves=["h2e2"]), headers=[("Event", "one\0two")])
    record.root.next().comment = "three\0four"
    (again,) = chuhe.parse_records(record.to_bytes(format))
    assert (again.headers["Event"], again.root.next().comment) == ("one two", "three four")


def test_dhtmlxq_keeps_scores_and_clocks():
    record = Record(Game(moves=["h2e2", "h9g7"]))
    node = record.root.next()
    node.comment = "a [b] c"
    node.set_clock(62)
    node.set_eval(chuhe.Score(35, chuhe.RED), 12)
    again = next(chuhe.parse_records(record.to_bytes("dhtmlxq"))).root.next()
    assert (again.clock(), again.eval(), again.eval_depth()) == (62, chuhe.Score(35), 12) and again.comment.endswith("a ［b］ c")


def test_tags_are_checked():
    record = Record(headers=[("Result", "1-0"), ("赛事", "x")])
    assert record.result == "1-0" and record.headers == {"赛事": "x"}
    record.set_header("result", "0-1")
    assert next(chuhe.parse_records(record.to_pgn())).result == record.result == "0-1"
    record.set_header("Result", "")
    assert record.result == "*" and next(chuhe.parse_records(record.to_pgn())) == record
    wrong = [("FEN", chuhe.STARTING_FEN), ("fen", "x"), ("Game", "x"), ("Format", "WXF"), ("Result", "won"), ("", "x"), ("A B", "x"), ("A\nB", "x"), ('A"', "x"), ("A]", "x")]
    for name, value in wrong:
        with pytest.raises(ValueError):
            record.set_header(name, value)
        with pytest.raises(ValueError):
            Record(headers=[(name, value)])
    assert record.headers == {"赛事": "x"} and record.result == "*"


@pytest.mark.parametrize("format, warns", [("pgn", False), ("xqf", True), ("cbf", True), ("moves", False)])
def test_signs_that_a_format_cannot_hold_are_reported(format, warns):
    signed = next(chuhe.parse_records("1. h2e2! h9g7?? *"))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        signed.to_bytes(format)
    assert ["2 moves" in str(warning.message) for warning in caught] == [True] * warns


def test_comments_and_variations_that_a_format_cannot_hold_are_reported():
    record = next(chuhe.parse_records("1. h2e2 {good} (1. b2e2 h9g7) h9g7 *"))
    with pytest.warns(UserWarning) as caught:
        record.to_bytes("wxf")
    said = sorted(str(warning.message) for warning in caught)
    assert said == ["wxf cannot store comments; 1 of the record are omitted", "wxf cannot store variations; 2 moves are omitted"]


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


def test_data_that_are_no_games_raise_a_record_error(tmp_path):
    for data in (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", b"<ChineseChessRecord" + b" " * (17 << 20)):
        (tmp_path / "data.bin").write_bytes(data)
        with pytest.raises(chuhe.RecordError):
            chuhe.parse_records(data)
        with pytest.raises(chuhe.RecordError, match="data.bin"):
            chuhe.read_records(tmp_path / "data.bin")
    with pytest.raises(OSError, match="not a regular file") as caught:
        chuhe.read_records(tmp_path)
    assert not isinstance(caught.value, chuhe.Error)


def test_an_encoding_is_named_for_records_that_are_detected_wrongly(tmp_path):
    text = "[Red \"Тал\"]\n\n1. h2e2 *\n"
    data = text.encode("cp1251")
    (tmp_path / "game.pgn").write_bytes(data)
    for games in (chuhe.parse_records(data, encoding="windows-1251"), chuhe.read_records(tmp_path / "game.pgn", encoding="cp1251")):
        (record,) = games
        assert record.headers["Red"] == "Тал"
    (record,) = chuhe.parse_records(data)
    assert record.headers["Red"] != "Тал"
    (record,) = chuhe.parse_records(text.encode("utf-16-le"), encoding="utf-16le")
    assert record.headers["Red"] == "Тал"
    for wrong in (lambda: chuhe.parse_records(data, encoding="morse"), lambda: chuhe.parse_records(text, encoding="utf-8"),
                  lambda: chuhe.read_records(tmp_path / "game.pgn", encoding="")):
        with pytest.raises(ValueError):
            wrong()


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


def test_a_library_stores_only_games_that_it_can_read(tmp_path):
    library = Library(tmp_path / "games.db", add=True)
    (told,) = chuhe.parse_records('[A(B "x"]\n[Termination "1-0"]\n\n1. h2e2 {told} *')
    start = Record("3k5/9/9/9/9/9/9/9/9/R3K4 w")
    start.root.comment = "a rook"
    games = [nested(200), told, start]
    assert library.add(games) == 3 and [library.game(id) for id in library.ids()] == games
    long = Record(Game(moves=["c3c4"]))
    long.root.comment = "x" * (17 << 20)
    for record in (nested(201), long):
        with pytest.raises(chuhe.LibraryError, match=r"games\[1\] cannot be stored"):
            library.add([Record(Game(moves=["g3g4"])), record])
    again = Record(nested(200).game())
    assert library.add([again]) == 0 and len(library) == 3


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
