#!/usr/bin/env python3
"""Reads other programs' records with Chuhe and with the Python library cchess, and compares the games.

usage: tests/foreign_records.py CHUHE FOLDER        (needs the PyPI packages cchess and pyffish)

FOLDER holds the files, which are not part of this repository: the test data of walker8088/cchess (tests/data) and
ElephantEye's CCGC/*.PGN, XQFTOOLS/*.XQF and BOOK/BOOK.DAT. The main lines must be equal, and pyffish must find every
move of ours legal. The last line counts.
"""

import pathlib
import subprocess
import sys

import pyffish
from cchess import Game


def ours(chuhe, path):
    """The games as (FEN, moves), and what was said of those that could not be read."""
    run = subprocess.run([chuhe, "convert", path, "--to", "position"], capture_output=True, text=True)
    games = []
    for line in run.stdout.splitlines():
        start, _, moves = line.partition(" moves")
        fen = start.removeprefix("position ").removeprefix("fen ")
        if fen == "startpos":
            fen = pyffish.start_fen("xiangqi")
        games.append((fen, moves.split()))
    return games, run.stderr


def theirs(path):
    """The main lines as cchess reads them, or None if it can't."""
    suffix = path.suffix.lower()
    try:
        if suffix == ".cbl":
            games = Game.read_from_lib(str(path))["games"]
        elif suffix == ".pgn":
            games = [Game.read_from(str(path))]
        else:
            games = [Game.read_from(str(path))]
        lines = []
        for game in games:
            line, move = [], game.first_move
            while move is not None:
                line.append(move.to_iccs())
                move = move.next_move
            lines.append(line)
        return lines
    except Exception as error:  # whatever it stumbles over
        print(f"  cchess can't read {path.name}: {error!r}")
        return None


def with_ranks_from_one(move):
    return f"{move[0]}{int(move[1]) + 1}{move[2]}{int(move[3]) + 1}"


def is_legal(fen, moves):
    for move in map(with_ranks_from_one, moves):
        if move not in pyffish.legal_moves("xiangqi", fen, []):
            return False
        fen = pyffish.get_fen("xiangqi", fen, [move])
    return True


def main():
    chuhe, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    files = sorted(path for path in folder.iterdir() if path.suffix.lower() in (".xqf", ".cbr", ".cbl", ".cbf", ".pgn"))
    read = equal = differing = illegal = faults = unreadable = 0
    for path in files:
        games, said = ours(chuhe, path)
        read += len(games)
        for line in said.splitlines()[2:]:
            faults += 1
            print(f"  ours: {line.strip()}")
        illegal += sum(not is_legal(fen, moves) for fen, moves in games)
        others = theirs(path)
        if others is None:
            unreadable += 1
            continue
        mine = [moves for _, moves in games]
        for number, other in enumerate(others):
            same = number < len(mine) and mine[number] == other
            equal += same
            differing += not same
            if not same:
                print(f"  {path.name}, game {number + 1}: {len(other)} moves by cchess, "
                      f"{len(mine[number]) if number < len(mine) else 'none'} by Chuhe")
    print(f"{len(files)} files, {read} games: {equal} equal to cchess, {differing} not, {unreadable} files that it can't "
          f"read, {faults} faults, {illegal} games with a move that pyffish finds illegal")
    return illegal > 0


if __name__ == "__main__":
    sys.exit(main())
