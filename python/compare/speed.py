#!/usr/bin/env python3
"""Compares the speed of chuhe, pyffish 0.0.90 and cchess 1.25.5 in one process.

    pip install chuhe pyffish==0.0.90 cchess==1.25.5
    python3 python/compare/speed.py

The packages perform each task in turn, several times. The shortest time of each package counts, and the table
shows the times of the others as multiples of that of chuhe. pyffish has no board: it receives the start
position and the moves played so far. cchess generates pseudo-legal moves; its legal moves are those that do
not leave its own king in check.
"""

import argparse
import random
import time
from collections.abc import Callable

import cchess
import chuhe
import pyffish


def positions(count: int, seed: int) -> list[str]:
    """Returns FENs of random games."""
    chance, fens = random.Random(seed), []
    while len(fens) < count:
        position = chuhe.Position()
        for _ in range(80):
            moves = position.legal_moves
            if not moves:
                break
            position.push(chance.choice(moves))
            fens.append(position.fen())
    return chance.sample(fens, count)


def games(moves: int, length: int, seed: int) -> list[list[chuhe.Move]]:
    """Returns random games with this number of moves in total."""
    chance, found = random.Random(seed), []
    while len(found) < moves // length:
        position = chuhe.Position()
        while len(position.move_stack) < length and (legal := position.legal_moves):
            position.push(chance.choice(legal))
        if len(position.move_stack) == length:
            found.append(position.move_stack)
    return found


def legal_moves_cchess(board: cchess.ChessBoard) -> int:
    return sum(board.is_valid_move(start, end) and not board.is_checked_move(start, end) for start, end in board.create_moves())


def cchess_board(fen: str) -> cchess.ChessBoard:
    return cchess.ChessBoard(fen)


def push_cchess(moves: list[chuhe.Move]) -> None:
    board = cchess.ChessBoard(cchess.FULL_INIT_FEN)
    for move in moves:
        start, end = divmod(move.from_square, 9), divmod(move.to_square, 9)
        board.move((start[1], start[0]), (end[1], end[0]))
        board.next_turn()


def push_chuhe(moves: list[chuhe.Move]) -> None:
    position = chuhe.Position()
    for move in moves:
        position.push(move)


def tasks(count: int, moves: int) -> dict[str, dict[str, Callable[[], object]]]:
    fens = positions(count, 1)
    lines = games(moves, 100, 2)
    with_ranks_from_1 = [[move.uci(ranks_from_one=True) for move in line] for line in lines]
    few = fens[: max(1, count // 50)]
    few_lines = lines[: max(1, len(lines) // 50)]
    return {
        f"legal moves of {count} positions": {
            "chuhe": lambda: [chuhe.Position(fen).legal_moves for fen in fens],
            "pyffish": lambda: [pyffish.legal_moves("xiangqi", fen, []) for fen in fens],
            f"cchess/{len(fens) / len(few):g}": lambda: [legal_moves_cchess(cchess_board(fen)) for fen in few],
        },
        f"pushing {moves} moves, games of 100": {
            "chuhe": lambda: [push_chuhe(line) for line in lines],
            "pyffish": lambda: [pyffish.get_fen("xiangqi", chuhe.STARTING_FEN, line) for line in with_ranks_from_1],
            f"cchess/{len(lines) / len(few_lines):g}": lambda: [push_cchess(line) for line in few_lines],
        },
        f"reading and writing {count} FENs": {
            "chuhe": lambda: [chuhe.Position(fen).fen() for fen in fens],
            "pyffish": lambda: [pyffish.get_fen("xiangqi", fen, []) for fen in fens],
            f"cchess/{len(fens) / len(few):g}": lambda: [cchess_board(fen).to_fen() for fen in few],
        },
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--positions", type=int, default=10_000)
    parser.add_argument("--moves", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=5)
    chosen = parser.parse_args()
    for name, by in tasks(chosen.positions, chosen.moves).items():
        best = dict.fromkeys(by, float("inf"))
        for _ in range(chosen.rounds):
            for package, work in by.items():
                start = time.process_time()
                work()
                best[package] = min(best[package], time.process_time() - start)
        # A slow package performs only part of the work.
        seconds = {package.split("/")[0]: time * float((package.split("/") + ["1"])[1]) for package, time in best.items()}
        ratios = ", ".join(f"{package} {took:.3f} s ({took / seconds['chuhe']:.1f} times)" for package, took in seconds.items())
        print(f"{name}: {ratios}", flush=True)


if __name__ == "__main__":
    main()
