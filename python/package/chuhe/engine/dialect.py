"""UCI and UCCI as text: formats commands and parses the engine's output."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

from .._chuhe import Game, Move, Position, Score
from ..errors import EngineError, InvalidMoveError
from ..results import Limit, Line, Wdl

# Maximum absolute evaluation in centipawns; larger ones are clamped.
MAX_CP = 20_000
MAX_MATE = 499


class Dialect(Enum):
    """A protocol. `UCI_VARIANT` is UCI as spoken by multi-variant programs, which number ranks from 1."""

    UCI = "uci"
    UCI_VARIANT = "uci with variants"
    UCCI = "ucci"

    @property
    def ranks_from_one(self) -> bool:
        return self is Dialect.UCI_VARIANT


@dataclass(frozen=True)
class Option:
    """An option offered by an engine."""

    name: str
    type: str
    """`"spin"` (a number), `"check"` (true or false), `"combo"` (one of `var`), `"string"` or `"button"`."""
    default: str | None = None
    min: int | None = None
    max: int | None = None
    var: tuple[str, ...] = ()

    def text(self, value: object) -> str | None:
        """Returns the text of a value for a command, or `None` for a button. Raises `EngineError` for a value
        that the option does not accept."""
        if self.type == "button":
            return None
        if self.type == "check":
            if str(value).lower() not in ("true", "false"):
                raise EngineError(f"option {self.name} accepts true or false, not {value!r}")
            return str(value).lower()
        text = str(value)
        if self.type == "spin":
            try:
                number = int(text)
            except ValueError:
                raise EngineError(f"option {self.name} accepts a number, not {value!r}") from None
            if (self.min is not None and number < self.min) or (self.max is not None and number > self.max):
                raise EngineError(f"option {self.name} accepts {self.min} to {self.max}, not {number}")
        if self.type == "combo" and self.var and text.lower() not in (known.lower() for known in self.var):
            raise EngineError(f"option {self.name} accepts {', '.join(self.var)}, not {value!r}")
        if "\n" in text or "\r" in text:
            raise EngineError(f"the value of option {self.name} has more than one line")
        return text


def read_option(line: str) -> Option | None:
    """Parses `option name Hash type spin default 16 min 1 max 64`, or UCCI's `option hashsize type …`;
    returns `None` for any other line."""
    words = line.split()
    if words[:1] != ["option"]:
        return None
    words = words[2:] if words[1:2] == ["name"] else words[1:]
    if "type" not in words:
        return None
    end = words.index("type")
    keys = ("type", "default", "min", "max", "var")
    values: dict[str, list[str]] = {key: [] for key in keys}
    key = ""
    for word in words[end:]:
        if word in keys:
            key = word
            values[key].append("")
        else:
            values[key][-1] = f"{values[key][-1]} {word}".strip()
    first = {key: found[0] for key, found in values.items() if found}
    name, kind = " ".join(words[:end]), first["type"]
    return Option(name, kind, first.get("default"), _number(first.get("min")), _number(first.get("max")), tuple(values["var"])) if name else None


def _number(text: str | None) -> int | None:
    try:
        return None if text is None else int(text)
    except ValueError:
        return None


def set_option(dialect: Dialect, name: str, text: str | None) -> str:
    """Returns the command that sets an option."""
    if dialect is Dialect.UCCI:
        return f"setoption {name}" if text is None else f"setoption {name} {text}"
    return f"setoption name {name}" if text is None else f"setoption name {name} value {text}"


def position_command(dialect: Dialect, game: Game) -> str:
    """Returns the `position` command: UCCI requires the position after the last capture and the moves since
    then, UCI the whole game."""
    start, moves = game.start, game.move_stack
    if dialect is Dialect.UCCI:
        position, played = game.start, moves
        moves = []
        for move in played:
            captures = position.is_capture(move)
            position.push(move)
            moves.append(move)
            if captures:
                start, moves = position.copy(stack=False), []
    words = ["position fen", start.fen()]
    if moves:
        words.append("moves")
        words.extend(move.uci(ranks_from_one=dialect.ranks_from_one) for move in moves)
    return " ".join(words)


def _milliseconds(seconds: float) -> int:
    return round(seconds * 1000)


def _positive(number: int) -> int:
    """Returns a time of at least one unit; engines reject a time of 0."""
    return max(1, number)


def go_uci(dialect: Dialect, limit: Limit, root_moves: Sequence[Move] | None) -> str:
    """Returns the UCI command `go` with a limit."""
    words = ["go"]
    times = {"wtime": limit.red_clock, "btime": limit.black_clock, "movetime": limit.time}
    increments = {"winc": limit.red_inc, "binc": limit.black_inc}
    limits: dict[str, int | None] = {name: None if time is None else _positive(_milliseconds(time)) for name, time in times.items()}
    limits |= {"depth": limit.depth, "nodes": limit.nodes, "mate": limit.mate}
    additions: dict[str, int | None] = {name: None if time is None else _milliseconds(time) for name, time in increments.items()}
    additions["movestogo"] = limit.remaining_moves
    for name, number in (limits | additions).items():
        if number is not None:
            words += [name, str(number)]
    if all(number is None for number in limits.values()):
        words.append("infinite")
    if root_moves is not None:
        words.append("searchmoves")
        words += [move.uci(ranks_from_one=dialect.ranks_from_one) for move in root_moves]
    return " ".join(words)


def go_ucci(limit: Limit, turn: bool, milliseconds: bool) -> str:
    """Returns the UCCI command `go` with a limit. UCCI supports only one limit at a time; the caller enforces
    the others."""

    def unit(seconds: float) -> int:
        return _milliseconds(seconds) if milliseconds else int(seconds)

    def clock(prefix: str, left: float, inc: float | None) -> str:
        more = f"{prefix}increment {unit(inc) if inc else 0}" if limit.remaining_moves is None else f"{prefix}movestogo {limit.remaining_moves}"
        return f" {prefix}time {_positive(unit(left))} {more}"

    red, black = (limit.red_clock, limit.red_inc), (limit.black_clock, limit.black_inc)
    (left, inc), (enemy, enemy_inc) = (red, black) if turn else (black, red)
    if limit.time is not None:
        return f"go time {_positive(unit(limit.time))} movestogo 1"
    if left is not None:
        return "go" + clock("", left, inc) + ("" if enemy is None else clock("opp", enemy, enemy_inc))
    if limit.nodes is not None:
        return f"go nodes {limit.nodes}"
    return "go infinite" if limit.depth is None else f"go depth {limit.depth}"


class Reader:
    """Parses the output of one search."""

    def __init__(self, dialect: Dialect, game: Game, root_moves: Sequence[Move] | None = None) -> None:
        self.dialect, self.root, self.turn = dialect, game.position, game.turn
        self.only = root_moves

    def line(self, text: str) -> Line | None:
        """Parses `info … score … pv …`; returns `None` if it has no score or no move. Fields may be in any
        order; unknown ones are skipped."""
        words = text.split()
        found: dict[str, list[str]] = {}
        key = ""
        for place, word in enumerate(words[1:], 1):
            if word in _KEYS:
                key = word
                found[key] = []
                if word == "string":
                    break
                if word == "pv":
                    found[key] = words[place + 1 :]
                    break
            elif key:
                found[key].append(word)
        score, pv = _score(found.get("score", []), self.turn), self._moves(found.get("pv", []))
        if score is None or not pv:
            return None

        def number(name: str, missing: int = 0) -> int:
            value = found.get(name, [])
            return max(0, parsed) if value and (parsed := _number(value[0])) is not None else missing

        bound = "lower" if "lowerbound" in found else "upper" if "upperbound" in found else "exact"
        depth = number("depth")
        return Line(
            score, _wdl(found.get("wdl", [])), pv, number("multipv", 1), depth, number("seldepth", depth), bound, number("nodes"),
            number("time") / 1000, number("hashfull"),
        )

    def _moves(self, words: Sequence[str]) -> list[Move]:
        """Returns the legal moves at the beginning of a line."""
        position, moves = self.root.copy(), []
        for word in words:
            move = self._move(word)
            if move is None or not position.is_legal(move):
                break
            position.push(move)
            moves.append(move)
        return moves

    def _move(self, word: str) -> Move | None:
        try:
            return Move.from_uci(word, ranks_from_one=self.dialect.ranks_from_one)
        except InvalidMoveError:
            return None

    def answer(self, text: str) -> Answer:
        """Parses lines such as `bestmove h2e2 ponder h9g7 draw` or `nobestmove`. Raises `EngineError` if the
        move is illegal."""
        words = text.split()
        word, rest = (words[1] if len(words) > 1 else ""), words[2:]
        if words[0] == "nobestmove" or word in ("", "(none)", "none", "null", "0000", "resign") or "resign" in rest:
            return Answer(None, None, resigned=True)
        move = self._move(word)
        if move is None or not self.root.is_legal(move) or (self.only is not None and move not in self.only):
            raise EngineError(f"the engine answered with a move that is not allowed here: {text[:60]!r}, in {self.root.fen()}")
        after = Position(self.root.fen(), [move])
        place = rest.index("ponder") + 1 if "ponder" in rest else len(rest)
        ponder = self._move(rest[place]) if place < len(rest) else None
        legal = ponder if ponder is not None and after.is_legal(ponder) else None
        return Answer(move, legal, draw_offered="draw" in rest)


@dataclass(frozen=True)
class Answer:
    """Content of a `bestmove` line."""

    move: Move | None
    ponder: Move | None
    draw_offered: bool = False
    resigned: bool = False


_KEYS = {
    "depth", "seldepth", "multipv", "score", "lowerbound", "upperbound", "wdl", "nodes", "nps", "time", "hashfull", "tbhits", "cpuload", "currmove",
    "currmovenumber", "refutation", "currline", "string", "message", "pv",
}


def _score(words: Sequence[str], turn: bool) -> Score | None:
    """Parses `cp 35` or `mate -3` (UCI), or `35` (UCCI)."""
    kind, text = ("cp", words[0]) if len(words) == 1 else (words[0], words[1]) if len(words) > 1 else ("", "")
    if len(words) > 1 and kind not in ("cp", "mate"):
        kind, text = "cp", words[0]
    number = _number(text)
    if number is None:
        return None
    if kind == "mate":
        return Score.from_mate(max(-MAX_MATE, min(MAX_MATE, number)), turn)
    return Score.from_cp(max(-MAX_CP, min(MAX_CP, number)), turn)


def _wdl(words: Sequence[str]) -> Wdl | None:
    numbers = [_number(word) for word in words[:3]]
    win, draw, loss = numbers if len(numbers) == 3 else (None, None, None)
    return None if win is None or draw is None or loss is None else Wdl(win, draw, loss)


def variant_option(options: Mapping[str, Option]) -> bool:
    """Returns `True` if an engine supports several variants, including Xiangqi."""
    option = options.get("uci_variant")
    return option is not None and "xiangqi" in option.var
