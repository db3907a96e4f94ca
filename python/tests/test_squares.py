"""Squares and sets of squares."""

import random

import chuhe
import numpy as np
import pytest
from chuhe import SquareSet


def test_squares_have_names_and_numbers():
    for square in chuhe.SQUARES:
        name = chuhe.square_name(square)
        assert getattr(chuhe, name.upper()) == square == chuhe.parse_square(name) == chuhe.square(chuhe.square_file(square), chuhe.square_rank(square))
        assert SquareSet(chuhe.BB_SQUARES[square]) == [square] == SquareSet.from_square(square)
        assert square in SquareSet(chuhe.BB_FILES[chuhe.square_file(square)]) & SquareSet(chuhe.BB_RANKS[chuhe.square_rank(square)])
    assert chuhe.square_distance(chuhe.A0, chuhe.C7) == 7 and chuhe.square_manhattan_distance(chuhe.A0, chuhe.C7) == 9


def test_a_square_set_does_what_a_set_does():
    chance = random.Random(1)
    for _ in range(300):
        one, two = (set(chance.sample(range(90), chance.randrange(40))) for _ in range(2))
        mine, other = SquareSet(one), SquareSet(two)
        assert list(mine) == sorted(one) and list(reversed(mine)) == sorted(one, reverse=True) and len(mine) == len(one) and bool(mine) == bool(one)
        for name in ("union", "intersection", "difference", "symmetric_difference", "issubset", "issuperset", "isdisjoint"):
            assert getattr(mine, name)(other) == getattr(one, name)(two) == getattr(mine, name)(list(two)), name
        assert (mine | two, mine & two, mine - two, mine ^ two) == (one | two, one & two, one - two, one ^ two)
        assert (one | other, one & other, one - other, one ^ other) == (one | two, one & two, one - two, one ^ two)
        assert (mine <= other, mine < other, mine == other, mine == two) == (one <= two, one < two, one == two, one == two)
        assert set(~mine) == set(range(90)) - one and SquareSet(int(mine)) == mine == eval(repr(mine), vars(chuhe))
        assert sum(mine.tolist()) == len(mine) and mine.mirror().mirror() == mine
        changed = mine.copy()
        changed.update(two)
        assert changed == one | two and str(changed).count("1") == len(changed)
        changed &= mine
        changed.clear()
        assert not changed and changed != mine or not mine


def test_squares_are_given_by_name_and_as_integers_of_numpy():
    squares = SquareSet(["e0", np.int8(81), 0])
    assert squares == [chuhe.E0, chuhe.A9, chuhe.A0] == SquareSet(squares) and squares == {"e0", "a9", "a0"} and squares != ["e0", "e0", "a9"]
    assert "e0" in squares and np.int8(81) in squares and "e1" not in squares and "nothing" not in squares and 4.0 not in squares
    squares.remove("e0")
    squares.discard(np.uint8(81))
    assert squares == SquareSet.from_square("a0") == SquareSet(np.int64(1)) and squares == np.int64(1)
    assert squares | ["i9"] == squares.union([np.int8(89)]) == {0, 89} and not squares.issuperset(["i9"])
    assert (chuhe.square_file("h2"), chuhe.square_rank("h2"), chuhe.square_mirror("h2"), chuhe.square_name(np.int8(89))) == (7, 2, chuhe.B2, "i9")
    kings = {"e0": chuhe.Piece(chuhe.KING, chuhe.RED), np.int8(84): chuhe.Piece(chuhe.KING, chuhe.BLACK)}
    position = chuhe.Position.from_piece_map(kings | {"e4": chuhe.Piece(chuhe.PAWN, chuhe.RED)})
    assert position.king(chuhe.RED) == chuhe.E0 and position.king(chuhe.BLACK) == chuhe.D9
    position.set_piece_map(kings)
    assert len(position.piece_map()) == 2
    for wrong in (lambda: SquareSet("h2"), lambda: squares.add("j0"), lambda: chuhe.parse_square("a10"), lambda: position.set_piece_map({"j0": kings["e0"]})):
        with pytest.raises(ValueError, match="is not a square"):
            wrong()


def test_the_package_exports_all_names_of_squares():
    names = chuhe.__all__[-len(chuhe.squares.__all__) :]
    assert names == chuhe.squares.__all__ and len(set(chuhe.__all__)) == len(chuhe.__all__)


def test_a_square_set_changes_square_by_square():
    squares = SquareSet([chuhe.E0, chuhe.A9])
    squares.add(chuhe.B2)
    squares.discard(chuhe.C3)
    assert squares.pop() == chuhe.E0 and chuhe.E0 not in squares and "e0" not in squares
    squares.remove(chuhe.B2)
    with pytest.raises(KeyError):
        squares.remove(chuhe.B2)
    for wrong in (lambda: squares.add(90), lambda: SquareSet(-1), lambda: SquareSet(1 << 90), lambda: SquareSet([90])):
        with pytest.raises(ValueError):
            wrong()
    with pytest.raises(KeyError):
        SquareSet().pop()
    with pytest.raises(TypeError):
        hash(squares)
