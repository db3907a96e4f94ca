"""A program that mypy must accept, with wrong uses that it must reject; each is marked with the expected
error."""

import chuhe
from chuhe import *

position = chuhe.Position(chuhe.STARTING_FEN)
move: chuhe.Move = position.push("h2e2")
score: chuhe.Score | None = chuhe.Engine().analyse(position, chuhe.Limit(depth=3)).score
winner: bool | None = outcome.winner if (outcome := chuhe.Game(position).outcome("asian")) else None
network = chuhe.Network.embedded()
total: int = int(network.evaluate([position]).sum())
record: chuhe.Record | None = next(chuhe.parse_records("1. h2e2 h9g7"), None)

squares: SquareSet = SquareSet([A0, I9, "e4", square(0, parse_square("b0"))]) & SquareSet(BB_FILES[0])
kings = Position.from_piece_map({"e0": Piece(KING, RED), "d9": Piece(KING, BLACK)})

position.push(3)  # type: ignore[arg-type]
position.write(move, "klingon")  # type: ignore[arg-type]
chuhe.Game().outcome("go")  # type: ignore[arg-type]
SquareSet([0.5])  # type: ignore[list-item]
position.legal_moves = []  # type: ignore[misc]
