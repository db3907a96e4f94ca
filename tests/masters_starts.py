#!/usr/bin/env python3
"""Positions from games of masters for `chuhe datagen --book`: of each game with names of players some at random, between plies 8 and 40.

    python3 tests/masters_starts.py CHUHE FOLDER [A_GAME] > starts.epd
"""

import random
import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path

from games_scan import fen, positions

FIRST, LAST = 8, 40


def main(chuhe, folder, a_game=4):
    with tempfile.TemporaryDirectory() as place:
        library = Path(place, "all.games.db")
        subprocess.run([chuhe, "games", "add", folder, "--to", library], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        sql = "SELECT moves FROM games JOIN lines ON game = games.id JOIN players ON players.id = red WHERE start IS NULL AND name != '' ORDER BY games.id"
        games = [moves for (moves,) in sqlite3.connect(library).execute(sql)]
    chance, found = random.Random(1), set()
    for moves in games:
        line = list(positions(None, moves[: 2 * LAST]))[FIRST:]
        found.update(map(fen, chance.sample(line, min(int(a_game), len(line)))))
    print("\n".join(sorted(found)))
    print(f"{len(found)} positions of {len(games)} games", file=sys.stderr)


if __name__ == "__main__":
    main(*sys.argv[1:])
