#!/usr/bin/env python3
"""Measures the speed of filling and searching a library of 100,000 games, and its size.

    python3 studies/games_speed.py CHUHE FOLDER [GAMES [QUESTIONS]]

FOLDER contains real games; mirror images of them, truncated at random, are added until there are GAMES
(100,000). Then the program searches for QUESTIONS (1,000) positions of random games at random plies, each of
which must find its game, for the same number of positions within ten plies of the start, which occur in many
games, for the moves played in them, and for the same number of players. Each time is that of a whole command,
including the start of the program. Duplicate games are not added, so request more games than you need.
"""

import random
import resource
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path


def run(*command):
    """Returns the output of a command, its duration, and its processor time in seconds."""
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    took, after = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    worked = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return done.stdout, took, worked


def say(what, times):
    took, worked = ([1000 * one[kind] for one in times] for kind in (0, 1))
    print(f"{what}: median {statistics.median(took):.0f} ms (processor {statistics.median(worked):.0f} ms), slowest {max(took):.0f} ms ({max(worked):.0f} ms)")


def main(chuhe, folder, wanted=100_000, questions=1_000):
    wanted, questions = int(wanted), int(questions)
    with tempfile.TemporaryDirectory() as place:
        library, more = Path(place, "all.games.db"), Path(place, "more.pgn")
        text, *_ = run(chuhe, "convert", folder, "--to", "position")
        lines = [line for line in text.splitlines() if line.startswith("position startpos moves")]
        have = text.count("\n")
        draw = random.Random(1)
        with more.open("w") as file:
            for _ in range(max(0, wanted - have)):
                moves = draw.choice(lines).split()[3:]
                moves = ["".join(chr(202 - ord(letter)) if letter.isalpha() else letter for letter in mv) for mv in moves]
                cut = draw.randrange(len(moves) // 2, len(moves) + 1)
                file.write("position startpos moves " + " ".join(moves[:cut]) + "\n")
        said, seconds, worked = run(chuhe, "games", "add", folder, more, "--to", library)
        print(said.strip())
        database = sqlite3.connect(library)
        games, plies = database.execute("SELECT count(*), sum(plies) FROM games").fetchone()
        size = library.stat().st_size
        read = have + max(0, wanted - have)
        print(f"{read / seconds:.0f} games a second, {read / worked:.0f} a second of processor; {games} games of {plies / games:.0f} plies, {size / games:.0f} bytes a game")

        def position(most):
            """Returns a random game with one of its positions, after at most this number of plies."""
            id = draw.randrange(1, games + 1)
            words = run(chuhe, "games", "show", library, id, "--to", "position")[0].removeprefix("position ").removeprefix("fen ")
            start, _, moves = words.partition(" moves ")
            moves = moves.split()
            return id, f"{start} moves {' '.join(moves[: draw.randrange(min(len(moves), most) + 1)])}"

        for what, most in [("a position", 1000), ("a position of the first ten plies", 10)]:
            drawn = [position(most) for _ in range(questions)]
            found, played = [], []
            for id, text in drawn:
                ids, *took = run(chuhe, "games", "find", library, text, "--json")
                assert f'"id":{id},' in ids, (id, text)
                found.append((ids.count("\n"), run(chuhe, "games", "find", library, text)[1:]))
                played.append(run(chuhe, "games", "moves", library, text)[1:])
            say(what, [took for _, took in found])
            print(f"   in {statistics.median(count for count, _ in found):.0f} games (median), {max(found)[0]} at most")
            say("what was played there", played)
        say("the start", [run(chuhe, "games", "find", library, "startpos")[1:] for _ in range(20)])
        say("what was played there", [run(chuhe, "games", "moves", library)[1:] for _ in range(20)])
        names = [name for (name,) in database.execute("SELECT name FROM players WHERE length(name) > 1")]
        times = [run(chuhe, "games", "find", library, "--player", draw.choice(names))[1:] for _ in range(questions)]
        say("a player", times)


if __name__ == "__main__":
    main(*sys.argv[1:])
