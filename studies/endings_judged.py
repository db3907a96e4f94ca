#!/usr/bin/env python3
"""Counts the positions of known endings that the engine scores correctly without their tables: wins at 250
centipawns or more, draws lower.

    python3 studies/endings_judged.py target/release/chuhe --tables endings [--positions 200] [--nodes 10000] [NAME…]

Positions are selected at random among the legal ones, alternately with either side to move. Without names,
all endings in the folder with attackers on only one side are used. Prints one line per ending, the worst
first, and the total."""

import argparse
import json
import pathlib
import random
import subprocess

BOARD = [(file, rank) for rank in range(10) for file in range(9)]
PALACE = [(file, rank) for file in (3, 4, 5) for rank in (0, 1, 2)]
DOMAINS = {
    "K": PALACE,
    "A": [(3, 0), (5, 0), (4, 1), (3, 2), (5, 2)],
    "E": [(2, 0), (6, 0), (0, 2), (4, 2), (8, 2), (2, 4), (6, 4)],
    "P": [(file, rank) for file, rank in BOARD if rank > 4 or rank > 2 and file % 2 == 0],
}
LETTERS = {"H": "N", "E": "B"}


def place(name, chance):
    """Returns a random FEN of an ending; None if two pieces share a square."""
    board = {}
    for black, letters in enumerate(name.split("-")):
        for letter in "K" + letters:
            file, rank = chance.choice(DOMAINS.get(letter, BOARD))
            point = (file, 9 - rank if black else rank)
            if point in board:
                return None
            letter = LETTERS.get(letter, letter)
            board[point] = letter.lower() if black else letter
    ranks = ["".join(board.get((file, rank), ".") for file in range(9)) for rank in range(9, -1, -1)]
    fen = "/".join(ranks)
    for length in range(9, 0, -1):
        fen = fen.replace("." * length, str(length))
    return fen


def ask(command, lines):
    done = subprocess.run(command, input="\n".join(lines) + "\n", capture_output=True, text=True, check=False)
    return [json.loads(line) for line in done.stdout.splitlines()]


def judged(arguments, name, chance):
    """Returns positions with the value from the tables and the engine's score."""
    fens = []
    analyze = [arguments.chuhe, "analyze", "--file", "-", "--json", "--nodes", str(arguments.nodes), *arguments.option]
    pairs = []
    while len(pairs) < arguments.positions:
        fens = []
        while len(fens) < arguments.positions - len(pairs):
            side = "wb"[(len(pairs) + len(fens)) % 2]
            fen = place(name, chance)
            if fen:
                fens.append(f"{fen} {side}")
        found = [(fen, line) for fen, line in zip(fens, ask(analyze, fens), strict=True) if "error" not in line]
        answers = ask([arguments.chuhe, "endings", "probe", "--file", "-", "--dir", arguments.tables, "--json"], [fen for fen, _ in found])
        pairs += [(fen, answer["value"], line["lines"][0]["score"]) for (fen, line), answer in zip(found, answers, strict=True) if line["lines"]]
    return pairs


def value(score):
    if "mate" in score:
        centipawns = 30000 if score["mate"] > 0 else -30000
    else:
        centipawns = score["cp"]
    return "win" if centipawns >= 250 else "loss" if centipawns <= -250 else "draw"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("chuhe")
    parser.add_argument("names", nargs="*")
    parser.add_argument("--tables", required=True)
    parser.add_argument("--positions", type=int, default=200)
    parser.add_argument("--nodes", type=int, default=10000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", action="store_true", help="print the positions that are judged wrongly")
    parser.add_argument("--option", action="append", default=[], help="one more option of `chuhe analyze`")
    arguments = parser.parse_intermixed_args()
    names = arguments.names or sorted(
        path.stem for path in pathlib.Path(arguments.tables).glob("*.wins") if not set("RHCP") & set(path.stem.split("-")[1])
    )
    rows = []
    for name in names:
        chance = random.Random(f"{arguments.seed} {name}")
        pairs = judged(arguments, name, chance)
        wrong = [(fen, truth, score) for fen, truth, score in pairs if value(score) != truth]
        drawn = sum(truth == "draw" for _, truth, _ in pairs)
        rows.append((len(wrong), name, len(pairs), drawn, sum(truth == "draw" for _, truth, _ in wrong)))
        print(name, len(wrong), "of", len(pairs), "wrong;", rows[-1][4], "of", drawn, "draws", flush=True)
        if arguments.show:
            for fen, truth, score in wrong:
                print("   ", fen, truth, score)
    wrong, all_of_them = sum(row[0] for row in rows), sum(row[2] for row in rows)
    print(f"{len(rows)} endings: {all_of_them - wrong} of {all_of_them} judged rightly, {100 - 100 * wrong / all_of_them:.2f} %")


if __name__ == "__main__":
    main()
