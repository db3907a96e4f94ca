"""Training data: games as arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from ._chuhe import features

if TYPE_CHECKING:
    from ._chuhe import Move, Position


def planes(boards: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Converts boards of shape (N, 90) to binary planes: uint8, (N, 14, 10, 9).

    The axes are position, piece (`Piece.index`: Red's king, advisor, elephant, horse, rook, cannon, pawn,
    then Black's), rank (0 is Red's edge) and file (0 is a).
    """
    pieces = np.arange(14, dtype=np.uint8)
    ones: NDArray[np.bool_] = boards[:, None, :] == pieces[:, None]
    return ones.view(np.uint8).reshape(-1, 14, 10, 9)


@dataclass(frozen=True)
class PlayedGame:
    """A self-play game of the engine."""

    start: Position
    moves: Sequence[Move]
    scores: NDArray[np.int16]
    """Search score of each position before its move, from the point of view of the side to move: (moves,), in
    the engine's internal units (`Score`)."""
    result: float
    """Result for Red: 1.0, 0.5 or 0.0."""
    termination: str
    """Reason for the end of the game, in words."""
    random_plies: int
    """Number of random plies before the start."""
    ending: bool = False
    """`True` if the game began with a random ending."""
    played_out: bool = False
    """`True` if the game was played to its end, without adjudication."""


@dataclass(frozen=True)
class Samples:
    """Positions of games as arrays of the same length N. `samples[index]` selects some of them; `index` is an
    integer, a slice, or a one-dimensional array or list of integers or booleans."""

    boards: NDArray[np.uint8]
    """(N, 90): `Piece.index` of the piece on each square, 14 if it is empty."""
    turns: NDArray[np.bool_]
    """(N,): `True` if Red is to move."""
    quiet_plies: NDArray[np.uint16]
    """(N,): plies since the last capture."""
    moves: NDArray[np.uint8]
    """(N, 2): origin and target of the move played."""
    scores: NDArray[np.int32]
    """(N,): search score from the point of view of the side to move, in the engine's internal units
    (`Score`)."""
    results: NDArray[np.float32]
    """(N,): result of the game for the side to move, 1.0, 0.5 or 0.0."""
    plies: NDArray[np.uint16]
    """(N,): plies since the start of the recorded game."""
    games: NDArray[np.uint32]
    """(N,): index of the game, from 0. Hold out whole games, since positions of one game are similar."""

    def __len__(self) -> int:
        return len(self.turns)

    def __getitem__(self, index: Any) -> Samples:
        if isinstance(index, tuple) or np.ndim(index) > 1:
            raise IndexError("samples have one axis")
        # An integer selects one position, not the row of an array.
        if np.ndim(index) == 0 and not isinstance(index, slice):
            index = [index]
        return Samples(*(getattr(self, field.name)[index] for field in fields(self)))

    def planes(self) -> NDArray[np.uint8]:
        """Returns the boards as planes; see `chuhe.planes`."""
        return planes(self.boards)

    def features(
        self,
        *,
        mirroring: Literal["king", "wings"] = "king",
        king_buckets: Sequence[int] = (0, 0, 0, 0, 0, 0),
        attack_buckets: bool = False,
    ) -> NDArray[np.int16]:
        """Returns the active inputs of a network: int16, (N, 2, 32); see `chuhe.features`."""
        return features(
            self.boards, self.turns, mirroring=mirroring, king_buckets=king_buckets, attack_buckets=attack_buckets
        )
