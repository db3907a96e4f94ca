#!/usr/bin/env python3
"""Builds an opening book of moves that masters played and the engine approves.

    python3 studies/masters_book.py CHUHE FOLDER BOOK [GAMES [NODES [EXPLORED]]]

FOLDER contains games of masters. A move is included if at least GAMES (18) different games with players'
names contain it within the first 20 plies. The position after it has its value in EXPLORED, a file of `explore
export --to FILE.jsonl`; a position without one is searched with NODES (120,000). `book build --by score` weights
the moves by the number of games, reduced by their loss compared with the best move; moves that are 100
centipawns worse are never played.
"""

import json
import sqlite3
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent.parent / "tests"))
from games_scan import fen, mirrored, name, positions, turned

PLIES = 20
PARTS = 2


def games_of_masters(chuhe, folder):
    """Returns the moves and the result of each game from the initial position that has players' names,
    without duplicates."""
    with tempfile.TemporaryDirectory() as place:
        library = Path(place, "all.games.db")
        subprocess.run([chuhe, "games", "add", folder, "--to", library], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        sql = "SELECT moves, result FROM games JOIN lines ON game = games.id JOIN players ON players.id = red WHERE start IS NULL AND name != '' ORDER BY games.id"
        return sqlite3.connect(library).execute(sql).fetchall()


def key(position, move):
    """Returns the same key for a move of a position and its mirror image."""
    other = mirrored(position)
    if position == other:
        return position, min(move, turned(move))
    return (position, move) if position < other else (other, turned(move))


def line(moves):
    """Returns the first plies of a game: each position with its move and the position after it."""
    found = list(positions(None, moves[: 2 * PLIES]))
    return [(found[ply], name(moves, ply), found[ply + 1]) for ply in range(len(found) - 1)]


def end(moves):
    """Returns the moves of a game after those of `line`."""
    return [name(moves, ply) for ply in range(len(line(moves)), len(moves) // 2)]


def explored(file):
    """Returns the values of explored positions by the first two fields of their FENs."""
    analyses = map(json.loads, open(file, encoding="utf-8"))
    return {tuple(analysis["fen"].split()[:2]): analysis["value"] for analysis in analyses if "value" in analysis}


def value_of(position, values):
    """Returns the value of a position or its mirror image, if either is known."""
    found = [values.get(tuple(fen(one).split()[:2])) for one in (position, mirrored(position))]
    return next((value for value in found if value is not None), None)


def scores(chuhe, place, wanted, nodes):
    """Returns the value of each position for the side to move, in centipawns."""
    file = Path(place, "positions.epd")
    file.write_text("".join(fen(position) + "\n" for position in wanted))
    command = [chuhe, "analyze", "--file", file, "--nodes", nodes, "--hash", "16", "--json", "--part"]
    runs = [subprocess.Popen([*map(str, command), f"{part}/{PARTS}"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) for part in range(1, PARTS + 1)]
    answers = [json.loads(answer) for run in runs for answer in run.communicate()[0].splitlines()]
    assert len(answers) == len(wanted)
    return {position: answer["lines"][0]["score"].get("cp", -3000) for position, answer in zip(wanted, answers)}


def main(chuhe, folder, book, least=18, nodes=120_000, known=None):
    with tempfile.TemporaryDirectory() as place:
        games = Path(place, "games.pgn")
        lines = [(line(moves), result, end(moves)) for moves, result in games_of_masters(chuhe, folder)]
        count = Counter(key(before, move) for found, _, _ in lines for before, move, _ in found)
        kept = {one for one, games_of_it in count.items() if games_of_it >= int(least)}
        behind = {min(after, mirrored(after)) for found, _, _ in lines for before, move, after in found if key(before, move) in kept}
        values = explored(known) if known else {}
        worth = {position: value_of(position, values) for position in behind}
        unknown = sorted(position for position in behind if worth[position] is None)
        worth |= scores(chuhe, place, unknown, int(nodes)) if unknown else {}
        with games.open("w") as file:
            for found, result, rest in lines:
                moves = [f"{move} {{{-worth[min(after, mirrored(after))]:+d}/1}}" if key(before, move) in kept else move for before, move, after in found]
                # Games are written to their end, since `book build` leaves out games with the same moves.
                file.write(f'[Result "{result}"]\n\n{" ".join(moves + rest)} {result}\n\n')
        print(f"{len(lines)} games, {len(kept)} moves in {int(least)} games or more, {len(unknown)} of {len(behind)} positions searched")
        subprocess.run([chuhe, "book", "build", games, "--out", book, "--plies", str(PLIES), "--min-games", str(least), "--by", "score"], check=True, stderr=subprocess.DEVNULL)


if __name__ == "__main__":
    main(*sys.argv[1:])
