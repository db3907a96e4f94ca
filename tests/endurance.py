#!/usr/bin/env python3
"""Stops the engine at random moments of `go infinite` and `go ponder`, by UCCI and by UCI, and looks at every answer.

    pip install pyffish==0.0.90
    python3 tests/endurance.py target/release/chuhe --minutes 60 --seed 1

A round sets up an opening and some random moves, starts an infinite, a pondering or a clocked search, waits 0 to 2 s, most often a
moment only, and ends it by `stop` or `ponderhit`, sometimes twice or between `isready`s. The run fails if an answer comes before it was asked
for, is missing after 2 s (a hit: after the clock's share and 2 s), is no legal move, or comes twice.
"""

import argparse
import collections
import queue
import random
import subprocess
import sys
import threading
import time

try:
    import pyffish
except ImportError:
    sys.exit("pyffish is not installed: pip install pyffish==0.0.90")

PATIENCE = 60.0  # seconds: far longer than an answer takes on a busy machine


def with_ranks_from_0(move):
    """Pyffish counts ranks from 1 to 10, the protocols from 0 to 9."""
    split = next(index for index in range(1, len(move)) if move[index].isalpha())
    return f"{move[0]}{int(move[1:split]) - 1}{move[split]}{int(move[split + 1:]) - 1}"


class Engine:
    def __init__(self, path, protocol):
        self.protocol = protocol
        self.process = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
        self.lines = queue.Queue()
        threading.Thread(target=self.listen, daemon=True).start()
        self.say(protocol)
        self.wait_for(f"{protocol}ok", PATIENCE)

    def listen(self):
        for line in self.process.stdout:
            self.lines.put(line.strip())
        self.lines.put(None)

    def say(self, line):
        self.process.stdin.write(line + "\n")

    def set(self, name, uci_name, value):
        self.say(f"setoption name {uci_name} value {value}" if self.protocol == "uci" else f"setoption {name} {value}")

    def take(self, seconds):
        """The next line; nothing if none comes in time."""
        try:
            line = self.lines.get(timeout=max(seconds, 0.0))
        except queue.Empty:
            return ""
        if line is None:
            raise AssertionError(f"the engine ended with {self.process.wait()}")
        return line

    def wait_for(self, word, seconds, forbidden=None):
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            line = self.take(left)
            if line.split(" ")[0] == word:
                return line
            assert not (forbidden and line.startswith(forbidden)), f"{line!r} was not asked for"
        raise AssertionError(f"no {word} within {seconds} s")

    def must_be_silent(self, seconds):
        """Nobody asked for a move yet."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            line = self.take(left)
            assert not line.startswith("bestmove") and not line.startswith("nobestmove"), f"{line!r} came too early"


def play_round(engine, fens, lot):
    fen, moves = lot.choice(fens), []
    for _ in range(lot.choice([0, 0, 4, 20, 60])):
        legal = pyffish.legal_moves("xiangqi", fen, moves)
        if not legal:
            break
        moves.append(lot.choice(legal))
    legal = [with_ranks_from_0(move) for move in pyffish.legal_moves("xiangqi", fen, moves)]
    if not legal:
        return
    line = f"position fen {fen}"
    engine.say(f"{line} moves {' '.join(map(with_ranks_from_0, moves))}" if moves else line)
    left, increment = lot.choice([100, 500, 2000]), lot.choice([0, 10])
    clock = (
        f"wtime {left} btime {left} winc {increment} binc {increment}"
        if engine.protocol == "uci"
        else f"time {left} increment {increment}"
    )
    kind, end = lot.choice(
        [("infinite", "stop"), ("infinite", "stop"), ("ponder", "stop"), ("ponder", "ponderhit"), ("ponder", "ponderhit, stop"), ("clock", "stop")]
    )
    engine.say({"infinite": "go infinite", "ponder": f"go ponder {clock}", "clock": f"go {clock}"}[kind])
    wait = min(lot.expovariate(8), 2.0) if lot.random() < 0.7 else 0.0
    if kind == "clock":
        time.sleep(min(wait, left / 1000))
    else:
        engine.must_be_silent(wait)
        if lot.random() < 0.2:
            engine.say("isready")
            engine.wait_for("readyok", PATIENCE, "bestmove")
    if "ponderhit" in end:
        engine.say("ponderhit")
        if "stop" in end:
            time.sleep(lot.random() * 0.05)
    if "stop" in end:
        engine.say("stop")
    answer = engine.wait_for("bestmove", PATIENCE)
    assert answer.split(" ")[1] in legal, f"{answer!r} is not legal in {fen} after {moves}"
    if lot.random() < 0.2:
        engine.say("stop")
    engine.say("isready")
    engine.wait_for("readyok", PATIENCE, "bestmove")
    return f"{kind}, {end}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("engine")
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--openings", default="positions/openings.epd")
    arguments = parser.parse_args()
    lot = random.Random(arguments.seed)
    with open(arguments.openings, encoding="utf-8") as file:
        fens = [line.split(" ;")[0].strip() for line in file if not line.startswith("#")]
    rounds = collections.Counter()
    end = time.monotonic() + 60 * arguments.minutes
    while time.monotonic() < end:
        engine = Engine(arguments.engine, lot.choice(["ucci", "uci"]))
        engine.set("threads", "Threads", lot.choice([1, 1, 2, 4]))
        engine.set("hashsize", "Hash", lot.choice([1, 16, 64]))
        for _ in range(200):
            if time.monotonic() > end:
                break
            if kind := play_round(engine, fens, lot):
                rounds[f"{engine.protocol}: {kind}"] += 1
        engine.say("quit")
        assert engine.process.wait(PATIENCE) == 0, "the engine did not quit"
    for kind, count in sorted(rounds.items()):
        print(f"{count:6}  {kind}")
    print(f"{sum(rounds.values())} searches in {arguments.minutes:g} minutes, every one answered once, with a legal move")


if __name__ == "__main__":
    main()
