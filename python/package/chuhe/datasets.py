"""Games for learning, as arrays."""

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
    """Boards as planes of zeros and ones: uint8, (N, 14, 10, 9), from boards of (N, 90).

    The axes are position, piece (`Piece.index`: Red's king, advisor, elephant, horse, rook, cannon, pawn, then Black's), rank (0 is Red's
    edge) and file (0 is a).
    """
    pieces = np.arange(14, dtype=np.uint8)
    ones: NDArray[np.bool_] = boards[:, None, :] == pieces[:, None]
    return ones.view(np.uint8).reshape(-1, 14, 10, 9)


@dataclass(frozen=True)
class PlayedGame:
    """A game of the engine with itself."""

    start: Position
    moves: Sequence[Move]
    scores: NDArray[np.int16]
    """Search score of each position before its move, from the mover's view: (moves,), in the engine's own numbers (`Score`)."""
    result: float
    """For Red: 1.0, 0.5 or 0.0."""
    termination: str
    """Why it ended, in words."""
    random_plies: int
    """Random plies before the start."""
    ending: bool = False
    """Whether it began with a random ending."""
    played_out: bool = False
    """Whether it was played to its end, without adjudication."""


@dataclass(frozen=True)
class Samples:
    """Positions of games as arrays of one length N. `samples[index]` picks some of them, with whatever numpy takes as an index."""

    boards: NDArray[np.uint8]
    """(N, 90): by square the `Piece.index` of the piece there, 14 for none."""
    turns: NDArray[np.bool_]
    """(N,): `True` where Red is to move."""
    quiet_plies: NDArray[np.uint16]
    """(N,): plies since the last capture."""
    moves: NDArray[np.uint8]
    """(N, 2): the squares that the move played leaves and reaches."""
    scores: NDArray[np.int32]
    """(N,): what the search said, from the mover's view, in the engine's own numbers (`Score`)."""
    results: NDArray[np.float32]
    """(N,): how the game ended for the mover, 1.0, 0.5 or 0.0."""
    plies: NDArray[np.uint16]
    """(N,): plies since the start of the game's record."""
    games: NDArray[np.uint32]
    """(N,): the number of the game, from 0. Hold out whole games: positions of one game are alike."""

    def __len__(self) -> int:
        return len(self.turns)

    def __getitem__(self, index: Any) -> Samples:
        return Samples(*(np.atleast_1d(getattr(self, field.name)[index]) for field in fields(self)))

    def planes(self) -> NDArray[np.uint8]:
        """The boards as planes: see `chuhe.planes`."""
        return planes(self.boards)

    def features(
        self, *, mirroring: Literal["king", "wings"] = "king", king_buckets: Sequence[int] = (0, 0, 0, 0, 0, 0)
    ) -> NDArray[np.int16]:
        """The inputs of a network that are on, int16, (N, 2, 32): see `chuhe.features`."""
        return features(self.boards, self.turns, mirroring=mirroring, king_buckets=king_buckets)
