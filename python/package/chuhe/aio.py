"""Asyncio version of the engine: the same methods as coroutines."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from types import TracebackType
from typing import TYPE_CHECKING, Protocol, TypeVar

from ._chuhe import Engine, Game
from .errors import EngineError
from .results import Limit, require_limit
from .streams import AsyncAnalysisStream, OnLine, async_engine_stream

if TYPE_CHECKING:
    from ._chuhe import Move, Position, Review
    from .results import Analysis, PlayResult

T = TypeVar("T")


class Stop(Protocol):
    """An object that can be set to stop a search, such as `threading.Event`."""

    def is_set(self) -> bool: ...


class _Either:
    """A stop that is set if either of two stops is set."""

    def __init__(self, one: Stop, other: Stop | None) -> None:
        self._one, self._other = one, other

    def is_set(self) -> bool:
        return self._one.is_set() or (self._other is not None and self._other.is_set())


class AsyncEngine:
    """An `Engine` whose searches run in a thread. Cancelling a task ends only the search of that task.

    `AsyncEngine(engine)` wraps an `Engine`; without an argument, it creates one. Leaving an
    `async with` block closes it.
    """

    def __init__(self, engine: Engine | None = None) -> None:
        self.engine = engine or Engine()
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="chuhe")

    async def analyse(
        self,
        position: Position | Game | str,
        limit: Limit | None = None,
        *,
        lines: int = 1,
        root_moves: Iterable[Move | str] | None = None,
        on_line: OnLine | None = None,
        stop: Stop | None = None,
    ) -> Analysis:
        """See `Engine.analyse`. `on_line` is called in the search thread."""
        game = Game(position)
        if on_line is None and stop is None:
            require_limit(limit, game.turn)
        only = None if root_moves is None else list(root_moves)

        def search(stop: Stop) -> Analysis:
            return self.engine.analyse(game, limit, lines=lines, root_moves=only, on_line=on_line, stop=stop)

        return await self._run(search, stop)

    def analysis(
        self,
        position: Position | Game | str,
        limit: Limit | None = None,
        *,
        lines: int = 1,
        root_moves: Iterable[Move | str] | None = None,
    ) -> AsyncAnalysisStream:
        """Starts a search whose lines can be read while it runs: `async for line in stream`. Without a limit,
        it runs until it is stopped."""
        return async_engine_stream(self, Game(position), limit, lines, root_moves)

    async def play(
        self,
        position: Position | Game | str,
        limit: Limit | None = None,
        *,
        level: int | None = None,
        root_moves: Iterable[Move | str] | None = None,
    ) -> PlayResult:
        """See `Engine.play`."""
        game = Game(position)
        limit = Limit(time=1.0) if limit is None else limit
        require_limit(limit, game.turn)
        only = None if root_moves is None else list(root_moves)
        return await self._run(lambda stop: self.engine.play(game, limit, level=level, root_moves=only, stop=stop))

    async def review(self, game: Position | Game | str, *, nodes: int = 200_000) -> Review:
        """See `Engine.review`."""
        return await self._run(lambda stop: self.engine.review(game, nodes=nodes, stop=stop))

    async def close(self) -> None:
        """Stops the running search and frees the memory of the engine."""
        await asyncio.to_thread(self.engine.close)

    async def quit(self) -> None:
        """Alias of `close`."""
        await self.close()

    async def __aenter__(self) -> AsyncEngine:
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        await self.close()

    async def _run(self, search: Callable[[Stop], T], stop: Stop | None = None) -> T:
        if self.engine.closed:
            raise EngineError("this engine is closed")
        cancelled = threading.Event()
        future = self._thread.submit(search, _Either(cancelled, stop))
        waiting = asyncio.wrap_future(future)
        try:
            return await asyncio.shield(waiting)
        except asyncio.CancelledError:
            if not future.cancel():
                cancelled.set()
                await ended(waiting)
            raise


async def ended(future: asyncio.Future[T]) -> asyncio.CancelledError | None:
    """Waits until a future is done, even if the waiting task is cancelled in the meantime; returns that
    cancellation."""
    cancellation = None
    while not future.done():
        try:
            await asyncio.wait([future])
        except asyncio.CancelledError as error:
            cancellation = error
    if not future.cancelled():
        # asyncio reports exceptions that were never retrieved.
        future.exception()
    return cancellation
