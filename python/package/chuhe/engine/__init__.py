"""Engines in processes of their own, by UCI and UCCI: with asyncio (`popen_uci`, `popen_ucci`) or without (`SimpleEngine`).

Calls and results are those of `chuhe.Engine`, the engine inside the package.

>>> import chuhe.engine
>>> with chuhe.engine.SimpleEngine.popen_ucci("eleeye") as engine:            # doctest: +SKIP
...     print(engine.play(chuhe.Position(), chuhe.Limit(time=0.1)).move)
"""

from .._chuhe import Score
from ..errors import EngineError, EngineTerminatedError
from ..results import Limit, PlayResult
from .dialect import Dialect, Option
from .external import ExternalEngine, popen_ucci, popen_uci
from .simple import SimpleEngine

Cp, Mate = Score.from_cp, Score.from_mate

__all__ = [
    "Cp",
    "Dialect",
    "EngineError",
    "EngineTerminatedError",
    "ExternalEngine",
    "Limit",
    "Mate",
    "Option",
    "PlayResult",
    "SimpleEngine",
    "popen_ucci",
    "popen_uci",
]
