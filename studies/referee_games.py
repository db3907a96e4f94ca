#!/usr/bin/env python3
"""Compares the referee with the results of masters' games: a table of its verdicts and the results in the
records.

    python3 studies/referee_games.py CHUHE FOLDER [--list CODE] [--rules NAME]

FOLDER contains records of any format. Each row is a reason for which the referee ends a game; games are
counted according to whether the record has the same result. --list prints the games of a reason whose result
differs, in the format of `chuhe judge`.
"""

import argparse
import collections
import json
import subprocess
import sys
import tempfile
from pathlib import Path


def verdict(judged):
    """Returns the result as in a record; `*` while the game is open."""
    winner = {"draw": "1/2-1/2", "open": "*"}.get(judged["result"])
    if winner:
        return winner
    return "1-0" if (judged["result"] == "win") == (judged["side"] == "red") else "0-1"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("chuhe")
    parser.add_argument("folder")
    parser.add_argument("--list", metavar="CODE")
    parser.add_argument("--rules", default="asian")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        games = Path(place, "games.txt")
        pgn = Path(place, "games.pgn")
        for path, form in ((games, "position"), (pgn, "pgn")):
            subprocess.run([given.chuhe, "convert", given.folder, "--to", form, "--out", path], stderr=subprocess.DEVNULL)
        lines = games.read_text().splitlines()
        command = [given.chuhe, "judge", "--pgn", pgn, "--rules", given.rules, "--json"]
        judged = [json.loads(line) for line in subprocess.run(command, stdout=subprocess.PIPE, text=True).stdout.splitlines()]
    assert len(judged) == len(lines)
    rows = collections.defaultdict(collections.Counter)
    for game, line in zip(judged, lines):
        if game["result"] == "open":
            continue
        code = game["code"] or game["reason"].split(":")[0]
        claimed = game["claimed"]
        said = "unknown" if claimed == "*" else "the same" if claimed == verdict(game) else "a draw" if claimed == "1/2-1/2" else "other"
        rows[code][said] += 1
        if given.list == code and said not in ("the same", "unknown"):
            print(f"{game['game']}\t{verdict(game)}\t{claimed}\t{game['reason']}\t{line}")
    if given.list:
        return
    print(f"{len(judged)} games, {sum(sum(row.values()) for row in rows.values())} of them over by the {given.rules} rules\n")
    columns = ["the same", "a draw", "other", "unknown"]
    print("| reason | games | same result | drawn instead | won or lost instead | no result |\n|---|--:|--:|--:|--:|--:|")
    for code, row in sorted(rows.items(), key=lambda item: -sum(item[1].values())):
        print(f"| {code} | {sum(row.values())} | " + " | ".join(str(row[name]) for name in columns) + " |")


if __name__ == "__main__":
    sys.exit(main())
