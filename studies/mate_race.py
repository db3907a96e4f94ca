#!/usr/bin/env python3
"""Compares how many of the mates in a file two engines announce within the same time, and creates such files
from games.

    python3 studies/mate_race.py target/release/chuhe ./pikafish --file positions/hidden-mates.epd --time 1
    python3 studies/mate_race.py target/release/chuhe ./pikafish --games runs/*/games.jsonl --time 3 --epd > mates.epd

Both engines use UCI, with one thread and 64 MB, and begin each position with an empty table; two positions
are searched at a time. A mate is counted from the first line of analysis after which every line announces
one. It is confirmed if the other engine also announces it, or scores itself as mated within three times the
time, one or four moves into the line. Unconfirmed mates are listed. A position that an engine scores as won
by the rules of repetition is not a mate, since the losing side may choose the losing perpetual check; such
positions are counted separately, because other engines announce them as mates.

With --games, the positions are from the journals of `chuhe match`: the position in which a player first
announced a mate, and those one and two of its moves earlier. With --epd, the positions are printed in which
one engine announces a confirmed mate, and at least one of the two engines takes 20 ms or more.
"""

import argparse
import json
import subprocess
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent.parent / "tests"))
from uci import Engine, two_at_once

EASY = 20  # in ms, for both engines
MATE = 29_000  # minimum score of a mate, in UCCI's centipawns
BY_RULE = 24_000  # minimum score of a win by the rules of repetition


def mate_of(engine, fen, seconds, moves=()):
    """Returns the moves to the mate (negative if the mover is mated), the time in milliseconds from which
    it was announced without interruption, and the line; and True if the game is won by rule instead."""
    position = fen + (" moves " + " ".join(moves) if moves else "")
    found, by_rule = None, False
    for words in engine.search(position, f"movetime {round(1000 * seconds)}", fresh=True)[0]:
        if {"lowerbound", "upperbound"} & set(words):
            continue
        kind, value = words[words.index("score") + 1 :][:2]
        by_rule = kind == "cp" and int(value) >= BY_RULE
        if kind != "mate":
            found = None
        else:
            since = found[1] if found and (found[0] > 0) == (int(value) > 0) else int(words[words.index("time") + 1])
            found = int(value), since, words[words.index("pv") + 1 :]
    return found, by_rule


def positions_of(chuhe, journals):
    """Returns, from each game, the position in which a player first announced a mate, and those one and two
    of its moves earlier."""
    fens = []
    for journal in journals:
        for game in filter(lambda game: "moves" in game, map(json.loads, open(journal))):
            scores = [thought["score"].lstrip("+") if thought else "" for thought in game["thoughts"]]
            mates = [ply for ply, score in enumerate(scores) if score.startswith("M") or score.isdigit() and int(score) >= MATE]
            if mates:
                done = subprocess.run([chuhe, "moves", "--fen", game["fen"], "--fen-each", *game["moves"]], capture_output=True, text=True, check=True)
                before = done.stdout.splitlines()
                fens += [before[ply] for ply in (mates[0], mates[0] - 2, mates[0] - 4) if ply >= 0]
    return list(dict.fromkeys(fens))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("engines", nargs=2)
    parser.add_argument("--file")
    parser.add_argument("--games", nargs="*", default=[])
    parser.add_argument("--time", type=float, default=1, help="seconds")
    parser.add_argument("--most", type=int, default=10**9, help="positions")
    parser.add_argument("--epd", action="store_true")
    options = parser.parse_args()
    lines = open(options.file).read().splitlines() if options.file else []
    fens = [line.split(";")[0].strip() for line in lines if line and not line.startswith("#")] + positions_of(options.engines[0], options.games)
    fens = fens[:: max(1, -(-len(fens) // options.most))]

    def race(pair, fen):
        found, by_rule = zip(*(mate_of(engine, fen, options.time) for engine in pair))
        mates = [mate is not None and mate[0] > 0 and not any(by_rule) for mate in found]
        confirmed = all(mates)
        for one, other in ((0, 1), (1, 0)):
            if mates[one] and not mates[other]:
                line = found[one][2]
                for length in (1, 7):
                    if not confirmed and length < len(line):
                        answer, _ = mate_of(pair[other], fen, 3 * options.time, line[:length])
                        confirmed = answer is not None and answer[0] < 0
        return fen, found, mates, confirmed, any(by_rule)

    races = []
    for done in two_at_once(lambda: [Engine([command], Hash=64, Threads=1) for command in options.engines], race, fens):
        races.append(done)
        print(f"\r{len(races)} of {len(fens)} positions", end="", file=sys.stderr)
    print(file=sys.stderr)
    if options.epd:
        for fen, found, mates, confirmed, _ in races:
            best = min((mate for mate, has in zip(found, mates) if has), default=None, key=lambda mate: mate[0])
            if confirmed and (not all(mates) or max(mate[1] for mate in found) >= EASY):
                print(f"{fen} ; bm {best[2][0]} ; dm {best[0]}")
    else:
        for fen, found, mates, confirmed, _ in races:
            if any(mates) and not confirmed:
                print(f"not confirmed: {fen}, by {' and '.join(name for name, has in zip(options.engines, mates) if has)}: {found}")
        count = [sum(mates[one] for *_, mates, _, _ in races) for one in range(2)]
        only = [sum(mates[one] and not mates[1 - one] for *_, mates, _, _ in races) for one in range(2)]
        for name, total, alone in zip(options.engines, count, only):
            print(f"{name}: {total} of {len(fens)} mates in {options.time:g} s, {alone} that the other did not find")
    print(f"{sum(any(mates) for *_, mates, _, _ in races)} of {len(races)} positions have a mate, "
          f"{sum(any(mates) and not confirmed for *_, mates, confirmed, _ in races)} of them not confirmed; "
          f"{sum(by_rule for *_, by_rule in races)} are won by rule", file=sys.stderr)


if __name__ == "__main__":
    main()
