#!/usr/bin/env python3
"""Checks whether another engine agrees with puzzles: with the first move and with the verdict.

    python3 studies/puzzles_judged.py ./pikafish --file src/games/embedded/puzzles.epd --nodes 2000000 --pawn 46 [--agreed FILE]

The engine uses UCI and begins each puzzle with an empty table of 64 MB. It agrees if it plays the first move
of the solution and announces a mate, is two pawns ahead or, for a defence, is within two and a half pawns of
a draw. For a puzzle with a mate, it also agrees if it only announces a win. --pawn is the value of Chuhe's
pawn in the engine's scores. Puzzles without agreement are listed. --agreed writes the others to a file. The
exit status is 1 if it agrees with fewer than 98 in 100.
"""

import argparse
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent.parent / "tests"))
from uci import Engine

WINS, HOLDS = 200, 250  # centipawns


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("engine", nargs="+")
    parser.add_argument("--file", required=True)
    parser.add_argument("--nodes", type=int, default=2_000_000)
    parser.add_argument("--pawn", type=float, default=100)
    parser.add_argument("--agreed")
    options = parser.parse_args()
    engine = Engine(options.engine, Hash=64, Threads=1)
    with open(options.file, encoding="utf-8") as file:
        puzzles = [line.strip() for line in file if line.strip() and not line.startswith("#")]
    agreed, announced = [], 0
    for puzzle in puzzles:
        fields = dict(field.split(" ", 1) for field in puzzle.split(" ; ")[1:])
        lines, (_, move, *_) = engine.search(f"{puzzle.split(' ; ')[0]} - - 0 1", f"nodes {options.nodes}", fresh=True)
        kind, value = lines[-1][lines[-1].index("score") + 1 :][:2]
        value = int(value) if kind == "mate" else 100 * int(value) / options.pawn
        wins = value > 0 if kind == "mate" else value >= WINS
        holds = kind == "cp" and abs(value) <= HOLDS
        aim = fields["themes"].split()[0]
        announced += aim == "mate" and kind == "mate" and value > 0
        if move == fields["pv"].split()[0] and (holds if aim == "defence" else wins):
            agreed.append(puzzle)
        else:
            print(f"{puzzle}: {move} {kind} {value:.0f}", flush=True)
    if options.agreed:
        with open(options.agreed, "w", encoding="utf-8") as file:
            file.writelines(puzzle + "\n" for puzzle in agreed)
    mates = sum("; themes mate" in puzzle for puzzle in puzzles)
    print(f"{len(agreed)} of {len(puzzles)} agreed; {announced} of {mates} mates announced")
    sys.exit(len(agreed) < 0.98 * len(puzzles))


if __name__ == "__main__":
    main()
