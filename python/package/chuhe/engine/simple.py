"""An external engine without asyncio."""

from __future__ import annotations

import asyncio
import os
import threading
import weakref
from collections.abc import Coroutine, Iterable, Mapping
from types import TracebackType
from typing import TypeVar

from .._chuhe import Game, Move
from ..aio import Stop
from ..errors import EngineError
from ..results import Analysis, Limit, PlayResult
from ..streams import AnalysisStream, OnLine, engine_stream
from .dialect import Dialect, Option
from .external import Command, ExternalEngine, PositionLike, Value

T = TypeVar("T")


class SimpleEngine:
    """An engine that runs as a separate process; `SimpleEngine.popen_uci(command)` and
    `SimpleEngine.popen_ucci(command)` start one.

    It can be used from any thread; one search runs at a time. Ctrl-C ends a search. Leaving a `with`
    block quits the engine; an engine that is garbage-collected is killed.
    """

    def __init__(
        self,
        command: Command,
        dialect: Dialect,
        *,
        timeout: float = 10.0,
        options: Mapping[str, Value] | None = None,
        cwd: str | os.PathLike[str] | None = None,
        env: Mapping[str, str] | None = None,
    ) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=_serve, args=(self._loop,), name="chuhe engine", daemon=True)
        self._thread.start()
        self._made_in = os.getpid()
        try:
            self._engine = self._call(ExternalEngine.start(command, dialect, timeout=timeout, options=options, cwd=cwd, env=env))
        except BaseException:
            _close(self._loop, self._thread, None, self._made_in)
            raise
        self._finalizer = weakref.finalize(self, _close, self._loop, self._thread, self._engine, self._made_in)

    @classmethod
    def popen_uci(
        cls,
        command: Command,
        *,
        timeout: float = 10.0,
        options: Mapping[str, Value] | None = None,
        cwd: str | os.PathLike[str] | None = None,
        env: Mapping[str, str] | None = None,
    ) -> SimpleEngine:
        """Starts a UCI engine; see `chuhe.engine.popen_uci`."""
        return cls(command, Dialect.UCI, timeout=timeout, options=options, cwd=cwd, env=env)

    @classmethod
    def popen_ucci(
        cls,
        command: Command,
        *,
        timeout: float = 10.0,
        options: Mapping[str, Value] | None = None,
        cwd: str | os.PathLike[str] | None = None,
        env: Mapping[str, str] | None = None,
    ) -> SimpleEngine:
        """Starts a UCCI engine; see `chuhe.engine.popen_uci`."""
        return cls(command, Dialect.UCCI, timeout=timeout, options=options, cwd=cwd, env=env)

    @property
    def id(self) -> Mapping[str, str]:
        """Identification sent by the engine: `name`, `author`."""
        return self._engine.id

    @property
    def options(self) -> Mapping[str, Option]:
        """The options offered by the engine, by name."""
        return self._engine.options

    @property
    def dialect(self) -> Dialect:
        """The protocol."""
        return self._engine.dialect

    @property
    def pid(self) -> int:
        """The process ID. Raises `EngineError` once the process has ended."""
        return self._engine.pid

    @property
    def returncode(self) -> int | None:
        """The exit status of the process; `None` while it is running."""
        return self._engine.returncode

    def ping(self) -> None:
        """Waits until the engine is idle and responds. Raises `EngineError`."""
        self._call(self._engine.ping())

    def configure(self, options: Mapping[str, Value]) -> None:
        """Sets options once the running search has ended; their names are case-insensitive. Raises
        `EngineError` for an option or a value that the engine does not support."""
        self._call(self._engine.configure(options))

    def new_game(self) -> None:
        """Informs the engine that a new game begins, once the running search has ended."""
        self._call(self._engine.new_game())

    def analyse(
        self,
        position: PositionLike,
        limit: Limit | None = None,
        *,
        lines: int = 1,
        root_moves: Iterable[Move | str] | None = None,
        on_line: OnLine | None = None,
        stop: Stop | None = None,
    ) -> Analysis:
        """See `ExternalEngine.analyse`. `on_line` is called in the engine's thread and must not use the
        engine."""
        return self._call(self._engine.analyse(position, limit, lines=lines, root_moves=root_moves, on_line=on_line, stop=stop))

    def analysis(
        self, position: PositionLike, limit: Limit | None = None, *, lines: int = 1, root_moves: Iterable[Move | str] | None = None
    ) -> AnalysisStream:
        """Starts a search whose lines can be read while it runs; see `chuhe.Engine.analysis`."""
        self._engine._check_lines(lines)
        self._check_thread()
        return engine_stream(self, Game(position), limit, lines, root_moves)

    def play(
        self,
        position: PositionLike,
        limit: Limit | None = None,
        *,
        root_moves: Iterable[Move | str] | None = None,
        stop: Stop | None = None,
    ) -> PlayResult:
        """See `ExternalEngine.play`."""
        return self._call(self._engine.play(position, limit, root_moves=root_moves, stop=stop))

    def quit(self) -> None:
        """Ends the engine: sends `quit`, and kills the process after two seconds."""
        if self._made_in == os.getpid() and self._finalizer.alive:
            self._check_thread()
            try:
                self._call(self._engine.quit())
            finally:
                self._finalizer()

    def close(self) -> None:
        """Alias of `quit`."""
        self.quit()

    def __enter__(self) -> SimpleEngine:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.quit()

    def __repr__(self) -> str:
        return repr(self._engine).replace("ExternalEngine", "SimpleEngine")

    def _check_thread(self) -> None:
        if threading.current_thread() is self._thread:
            raise EngineError("this engine is in use by the current call; a callback must not use it")

    def _call(self, work: Coroutine[object, object, T]) -> T:
        """Runs a coroutine in the engine's thread. If the wait is interrupted, for example by Ctrl-C, cancels
        the coroutine and waits for its end."""
        try:
            self._check_thread()
            if self._made_in != os.getpid():
                raise EngineError("this engine was made before os.fork(); make one in each process")
            if self._loop.is_closed() or not self._thread.is_alive():
                raise self._engine._terminated()
        except BaseException:
            work.close()
            raise
        ended = threading.Event()

        async def run() -> T:
            try:
                return await work
            finally:
                ended.set()

        future = asyncio.run_coroutine_threadsafe(run(), self._loop)
        try:
            return future.result()
        except BaseException:
            if not future.done():
                future.cancel()
                while self._thread.is_alive() and not ended.wait(0.1):
                    pass
            raise


def _serve(loop: asyncio.AbstractEventLoop) -> None:
    asyncio.set_event_loop(loop)
    try:
        loop.run_forever()
    finally:
        loop.run_until_complete(loop.shutdown_asyncgens())
        loop.close()


def _close(loop: asyncio.AbstractEventLoop, thread: threading.Thread, engine: ExternalEngine | None, made_in: int) -> None:
    """Kills the engine if it is still running, and ends the thread."""
    if made_in != os.getpid() or not thread.is_alive():
        return

    async def end() -> None:
        if engine is not None and engine._process is not None:
            engine._process.kill()
            await engine._process.end(0)
        tasks = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        loop.stop()

    asyncio.run_coroutine_threadsafe(end(), loop)
    if thread is not threading.current_thread():
        thread.join(5)
