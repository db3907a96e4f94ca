#!/usr/bin/env python3
"""Compares a library of games with a linear scan that shares no code with it.

    python3 tests/games_scan.py CHUHE LIBRARY [QUESTIONS]

Random positions of games are selected (1,000), every game of the library is replayed, and the results of
`games find` and `games moves` for each position must equal those of the scan: the games, with and without
mirror images, the plies, the moves and the results.
"""

import json
import random
import sqlite3
import subprocess
import sys
from collections import Counter

START = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w"
MIRROR = bytes(9 * (square // 9) + 8 - square % 9 for square in range(90))


def board(fen):
    """Returns 90 letters from a0 to i9, followed by the side to move."""
    ranks, side = fen.split()[:2]
    letters = ["".join("." * int(letter) if letter.isdigit() else letter for letter in rank) for rank in reversed(ranks.split("/"))]
    return bytearray("".join(letters) + side, "ascii")


def fen(position):
    ranks = [position[9 * rank : 9 * rank + 9].decode() for rank in reversed(range(10))]
    for count in range(9, 0, -1):
        ranks = [rank.replace("." * count, str(count)) for rank in ranks]
    return f"{'/'.join(ranks)} {chr(position[90])}"


def mirrored(position):
    return bytes(position[square] for square in MIRROR) + position[90:]


def positions(start, moves):
    """Returns each position of a game."""
    here = board(start or START)
    yield bytes(here)
    for origin, target in zip(moves[::2], moves[1::2]):
        here[target], here[origin] = here[origin], ord(".")
        here[90] = ord("b") if here[90] == ord("w") else ord("w")
        yield bytes(here)


def name(moves, ply):
    square = lambda number: "abcdefghi"[number % 9] + str(number // 9)
    return square(moves[2 * ply]) + square(moves[2 * ply + 1]) if 2 * ply < len(moves) else None


def turned(move):
    return move and "".join(chr(202 - ord(letter)) if letter.isalpha() else letter for letter in move)


def ask(*command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def main(chuhe, library, questions=1_000):
    database, draw = sqlite3.connect(library), random.Random(3)
    games = database.execute("SELECT id, start, moves, result FROM games JOIN lines ON game = id ORDER BY id").fetchall()
    wanted = set()
    while len(wanted) < int(questions):
        _, start, moves, _ = draw.choice(games)
        # Half of the positions are early ones, which occur in many games.
        last = min(len(moves) // 2, draw.choice([8, 1000]))
        wanted.add(list(positions(start, moves))[draw.randint(0, last)])
    met = {position: {} for one in wanted for position in (one, mirrored(one))}
    for id, start, moves, result in games:
        for ply, position in enumerate(positions(start, moves)):
            if position in met:
                met[position].setdefault(id, (ply, name(moves, ply), result))
    found = 0
    for one in wanted:
        own, other = met[one], met[mirrored(one)]
        here = lambda *more: {hit["id"]: (hit["ply"], hit["move"]) for hit in ask(chuhe, "games", "find", library, fen(one), "--json", *more)}
        assert here("--exact") == {id: place[:2] for id, place in own.items()}, fen(one)
        first = {id: min(own.get(id, (9999,)), other.get(id, (9999,))) for id in own.keys() | other.keys()}
        assert here() == {id: place[:2] for id, place in first.items()}, fen(one)
        counted = Counter()
        for id, (ply, move, result) in first.items():
            move = move if id in own and own[id][0] == ply else turned(move)
            if move:
                # In a symmetric position a move and its mirror image are counted together.
                counted[min(move, turned(move)) if one == mirrored(one) else move, result] += 1
        side = ["1-0", "1/2-1/2", "0-1", "*"] if one[90] == ord("w") else ["0-1", "1/2-1/2", "1-0", "*"]
        told = Counter()
        for row in ask(chuhe, "games", "moves", library, fen(one), "--json"):
            move = min(row["move"], turned(row["move"])) if one == mirrored(one) else row["move"]
            told.update({(move, mark): row[count] for mark, count in zip(side, ["won", "drawn", "lost", "unknown"]) if row[count]})
        assert told == counted, (fen(one), told - counted, counted - told)
        found += len(first)
    print(f"{len(wanted)} positions, {found} games found: all as by a plain scan of {len(games)} games")


if __name__ == "__main__":
    main(*sys.argv[1:])
