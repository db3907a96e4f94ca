"""Plain data classes for results, created by the native part of the package, which passes the fields in this
order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from numbers import Real
from operator import index
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._chuhe import Move, Piece, Ruling, Score

# Maximum time limit: a century.
MAX_SECONDS = 3_155_760_000

# Minimum of each integer limit.
_LEAST = {"depth": 1, "nodes": 1, "mate": 1, "remaining_moves": 1}


@dataclass(frozen=True)
class Limit:
    """Limits of a search. All limits that are set apply together; times are in seconds.

    Raises `ValueError` for a number that is too small, infinite or too large, `TypeError` for a value that is
    not a number.
    """

    time: float | None = None
    """Fixed time of the search."""
    depth: int | None = None
    """Maximum depth, in plies."""
    nodes: int | None = None
    """Maximum number of nodes of all threads together."""
    mate: int | None = None
    """Ends when a mate in this many moves is found; not a limit by itself."""
    red_clock: float | None = None
    """Remaining time on Red's clock; the engine decides how much of it to use."""
    black_clock: float | None = None
    red_inc: float | None = None
    """Time added after each of Red's moves."""
    black_inc: float | None = None
    remaining_moves: int | None = None
    """Number of moves until the next time control."""

    def __post_init__(self) -> None:
        for field in fields(self):
            name, value = field.name, getattr(self, field.name)
            if value is None:
                continue
            if name in _LEAST:
                value = index(value)
                most = (1 << (64 if name == "nodes" else 32)) - 1
                if not _LEAST[name] <= value <= most:
                    raise ValueError(f"{name} is {value}; it must be {_LEAST[name]} to {most}")
            elif not isinstance(value, Real):
                raise TypeError(f"{name} must be a number of seconds, not {type(value).__name__}")
            elif not 0 <= float(value) <= MAX_SECONDS:
                raise ValueError(f"{name} is {value}; it must be 0 to {MAX_SECONDS} seconds")

    def ends(self, turn: bool) -> bool:
        """Returns `True` if a search for this side ends without a stop."""
        clock = self.red_clock if turn else self.black_clock
        return any(limit is not None for limit in (self.time, self.depth, self.nodes, clock))


def check_limit(limit: object) -> None:
    """Raises `TypeError` unless this is a limit or `None`."""
    if limit is not None and not isinstance(limit, Limit):
        raise TypeError(f"a Limit is expected, not {type(limit).__name__}")


def require_limit(limit: Limit | None, turn: bool) -> None:
    """Raises `ValueError` if a search for this side would never end."""
    check_limit(limit)
    if limit is None or not limit.ends(turn):
        raise ValueError("a limit is required: time, depth or nodes, or the mover's clock; analysis() searches until it is stopped")


@dataclass(frozen=True)
class Outcome:
    """Result of a game and its reason."""

    termination: str
    """`"mate"`, `"stalemate"`, `"natural_limit"`, `"no_attackers"`, `"perpetual_check"`, `"perpetual_chase"`,
    `"perpetual_attack"`, `"mutual_offence"` or `"repetition"`."""
    winner: bool | None
    """`chuhe.RED`, `chuhe.BLACK`, or `None` for a draw."""
    offender: bool | None = None
    """The side that violated the repetition rules, if any."""

    def result(self) -> str:
        """Returns `"1-0"`, `"0-1"` or `"1/2-1/2"`."""
        return "1/2-1/2" if self.winner is None else "1-0" if self.winner else "0-1"


@dataclass(frozen=True)
class Attack:
    """An attack of one piece on another."""

    chaser: Piece
    from_square: int
    victim: Piece
    square: int
    worth: str
    """Class of the capture: `"stronger"`, `"unprotected"`, `"false_root"`, `"helpless"`, `"exchange"`,
    `"protected"` or `"bound"`."""
    protected: bool
    """`True` if the victim's side could legally recapture."""
    discovered: bool
    """`True` if the attacker is not the piece that moved."""
    undermining: bool
    """`True` if the piece already attacked the victim before the move, but the capture was not profitable."""


@dataclass(frozen=True)
class Deed:
    """Classification of a move under the repetition rules."""

    kind: str
    """`"check"`, `"kill"`, `"chase"`, `"exchange"`, `"follow"`, `"standing"`, `"bound"`, `"block"` or
    `"idle"`."""
    text: str
    """Description in words."""
    attack: Attack | None


@dataclass(frozen=True)
class CyclePly:
    """A ply of a repetition and its effects."""

    number: int
    """Ply number in the game, from 1."""
    color: bool
    piece: Piece
    move: Move
    deeds: Sequence[Deed]
    """Effects of the move, the most serious first; never empty."""
    aims: Sequence[int]
    """Squares of enemy pieces that the mover could capture if it were to move again."""
    attacks: Sequence[int]
    """Subset of `aims` whose capture would count as a chase if the attack were new."""


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
    """An opening in the ECCO classification."""

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
        """Returns the expected points: 0.0 (lost) to 1.0 (won)."""
        return (2 * self.win + self.draw) / (2 * max(1, self.win + self.draw + self.loss))


@dataclass(frozen=True)
class Line:
    """One line of a search."""

    score: Score
    """Score from the point of view of the side to move."""
    wdl: Wdl | None
    """Expected result for this score in this position; `None` if an external engine does not report it."""
    pv: Sequence[Move]
    """Moves of the line, at least one."""
    multipv: int
    """Rank among the best lines, from 1."""
    depth: int
    seldepth: int
    """Maximum depth reached, in plies."""
    bound: str
    """`"exact"`, or `"lower"` or `"upper"` for a line that is still being searched."""
    nodes: int
    """Number of nodes so far, of all threads."""
    time: float
    """Elapsed time, in seconds."""
    hashfull: int
    """Share of the hash table in use, in per mille."""

    @property
    def nps(self) -> int | None:
        """Nodes per second; `None` if no time has elapsed."""
        return round(self.nodes / self.time) if self.time > 0 else None


@dataclass(frozen=True)
class Analysis:
    """Result of a search."""

    lines: Sequence[Line]
    """The best lines, best first; empty if there is no legal move."""
    best: Move | None
    """The best move; `None` if there is no legal move."""
    ponder: Move | None
    """The expected reply."""
    outcome: Outcome | None
    """Outcome, if the game was over before the search."""
    nodes: int
    time: float
    """Time of the search, in seconds."""

    @property
    def score(self) -> Score | None:
        """The score of the best line, from the point of view of the side to move."""
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
        """Depth of the last complete iteration, in plies."""
        return self.lines[0].depth if self.lines else 0


@dataclass(frozen=True)
class PlayResult:
    """Move chosen by an engine."""

    move: Move | None
    """The move; `None` if there is no legal move."""
    ponder: Move | None
    """The expected reply."""
    score: Score | None
    """Score of the best line, from the point of view of the side to move; a weak level may have chosen
    another line."""
    outcome: Outcome | None
    """Outcome, if the game was over before the move."""
    draw_offered: bool = False
    """`True` if the engine offers a draw (external engines only)."""
    resigned: bool = False
    """`True` if the engine resigns (external engines only)."""


@dataclass(frozen=True)
class ScoredLine:
    """A line with its score from the point of view of the side that makes its first move."""

    score: Score
    pv: Sequence[Move]


@dataclass(frozen=True)
class ReviewedMove:
    """Assessment of a move of a game."""

    ply: int
    """Ply number in the game, from 1."""
    color: bool
    move: Move
    best: ScoredLine
    """The best line; it begins with the move played if that was the best."""
    played: ScoredLine
    """The line that begins with the move played."""
    loss: float
    """Loss of expected points caused by the move, 0.0 to 1.0."""
    judgement: str | None
    """`"inaccuracy"`, `"mistake"` or `"blunder"`; `None` if the move is good enough."""
    reason: str | None
    """Reason for the judgement, in English."""
    forced: bool
    """`True` if it was the only legal move."""
    only: bool
    """`True` if it was the best move and every other move would have been at least a mistake."""
    book: bool
    """`True` if the move is in the opening book."""


@dataclass(frozen=True)
class MateSolution:
    """Result of the mate solver."""

    status: str
    """`"mate"`, `"no mate by checks"` (both proved) or `"unknown"`."""
    line: Sequence[Move]
    """The line to the mate with the longest defence."""
    quiet: int
    """Number of quiet moves allowed in a line; 0 if every move gives check."""
    nodes: int
    """Number of positions searched."""

    @property
    def moves(self) -> int:
        """Number of attacker moves in the line."""
        return (len(self.line) + 1) // 2


@dataclass(frozen=True)
class BookMove:
    """A move of an opening book, with its entry in the book."""

    move: Move
    weight: int
    """Weight of the move; weights within one position are comparable."""
    score: int | None
    """Score from the point of view of the side to move."""
    games: tuple[int, int, int] | None
    """Number of games won, drawn and lost by the mover."""


@dataclass(frozen=True)
class Ending:
    """Tablebase entry of a position."""

    wdl: int
    """1 if the side to move wins, 0 for a draw, -1 if it loses; the natural limit is ignored."""
    capture: int | None
    """Plies to the next capture or mate; `None` for a draw, if perpetual check decides, or if the table does
    not contain distances."""
    mate: int | None
    """Plies to mate; `None` for a draw, if perpetual check may decide first, or if the table does not contain
    distances."""
    perpetual: int | None
    """Plies until the loser can only give perpetual check or lose otherwise; `None` if the line ends with a
    mate or a capture."""


@dataclass(frozen=True)
class Query:
    """Conditions on a game of a library, all of which must be met. Names are substrings, in traditional or
    simplified characters."""

    player: str | None = None
    """Name of a player with either colour."""
    red: str | None = None
    black: str | None = None
    event: str | None = None
    since: int | None = None
    """First year."""
    until: int | None = None
    """Last year."""
    result: str | None = None
    """`"1-0"`, `"0-1"` or `"1/2-1/2"`."""
    opening: str | None = None
    """Prefix of an ECCO code (`"C4"`), or part of an opening's name."""


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
    """ECCO code of the opening."""
    ply: int | None
    """Number of plies before the queried position; `None` if no position was queried."""


@dataclass(frozen=True)
class Continuation:
    """A move played in games of a library."""

    move: Move
    results: tuple[int, int, int, int]
    """Number of games won, drawn and lost by the mover, and of games with an unknown result."""
    players: Sequence[str]
    """Up to three players who played it most often."""
    last_year: int | None
    """Last year in which it was played."""
