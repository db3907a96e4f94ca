"""Positions, moves, pieces and notation."""

import copy
import pickle
import random

import chuhe
import pytest
from chuhe import Move, Piece, Position


def test_the_start_has_44_moves_and_its_fen():
    position = Position()
    assert len(position.legal_moves) == position.count_legal_moves() == 44
    assert position.fen() == chuhe.STARTING_FEN and position == Position("startpos")
    assert (position.turn, position.halfmove_clock, position.fullmove_number) == (chuhe.RED, 0, 1)
    assert [position.perft(depth) for depth in range(4)] == [1, 44, 1920, 79666]


def test_a_fen_is_read_in_every_spelling():
    usual = Position("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1")
    for fen in ["rheakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHEAKAEHR r", "startpos", chuhe.STARTING_FEN[:-10]]:
        assert Position(fen) == usual, fen


def test_moves_are_pushed_in_every_notation_and_popped():
    for text in ["h2e2", "H2-E2", "C2=5", "炮二平五", "砲二平五", Move.from_uci("h2e2"), Move("h2", "e2"), Move(25, 22)]:
        position = Position()
        assert position.push(text) == Move.from_uci("h2e2")
        assert position.move_stack == [position.peek()]
        assert position.pop() == Move("h2", "e2") and position == Position()
    with pytest.raises(IndexError):
        Position().pop()


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("e4e5", chuhe.IllegalMoveError),
        ("hello", chuhe.InvalidMoveError),
        ("", chuhe.InvalidMoveError),
        (Move("a0", "a9"), chuhe.IllegalMoveError),
        (3, TypeError),
        (None, TypeError),
    ],
)
def test_what_is_no_legal_move_is_refused_and_changes_nothing(text, error):
    position = Position()
    with pytest.raises(error):
        position.push(text)
    assert position == Position() and not position.move_stack


def test_an_ambiguous_text_has_its_own_error():
    with pytest.raises(chuhe.AmbiguousMoveError):
        Position("3k5/2P1P4/2P1P4/9/9/9/9/9/9/5K3 w").parse("前兵平六")


def test_moves_are_written_in_every_notation():
    position = Position()
    written = {name: position.write("h2e2", name) for name in ["uci", "uci1", "iccs", "wxf", "chinese"]}
    assert written == {"uci": "h2e2", "uci1": "h3e3", "iccs": "H2-E2", "wxf": "C2=5", "chinese": "炮二平五"}
    assert position.parse("h3e3", ranks_from_one=True) == Move.from_uci("h2e2")
    assert position.write_line(["h2e2", "h9g7"]) == ["炮二平五", "马８进７"]
    with pytest.raises(ValueError, match="unknown notation"):
        position.write("h2e2", "klingon")


def test_an_impossible_position_is_refused_with_all_faults():
    with pytest.raises(chuhe.InvalidFenError, match="Red has no king; Black has no king"):
        Position("9/9/9/9/9/9/9/9/9/9 w")
    with pytest.raises(chuhe.InvalidFenError, match="10 ranks"):
        Position("9/9 w")
    with pytest.raises(ValueError):
        Position.from_piece_map({})


def test_pieces_are_found_by_square():
    position = Position()
    assert position.piece_at("a0") == Piece(chuhe.ROOK, chuhe.RED) == Piece.from_symbol("R") == position.piece_at(0)
    assert position.piece_at("a1") is None
    assert position.piece_type_at("e9") == chuhe.KING and position.color_at("e9") is chuhe.BLACK
    assert position.pieces(chuhe.CANNON, chuhe.RED) == [chuhe.parse_square("b2"), chuhe.parse_square("h2")]
    assert position.pieces_mask(chuhe.CANNON, chuhe.RED) == 1 << 19 | 1 << 25
    assert position.occupied_mask().bit_count() == 32 and position.occupied_mask(chuhe.RED).bit_count() == 16
    assert Position.from_piece_map(position.piece_map()) == position
    assert position.pieces(chuhe.KNIGHT, chuhe.RED) == {chuhe.B0, chuhe.H0} and position.pieces(chuhe.BISHOP, chuhe.BLACK) == {chuhe.C9, chuhe.G9}
    assert [chuhe.square_name(position.king(side)) for side in (chuhe.RED, chuhe.BLACK)] == ["e0", "e9"]
    with pytest.raises(ValueError, match="not a square"):
        position.piece_at(90)


def test_check_mate_and_stalemate():
    check = Position("4k4/9/4b4/9/9/9/9/4R4/9/3K5 b")
    assert not check.is_check()
    mate = Position("R3k4/9/4P4/9/9/9/9/9/9/3K1R3 b")
    assert mate.is_check() == bool(mate.checkers())
    smothered = Position("3k5/4P4/9/9/9/9/9/9/9/R3K4 w")
    smothered.push("a0a9")
    assert smothered.is_checkmate() and smothered.is_check() and not smothered.is_stalemate()
    assert smothered.attackers(chuhe.RED, "d9") == smothered.checkers() == [chuhe.parse_square("a9")]
    stalemate = Position("3k5/4P4/9/9/9/9/9/9/9/4K4 b")
    assert stalemate.is_stalemate() and not stalemate.is_checkmate()


def random_positions(count, seed):
    chance, position = random.Random(seed), Position()
    for _ in range(count):
        if position.is_game_over() or position.ply() > 200:
            position = Position()
        position.push(chance.choice(position.legal_moves))
        yield position


def test_attacks_and_attackers_agree_with_the_captures():
    for position in random_positions(150, 1):
        for square, piece in position.piece_map().items():
            attacks = position.attacks(square)
            for target in chuhe.SQUARES:
                assert (target in attacks) == (square in position.attackers(piece.color, target)), (position, square, target)
            if piece.color == position.turn:
                captures = {move.to_square for move in position.pseudo_legal_moves if move.from_square == square and position.piece_at(move.to_square)}
                assert captures == {target for target in attacks if position.color_at(target) == (not position.turn)}
        assert set(position.legal_captures) == {move for move in position.legal_moves if position.piece_at(move.to_square)}
        assert set(position.legal_moves) <= set(position.pseudo_legal_moves) and not position.attacks(chuhe.E4) - set(chuhe.SQUARES)
        assert position.is_attacked_by(position.turn, position.king(not position.turn)) is False


def test_a_pin_leaves_the_moves_that_keep_the_king_safe():
    pinned = 0
    for position in random_positions(600, 2):
        if position.is_check():
            continue
        king = position.king(position.turn)
        for move in position.pseudo_legal_moves:
            if move.from_square == king:
                continue
            pin = position.pin(position.turn, move.from_square)
            # A piece that is not pinned may still become the screen of a cannon.
            if move.to_square not in pin:
                assert not position.is_legal(move), (position, move)
                pinned += position.is_pinned(position.turn, move.from_square)
            elif position.is_pinned(position.turn, move.from_square) and not position.pieces(chuhe.CANNON, not position.turn):
                assert position.is_legal(move), (position, move)
    assert pinned > 20
    file = Position("3kr4/9/9/9/4R4/9/9/9/9/4K4 w")
    assert file.is_pinned(chuhe.RED, "e5") and file.pin(chuhe.RED, "e5") == {9 * rank + 4 for rank in range(1, 10)}
    assert file.pin(chuhe.RED, "e0") == chuhe.BB_ALL == int(file.pin(chuhe.RED, "a3"))


def test_a_position_is_set_up_piece_by_piece():
    position = Position(moves=["h2e2"])
    position.clear()
    assert not position.is_valid() and position.status() == ["Red has no king", "Black has no king"] and not position.move_stack
    assert position.fen() == "9/9/9/9/9/9/9/9/9/9 w - - 0 1" and position.king(chuhe.RED) is None and position == position.copy()
    for call in (lambda: position.legal_moves, position.is_check, lambda: position.push("h2e2"), position.outcome, position.svg, lambda: chuhe.Game(position),
                 lambda: position.attackers(chuhe.RED, "e4"), position.root, lambda: pickle.dumps(position)):
        with pytest.raises(chuhe.InvalidFenError, match="Red has no king"):
            call()
    position.set_piece_at("d0", Piece.from_symbol("K"))
    position.set_piece_at("e9", Piece.from_symbol("k"))
    assert position.is_valid() and hash(position) == hash(Position(position.fen()))
    position.set_piece_at("e5", Piece(chuhe.ROOK, chuhe.RED))
    assert position.status() == ["Black is in check, but it is Red's move"] and position.piece_at("e5") == Piece(chuhe.ROOK, chuhe.RED)
    position.turn, position.halfmove_clock, position.fullmove_number = chuhe.BLACK, 7, 12
    assert position.fen() == "4k4/9/9/9/4R4/9/9/9/9/3K5 b - - 7 12" and position.is_check() and position.ply() == 23
    assert position.remove_piece_at("e5") == Piece(chuhe.ROOK, chuhe.RED) and position.remove_piece_at("e5") is None
    position.set_piece_at("e9", None)
    assert position.status() == ["Black has no king"]
    position.set_board_fen("4k4/9/9/9/9/9/9/9/9/3K5")
    position.set_piece_map({0: Piece.from_symbol("R"), **position.piece_map()})
    assert position.board_fen() == "4k4/9/9/9/9/9/9/9/9/R2K5" and position.turn == chuhe.BLACK
    for name, wrong in (("halfmove_clock", -1), ("halfmove_clock", 32_768), ("fullmove_number", 0), ("fullmove_number", 1 << 40)):
        with pytest.raises(ValueError, match=name):
            setattr(position, name, wrong)
    with pytest.raises(chuhe.InvalidFenError):
        position.set_fen("9/9 w")
    with pytest.raises(chuhe.InvalidFenError):
        position.set_board_fen("hello")
    with pytest.raises(ValueError):
        position.set_piece_map({90: Piece.from_symbol("R")})
    assert position.board_fen() == "4k4/9/9/9/9/9/9/9/9/R2K5"
    position.reset()
    assert position == Position()
    position.turn = chuhe.BLACK
    position.clear_board()
    position.reset_board()
    assert position.fen() == chuhe.STARTING_FEN.replace(" w ", " b ")
    position.set_fen("startpos")
    assert position == Position()


def test_a_null_move_passes_and_comes_back():
    null = Move.null()
    assert not null and Move("h2", "e2") and null.uci() == str(null) == "0000" and Move.from_uci("0000") == null == eval(repr(null), vars(chuhe))
    position = Position(moves=["h2e2"])
    position.push(null)
    position.push("h0g2")
    assert position.turn == chuhe.BLACK and position.move_stack == [Move("h2", "e2"), null, Move("h0", "g2")]
    assert pickle.loads(pickle.dumps(position)).move_stack == position.move_stack
    assert chuhe.Game(position).move_stack == [Move("h0", "g2")], "a game begins after the last pass"
    assert [position.pop() for _ in range(3)] == [Move("h0", "g2"), null, Move("h2", "e2")] and position == Position()
    with pytest.raises(chuhe.IllegalMoveError, match="pass"):
        Position("4k4/9/9/9/4R4/9/9/9/9/3K5 b").push(null)
    for refused in (lambda: chuhe.Game().push(null), lambda: position.write(null)):
        with pytest.raises(chuhe.IllegalMoveError, match="0000"):
            refused()
    assert not position.is_legal(null)


def test_moves_are_written_and_read_as_in_the_package_chess():
    position = Position()
    assert position.san("h2e2") == "C2=5" and position.uci("炮二平五") == "h2e2"
    assert position.push_san("C2=5") == Move("h2", "e2") == position.pop() == position.push_uci("h2e2")
    assert position.parse_san("马8进7") == position.parse_uci("h9g7") == position.find_move("h9", "g7")
    assert position.variation_san(["h9g7", "h0g2", "i9h9"]) == "1... H8+7 2. H2+3 R9=8"
    assert Position().variation_san(["h2e2", "h9g7", "h0g2"]) == "1. C2=5 H8+7 2. H2+3"
    for refused in (lambda: position.push_uci("a0a1"), lambda: position.find_move("a0", "a1"), lambda: position.push_san("a0a1")):
        with pytest.raises((chuhe.IllegalMoveError, chuhe.InvalidMoveError)):
            refused()
    assert position.root() == Position() and "砲" in position.unicode()
    position.clear_stack()
    assert not position.move_stack and position.root() == position and position.copy(stack=False) == position


def test_a_position_knows_the_game_of_its_stack():
    position = Position("3k5/9/9/p8/9/9/P8/9/4R4/5K3 w", ["e1d1", "d9e9", "d1e1", "e9d9"])
    assert position.occurrences() == 2 and position.is_repetition(2) and not position.is_repetition() and position.outcome() is None
    for move in ("e1d1", "d9e9", "d1e1", "e9d9"):
        position.push(move)
    assert position.is_repetition() and position.is_game_over() and position.result() == position.outcome().result() == "0-1"
    assert position.outcome("draw").winner is None and position.copy(stack=False).result() == "*"
    assert Position("3k5/9/4b4/9/9/9/9/9/9/4K4 w").is_insufficient_material() and not position.is_insufficient_material()


def test_mirrored_and_flipped_come_back():
    position = Position(moves=["h2e2", "h9g7"])
    assert position.mirrored().fen() != position.fen() and position.mirrored().mirrored() == position
    assert position.flipped().turn is not position.turn and position.flipped().flipped().fen().split()[0] == position.fen().split()[0]
    assert Move("h2", "e2").mirrored() == Move("b2", "e2") and Move("h2", "e2").flipped() == Move("h7", "e7")


def test_representations_paste_back_and_objects_pickle():
    position = Position(moves=["h2e2", "h9g7"])
    game = chuhe.Game(position)
    values = [position, game, Move("h2", "e2"), Piece(chuhe.PAWN, chuhe.BLACK), chuhe.Score(-31), chuhe.Rules("league", folds=5)]
    for value in values:
        assert eval(repr(value), vars(chuhe)) == value
    for value in [*values, chuhe.Limit(depth=3)]:
        assert pickle.loads(pickle.dumps(value)) == value == copy.deepcopy(value)
    assert pickle.loads(pickle.dumps(position)).move_stack == position.move_stack
    assert len({position, position.copy(), Position(), Position("startpos")}) == 2
    assert len({Move("a0", "a1"), Move("a0", "a1")}) == 1


def test_a_notebook_shows_the_board():
    position = Position(moves=["h2e2"])
    assert position._repr_svg_().startswith("<svg") and position.fen() in position._repr_svg_()
    assert position.svg(arrow=Move("h9", "g7")) != position.svg()
    assert "Traceback" not in str(position) and len(str(position).splitlines()) > 20
