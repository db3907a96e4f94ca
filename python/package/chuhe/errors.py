"""Exceptions of the package. Each is a `chuhe.Error` and, where one fits, also a built-in exception."""


class Error(Exception):
    """Base class of the package's exceptions."""


class InvalidFenError(Error, ValueError):
    """A string is not a FEN, or its position cannot be reached in a game. The message lists all faults."""


class InvalidMoveError(Error, ValueError):
    """A string is not a move in any supported notation."""


class IllegalMoveError(Error, ValueError):
    """A move is not legal in the position."""


class AmbiguousMoveError(Error, ValueError):
    """A string matches several legal moves of the position."""


class RecordError(Error, ValueError):
    """A game in a file cannot be read, or the file is damaged. The message contains the location."""


class NetworkError(Error, ValueError):
    """Bytes or arrays are not a valid network."""


class BookError(Error, OSError):
    """An opening book cannot be read."""


class TablesError(Error, OSError):
    """A tablebase cannot be read or is damaged."""


class LibraryError(Error, OSError):
    """A library of games cannot be read or written."""


class EngineError(Error, RuntimeError):
    """An engine cannot complete a request: memory or threads are exhausted, a search failed or was stopped
    before it had a result, or an external engine does not respond or plays an illegal move."""


class EngineTerminatedError(EngineError):
    """The process of an external engine has ended."""
