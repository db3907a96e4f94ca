#!/usr/bin/env python3
"""Selects positions from masters' games for `chuhe datagen --book`: from each game with players' names some
random ones between plies 8 and 40.

    python3 studies/masters_starts.py CHUHE FOLDER [A_GAME] > starts.epd
"""

import random
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent.parent / "tests"))
from games_scan import fen, positions
from masters_book import games_of_masters

FIRST, LAST = 8, 40


def main(chuhe, folder, a_game=4):
    chance, found = random.Random(1), set()
    games = games_of_masters(chuhe, folder)
    for moves, _ in games:
        line = list(positions(None, moves[: 2 * LAST]))[FIRST:]
        found.update(map(fen, chance.sample(line, min(int(a_game), len(line)))))
    print("\n".join(sorted(found)))
    print(f"{len(found)} positions of {len(games)} games", file=sys.stderr)


if __name__ == "__main__":
    main(*sys.argv[1:])
