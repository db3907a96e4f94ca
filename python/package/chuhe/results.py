"""Results that are data and nothing else. The native half of the package makes them; their fields are in the order in which it names them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from numbers import Real
from operator import index
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._chuhe import Move, Piece, Ruling, Score

# The longest time of a limit: a century.
MAX_SECONDS = 3_155_760_000

# The minimum of each limit that counts something.
_LEAST = {"depth": 1, "nodes": 1, "mate": 1, "remaining_moves": 1}


@dataclass(frozen=True)
class Limit:
    """Limits of a search. All limits that are set apply together; times are in seconds.

    Raises `ValueError` for a number that is too small, infinite or too large, `TypeError` for anything that is not a number.
    """

    time: float | None = None
    """Exactly this long."""
    depth: int | None = None
    """The deepest iteration, in plies."""
    nodes: int | None = None
    """Nodes, all threads together."""
    mate: int | None = None
    """Ends when a mate in this many moves is found; not a limit by itself."""
    red_clock: float | None = None
    """Left on Red's clock; the engine decides how much of it to use."""
    black_clock: float | None = None
    red_inc: float | None = None
    """Added after each of Red's moves."""
    black_inc: float | None = None
    remaining_moves: int | None = None
    """Moves to the next time control."""

    def __post_init__(self) -> None:
        for field in fields(self):
            name, value = field.name, getattr(self, field.name)
            if value is None:
                continue
            if name in _LEAST:
                value = index(value)
                if not _LEAST[name] <= value < 1 << (64 if name == "nodes" else 32):
                    raise ValueError(f"{name} is {value}; it must be {_LEAST[name]} or more")
            elif not isinstance(value, Real):
                raise TypeError(f"{name} must be a number of seconds, not {type(value).__name__}")
            elif not 0 <= float(value) <= MAX_SECONDS:
                raise ValueError(f"{name} is {value}; it must be 0 to {MAX_SECONDS} seconds")

    def ends(self, turn: bool) -> bool:
        """Returns `True` if a search for this side ends without a stop."""
        clock = self.red_clock if turn else self.black_clock
        return any(limit is not None for limit in (self.time, self.depth, self.nodes, clock))


def require_limit(limit: Limit | None, turn: bool) -> None:
    """Raises `ValueError` if a search for this side would never end."""
    if limit is None or not limit.ends(turn):
        raise ValueError("a limit is required: time, depth or nodes, or the mover's clock; analysis() searches until it is stopped")


@dataclass(frozen=True)
class Outcome:
    """Result of a game and its reason."""

    termination: str
    """`"mate"`, `"stalemate"`, `"natural_limit"`, `"no_attackers"`, `"perpetual_check"`, `"perpetual_chase"`, `"perpetual_attack"`,
    `"mutual_offence"` or `"repetition"`."""
    winner: bool | None
    """`chuhe.RED`, `chuhe.BLACK`, or `None` for a draw."""
    offender: bool | None = None
    """The side that broke the rules of repetition, if one did."""

    def result(self) -> str:
        """`"1-0"`, `"0-1"` or `"1/2-1/2"`."""
        return "1/2-1/2" if self.winner is None else "1-0" if self.winner else "0-1"


@dataclass(frozen=True)
class Attack:
    """An attack of one piece on another."""

    chaser: Piece
    from_square: int
    victim: Piece
    square: int
    worth: str
    """Class of the capture: `"stronger"`, `"unprotected"`, `"false_root"`, `"helpless"`, `"exchange"`, `"protected"` or `"bound"`."""
    protected: bool
    """`True` if the victim's side could legally take back."""
    discovered: bool
    """`True` if the attacker is not the piece that moved."""
    undermining: bool
    """`True` if the attacker aimed at the victim before, but the capture did not pay."""


@dataclass(frozen=True)
class Deed:
    """Classification of a move under the repetition rules."""

    kind: str
    """`"check"`, `"kill"`, `"chase"`, `"exchange"`, `"follow"`, `"standing"`, `"bound"`, `"block"` or `"idle"`."""
    text: str
    """The same in words."""
    attack: Attack | None


@dataclass(frozen=True)
class CyclePly:
    """A ply of a repetition and what it does."""

    number: int
    """The number of the ply in the game, from 1."""
    color: bool
    piece: Piece
    move: Move
    deeds: Sequence[Deed]
    """The gravest first; never empty."""
    aims: Sequence[int]
    """Squares of the enemy's pieces that the mover could take if it were its turn again."""
    attacks: Sequence[int]
    """Those of them whose capture would count as a chase if the attack were new."""


@dataclass(frozen=True)
class Warning:
    """A legal move that repeats a position."""

    move: Move
    loses: bool
    """`True` if the mover would lose by the rules."""
    returns_left: int
    """Number of further occurrences until the position is judged; 0 if this move ends the game."""
    ruling: Ruling
    """Ruling if both sides continue the repetition."""


@dataclass(frozen=True)
class Opening:
    """An opening by ECCO's classification."""

    code: str
    english: str
    chinese: str


@dataclass(frozen=True)
class Wdl:
    """Probabilities of a win, a draw and a loss for the side to move, in per mille."""

    win: int
    draw: int
    loss: int

    def expectation(self) -> float:
        """Expected points: 0.0 (lost) to 1.0 (won)."""
        return (2 * self.win + self.draw) / (2 * max(1, self.win + self.draw + self.loss))


@dataclass(frozen=True)
class Line:
    """One line of a search."""

    score: Score
    """From the view of the side to move."""
    wdl: Wdl | None
    """Expected result for this score in this position; `None` if an external engine does not report it."""
    pv: Sequence[Move]
    """The line, at least one move."""
    multipv: int
    """Which of the best lines this is, from 1."""
    depth: int
    seldepth: int
    """The longest line looked at, in plies."""
    bound: str
    """`"exact"`, or `"lower"` or `"upper"` for a line that is still being searched."""
    nodes: int
    """Nodes of all threads so far."""
    time: float
    """Seconds so far."""
    hashfull: int
    """Share of the hash table in use, in per mille."""

    @property
    def nps(self) -> int | None:
        """Nodes per second; `None` in the first moment."""
        return round(self.nodes / self.time) if self.time > 0 else None


@dataclass(frozen=True)
class Analysis:
    """Result of a search."""

    lines: Sequence[Line]
    """The best lines, the best first; empty if there is no legal move."""
    best: Move | None
    """The best move; `None` if there is no legal move."""
    ponder: Move | None
    """The reply that is expected."""
    outcome: Outcome | None
    """Outcome, if the game was over before the search."""
    nodes: int
    time: float
    """Seconds."""

    @property
    def score(self) -> Score | None:
        """The score of the best line, from the view of the side to move."""
        return self.lines[0].score if self.lines else None

    @property
    def wdl(self) -> Wdl | None:
        """Expected result for that score in this position."""
        return self.lines[0].wdl if self.lines else None

    @property
    def pv(self) -> Sequence[Move]:
        """The best line."""
        return self.lines[0].pv if self.lines else []

    @property
    def depth(self) -> int:
        """The last complete iteration, in plies."""
        return self.lines[0].depth if self.lines else 0


@dataclass(frozen=True)
class PlayResult:
    """The move that an engine plays."""

    move: Move | None
    """`None` if there is no legal move."""
    ponder: Move | None
    """The reply that is expected."""
    score: Score | None
    """Of the best line, from the view of the side to move; a weak level may have chosen another one."""
    outcome: Outcome | None
    """Outcome, if the game was over before the move."""
    draw_offered: bool = False
    """The engine offers a draw (engines of their own process)."""
    resigned: bool = False
    """The engine gives up (engines of their own process)."""


@dataclass(frozen=True)
class ScoredLine:
    """A line with its score from the view of the side that moves first in it."""

    score: Score
    pv: Sequence[Move]


@dataclass(frozen=True)
class ReviewedMove:
    """Assessment of a move of a game."""

    ply: int
    """From 1."""
    color: bool
    move: Move
    best: ScoredLine
    """The best line instead; it begins with the same move if that was best."""
    played: ScoredLine
    """The line that the move leads to, the move itself first."""
    loss: float
    """Expected points that the move gave away, 0.0 to 1.0."""
    judgement: str | None
    """`"inaccuracy"`, `"mistake"` or `"blunder"`; `None` for a move that is good enough."""
    reason: str | None
    """Why it is bad, in English."""
    forced: bool
    """There was no other legal move."""
    only: bool
    """It is the best move, and every other one would have been a mistake at least."""
    book: bool
    """The move is in the opening book."""


@dataclass(frozen=True)
class MateSolution:
    """Result of the mate solver."""

    status: str
    """`"mate"` and `"no mate by checks"` are proved; `"unknown"` is not."""
    line: Sequence[Move]
    """The line in which the defender holds out longest, to the mate."""
    quiet: int
    """Number of quiet moves allowed in a line; 0 if every move gives check."""
    nodes: int
    """Positions that were looked at."""

    @property
    def moves(self) -> int:
        """The moves of the attacker in the line."""
        return (len(self.line) + 1) // 2


@dataclass(frozen=True)
class BookMove:
    """A move of an opening book, with what the book says of it."""

    move: Move
    weight: int
    """Weight of the move; weights within one position are comparable."""
    score: int | None
    """From the view of the side to move."""
    games: tuple[int, int, int] | None
    """Games that the mover won, drew and lost."""


@dataclass(frozen=True)
class Ending:
    """Tablebase entry of a position."""

    wdl: int
    """1 if the side to move wins, 0 for a draw, -1 if it loses, without the natural limit."""
    capture: int | None
    """Plies to the next capture or mate; `None` for a draw, if perpetual check decides, or if the table does not tell."""
    mate: int | None
    """Plies to mate; `None` for a draw, if perpetual check may decide on the way, or if the table does not tell."""
    perpetual: int | None
    """Plies until the loser can only check forever, or lose otherwise; `None` if a mate or capture is at the end."""


@dataclass(frozen=True)
class Query:
    """Conditions, all of which a game of a library must meet. Names are parts of names, in traditional or simplified characters."""

    player: str | None = None
    """With either colour."""
    red: str | None = None
    black: str | None = None
    event: str | None = None
    since: int | None = None
    """The first year."""
    until: int | None = None
    """The last year."""
    result: str | None = None
    """`"1-0"`, `"0-1"` or `"1/2-1/2"`."""
    opening: str | None = None
    """The beginning of a code of ECCO (`"C4"`), or a part of an opening's name."""


@dataclass(frozen=True)
class FoundGame:
    """A game of a library."""

    id: int
    red: str
    black: str
    event: str
    date: str
    result: str
    plies: int
    opening: str | None
    """The code of the opening."""
    ply: int | None
    """After how many plies the position was met, if one was asked for."""


@dataclass(frozen=True)
class Continuation:
    """A move that was played in games of a library."""

    move: Move
    results: tuple[int, int, int, int]
    """Games that the mover won, drew and lost, and games without a known result."""
    players: Sequence[str]
    """Players who chose it most often, at most three."""
    last_year: int | None
    """The last year in which it was played."""
