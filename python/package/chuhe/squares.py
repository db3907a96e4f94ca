"""Squares are numbers from 0 (a0) to 89 (i9), rank by rank from Red's edge. Sets of squares are
`SquareSet`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, MutableSet, Set
from operator import index
from typing import SupportsIndex

__all__ = [
    "FILE_NAMES",
    "RANK_NAMES",
    "SQUARES",
    "SQUARE_NAMES",
    "BB_EMPTY",
    "BB_ALL",
    "BB_SQUARES",
    "BB_FILES",
    "BB_RANKS",
    "square",
    "parse_square",
    "square_name",
    "square_file",
    "square_rank",
    "square_mirror",
    "square_distance",
    "square_manhattan_distance",
    "SquareSet",
    "A0", "B0", "C0", "D0", "E0", "F0", "G0", "H0", "I0",
    "A1", "B1", "C1", "D1", "E1", "F1", "G1", "H1", "I1",
    "A2", "B2", "C2", "D2", "E2", "F2", "G2", "H2", "I2",
    "A3", "B3", "C3", "D3", "E3", "F3", "G3", "H3", "I3",
    "A4", "B4", "C4", "D4", "E4", "F4", "G4", "H4", "I4",
    "A5", "B5", "C5", "D5", "E5", "F5", "G5", "H5", "I5",
    "A6", "B6", "C6", "D6", "E6", "F6", "G6", "H6", "I6",
    "A7", "B7", "C7", "D7", "E7", "F7", "G7", "H7", "I7",
    "A8", "B8", "C8", "D8", "E8", "F8", "G8", "H8", "I8",
    "A9", "B9", "C9", "D9", "E9", "F9", "G9", "H9", "I9",
]

# A number or a name.
SquareLike = SupportsIndex | str

FILE_NAMES = "abcdefghi"
RANK_NAMES = "0123456789"
SQUARES = range(90)
SQUARE_NAMES = [file + rank for rank in RANK_NAMES for file in FILE_NAMES]

A0, B0, C0, D0, E0, F0, G0, H0, I0 = range(9)
A1, B1, C1, D1, E1, F1, G1, H1, I1 = range(9, 18)
A2, B2, C2, D2, E2, F2, G2, H2, I2 = range(18, 27)
A3, B3, C3, D3, E3, F3, G3, H3, I3 = range(27, 36)
A4, B4, C4, D4, E4, F4, G4, H4, I4 = range(36, 45)
A5, B5, C5, D5, E5, F5, G5, H5, I5 = range(45, 54)
A6, B6, C6, D6, E6, F6, G6, H6, I6 = range(54, 63)
A7, B7, C7, D7, E7, F7, G7, H7, I7 = range(63, 72)
A8, B8, C8, D8, E8, F8, G8, H8, I8 = range(72, 81)
A9, B9, C9, D9, E9, F9, G9, H9, I9 = range(81, 90)

BB_EMPTY = 0
BB_ALL = (1 << 90) - 1
BB_SQUARES = [1 << square for square in SQUARES]
BB_FILES = [sum(1 << (9 * rank + file) for rank in range(10)) for file in range(9)]
BB_RANKS = [(1 << 9) - 1 << 9 * rank for rank in range(10)]


def square(file_index: int, rank_index: int) -> int:
    """Returns the square on a file (0 to 8) and a rank (0 to 9). Raises `ValueError`."""
    if not (0 <= file_index < 9 and 0 <= rank_index < 10):
        raise ValueError(f"no square on file {file_index} and rank {rank_index}")
    return 9 * rank_index + file_index


def parse_square(name: str) -> int:
    """Returns the square with a name, `"a0"` to `"i9"`. Raises `ValueError`."""
    try:
        return SQUARE_NAMES.index(name)
    except ValueError:
        raise ValueError(f"{name!r} is not a square") from None


def _number(square: SquareLike) -> int:
    """Returns the number of a square. Integers of numpy are converted, since they may overflow."""
    return parse_square(square) if isinstance(square, str) else index(square)


def square_name(square: SquareLike) -> str:
    """Returns the name of a square. Raises `IndexError`."""
    return SQUARE_NAMES[_number(square)]


def square_file(square: SquareLike) -> int:
    """Returns the file of a square, 0 (a) to 8 (i)."""
    return _number(square) % 9


def square_rank(square: SquareLike) -> int:
    """Returns the rank of a square, 0 (Red's edge) to 9."""
    return _number(square) // 9


def square_mirror(square: SquareLike) -> int:
    """Returns the mirror image of a square, with left and right swapped."""
    return 9 * square_rank(square) + 8 - square_file(square)


def square_distance(a: SquareLike, b: SquareLike) -> int:
    """Returns the distance between two squares in files or in ranks, whichever is larger."""
    return max(abs(square_file(a) - square_file(b)), abs(square_rank(a) - square_rank(b)))


def square_manhattan_distance(a: SquareLike, b: SquareLike) -> int:
    """Returns the number of steps along files and ranks between two squares."""
    return abs(square_file(a) - square_file(b)) + abs(square_rank(a) - square_rank(b))


class SquareSet(MutableSet[int]):
    """A set of squares, stored as an integer in which bit n represents square n. Iteration goes from a0 to
    i9.

    `SquareSet(squares)` accepts such an integer, or an iterable of squares or their names. Raises
    `ValueError` for a square off the board. Like every mutable set, it is not hashable; use `int(squares)` as a key. It equals such an
    integer, and sets, lists and tuples of the same squares.
    """

    __slots__ = ("mask",)

    def __init__(self, squares: SupportsIndex | Iterable[SquareLike] = BB_EMPTY) -> None:
        self.mask: int = BB_EMPTY
        if isinstance(squares, SquareSet) or not isinstance(squares, Iterable):
            self.mask = index(squares)
            if not 0 <= self.mask <= BB_ALL:
                raise ValueError(f"{self.mask:#x} has bits off the board")
        else:
            for square in squares:
                self.add(square)

    @classmethod
    def from_square(cls, square: SquareLike) -> SquareSet:
        """Returns a set with one square."""
        return cls([square])

    def __contains__(self, square: object) -> bool:
        try:
            number = _number(square)  # type: ignore[arg-type]
        except (TypeError, ValueError):
            return False
        return 0 <= number < 90 and bool(self.mask >> number & 1)

    def __iter__(self) -> Iterator[int]:
        mask = self.mask
        while mask:
            lowest = mask & -mask
            yield lowest.bit_length() - 1
            mask ^= lowest

    def __reversed__(self) -> Iterator[int]:
        mask = self.mask
        while mask:
            highest = mask.bit_length() - 1
            yield highest
            mask ^= 1 << highest

    def __len__(self) -> int:
        return self.mask.bit_count()

    def __bool__(self) -> bool:
        return self.mask != 0

    def __int__(self) -> int:
        return self.mask

    def __index__(self) -> int:
        return self.mask

    def __eq__(self, other: object) -> bool:
        if isinstance(other, (Set, list, tuple, range)) and not isinstance(other, SquareSet):
            return all(square in self for square in other) and len(self) == len(SquareSet(other))
        try:
            return self.mask == index(other)  # type: ignore[arg-type]
        except TypeError:
            return NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __and__(self, other: Iterable[SquareLike]) -> SquareSet:
        return SquareSet(self.mask & SquareSet(other).mask)

    __rand__ = __and__

    def __or__(self, other: Iterable[SquareLike]) -> SquareSet:  # type: ignore[override]
        return SquareSet(self.mask | SquareSet(other).mask)

    __ror__ = __or__

    def __xor__(self, other: Iterable[SquareLike]) -> SquareSet:  # type: ignore[override]
        return SquareSet(self.mask ^ SquareSet(other).mask)

    __rxor__ = __xor__

    def __sub__(self, other: Iterable[SquareLike]) -> SquareSet:
        return SquareSet(self.mask & ~SquareSet(other).mask)

    def __rsub__(self, other: Iterable[SquareLike]) -> SquareSet:
        return SquareSet(other) - self

    def __invert__(self) -> SquareSet:
        return SquareSet(BB_ALL ^ self.mask)

    def union(self, *others: Iterable[SquareLike]) -> SquareSet:
        """Returns the squares in any of the sets."""
        result = self.copy()
        for other in others:
            result |= SquareSet(other)
        return result

    def intersection(self, *others: Iterable[SquareLike]) -> SquareSet:
        """Returns the squares in all of the sets."""
        result = self.copy()
        for other in others:
            result &= SquareSet(other)
        return result

    def difference(self, other: Iterable[SquareLike]) -> SquareSet:
        """Returns the squares that are not in the other set."""
        return self - other

    def symmetric_difference(self, other: Iterable[SquareLike]) -> SquareSet:
        """Returns the squares in exactly one of the two sets."""
        return self ^ other

    def issubset(self, other: Iterable[SquareLike]) -> bool:
        """Returns `True` if all squares are in the other set."""
        return not self - other

    def issuperset(self, other: Iterable[SquareLike]) -> bool:
        """Returns `True` if the set contains all squares of the other."""
        return not SquareSet(other) - self

    def update(self, *others: Iterable[SquareLike]) -> None:
        """Adds the squares of other sets."""
        for other in others:
            self.mask |= SquareSet(other).mask

    def add(self, square: SquareLike) -> None:
        """Adds a square. Raises `ValueError` for a square off the board."""
        number = _number(square)
        if not 0 <= number < 90:
            raise ValueError(f"{number} is not a square (0 to 89)")
        self.mask |= 1 << number

    def discard(self, square: SquareLike) -> None:
        """Removes a square if it is present."""
        if square in self:
            self.mask ^= 1 << _number(square)

    def remove(self, square: SquareLike) -> None:
        """Removes a square. Raises `KeyError` if it is not present."""
        if square not in self:
            raise KeyError(square)
        self.discard(square)

    def pop(self) -> int:
        """Removes the first square and returns it. Raises `KeyError` if the set is empty."""
        for square in self:
            self.remove(square)
            return square
        raise KeyError("the set of squares is empty")

    def clear(self) -> None:
        """Removes all squares."""
        self.mask = BB_EMPTY

    def copy(self) -> SquareSet:
        """Returns a copy."""
        return SquareSet(self.mask)

    def mirror(self) -> SquareSet:
        """Returns the set as seen from the other side, with the ranks reversed."""
        return SquareSet([9 * (9 - square_rank(square)) + square_file(square) for square in self])

    def tolist(self) -> list[bool]:
        """Returns a list of 90 booleans, one for each square."""
        return [square in self for square in SQUARES]

    def __str__(self) -> str:
        ranks = ("".join("1" if 9 * rank + file in self else "." for file in range(9)) for rank in reversed(range(10)))
        return "\n".join(" ".join(rank) for rank in ranks)

    def __repr__(self) -> str:
        return f"SquareSet({list(self)})"
