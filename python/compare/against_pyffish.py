#!/usr/bin/env python3
"""Compares the package with pyffish 0.0.90: legal moves, FEN and check on random positions, verdicts on random cycles.

    pip install chuhe pyffish==0.0.90
    python3 python/compare/against_pyffish.py --positions 20000 --cycles 3000 --seed 7

Every difference of verdicts must fall into a class that docs/2-rules.md decides by the rule text. Exit status 1 if one does not, or if anything else
differs.
"""

import argparse
import collections
import multiprocessing
import random
import sys
from collections.abc import Iterator
from pathlib import Path

import chuhe
import pyffish

sys.path.append(str(Path(__file__).parents[2] / "tests"))
from referees import explanation  # noqa: E402

VARIANT = "xiangqi"


def positions(count: int, seed: int) -> Iterator[tuple[str, bool, list[str], str, str]]:
    """Positions of random games: FEN, whether it is check, the legal moves with ranks from 1, one of them, the FEN after it."""
    chance = random.Random(seed)
    position = chuhe.Position()
    for _ in range(count):
        moves = position.legal_moves
        if not moves or len(position.move_stack) >= 150:
            position = chuhe.Position()
            moves = position.legal_moves
        fen, check = position.fen(), position.is_check()
        move = position.push(chance.choice(moves))
        yield fen, check, sorted(move.uci(ranks_from_one=True) for move in moves), move.uci(ranks_from_one=True), position.fen()


def differences(row: tuple[str, bool, list[str], str, str]) -> list[str]:
    fen, check, moves, move, after = row
    found = []
    if moves != sorted(pyffish.legal_moves(VARIANT, fen, [])):
        found.append(f"{fen}: other legal moves")
    if check != pyffish.gives_check(VARIANT, fen, []):
        found.append(f"{fen}: check is {check} here")
    if after != (theirs := pyffish.get_fen(VARIANT, fen, [move])):
        found.append(f"{fen}: after {move}, {after} here and {theirs} there")
    return found


def verdict(game: chuhe.Game) -> str:
    """The verdict for the side to move."""
    outcome = game.outcome("asian")
    if outcome is None:
        return "open"
    return "draw" if outcome.winner is None else "win" if outcome.winner == game.turn else "loss"


def opinion_of_pyffish(game: chuhe.Game) -> str:
    over, value = pyffish.is_optional_game_end(VARIANT, game.start.fen(), game.write_moves("uci1"))
    return "open" if not over else "draw" if value == 0 else "win" if value > 0 else "loss"


def as_json(game: chuhe.Game) -> dict[str, object]:
    """The ruling as `chuhe judge --json` prints it, as far as tests/referees.py looks at it."""
    plies = [
        {
            "move": ply.move.uci(),
            "side": "red" if ply.color else "black",
            "aims": [chuhe.square_name(square) for square in ply.aims],
            "attacks": [chuhe.square_name(square) for square in ply.attacks],
            "deeds": [
                {
                    "kind": deed.kind,
                    "victim": {"square": chuhe.square_name(deed.attack.square)},
                    "worth": deed.attack.worth.replace("_", " "),
                    "discovered": deed.attack.discovered,
                    "undermining": deed.attack.undermining,
                }
                for deed in ply.deeds
                if deed.attack
            ],
        }
        for ply in game.ruling("asian").cycle
    ]
    return {"cycle": {"plies": plies}, "side": "red" if game.turn else "black", "result": verdict(game)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--positions", type=int, default=20_000)
    parser.add_argument("--cycles", type=int, default=3_000)
    parser.add_argument("--seed", type=int, default=7)
    chosen = parser.parse_args()

    rows = list(positions(chosen.positions, chosen.seed))
    with multiprocessing.Pool() as pool:
        failed = [text for found in pool.imap(differences, rows, chunksize=50) for text in found]
    print(*failed[:20], sep="\n", end="\n" if failed else "")
    checks, moves = sum(row[1] for row in rows), sum(len(row[2]) for row in rows)
    print(f"{len(rows)} positions, {checks} of them in check, {moves} legal moves: {len(failed)} differences")

    verdicts: collections.Counter[tuple[str, str]] = collections.Counter()
    classes: collections.Counter[str] = collections.Counter()
    for game in chuhe.sample_cycles(chosen.cycles, chosen.seed):
        ours, theirs = verdict(game), opinion_of_pyffish(game)
        verdicts[ours, theirs] += 1
        if ours != theirs:
            reason = explanation(as_json(game), theirs) if theirs != "open" else None
            if reason:
                classes[reason] += 1
            else:
                failed.append(repr(game))
                print(f"{ours} here, {theirs} there, and no class explains it: {game!r}")
    decisive = verdicts["win", "win"] + verdicts["loss", "loss"]
    agreed = sum(count for (ours, theirs), count in verdicts.items() if ours == theirs)
    print(f"{sum(verdicts.values())} cycles, {agreed} alike, {decisive} of them decisive; differences by class: {dict(classes.most_common())}")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
