"""An external engine for asyncio."""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from time import monotonic
from types import TracebackType
from typing import Any

from .._chuhe import Game, Move, Position
from ..aio import Stop, ended
from ..errors import EngineError, EngineTerminatedError
from ..results import Analysis, Limit, Line, PlayResult, check_limit, require_limit
from ..streams import AsyncAnalysisStream, OnLine, async_engine_stream
from .dialect import Answer, Dialect, Option, Reader, go_ucci, go_uci, position_command, read_option, set_option, variant_option
from .process import Process, command_of

Value = str | int | bool | None
PositionLike = Position | Game | str
Command = str | os.PathLike[str] | Sequence[str]

# Seconds between checks of a caller's stop, and seconds within which an engine must exit after `quit`.
GLANCE = 0.02
GRACE = 2.0
# Options set by the package itself.
MANAGED = {"multipv", "uci_variant", "usemillisec", "ponder"}


class _Search:
    """A running search of an engine."""

    def __init__(self, reader: Reader, limit: Limit, on_line: OnLine | None) -> None:
        # UCCI's `go` accepts only one limit; the others are stored here.
        self.reader, self.on_line = reader, on_line
        self.limit = limit if reader.dialect is Dialect.UCCI else Limit()
        self.answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self.lines: dict[int, Line] = {}
        self.nodes = 0
        self.enough = asyncio.Event()
        self.raised: BaseException | None = None

    def hear(self, text: str) -> None:
        word = text.split(maxsplit=1)[0] if text else ""
        if word in ("bestmove", "nobestmove") and not self.answer.done():
            try:
                self.answer.set_result(self.reader.answer(text))
            except EngineError as error:
                self.answer.set_exception(error)
        elif word == "info" and (line := self.reader.line(text)) is not None and self.raised is None:
            self._note(line)

    def _note(self, line: Line) -> None:
        self.nodes = max(self.nodes, line.nodes)
        if line.bound == "exact" or line.multipv not in self.lines:
            self.lines[line.multipv] = line
        if self._is_enough(line):
            self.enough.set()
        try:
            answer = None if self.on_line is None else self.on_line(line)
            if answer is not None and not answer:
                self.enough.set()
        except BaseException as error:
            self.raised = error
            self.enough.set()

    def _is_enough(self, line: Line) -> bool:
        limit, mate = self.limit, line.score.mate
        if limit.nodes is not None and self.nodes >= limit.nodes:
            return True
        if line.bound != "exact":
            return False
        return (limit.depth is not None and line.depth >= limit.depth) or (limit.mate is not None and mate is not None and 0 < mate <= limit.mate)


class ExternalEngine:
    """An engine that runs as a separate process, for asyncio; `popen_uci` and `popen_ucci` start one.
    `SimpleEngine` is the equivalent without asyncio.

    One search runs at a time; further calls wait. Cancelling a task stops its own search. Leaving an
    `async with` block quits the engine.
    """

    def __init__(self, timeout: float) -> None:
        self.timeout = timeout
        self.id: dict[str, str] = {}
        self.options: dict[str, Option] = {}
        self.dialect = Dialect.UCI
        self._process: Process | None = None
        self._lock = asyncio.Lock()
        self._search: _Search | None = None
        # The word that ends the current wait for a response, and its future.
        self._expected: tuple[str, asyncio.Future[None]] | None = None
        self._status: int | None = None
        self._lines = 1
        self._milliseconds = True
        self._made_in = os.getpid()

    @classmethod
    async def start(
        cls,
        command: Command,
        dialect: Dialect,
        *,
        timeout: float,
        options: Mapping[str, Value] | None,
        cwd: str | os.PathLike[str] | None,
        env: Mapping[str, str] | None,
    ) -> ExternalEngine:
        engine = cls(timeout)
        engine.dialect = dialect
        engine._process = await Process.start(command_of(command), engine._hear, engine._ended, cwd=cwd, env=env)
        try:
            await engine._say(dialect.value, f"{dialect.value}ok")
            await engine._prepare()
            if options:
                await engine.configure(options)
        except BaseException:
            engine._process.kill()
            await engine._process.end(0)
            raise
        return engine

    async def _prepare(self) -> None:
        offered = {name.lower(): option for name, option in self.options.items()}
        if self.dialect is Dialect.UCI and variant_option(offered):
            self.dialect = Dialect.UCI_VARIANT
            self._send(set_option(self.dialect, offered["uci_variant"].name, "xiangqi"))
        if self.dialect is Dialect.UCCI:
            self._milliseconds = "usemillisec" in offered
            if self._milliseconds:
                self._send(set_option(self.dialect, offered["usemillisec"].name, "true"))
        await self._ready()

    # Output of the engine.

    def _hear(self, text: str) -> None:
        if self._expected is not None and text.split(maxsplit=1)[:1] == [self._expected[0]]:
            if not self._expected[1].done():
                self._expected[1].set_result(None)
        elif self._search is not None:
            self._search.hear(text)
        elif text.startswith("id "):
            _, key, value = (*text.split(maxsplit=2), "", "")[:3]
            self.id[key] = value
        elif (option := read_option(text)) is not None:
            self.options[option.name] = option

    def _ended(self, status: int) -> None:
        self._status = status
        error = self._terminated()
        waiting: list[asyncio.Future[None] | asyncio.Future[Answer]] = []
        if self._expected is not None:
            waiting.append(self._expected[1])
        if self._search is not None:
            waiting.append(self._search.answer)
        for future in waiting:
            if not future.done():
                future.set_exception(error)

    @property
    def _name(self) -> str:
        return self.id.get("name", "the engine")

    def _terminated(self) -> EngineTerminatedError:
        how = f"signal {-self._status}" if self._status is not None and self._status < 0 else f"exit status {self._status}"
        return EngineTerminatedError(f"{self._name} has ended ({how})")

    def _running(self) -> Process:
        if self._made_in != os.getpid():
            raise EngineError("this engine was made before os.fork(); make one in each process")
        if self._process is None or self._status is not None:
            raise self._terminated()
        return self._process

    def _send(self, line: str) -> None:
        self._running().send(line)

    async def _say(self, command: str, word: str) -> None:
        """Sends a command and waits for the word that acknowledges it."""
        process = self._running()
        expected: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._expected = (word, expected)
        try:
            process.send(command)
            await asyncio.wait([expected], timeout=self.timeout)
            if not expected.done():
                process.kill()
                raise EngineError(f"{self._name} does not answer {command!r} within {self.timeout:g} s")
            expected.result()
        finally:
            self._expected = None

    async def _ready(self) -> None:
        await self._say("isready", "readyok")

    # Public methods.

    @property
    def pid(self) -> int:
        """The process ID."""
        return self._running().pid

    @property
    def returncode(self) -> int | None:
        """The exit status of the process; `None` while it is running."""
        return self._status

    async def ping(self) -> None:
        """Waits until the engine is idle and responds. Raises `EngineError`."""
        async with self._lock:
            await self._ready()

    async def configure(self, options: Mapping[str, Value]) -> None:
        """Sets options once the running search has ended; their names are case-insensitive. Raises
        `EngineError` for an option or a value that the engine does not support."""
        offered = {name.lower(): option for name, option in self.options.items()}
        commands = []
        for name, value in options.items():
            option = offered.get(name.lower())
            if option is None:
                raise EngineError(f"{self._name} offers no option {name!r}")
            if name.lower() in MANAGED:
                raise EngineError(f"option {option.name} is set by the package")
            commands.append(set_option(self.dialect, option.name, option.text(value)))
        async with self._lock:
            for command in commands:
                self._send(command)
            await self._ready()

    async def new_game(self) -> None:
        """Informs the engine that a new game begins, once the running search has ended."""
        async with self._lock:
            if self.dialect is not Dialect.UCCI:
                self._send("ucinewgame")
            elif any(name.lower() == "newgame" for name in self.options):
                self._send("setoption newgame")
            await self._ready()

    async def analyse(
        self,
        position: PositionLike,
        limit: Limit | None = None,
        *,
        lines: int = 1,
        root_moves: Iterable[Move | str] | None = None,
        on_line: OnLine | None = None,
        stop: Stop | None = None,
    ) -> Analysis:
        """Searches a position with its history and returns an `Analysis`; arguments are those of
        `chuhe.Engine.analyse`.

        `on_line` is called in the event loop. Raises `EngineError` if the engine exits, hangs or returns an
        illegal move.
        """
        game = Game(position)
        if on_line is None and stop is None:
            require_limit(limit, game.turn)
        analysis, _ = await self._run(game, limit or Limit(), lines, root_moves, on_line, stop)
        return analysis

    def analysis(
        self, position: PositionLike, limit: Limit | None = None, *, lines: int = 1, root_moves: Iterable[Move | str] | None = None
    ) -> AsyncAnalysisStream:
        """Starts a search whose lines can be read while it runs: `async for line in stream`. Without a limit,
        it runs until it is stopped."""
        self._check_lines(lines)
        return async_engine_stream(self, Game(position), limit, lines, root_moves)

    async def play(
        self,
        position: PositionLike,
        limit: Limit | None = None,
        *,
        root_moves: Iterable[Move | str] | None = None,
        stop: Stop | None = None,
    ) -> PlayResult:
        """Chooses a move and returns a `PlayResult`; without a limit, it searches for one second. Exceptions
        are those of `analyse`."""
        game = Game(position)
        limit = Limit(time=1.0) if limit is None else limit
        if stop is None:
            require_limit(limit, game.turn)
        analysis, answer = await self._run(game, limit, 1, root_moves, None, stop)
        return PlayResult(analysis.best, analysis.ponder, analysis.score, analysis.outcome, answer.draw_offered, answer.resigned)

    async def quit(self) -> None:
        """Ends the engine: sends `quit`, and kills the process after two seconds."""
        if self._process is None or self._made_in != os.getpid():
            return
        if self._status is None:
            self._process.send("stop")
            self._process.send("quit")
        await self._process.end(GRACE)

    async def __aenter__(self) -> ExternalEngine:
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        await self.quit()

    def __repr__(self) -> str:
        name = self.id.get("name", "?")
        return f"<ExternalEngine {name}, {self.dialect.value}{'' if self._status is None else ', ended'}>"

    # Searching.

    def _check_lines(self, lines: int) -> None:
        multipv = next((option for name, option in self.options.items() if name.lower() == "multipv"), None)
        if lines < 1:
            raise ValueError(f"lines is {lines}; it must be 1 or more")
        if lines > 1 and multipv is None:
            raise EngineError(f"{self._name} can't search several lines")

    def _set_lines(self, lines: int) -> None:
        if lines != self._lines:
            name = next(name for name in self.options if name.lower() == "multipv")
            self._send(set_option(self.dialect, name, self.options[name].text(lines)))
            self._lines = lines

    async def _run(
        self, game: Game, limit: Limit, lines: int, root_moves: Iterable[Move | str] | None, on_line: OnLine | None, stop: Stop | None
    ) -> tuple[Analysis, Answer]:
        check_limit(limit)
        self._check_lines(lines)
        only = None if root_moves is None else [_legal(game.position, move) for move in root_moves]
        outcome = game.outcome()
        if not game.legal_moves:
            return Analysis([], None, None, outcome, 0, 0.0), Answer(None, None)
        async with self._turn(stop):
            self._set_lines(lines)
            await self._ready()
            start = monotonic()
            search = _Search(Reader(self.dialect, game, only), limit, on_line)
            self._search = search
            try:
                self._send(position_command(self.dialect, game))
                self._go(game, limit, only)
                clock = limit.red_clock if game.turn else limit.black_clock
                await self._wait(search, stop, clock if limit.time is None else limit.time)
            finally:
                # After this the engine is idle or killed, even if an exception was raised or the task was
                # cancelled.
                cancellation = await ended(asyncio.create_task(self._settle(search)))
                self._search = None
                if cancellation is not None:
                    raise cancellation
        if search.raised is not None:
            raise search.raised
        answer = search.answer.result()
        found = [search.lines[rank] for rank in sorted(search.lines) if rank <= lines]
        return Analysis(found, answer.move, answer.ponder, outcome, search.nodes, monotonic() - start), answer

    @contextlib.asynccontextmanager
    async def _turn(self, stop: Stop | None) -> AsyncIterator[None]:
        """Waits until no other search is running. A stop ends the wait."""
        turn = asyncio.create_task(self._lock.acquire())
        try:
            while not turn.done():
                await asyncio.wait([turn], timeout=None if stop is None else GLANCE)
                if not turn.done() and stop is not None and stop.is_set():
                    raise EngineError("this engine was busy until the stop")
            yield
        finally:
            if not turn.cancel():
                self._lock.release()

    def _go(self, game: Game, limit: Limit, only: Sequence[Move] | None) -> None:
        if self.dialect is not Dialect.UCCI:
            self._send(go_uci(self.dialect, limit, only))
            return
        if only is not None:
            banned = [move.uci() for move in game.legal_moves if move not in only]
            if banned:
                self._send("banmoves " + " ".join(banned))
        self._send(go_ucci(limit, game.turn, self._milliseconds))

    async def _wait(self, search: _Search, stop: Stop | None, allowed: float | None) -> None:
        """Waits until the search ends or must be stopped, at most `allowed` seconds plus the engine's
        timeout."""
        deadline = None if allowed is None else monotonic() + allowed + self.timeout
        enough = asyncio.create_task(search.enough.wait())
        waiting: list[asyncio.Future[Any]] = [search.answer, enough]
        try:
            while not search.answer.done() and not enough.done() and not (stop is not None and stop.is_set()):
                left = None if deadline is None else deadline - monotonic()
                if left is not None and left <= 0:
                    break
                glance = min(time for time in (left, GLANCE if stop is not None else None, 3600.0) if time is not None)
                await asyncio.wait(waiting, timeout=glance, return_when=asyncio.FIRST_COMPLETED)
        finally:
            enough.cancel()

    async def _settle(self, search: _Search) -> None:
        """Ends a search: sends `stop` if the engine has not answered, and kills it if it still does not
        answer."""
        if not search.answer.done() and self._status is None and self._process is not None:
            self._process.send("stop")
            await asyncio.wait([search.answer], timeout=self.timeout)
            if not search.answer.done():
                self._process.kill()
                search.answer.set_exception(EngineError(f"{self._name} did not answer stop within {self.timeout:g} s and was killed"))
        if not search.answer.done():
            search.answer.set_exception(self._terminated())
        # Marks the exception as retrieved, since a cancelled caller does not read it.
        search.answer.exception()


def _legal(position: Position, move: Move | str) -> Move:
    return position.copy(stack=False).push(move)


async def popen_uci(
    command: Command,
    *,
    timeout: float = 10.0,
    options: Mapping[str, Value] | None = None,
    cwd: str | os.PathLike[str] | None = None,
    env: Mapping[str, str] | None = None,
) -> ExternalEngine:
    """Starts a UCI engine; `command` is a path, or a list of a program and its arguments.

    `timeout` is the maximum time for a response, in seconds; a search with a fixed time is stopped `timeout`
    seconds after that time. A multi-variant engine is set to Xiangqi. Raises `OSError` if the program cannot
    be started, `EngineError` if it does not respond.
    """
    return await ExternalEngine.start(command, Dialect.UCI, timeout=timeout, options=options, cwd=cwd, env=env)


async def popen_ucci(
    command: Command,
    *,
    timeout: float = 10.0,
    options: Mapping[str, Value] | None = None,
    cwd: str | os.PathLike[str] | None = None,
    env: Mapping[str, str] | None = None,
) -> ExternalEngine:
    """Starts a UCCI engine; see `popen_uci`."""
    return await ExternalEngine.start(command, Dialect.UCCI, timeout=timeout, options=options, cwd=cwd, env=env)
