"""Xiangqi (Chinese chess): positions, referee, notation, records, datasets and an engine.

Names follow the package `chess` where the concept is the same. Squares are numbers (`chuhe.squares`);
functions that expect a square also accept a name such as `"h2"`. Sides are `RED` (`True`) and `BLACK`
(`False`).

>>> import chuhe
>>> position = chuhe.Position()
>>> position.push("炮二平五")
Move.from_uci('h2e2')
>>> position.is_check()
False
"""

from . import squares
from ._chuhe import (
    Book,
    Engine,
    Game,
    Library,
    Move,
    Network,
    Node,
    Piece,
    PlayedGames,
    PlayedGamesWriter,
    Position,
    Record,
    Records,
    Review,
    Rules,
    Ruling,
    SampledCycles,
    Score,
    Tables,
    __version__,
    boards,
    features,
    generate_games,
    load_samples,
    mate_pattern,
    parse_records,
    read_records,
    sample_cycles,
    shortest_mate,
    solve_mate,
)
from .aio import AsyncEngine
from .datasets import PlayedGame, Samples, planes
from .errors import (
    AmbiguousMoveError,
    BookError,
    EngineError,
    EngineTerminatedError,
    Error,
    IllegalMoveError,
    InvalidFenError,
    InvalidMoveError,
    LibraryError,
    NetworkError,
    RecordError,
    TablesError,
)
from .results import (
    Analysis,
    Attack,
    BookMove,
    Continuation,
    CyclePly,
    Deed,
    Ending,
    FoundGame,
    Limit,
    Line,
    MateSolution,
    Opening,
    Outcome,
    PlayResult,
    Query,
    ReviewedMove,
    ScoredLine,
    Warning,
    Wdl,
)
from .squares import *
from .streams import AnalysisStream, AsyncAnalysisStream

RED, BLACK = True, False
COLORS = [RED, BLACK]
COLOR_NAMES = ["black", "red"]
PIECE_TYPES = range(1, 8)
KING, ADVISOR, ELEPHANT, HORSE, ROOK, CANNON, PAWN = PIECE_TYPES
# Names used by `chess` and in many FENs.
BISHOP, KNIGHT = ELEPHANT, HORSE
PIECE_SYMBOLS = [None, "k", "a", "b", "n", "r", "c", "p"]
PIECE_NAMES = [None, "king", "advisor", "elephant", "horse", "rook", "cannon", "pawn"]
UNICODE_PIECE_SYMBOLS = dict(zip("KABNRCPkabnrcp", "帥仕相傌俥炮兵將士象馬車砲卒"))
STARTING_BOARD_FEN = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR"
STARTING_FEN = STARTING_BOARD_FEN + " w - - 0 1"


def piece_symbol(piece_type: int) -> str:
    """Returns the FEN letter of a kind of piece in lower case: `"r"`. Raises `ValueError` for an unknown
    kind."""
    return Piece(piece_type, BLACK).symbol()


def piece_name(piece_type: int) -> str:
    """Returns the English name of a kind of piece: `"rook"`. Raises `ValueError` for an unknown kind."""
    Piece(piece_type, BLACK)
    return str(PIECE_NAMES[piece_type])


__all__ = [
    "ADVISOR",
    "BISHOP",
    "BLACK",
    "CANNON",
    "COLOR_NAMES",
    "COLORS",
    "ELEPHANT",
    "HORSE",
    "KING",
    "KNIGHT",
    "PAWN",
    "PIECE_NAMES",
    "PIECE_SYMBOLS",
    "PIECE_TYPES",
    "RED",
    "ROOK",
    "STARTING_BOARD_FEN",
    "STARTING_FEN",
    "UNICODE_PIECE_SYMBOLS",
    "AmbiguousMoveError",
    "Analysis",
    "AnalysisStream",
    "AsyncAnalysisStream",
    "AsyncEngine",
    "Attack",
    "boards",
    "Book",
    "BookError",
    "BookMove",
    "Continuation",
    "CyclePly",
    "Deed",
    "Ending",
    "Engine",
    "EngineError",
    "EngineTerminatedError",
    "Error",
    "features",
    "FoundGame",
    "Game",
    "generate_games",
    "IllegalMoveError",
    "InvalidFenError",
    "InvalidMoveError",
    "Library",
    "LibraryError",
    "Limit",
    "Line",
    "load_samples",
    "mate_pattern",
    "MateSolution",
    "Move",
    "Network",
    "NetworkError",
    "Node",
    "Opening",
    "Outcome",
    "parse_records",
    "Piece",
    "piece_name",
    "piece_symbol",
    "planes",
    "PlayedGame",
    "PlayedGames",
    "PlayedGamesWriter",
    "PlayResult",
    "Position",
    "Query",
    "read_records",
    "Record",
    "RecordError",
    "Records",
    "Review",
    "ReviewedMove",
    "Rules",
    "Ruling",
    "sample_cycles",
    "SampledCycles",
    "Samples",
    "Score",
    "ScoredLine",
    "shortest_mate",
    "solve_mate",
    "Tables",
    "TablesError",
    "Warning",
    "Wdl",
]
# A copy of `squares.__all__`, since mypy evaluates only literals.
__all__ += [
    "FILE_NAMES",
    "RANK_NAMES",
    "SQUARES",
    "SQUARE_NAMES",
    "BB_EMPTY",
    "BB_ALL",
    "BB_SQUARES",
    "BB_FILES",
    "BB_RANKS",
    "square",
    "parse_square",
    "square_name",
    "square_file",
    "square_rank",
    "square_mirror",
    "square_distance",
    "square_manhattan_distance",
    "SquareSet",
    "A0", "B0", "C0", "D0", "E0", "F0", "G0", "H0", "I0",
    "A1", "B1", "C1", "D1", "E1", "F1", "G1", "H1", "I1",
    "A2", "B2", "C2", "D2", "E2", "F2", "G2", "H2", "I2",
    "A3", "B3", "C3", "D3", "E3", "F3", "G3", "H3", "I3",
    "A4", "B4", "C4", "D4", "E4", "F4", "G4", "H4", "I4",
    "A5", "B5", "C5", "D5", "E5", "F5", "G5", "H5", "I5",
    "A6", "B6", "C6", "D6", "E6", "F6", "G6", "H6", "I6",
    "A7", "B7", "C7", "D7", "E7", "F7", "G7", "H7", "I7",
    "A8", "B8", "C8", "D8", "E8", "F8", "G8", "H8", "I8",
    "A9", "B9", "C9", "D9", "E9", "F9", "G9", "H9", "I9",
]
