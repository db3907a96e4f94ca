"""Squares are numbers: 0 (a0) to 89 (i9), rank by rank from Red's edge."""

FILE_NAMES = "abcdefghi"
RANK_NAMES = "0123456789"
SQUARES = range(90)
SQUARE_NAMES = [file + rank for rank in RANK_NAMES for file in FILE_NAMES]


def square(file_index: int, rank_index: int) -> int:
    """The square on a file (0 to 8) and a rank (0 to 9). Raises `ValueError`."""
    if not (0 <= file_index < 9 and 0 <= rank_index < 10):
        raise ValueError(f"no square on file {file_index} and rank {rank_index}")
    return 9 * rank_index + file_index


def parse_square(name: str) -> int:
    """The square of a name, `"a0"` to `"i9"`. Raises `ValueError`."""
    return SQUARE_NAMES.index(name)


def square_name(square: int) -> str:
    """The name of a square. Raises `IndexError`."""
    return SQUARE_NAMES[square]


def square_file(square: int) -> int:
    """The file of a square, 0 (a) to 8 (i)."""
    return square % 9


def square_rank(square: int) -> int:
    """The rank of a square, 0 (Red's edge) to 9."""
    return square // 9


def square_mirror(square: int) -> int:
    """The square in a mirror: left and right swapped."""
    return 9 * (square // 9) + 8 - square % 9
