"""Searches whose lines can be read while they run."""

from __future__ import annotations

import asyncio
import queue
import threading
import weakref
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator
from types import TracebackType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._chuhe import Engine, Game, Move
    from .aio import AsyncEngine
    from .engine import ExternalEngine, SimpleEngine
    from .results import Analysis, Limit, Line

OnLine = Callable[["Line"], object]


class _Lines:
    """The latest line of each rank."""

    def __init__(self) -> None:
        self._lines: dict[int, Line] = {}
        self._last: Line | None = None

    def _note(self, line: Line) -> None:
        self._lines[line.multipv] = self._last = line

    @property
    def lines(self) -> list[Line]:
        """The latest line of each rank read so far, best first."""
        return [self._lines[rank] for rank in sorted(self._lines)]

    @property
    def last(self) -> Line | None:
        """The line read last; `None` before the first."""
        return self._last


class AnalysisStream(_Lines, Iterator["Line"]):
    """A search that runs in a thread: an iterator over its lines, and a context manager that stops it at the
    end.

    >>> import chuhe
    >>> with chuhe.Engine(hash_mb=1).analysis(chuhe.Position()) as analysis:
    ...     for line in analysis:
    ...         if line.depth >= 4:
    ...             break
    >>> analysis.wait().best is not None
    True
    """

    def __init__(self, search: Callable[[OnLine, threading.Event], Analysis]) -> None:
        super().__init__()
        # `None` marks the end.
        self._queue: queue.SimpleQueue[Line | None] = queue.SimpleQueue()
        self._stop = threading.Event()
        self._ended: list[Analysis | BaseException] = []
        arguments = (search, self._queue, self._stop, self._ended)
        self._thread = threading.Thread(target=_run, args=arguments, name="chuhe analysis", daemon=True)
        self._thread.start()
        # This also runs at interpreter exit, when no thread may be searching.
        self._finalizer = weakref.finalize(self, _end, self._stop, self._thread)

    def __next__(self) -> Line:
        line = self._queue.get()
        if line is None:
            self._queue.put(None)
            self.wait()
            raise StopIteration
        self._note(line)
        return line

    def empty(self) -> bool:
        """Returns `True` if no line is available, so that reading the next one would block."""
        return self._queue.empty()

    def stop(self) -> None:
        """Stops the search; the lines found so far can still be read."""
        self._stop.set()

    def wait(self) -> Analysis:
        """Waits for the end of the search and returns its `Analysis`, or raises its exception."""
        self._thread.join()
        (ended,) = self._ended
        if isinstance(ended, BaseException):
            raise ended
        return ended

    def __enter__(self) -> AnalysisStream:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.stop()
        self._thread.join()


def _run(
    search: Callable[[OnLine, threading.Event], Analysis],
    lines: queue.SimpleQueue[Line | None],
    stop: threading.Event,
    ended: list[Analysis | BaseException],
) -> None:
    try:
        ended.append(search(lines.put, stop))
    except BaseException as error:
        ended.append(error)
    finally:
        lines.put(None)


def _end(stop: threading.Event, thread: threading.Thread) -> None:
    stop.set()
    if thread is not threading.current_thread():
        thread.join()


def engine_stream(
    engine: Engine | SimpleEngine, game: Game, limit: Limit | None, lines: int, root_moves: Iterable[Move | str] | None
) -> AnalysisStream:
    """Implements `analysis` of engines without asyncio."""
    only = None if root_moves is None else list(root_moves)

    def search(on_line: OnLine, stop: threading.Event) -> Analysis:
        return engine.analyse(game, limit, lines=lines, root_moves=only, on_line=on_line, stop=stop)

    return AnalysisStream(search)


class AsyncAnalysisStream(_Lines, AsyncIterator["Line"]):
    """A search that runs in an asyncio task: `async for` reads its lines, `async with` stops it at the end.
    The search also stops when no reference to its stream is left."""

    def __init__(self, search: Callable[[OnLine], Awaitable[Analysis]], stop: Callable[[], object]) -> None:
        super().__init__()
        self._queue: asyncio.Queue[Line | None] = asyncio.Queue()
        self._stop = stop
        # The task refers only to the queue, so that the stream can be collected during the search.
        self._task = asyncio.create_task(_run_async(search, self._queue))
        weakref.finalize(self, stop)

    async def __anext__(self) -> Line:
        line = await self._queue.get()
        if line is None:
            self._queue.put_nowait(None)
            await self.wait()
            raise StopAsyncIteration
        self._note(line)
        return line

    def empty(self) -> bool:
        """Returns `True` if no line is available."""
        return self._queue.empty()

    def stop(self) -> None:
        """Stops the search; the lines found so far can still be read."""
        self._stop()

    async def wait(self) -> Analysis:
        """Waits for the end of the search and returns its `Analysis`, or raises its exception."""
        return await asyncio.shield(self._task)

    async def __aenter__(self) -> AsyncAnalysisStream:
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.stop()
        await asyncio.wait([self._task])


async def _run_async(search: Callable[[OnLine], Awaitable[Analysis]], lines: asyncio.Queue[Line | None]) -> Analysis:
    loop = asyncio.get_running_loop()

    def on_line(line: Line) -> None:
        # Some engines call this in their own thread.
        loop.call_soon_threadsafe(lines.put_nowait, line)

    try:
        return await search(on_line)
    finally:
        loop.call_soon(lines.put_nowait, None)


def async_engine_stream(
    engine: AsyncEngine | ExternalEngine, game: Game, limit: Limit | None, lines: int, root_moves: Iterable[Move | str] | None
) -> AsyncAnalysisStream:
    """Implements `analysis` of engines for asyncio."""
    stop = threading.Event()
    only = None if root_moves is None else list(root_moves)

    async def search(on_line: OnLine) -> Analysis:
        return await engine.analyse(game, limit, lines=lines, root_moves=only, on_line=on_line, stop=stop)

    return AsyncAnalysisStream(search, stop.set)
