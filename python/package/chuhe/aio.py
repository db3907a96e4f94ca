"""The engine for asyncio: the same calls, to be awaited."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, TypeVar

from ._chuhe import Engine

if TYPE_CHECKING:
    from ._chuhe import Game, Move, Position, Review
    from .results import Analysis, Limit, Line, PlayResult

T = TypeVar("T")

# How often a cancelled search is told to stop, in seconds: it may not have begun yet.
PATIENCE = 0.01


class AsyncEngine:
    """An `Engine` whose searches run in a thread of asyncio's executor. A task that is cancelled ends its search.

    `AsyncEngine(engine)` takes an `Engine`, or makes one.
    """

    def __init__(self, engine: Engine | None = None) -> None:
        self.engine = engine or Engine()

    async def analyse(
        self,
        position: Position | Game | str,
        limit: Limit | None = None,
        *,
        lines: int = 1,
        root_moves: Iterable[Move | str] | None = None,
        on_line: Callable[[Line], object] | None = None,
    ) -> Analysis:
        """See `Engine.analyse`. `on_line` is called in the thread of the search."""
        only = None if root_moves is None else list(root_moves)
        return await self._run(lambda: self.engine.analyse(position, limit, lines=lines, root_moves=only, on_line=on_line))

    async def play(
        self,
        position: Position | Game | str,
        limit: Limit | None = None,
        *,
        level: int | None = None,
        root_moves: Iterable[Move | str] | None = None,
    ) -> PlayResult:
        """See `Engine.play`."""
        only = None if root_moves is None else list(root_moves)
        return await self._run(lambda: self.engine.play(position, limit, level=level, root_moves=only))

    async def review(self, game: Position | Game | str, *, nodes: int = 200_000) -> Review:
        """See `Engine.review`."""
        return await self._run(lambda: self.engine.review(game, nodes=nodes))

    async def _run(self, search: Callable[[], T]) -> T:
        future = asyncio.get_running_loop().run_in_executor(None, search)
        try:
            return await asyncio.shield(future)
        except asyncio.CancelledError:
            while not future.done():
                self.engine.stop()
                await asyncio.wait([future], timeout=PATIENCE)
            future.exception()
            raise
