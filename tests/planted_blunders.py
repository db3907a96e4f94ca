#!/usr/bin/env python3
"""Plants known blunders in self-play games and counts those that `chuhe review` finds and explains.

    python3 tests/planted_blunders.py target/release/chuhe
    python3 tests/planted_blunders.py target/release/chuhe --games 20 --nodes 10000 --keep /tmp/planted

Each game has one planted blunder of one side:
- a rook moves to a square where it can be captured for nothing;
- a mate in two is missed, and no mate is left;
- a side repeats checks or a chase until it loses by the rules.
A review must judge the planted move and give its reason. A second review with eight times the nodes then
examines every move that the first review calls a mistake or a blunder; a move that it does not judge is a
false mistake. The run fails if a planted blunder is not found and explained, if there are more false mistakes
than games, or if a blunder or more than a tenth of all remarks has no reason.
"""

import argparse
import json
import pathlib
import random
import subprocess
import sys

from uci import Engine

ROOT = pathlib.Path(__file__).resolve().parent.parent
PLAY = 2_000  # nodes per move
WEAK = 40  # nodes per move for the side that will be mated
LONGEST = 90  # plies per game
REASONS = {"rook": "loses", "mate": "misses_mate", "perpetual": "loses_by_rule"}


def lines_of(engine, start, moves, limit, count=1):
    """Returns the best lines, best first: (kind, score, moves) with kind `cp` or `mate`; an empty list if
    there is no move."""
    engine.say(f"setoption name MultiPV value {count}")
    found = {}
    for line in engine.search(f"{start} moves {' '.join(moves)}", limit)[0]:
        if not {"lowerbound", "upperbound"} & set(line):
            after = lambda word: line.index(word) + 1
            kind, score = line[after("score") :][:2]
            found[int(line[after("multipv")])] = kind, int(score), line[after("pv") :]
    return [found[rank] for rank in sorted(found)]


def squares(start, moves):
    """Returns the pieces by square after the moves, and True if Red is to move."""
    board = {}
    for rank, row in zip(range(9, -1, -1), start.split()[0].split("/")):
        file = 0
        for letter in row:
            if letter.isdigit():
                file += int(letter)
            else:
                board["abcdefghi"[file] + str(rank)] = letter
                file += 1
    for move in moves:
        board[move[2:]] = board.pop(move[:2])
    return board, (start.split()[1] != "b") == (len(moves) % 2 == 0)


def worth(line):
    kind, score, _ = line
    return score if kind == "cp" else (30_000 - abs(score)) * (1 if score > 0 else -1)


def hang_rook(engine, start, moves, _):
    """Returns a quiet move of a rook to a square where it can be captured for nothing."""
    board, _ = squares(start, moves)
    lines = lines_of(engine, start, moves, f"nodes {10 * PLAY}", 128)
    if not lines or abs(worth(lines[0])) > 200:
        return None
    for line in lines[1:]:
        move = line[2][0]
        if board[move[:2]] not in "rR" or move[2:] in board or worth(line) > worth(lines[0]) - 500:
            continue
        answer = lines_of(engine, start, moves + [move], f"nodes {5 * PLAY}")[0]
        if answer[2][0][2:] == move[2:] and 500 < worth(answer) < 20_000:
            return [move]
    return None


def miss_mate(engine, start, moves, _):
    """Returns a move that leaves no mate, although there is a mate in two."""
    best = lines_of(engine, start, moves, f"nodes {PLAY}")
    if not best or best[0][:2] != ("mate", 2):
        return None
    for line in lines_of(engine, start, moves, f"nodes {10 * PLAY}", 128):
        if line[0] == "cp":
            answer = lines_of(engine, start, moves + line[2][:1], f"nodes {100 * PLAY}")
            if answer and answer[0][0] == "cp":
                return line[2][:1]
    return None


def repeat(engine, start, moves, program):
    """Returns a cycle, played twice, that loses by the rules for the side that begins it."""
    lines = lines_of(engine, start, moves, f"nodes {5 * PLAY}", 128)
    if not lines or abs(worth(lines[0])) > 250:
        return None
    board, red = squares(start, moves)
    walks = []
    for line in lines:
        move = line[2][0]
        if move[2:] in board or board[move[:2]] not in "rRcCnN":
            continue
        answer = lines_of(engine, start, moves + [move], "nodes 300")
        if not answer or answer[0][2][0][2:] in board:
            continue
        answer = answer[0][2][0]
        back = [move, answer, move[2:] + move[:2], answer[2:] + answer[:2]]
        legal = all(
            back[ply] in (line[2][0] for line in lines_of(engine, start, moves + back[:ply], "depth 1", 128)) for ply in (2, 3)
        )
        if legal:
            walks.append(back + back)
    if not walks:
        return None
    games = "".join(f"{start} moves {' '.join(moves + walk)}\n" for walk in walks)
    said = subprocess.run([program, "judge", "--json", "--file", "-"], input=games, capture_output=True, text=True).stdout
    loser = "red" if red else "black"
    for walk, ruling in zip(walks, map(json.loads, said.splitlines())):
        if ruling["offender"] == loser and ruling["ended_at"] == len(moves) + len(walk):
            return walk
    return None


PLANTS = {"rook": (hang_rook, 10), "mate": (miss_mate, 10), "perpetual": (repeat, 6)}


def play(engine, start, plant, program, side):
    """Returns a game with a planted blunder of a side (0 moves first): its moves and the plies of the
    blunder, from 1; None if there was no opportunity."""
    find, first = PLANTS[plant]
    moves, planted = [], None
    while len(moves) < LONGEST:
        if planted is None and len(moves) >= first and len(moves) % 2 == side:
            walk = find(engine, start, moves, program)
            if walk:
                planted = range(len(moves) + 1, len(moves) + len(walk) + 1, 2)
                moves += walk
                if plant == "perpetual":
                    break
                continue
        weak = plant == "mate" and len(moves) % 2 != side
        lines = lines_of(engine, start, moves, f"nodes {WEAK if weak else PLAY}")
        if not lines or (planted and len(moves) > planted[0] + 12):
            break
        moves.append(lines[0][2][0])
    return planted and (moves, planted)


def pgn(number, start, moves):
    tags = f'[Event "{number}"]\n[Format "ICCS"]\n[FEN "{start}"]\n[Result "*"]\n\n'
    turn = start.split()[1] != "b"
    text = [] if turn else ["1..."]
    for ply, move in enumerate(moves):
        if (ply % 2 == 0) == turn:
            text.append(f"{(ply + (not turn)) // 2 + 1}.")
        text.append(f"{move[:2]}-{move[2:]}".upper())
    return tags + " ".join(text) + " *\n\n"


def review(program, file, nodes):
    command = [program, "review", "--json", "--threads", "0", "--hash", "16", "--nodes", str(nodes), str(file)]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--nodes", type=int, default=10_000, help="of the review, for each position")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=pathlib.Path, default=pathlib.Path("."), help="folder for the games and reviews")
    options = parser.parse_args()
    options.keep.mkdir(parents=True, exist_ok=True)

    chance = random.Random(options.seed)
    openings = [line.split(" ;")[0] for line in (ROOT / "src/lab/embedded/openings.epd").read_text().splitlines() if "/" in line.split(" ")[0]]
    chance.shuffle(openings)
    engine, plants, records = Engine([options.program]), [], ""
    while len(plants) < options.games:
        plant = list(PLANTS)[len(plants) % 3]
        start = openings.pop()
        game = play(engine, start, plant, options.program, chance.randrange(2))
        if game is None:
            continue
        plants.append((plant, game[1]))
        records += pgn(len(plants), start, game[0])
        print(f"game {len(plants)}: {plant} at ply {game[1][0]} of {len(game[0])}", flush=True)
    engine.say("quit")
    file = options.keep / "planted.pgn"
    file.write_text(records)

    first = review(options.program, file, options.nodes)
    named = 0
    for number, ((plant, plies), game) in enumerate(zip(plants, first), 1):
        entries = [game["moves"][ply - 1] for ply in plies]
        reasons = [entry["reason"] for entry in entries if entry["judgement"]]
        right = [reason for reason in reasons if reason["code"] == REASONS[plant]]
        if plant == "rook":
            right = [reason for reason in right if "rook" in reason["lost"]]
        named += bool(right)
        if not right:
            print(f"game {number}: {plant} at ply {plies[0]} is not named: {[(entry['judgement'], entry['text']) for entry in entries]}")
    print(f"{named} of {len(plants)} planted blunders found and named", flush=True)

    remarks = [entry for game in first for entry in game["moves"] if entry["judgement"]]
    empty = [entry["judgement"] for entry in remarks if entry["reason"]["code"] == "position"]
    print(f"{len(remarks)} remarks, {len(empty)} without a reason", flush=True)

    bad, false, gone = 0, 0, []
    for number, (game, again) in enumerate(zip(first, review(options.program, file, 8 * options.nodes)), 1):
        for entry, other in zip(game["moves"], again["moves"]):
            if entry["judgement"] in ("mistake", "blunder"):
                bad += 1
                if other["judgement"] is None:
                    false += 1
                    gone.append(f"game {number}, ply {entry['ply']}, {entry['judgement']}: {entry['loss']:.3f}, then {other['loss']:.3f}")
    print(f"{bad} mistakes and blunders in all; with {8 * options.nodes} nodes {false} of them are none", *gone, sep="\n")
    sys.exit(named < len(plants) or false > len(plants) or "blunder" in empty or len(empty) > len(remarks) / 10)


if __name__ == "__main__":
    main()
