#!/usr/bin/env python3
"""Plays games, calls all functions on them, and monitors the memory of the process.

    python3 tests/leaks.py --minutes 60

Fails if the memory after the last minute exceeds the memory after the first tenth of the time by more than
`--allowance` MB. All objects that are created only once exist by then.
"""

import argparse
import pickle
import random
import sys
import tempfile
import time
from pathlib import Path

import chuhe


def resident() -> float:
    """Returns the memory of this process in MB."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * 4096 / 2**20


def play(engine: chuhe.Engine, library: chuhe.Library, chance: random.Random) -> None:
    """Plays a random game of up to 120 plies and queries it after every move."""
    game, position = chuhe.Game(), chuhe.Position()
    while not game.is_game_over() and len(game) < 120:
        move = chance.choice(game.legal_moves)
        position.write(move)
        game.push(move)
        position.push(move)
        position.piece_map(), position.svg(), repr(game), game.ruling().cycle, game.warnings("chinese"), game.opening()
        try:
            position.push("a0a0")
        except chuhe.IllegalMoveError:
            pass
    engine.analyse(game, chuhe.Limit(nodes=500), lines=2, on_line=lambda line: line.pv)
    engine.play(game, chuhe.Limit(nodes=100), level=chance.randint(1, 10))
    record = chuhe.Record(game)
    for format in ("pgn", "xqf", "cbr", "cbf", "dhtmlxq", "wxf"):
        list(chuhe.parse_records(record.to_bytes(format)))
    list(record.root.variations)
    library.find(None, position)
    positions = [position, game, position.fen()]
    boards = chuhe.boards(positions)
    chuhe.planes(boards), chuhe.Network.embedded().evaluate(positions), chuhe.Network.embedded().features(positions)
    assert pickle.loads(pickle.dumps(game)) == game


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=1.0)
    parser.add_argument("--allowance", type=float, default=4.0)
    chosen = parser.parse_args()
    start, games, first = time.monotonic(), 0, 0.0
    engine, chance = chuhe.Engine(hash_mb=1), random.Random(1)
    with tempfile.TemporaryDirectory() as folder:
        library = chuhe.Library(Path(folder) / "library.db", add=True)
        library.add([chuhe.Record(chuhe.Game(moves=["h2e2"]))])
        told = 0
        while (passed := (time.monotonic() - start) / 60) < chosen.minutes:
            play(engine, library, chance)
            games += 1
            if not first and passed > chosen.minutes / 10:
                first = resident()
            if passed >= told:
                print(f"{passed:.1f} min, {games} games, {resident():.1f} MB", flush=True)
                told += 1
    growth = resident() - first
    print(f"{games} games, {growth:+.1f} MB since the first tenth of the time")
    sys.exit(1 if growth > chosen.allowance else 0)


if __name__ == "__main__":
    main()
