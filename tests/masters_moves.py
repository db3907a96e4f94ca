#!/usr/bin/env python3
"""How often engines choose what masters played: the first moves of a folder of records that begin at positions of their own.

    python3 tests/masters_moves.py CHUHE FOLDER NODES ENGINE [ENGINE …]

FOLDER has records with a position and the moves that were played or recommended from there; CHUHE reads them. The first figure counts each record, the
second each position once, where the move of any of its records is right. Engines speak UCI, with one thread and 64 MB, and begin each position with an empty table; two positions are searched at once.
"""

import concurrent.futures
import queue
import re
import subprocess
import sys

from uci import Engine

THREADS = 2


def first_moves(chuhe, folder):
    """Each position and the first moves of its records."""
    done = subprocess.run([chuhe, "convert", folder, "--to", "pgn", "--notation", "iccs"], capture_output=True, text=True)
    found = {}
    for game in done.stdout.split("[Game ")[1:]:
        position, move = re.search(r'\[FEN "(.*?)"\]', game), re.search(r"^\d+\.+ (\w\d)-(\w\d)", game, re.M)
        if position and move:
            found.setdefault(position[1], []).append("".join(move.groups()).lower())
    return found


def chosen(command, positions, nodes):
    """An engine's move in each position."""
    idle = queue.SimpleQueue()
    for _ in range(THREADS):
        idle.put(Engine(command, Hash=64, Threads=1))

    def move(position):
        engine = idle.get()
        answer = engine.search(position, f"nodes {nodes}", fresh=True)[1]
        idle.put(engine)
        return answer[1]

    with concurrent.futures.ThreadPoolExecutor(THREADS) as pool:
        return list(pool.map(move, positions))


def main(chuhe, folder, nodes, *engines):
    masters = first_moves(chuhe, folder)
    records = sum(map(len, masters.values()))
    print(f"{records} records of {len(masters)} positions, {nodes} nodes")
    for engine in engines:
        same = [moves.count(move) for move, moves in zip(chosen(engine, masters, nodes), masters.values())]
        print(f"{sum(same) / records:6.1%} {sum(map(bool, same)) / len(masters):6.1%} {engine}", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
