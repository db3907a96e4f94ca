#!/usr/bin/env python3
"""Measures how often engines choose masters' moves: the first moves of a folder of records that begin at
their own positions.

    python3 studies/masters_moves.py CHUHE FOLDER NODES ENGINE [ENGINE …]

FOLDER contains records with a position and the moves that were played or recommended in it; CHUHE reads them.
The first figure counts each record, the second each position once, with the moves of all its records
accepted. Engines use UCI, with one thread and 64 MB, and begin each position with an empty table; two
positions are searched at a time.
"""

import re
import subprocess
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent.parent / "tests"))
from uci import Engine, two_at_once


def first_moves(chuhe, folder):
    """Returns each position and the first moves of its records."""
    # The program skips and reports unreadable records.
    done = subprocess.run([chuhe, "convert", folder, "--to", "pgn", "--notation", "iccs"], stdout=subprocess.PIPE, text=True)
    found = {}
    for game in done.stdout.split("\n\n["):
        position, move = re.search(r'\[FEN "(.*?)"\]', game), re.search(r"^\d+\.+ (\w\d)-(\w\d)", game, re.M)
        if position and move:
            found.setdefault(position[1], []).append("".join(move.groups()).lower())
    return found


def chosen(command, positions, nodes):
    """Returns an engine's move in each position."""
    search = lambda engine, position: engine.search(position, f"nodes {nodes}", fresh=True)[1][1]
    return two_at_once(lambda: Engine(command, Hash=64, Threads=1), search, positions)


def main(chuhe, folder, nodes, *engines):
    masters = first_moves(chuhe, folder)
    records = sum(map(len, masters.values()))
    if not records:
        sys.exit(f"no record in {folder} begins at a position of its own")
    print(f"{records} records of {len(masters)} positions, {nodes} nodes")
    for engine in engines:
        same = [moves.count(move) for move, moves in zip(chosen(engine, masters, nodes), masters.values())]
        print(f"{sum(same) / records:6.1%} {sum(map(bool, same)) / len(masters):6.1%} {engine}", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
