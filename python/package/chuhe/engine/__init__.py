"""External engines, controlled over UCI and UCCI: with asyncio (`popen_uci`, `popen_ucci`) or without
(`SimpleEngine`).

Methods and results are the same as those of `chuhe.Engine`, the built-in engine.

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
