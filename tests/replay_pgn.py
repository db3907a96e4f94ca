#!/usr/bin/env python3
"""Replays PGN files in pyffish: every move must be legal there, and every mate must be one.

usage: tests/replay_pgn.py FILE.pgn...        (needs the PyPI package pyffish)
Exit status 0 if all games replay, else 1 and the first difference of each bad game.
"""
import re
import sys

import pyffish

START = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1"


def games(text):
    """(tags, moves in ICCS) of each game."""
    for part in re.split(r'(?m)^(?=\[Game )', text):
        if not part.strip():
            continue
        tags = dict(re.findall(r'(?m)^\[(\w+) "((?:\\.|[^"\\])*)"\]', part))
        body = re.sub(r'(?m)^\[.*\]\s*$', "", part)
        body = re.sub(r"\{[^}]*\}", " ", body)
        yield tags, re.findall(r"\b[A-I]\d-[A-I]\d\b", body)


def one_based(move):
    """H2-E2 as pyffish writes it: h3e3, ranks 1-10."""
    (a, b), (c, d) = move.lower().split("-")
    return f"{a}{int(b) + 1}{c}{int(d) + 1}"


def replay(tags, moves):
    """None, or what is wrong."""
    fen = tags.get("FEN", START)
    played = []
    for number, move in enumerate(moves, 1):
        theirs = one_based(move)
        if theirs not in pyffish.legal_moves("xiangqi", fen, played):
            return f"move {number}, {move}, is not legal"
        played.append(theirs)
    left = pyffish.legal_moves("xiangqi", fen, played)
    if (tags.get("Termination") in ("mate", "stalemate")) != (not left):
        return f"ended by {tags.get('Termination')}, but {len(left)} moves are left"
    if str(len(moves)) != tags.get("PlyCount", str(len(moves))):
        return f"{len(moves)} moves instead of {tags['PlyCount']}"
    return None


def main():
    count = plies = bad = 0
    for path in sys.argv[1:]:
        with open(path, encoding="utf-8") as file:
            text = file.read()
        for tags, moves in games(text):
            count, plies = count + 1, plies + len(moves)
            wrong = replay(tags, moves)
            if wrong:
                bad += 1
                print(f"{path}: game {tags.get('Round')}: {wrong}")
    print(f"{count} games, {plies} plies, {bad} that do not replay")
    sys.exit(bad > 0 or count == 0)


main()
