"""An engine for tests that plays random legal moves, and misbehaves as specified by its arguments.

    python scripted_engine.py uci|uci-variant|ucci [FAULT…]

Faults: mute (never responds), slow-start, deaf (does not read input or stop during a search), ignores-quit,
crash (at `go`), crash-late (during the search), illegal, garbage, flood, long-line, child (starts a child
process that survives it), late (responds to `stop` after half a second), stale (sends one answer too many),
stderr.
"""

import random
import subprocess
import sys
import threading
import time

import chuhe

PROTOCOL, FAULTS = sys.argv[1], set(sys.argv[2:])
FROM_ONE = PROTOCOL == "uci-variant"
OPTIONS = {
    "uci": ["name Hash type spin default 16 min 1 max 64", "name Ponder type check default false", "name Style type combo default Solid var Solid var Wild One",
            "name MultiPV type spin default 1 min 1 max 9", "name Clear Hash type button", "name Book type string default <empty>"],
    "uci-variant": ["name UCI_Variant type combo default chess var chess var xiangqi", "name MultiPV type spin default 1 min 1 max 9"],
    "ucci": ["usemillisec type check default false", "hashsize type spin min 16 max 1024 default 16", "newgame type button"],
}


def say(text):
    print(text, flush=True)


class Engine:
    def __init__(self):
        self.position, self.lines, self.variant, self.banned = chuhe.Position(), 1, "chess", []
        self.stop, self.search = threading.Event(), None

    def handle(self, line):
        word, _, rest = line.partition(" ")
        if word == PROTOCOL.removesuffix("-variant"):
            say("id name Scripted Engine 1\nid author nobody")
            for option in OPTIONS[PROTOCOL]:
                say("option " + option)
            say(word + "ok")
        elif word == "isready":
            say("readyok")
        elif word == "setoption":
            rest = rest.removeprefix("name ").replace(" value ", " ")
            if rest.startswith("MultiPV "):
                self.lines = int(rest.split()[1])
            if rest.startswith("UCI_Variant "):
                self.variant = rest.split()[1]
            say(f"info string set {rest}")
        elif word == "position":
            self.set_position(rest)
        elif word == "banmoves":
            self.banned = rest.split()
        elif word == "go":
            self.stop.clear()
            self.search = threading.Thread(target=self.go, args=(rest.split(),), daemon=True)
            self.search.start()
            if "deaf" in FAULTS:
                time.sleep(1000)
        elif word == "stop":
            if "late" in FAULTS:
                time.sleep(0.5)
            self.stop.set()
        elif word == "quit" and "ignores-quit" not in FAULTS:
            sys.exit(0)

    def set_position(self, text):
        start, _, moves = text.removeprefix("fen ").partition(" moves ")
        self.position, self.banned = chuhe.Position(start), []
        for move in moves.split():
            self.position.push(chuhe.Move.from_uci(move, ranks_from_one=FROM_ONE))

    def write(self, move):
        return move.uci(ranks_from_one=FROM_ONE)

    def go(self, words):
        if "crash" in FAULTS:
            import os
            os._exit(3)
        values = {key: int(value) for key, value in zip(words, words[1:]) if value.isdigit()}
        only = [move for move in words[words.index("searchmoves") + 1 :]] if "searchmoves" in words else None
        legal = [move for move in self.position.legal_moves if move.uci() not in self.banned and (only is None or self.write(move) in only)]
        chance, start, depth = random.Random(str(self.position.fen())), time.monotonic(), 0
        if "deaf" in FAULTS:
            return
        while depth < values.get("depth", 10**9) and not self.stop.is_set():
            depth += 1
            for rank in range(1, min(self.lines, len(legal)) + 1):
                score = f"cp {40 - rank}" if PROTOCOL != "ucci" else str(40 - rank)
                multipv = f" multipv {rank}" if PROTOCOL != "ucci" else ""
                time_ms = round((time.monotonic() - start) * 1000)
                say(f"info depth {depth} seldepth {depth + 2}{multipv} score {score} nodes {1000 * depth} nps 1000 time {time_ms} pv {self.write(legal[rank - 1])}")
            if depth == 2 and "crash-late" in FAULTS:
                import os
                os._exit(4)
            if "flood" in FAULTS:
                say("info string noise\n" * 10_000)
            if "long-line" in FAULTS:
                sys.stdout.write("x" * (1 << 21))
            if "garbage" in FAULTS:
                say("info depth x score y pv z\ninfo\n\ninfo score cp pv\ninfo depth 3 score mate pv h2e2\n\0\xff\ninfo score cp 99999999 pv a0a9 h2e2")
            if time.monotonic() - start >= values.get("movetime", values.get("time", 10**9)) / 1000 or 1000 * depth >= values.get("nodes", 10**12):
                break
            time.sleep(0.01)
        best = "a0a9" if "illegal" in FAULTS else self.write(chance.choice(legal))
        say(f"bestmove {best}")
        if "stale" in FAULTS:
            say("bestmove a0a1")


def main():
    if "child" in FAULTS:
        print("info string child", subprocess.Popen([sys.executable, "-c", "import time; time.sleep(1000)"], stdin=subprocess.DEVNULL).pid, flush=True)
    if "slow-start" in FAULTS:
        time.sleep(1)
    if "stderr" in FAULTS:
        sys.stderr.write("a warning\n" * 100_000)
    engine = Engine()
    for line in sys.stdin:
        if "mute" not in FAULTS:
            engine.handle(line.strip())
    if "ignores-quit" in FAULTS:
        time.sleep(1000)


main()
