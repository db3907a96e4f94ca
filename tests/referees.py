#!/usr/bin/env python3
"""Compares `chuhe judge --rules asian` with pyffish 0.0.90 over seeded random cycles.

    pip install pyffish==0.0.90
    python3 tests/referees.py target/release/chuhe --cycles 20000 --seed 1

Every disagreement must fall into a class that docs/2-rules.md decides by the rule text; one that does not fails the run, and is printed.
"""

import argparse
import collections
import json
import subprocess
import sys

try:
    import pyffish
except ImportError:
    sys.exit("pyffish is not installed: pip install pyffish==0.0.90")

CLASSES = {
    "standing": "pyffish counts an attack on a piece that was attacked before the move as well",
    "hindered": "pyffish counts an attack that would not pay: protected, an exchange, a bound attacker, a pawn's or a king's",
    "undermined": "pyffish does not see an attack that pays only since this move",
    "uncovered": "pyffish does not see an attack that a move uncovers",
    "false root": "pyffish takes a piece for protected whose protector could not legally take back",
    "excused": "pyffish sees both sides chase, the other one by an attack that stood before or would not pay",
    "answered": "pyffish does not see one side's chase, undermining or uncovered, so that a mutual chase looks one-sided",
}


def with_ranks_from_1(move):
    return f"{move[0]}{int(move[1]) + 1}{move[2]}{int(move[3]) + 1}"


def opinion_of_pyffish(fen, moves):
    over, value = pyffish.is_optional_game_end("xiangqi", fen, [with_ranks_from_1(move) for move in moves])
    if not over:
        return "open"
    return "draw" if value == 0 else "win" if value > 0 else "loss"


def victims(plies, side):
    """For each enemy piece that the side aims at after some of its moves, by its first square: what each move of the side does to it."""
    now = {}  # square now -> first square
    rows = collections.defaultdict(list)
    turns = 0
    for ply in plies:
        start, end = ply["move"][:2], ply["move"][2:]
        now[end] = now.pop(start, start)
        if ply["side"] != side:
            continue
        new = {deed["victim"]["square"]: deed for deed in ply["deeds"] if deed["kind"] == "chase"}
        for square in ply["aims"]:
            if square in new:
                deed = new[square]
                status = "undermined" if deed["undermining"] else "uncovered" if deed["discovered"] else deed["worth"]
            else:
                status = "standing" if square in ply["attacks"] else "hindered"
            # A move that checks goes on chasing where every move attacks the same piece.
            rows[now.get(square, square)].append(status)
        turns += 1
    return [row for row in rows.values() if len(row) == turns]


def explanation(ruling, theirs):
    """The class of a disagreement, or None."""
    plies, mover = ruling["cycle"]["plies"], ruling["side"]
    other = "black" if mover == "red" else "red"
    ours = ruling["result"]
    hidden = {"undermined", "uncovered", "false root"}
    if theirs in ("win", "loss"):
        accused = mover if theirs == "loss" else other
        innocent = other if accused == mover else mover
        rows = [set(row) for row in victims(plies, accused)]
        if any("standing" in row and "hindered" not in row for row in rows):
            return "standing"
        if any("hindered" in row for row in rows):
            return "hindered"
        return "answered" if any(hidden & set(row) for row in victims(plies, innocent)) else None
    accused = mover if ours == "loss" else other
    innocent = other if accused == mover else mover
    idle = {"standing", "hindered"}
    if any(idle & set(row) for row in victims(plies, innocent)):
        return "excused"
    chases = [set(row) for row in victims(plies, accused) if not idle & set(row)]
    return next((reason for reason in sorted(hidden) if any(reason in row for row in chases)), None)


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("chuhe", help="the binary")
    arguments.add_argument("--cycles", type=int, default=2000)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--show", metavar="CLASS", help="print the games of a class")
    chosen = arguments.parse_args()

    def chuhe(*words, text=None):
        return subprocess.run([chosen.chuhe, "judge", *words], input=text, capture_output=True, text=True, check=True).stdout

    games = chuhe("--sample", str(chosen.cycles), "--seed", str(chosen.seed))
    rulings = map(json.loads, chuhe("--file", "-", "--json", text=games).splitlines())
    verdicts, classes, unexplained = collections.Counter(), collections.Counter(), 0
    for game, ruling in zip(games.splitlines(), rulings):
        fen, moves = game.split(" moves ")
        theirs = opinion_of_pyffish(fen, moves.split())
        verdicts[ruling["result"], theirs] += 1
        if ruling["result"] == theirs:
            continue
        reason = explanation(ruling, theirs) if theirs != "open" else None
        classes[reason] += 1
        if reason is None or reason == chosen.show:
            print(f"{ruling['result']} here, {theirs} there ({reason}): {game}")
    unexplained = classes.pop(None, 0)
    print(f"{sum(verdicts.values())} cycles, {verdicts['win', 'win'] + verdicts['loss', 'loss']} decisive in both opinions,"
          f" {sum(classes.values()) + unexplained} disagreements")
    for name, count in classes.most_common():
        print(f"{count:6} {name}: {CLASSES[name]}")
    agreed = sum(verdicts.values()) - unexplained
    print(f"{agreed} passed, {unexplained} failed")
    sys.exit(1 if unexplained else 0)


if __name__ == "__main__":
    main()
