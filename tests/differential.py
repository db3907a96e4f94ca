"""Compares positions with pyffish. Reads lines of tab-separated fields: FEN, in check (0 or 1), legal moves, one of them, FEN after it.

Fed by tests/library/differential.rs; pyffish counts ranks from 1. Prints the first differences; exit status 1 if there is any.
"""

import multiprocessing
import re
import sys

import pyffish

VARIANT = "xiangqi"


def rank_from_one(move):
    return re.sub(r"\d", lambda rank: str(int(rank.group()) + 1), move)


def differences(line):
    fen, check, moves, move, after = line.rstrip("\n").split("\t")
    ours = sorted(rank_from_one(move) for move in moves.split())
    theirs = sorted(pyffish.legal_moves(VARIANT, fen, []))
    found = []
    if ours != theirs:
        found.append(f"only ours {set(ours) - set(theirs)}, only theirs {set(theirs) - set(ours)}")
    if bool(int(check)) != pyffish.gives_check(VARIANT, fen, []):
        found.append(f"in check: ours {check}")
    if move and pyffish.get_fen(VARIANT, fen, [rank_from_one(move)]) != after:
        found.append(f"after {move}: ours {after}, theirs {pyffish.get_fen(VARIANT, fen, [rank_from_one(move)])}")
    return [f"{fen}: {difference}" for difference in found]


def main():
    print("pyffish", ".".join(map(str, pyffish.version())), flush=True)
    lines = list(sys.stdin)
    with multiprocessing.Pool() as pool:
        found = [text for texts in pool.imap(differences, lines, chunksize=50) for text in texts]
    checks = sum(line.split("\t")[1] == "1" for line in lines)
    moves = sum(len(line.split("\t")[2].split()) for line in lines)
    print(*found[:20], sep="\n", end="\n" if found else "")
    print(f"{len(lines)} positions, {checks} of them in check, {moves} legal moves: {len(found)} differences")
    return 1 if found or not lines else 0


if __name__ == "__main__":
    sys.exit(main())
