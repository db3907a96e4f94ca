#!/usr/bin/env python3
"""Compares Chinese notation with cchess 1.25.5 on random legal moves: writes each move with both packages,
and reads the text of cchess with chuhe.

    pip install chuhe cchess==1.25.5
    python3 python/compare/against_cchess.py --moves 5000 --seed 7

Digits and piece names are compared by their meaning: cchess writes 马8进7 for 马８进７. A difference counts as
explained if it belongs to one of the classes below; the exit status is 1 if any difference is unexplained.
"""

import argparse
import collections
import random
import sys

import cchess
import chuhe

NARROW = str.maketrans("１２３４５６７８９一二三四五六七八九", "123456789123456789")
SAME = str.maketrans("车車俥馬傌砲包象将將帅帥士仕相卒", "车车车马马炮炮相将将将将士士相兵")


def plain(text: str) -> str:
    return text.translate(NARROW).translate(SAME)


def moves(count: int, seed: int) -> list[tuple[chuhe.Position, chuhe.Move]]:
    """Returns random moves of random games; a third of the games start with several pawns on one file."""
    chance, found = random.Random(seed), []
    crowded = ["3k5/2P1P4/2P1P4/9/9/9/2p1p4/2p1p4/9/5K3 w", "3k5/4P4/4P4/4P4/9/2p6/2p6/2p6/9/5K3 w", "r2k5/r3N4/4N4/P1c2C3/P1c2C3/9/9/9/9/5K3 b"]
    while len(found) < count:
        position = chuhe.Position(chance.choice([chuhe.STARTING_FEN] * 2 + [chance.choice(crowded)]))
        for _ in range(60):
            legal = position.legal_moves
            if not legal:
                break
            move = chance.choice(legal)
            found.append((position.copy(), move))
            position.push(move)
    return found[:count]


def written_by_cchess(position: chuhe.Position, move: chuhe.Move) -> str:
    board = cchess.ChessBoard(position.fen())
    return board.move_iccs(move.uci()).to_text()


def explanation(position: chuhe.Position, move: chuhe.Move) -> str | None:
    """Returns the class of a difference, or None."""
    piece = position.piece_at(move.from_square)
    if piece is None or piece.piece_type != chuhe.PAWN:
        return None
    files = collections.Counter(chuhe.square_file(square) for square in position.pieces(chuhe.PAWN, piece.color))
    if files[chuhe.square_file(move.from_square)] > 1 and sum(count > 1 for count in files.values()) > 1:
        return "two files with several pawns: we number all of these pawns 一 to 五, as the rules do; cchess writes 前 and 后, which may mean two moves"
    return None


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--moves", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--show", type=int, default=10, help="how many differences of each class to print")
    chosen = parser.parse_args()
    same, classes, unexplained, refused = 0, collections.Counter(), 0, 0
    for position, move in moves(chosen.moves, chosen.seed):
        ours, theirs = position.write(move), written_by_cchess(position, move)
        if plain(ours) == plain(theirs):
            same += 1
        else:
            reason = explanation(position, move)
            classes[reason] += 1
            unexplained += reason is None
            if classes[reason] <= chosen.show:
                print(f"{ours} here, {theirs} there ({reason}): {move} in {position.fen()}")
        try:
            refused += position.parse(theirs) != move
        except ValueError:
            refused += 1
    print(f"{chosen.moves} moves, {same} written alike; we read {chosen.moves - refused} of theirs as they were meant")
    for reason, count in classes.most_common():
        print(f"{count:6} {reason}")
    sys.exit(1 if unexplained else 0)


if __name__ == "__main__":
    main()
