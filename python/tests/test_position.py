"""Positions, moves, pieces and notation."""

import copy
import pickle

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
    with pytest.raises(chuhe.InvalidFenError, match="red has no king; black has no king"):
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
    for value in [*values[:5], chuhe.Limit(depth=3)]:
        assert pickle.loads(pickle.dumps(value)) == value == copy.deepcopy(value)
    assert pickle.loads(pickle.dumps(position)).move_stack == position.move_stack
    with pytest.raises(TypeError):
        hash(position)
    assert len({Move("a0", "a1"), Move("a0", "a1")}) == 1


def test_a_notebook_shows_the_board():
    position = Position(moves=["h2e2"])
    assert position._repr_svg_().startswith("<svg") and position.fen() in position._repr_svg_()
    assert position.svg(arrow=Move("h9", "g7")) != position.svg()
    assert "Traceback" not in str(position) and len(str(position).splitlines()) > 20
