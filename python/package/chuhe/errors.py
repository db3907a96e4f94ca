"""The exceptions of the package. Each is a `chuhe.Error`, and a built-in exception as well where one says the same."""


class Error(Exception):
    """Base class of the package's exceptions."""


class InvalidFenError(Error, ValueError):
    """A text is no FEN, or no game reaches the position. The message names all faults."""


class InvalidMoveError(Error, ValueError):
    """A text is no move in a known notation."""


class IllegalMoveError(Error, ValueError):
    """A move is not legal in the position."""


class AmbiguousMoveError(Error, ValueError):
    """A text names several legal moves of the position."""


class RecordError(Error, ValueError):
    """A game of a file can't be read, or the file is damaged. The message names the place."""


class NetworkError(Error, ValueError):
    """Bytes or numbers are no network that can play."""


class BookError(Error, OSError):
    """An opening book can't be read."""


class TablesError(Error, OSError):
    """A tablebase can't be read, or is damaged."""


class LibraryError(Error, OSError):
    """A library of games can't be read or written."""


class EngineError(Error, RuntimeError):
    """An engine can't do what is asked: memory or threads are exhausted, a search has failed or was stopped before it had an answer, a program does
    not answer, or answers an illegal move."""


class EngineTerminatedError(EngineError):
    """The program of an engine has ended."""
