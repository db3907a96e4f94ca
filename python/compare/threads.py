#!/usr/bin/env python3
"""Measures analyses of four positions, one after another and in four threads, and the progress of a Python
loop during a search.

    python3 python/compare/threads.py
"""

import argparse
import os
import threading
import time

import chuhe

MOVES = ["h2e2", "c3c4", "b0c2", "c0e2"]


def analyse(engine: chuhe.Engine, move: str, nodes: int) -> None:
    engine.new_game()
    engine.analyse(chuhe.Game(moves=[move]), chuhe.Limit(nodes=nodes))


def in_turn(engines: list[chuhe.Engine], nodes: int) -> None:
    for engine, move in zip(engines, MOVES):
        analyse(engine, move, nodes)


def in_threads(engines: list[chuhe.Engine], nodes: int) -> None:
    threads = [threading.Thread(target=analyse, args=(engine, move, nodes)) for engine, move in zip(engines, MOVES)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def count_for(seconds: float) -> int:
    counted, end = 0, time.monotonic() + seconds
    while time.monotonic() < end:
        counted += 1
    return counted


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nodes", type=int, default=300_000)
    parser.add_argument("--rounds", type=int, default=5)
    chosen = parser.parse_args()
    engines = [chuhe.Engine(hash_mb=16) for _ in MOVES]
    ratios = []
    for _ in range(chosen.rounds):
        start = time.monotonic()
        in_turn(engines, chosen.nodes)
        middle = time.monotonic()
        in_threads(engines, chosen.nodes)
        ratios.append((middle - start) / (time.monotonic() - middle))
    print(f"{len(os.sched_getaffinity(0))} cores: four analyses in four threads are {sorted(ratios)[len(ratios) // 2]:.2f} times as fast as in turn")
    alone = count_for(1)
    search = threading.Thread(target=lambda: engines[0].analyse(chuhe.Position()))
    search.start()
    meanwhile = count_for(1)
    while search.is_alive():
        engines[0].stop()
        search.join(0.01)
    print(f"Python counts to {meanwhile} in a second while the engine searches, {meanwhile / alone:.0%} of what it does alone")


if __name__ == "__main__":
    main()
