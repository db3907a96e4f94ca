#!/usr/bin/env python3
"""Sends random lines in one dialect and looks at every answer.

    cargo build --release
    python3 tests/fuzz_protocol.py target/release/chuhe --protocol ucci --lines 1000000 --seed 1 --jobs 8
    python3 tests/fuzz_protocol.py target/release/chuhe --protocol uci  --lines 1000000 --seed 2 --jobs 8

Lines go out in small groups: sense, sense with one word changed, and noise of bytes. After each group it asks `isready` and waits for the answer.
Then it sends a `go`, now and then with more lines while the engine thinks, and a `stop`. The run fails if a `go` gets no answer or more than one,
if an `isready` is not answered within a minute, if the engine says anything on standard error, or if it ends with another status than 0. Most of
its time is waiting for answers: several engines at once (`--jobs`) need no more time than one.
"""

import argparse
import concurrent.futures
import queue
import random
import subprocess
import sys
import threading
import time

PATIENCE = 60.0
MOVES = ["h2e2", "h9g7", "b0c2", "a0a9", "i10i9", "0000", "(none)", "H2E2", "zz", "h2e2q"]
FENS = [
    "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1",
    "3k5/9/9/9/9/9/9/9/4R4/R3K4 w",
    "3k5/4P4/4P4/9/9/9/9/9/9/3RK4 b - - 119 7",
    "2bak4/4a4/4b4/9/9/9/9/4B4/4A4/3AK1B2 w - - 130 90",
    "4k4/9/9/9/9/9/9/9/9/3K5 r",
    "9/9/9/9/9/9/9/9/9/9",
]
QUIET = [
    "position startpos",
    "position startpos moves h2e2 h9g7",
    "position startpos moves h2e2 h9g7 h0g2 b9c7",
    "position fen {fen}",
    "position fen {fen} moves {move} {move}",
    "startpos",
    "fen {fen} moves",
    "banmoves {move} {move}",
    "banmoves",
    "ponderhit",
    "ponderhit draw",
    "isready",
    "probe startpos",
    "probe fen {fen}",
    "setoption threads {small}",
    "setoption name Threads value {small}",
    "setoption hashsize {small}",
    "setoption name Hash value {small}",
    "setoption multipv {small}",
    "setoption name MultiPV value {small}",
    "setoption repetition chineserule",
    "setoption name Repetition Rule value AsianRule",
    "setoption drawmoves {small}",
    "setoption randomness huge",
    "setoption name Randomness value none",
    "setoption usemillisec on",
    "setoption usennue {truth}",
    "setoption evalfile /no/such/file",
    "setoption name UCI_ShowWDL value {truth}",
    "setoption newgame",
    "setoption name Clear Hash",
    "setoption razoring {truth}",
    "ucinewgame",
    "debug {truth}",
    "d",
    "eval",
    "help",
]
GOES = [
    "go depth {small}",
    "go depth 0",
    "go nodes 30",
    "go movetime {small}",
    "go mate 1",
    "go time 0 increment 0",
    "go draw time 1 increment 0 opptime 1 oppincrement 0",
    "go wtime 1 btime 1 winc 0 binc 0",
    "go ponder depth 2",
    "go infinite",
    "go",
    "go depth 2 searchmoves {move} {move}",
    "go depth x nodes 40",
    "GO DEPTH {small}",
]
WORDS = (
    "setoption name value position fen startpos moves banmoves ponder draw depth infinite nodes mate movetime time increment "
    "movestogo opptime wtime btime winc searchmoves ponderhit probe debug on off true false 0 1 -1 2 7 99999999999999999999 x "
    "h2e2 h9g7 i10i9 w b r 120 multipv randomness huge 象棋 ; ISREADY Position"
).split()
# Not sent by chance: they end the talk, begin or end a search, last long, or change how answers are counted.
KEPT = {"quit", "exit", "go", "stop", "bench", "ucci", "uci"}


def fill(template, lot):
    text = template
    while "{" in text:
        text = text.replace("{fen}", lot.choice(FENS), 1).replace("{move}", lot.choice(MOVES), 1)
        text = text.replace("{small}", str(lot.choice([0, 1, 1, 2, 3])), 1).replace("{truth}", lot.choice(["true", "false"]), 1)
    return text


def quiet_line(lot):
    """A line that neither begins nor ends a search."""
    kind = lot.random()
    if kind < 0.6:
        line = fill(lot.choice(QUIET), lot)
    elif kind < 0.75:
        words = fill(lot.choice(QUIET), lot).split()
        words[lot.randrange(len(words))] = lot.choice(WORDS)
        line = " ".join(words)
    elif kind < 0.9:
        line = " ".join(lot.choice(WORDS) for _ in range(lot.randrange(9)))
    else:
        noise = bytes(byte for byte in lot.randbytes(lot.randrange(60)) if byte != 10)
        return b"" if first_word(noise) in KEPT else noise
    lower = line.lower()
    if "batch" in lower or first_word(line.encode()) in KEPT or "hash 9" in lower or "hashsize 9" in lower:
        return b""
    return line.encode()


def first_word(line):
    """As the engine sees it: any blanks, any case."""
    return (line.decode(errors="replace").lower().split() or [""])[0]


class Engine:
    def __init__(self, path, protocol):
        self.process = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.lines = queue.Queue()
        self.errors = []
        threading.Thread(target=self.listen, daemon=True).start()
        threading.Thread(target=lambda: self.errors.extend(self.process.stderr), daemon=True).start()
        self.sent = []
        self.send([protocol.encode(), b"setoption hashsize 1"])
        self.until(protocol.encode() + b"ok")

    def listen(self):
        for line in self.process.stdout:
            self.lines.put(line.rstrip(b"\n"))
        self.lines.put(None)

    def send(self, lines):
        self.sent = (self.sent + lines)[-60:]
        self.process.stdin.write(b"".join(line + b"\n" for line in lines))
        self.process.stdin.flush()

    def until(self, *words):
        """The lines up to the first whose first word is one of some."""
        heard, end = [], time.monotonic() + PATIENCE
        while True:
            try:
                line = self.lines.get(timeout=max(end - time.monotonic(), 0.001))
            except queue.Empty:
                raise AssertionError(f"no {words} within {PATIENCE:g} s") from None
            if line is None:
                raise AssertionError(f"the engine ended with {self.process.wait()}: {self.errors}")
            heard.append(line)
            if line.split(b" ")[0] in words:
                return heard


def is_answer(line):
    return line.split(b" ")[0] in (b"bestmove", b"nobestmove")


def play_round(engine, lot, is_dense):
    """One group of quiet lines and one search; how many lines, searches and `isready` that were."""
    quiet = [quiet_line(lot) for _ in range(lot.randrange(1, 30))]
    ready = 1 + sum(first_word(line) == "isready" for line in quiet)
    engine.send(quiet + [b"isready"])
    # Answers to a `stop` that came too late would be counted here, not at the search.
    for _ in range(ready):
        heard = engine.until(b"readyok")
        assert not any(is_answer(line) for line in heard), f"an answer without a go: {heard}"
    go = fill(lot.choice(GOES), lot).encode()
    meanwhile = [quiet_line(lot) for _ in range(lot.randrange(8))] if is_dense else []
    meanwhile = [line for line in meanwhile if first_word(line) != "isready"]
    engine.send([go] + meanwhile + [b"stop"])
    engine.until(b"bestmove", b"nobestmove")
    # What was sent meanwhile keeps a late `stop` from being swallowed: it may be answered once, in UCCI.
    engine.send([b"isready"])
    late = [line for line in engine.until(b"readyok") if is_answer(line)]
    assert all(line == b"nobestmove" for line in late) and len(late) <= 1, f"a second answer to {go}: {late}"
    return len(quiet) + len(meanwhile) + 4, 1, ready + 1


def talk(path, protocol, seed, least):
    """One engine until so many lines are sent: how many lines, searches and `isready` that were, or the fault."""
    lot = random.Random(seed)
    engine = Engine(path, protocol)
    lines, searches, ready = 0, 0, 0
    try:
        while lines < least:
            more = play_round(engine, lot, lot.random() < 0.5)
            lines, searches, ready = lines + more[0], searches + more[1], ready + more[2]
            assert not engine.errors, f"on standard error: {engine.errors}"
        engine.send([b"quit"])
        status = engine.process.wait(PATIENCE)
        assert status == 0 and not engine.errors, f"it ended with {status}: {engine.errors}"
    except (AssertionError, OSError) as fault:
        sent = "\n  ".join(["the last lines sent:", *map(repr, engine.sent)])
        return (lines, searches, ready), f"{sent}\nseed {seed}, after {lines} lines: {fault} {engine.errors}"
    finally:
        engine.process.kill()
    return (lines, searches, ready), None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("engine")
    parser.add_argument("--protocol", choices=["ucci", "uci"], default="ucci")
    parser.add_argument("--lines", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1, help="engines at once; they share the lines, and have seeds of their own")
    options = parser.parse_args()
    # The first has the seed itself, so that a run of one job stays what it was.
    seeds = [options.seed + 1000 * job for job in range(options.jobs)]
    share = -(-options.lines // options.jobs)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        results = list(pool.map(lambda seed: talk(options.engine, options.protocol, seed, share), seeds))
    faults = [fault for _, fault in results if fault]
    lines, searches, ready = (sum(counts) for counts in zip(*(counts for counts, _ in results)))
    print(*faults, sep="\n", end="\n" if faults else "")
    print(f"{lines} lines, {searches} searches with one answer each, {ready} times isready, {len(faults) or 'no'} fault{'s' * (len(faults) > 1)}")
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()
