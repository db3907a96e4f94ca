#!/usr/bin/env python3
"""Drives other engines through `chuhe.engine`: games, killed and hanging engines, Ctrl-C, cancelled tasks.
Every answer must arrive and be legal, and no process may be left running.

    python3 compare/foreign_engines.py --uci fairy-stockfish --uci ./pikafish --ucci ./ELEEYE --games 100

Each engine plays `--games` games with each colour against the engine of the package, limited in turn by
depth, nodes, time and a clock. Increase `--timeout` on a machine so busy that an engine needs more than ten
seconds to answer. The exit status is 0 if nothing is wrong, 1 if something is, and 77 if an engine is missing
and the others have passed.
"""

import argparse
import asyncio
import collections
import os
import random
import shutil
import signal
import subprocess
import sys
import threading
import time

import chuhe
from chuhe import Game, Limit
from chuhe.engine import EngineError, EngineTerminatedError, SimpleEngine, popen_ucci, popen_uci

INTERRUPTED = """
import os, signal, sys, threading
import chuhe
from chuhe.engine import SimpleEngine
signal.signal(signal.SIGINT, signal.default_int_handler)
with SimpleEngine.popen_{protocol}({command!r}, cwd={cwd!r}, timeout={timeout}) as engine:
    print(engine.pid, flush=True)
    if {end!r} == "hang":
        engine._engine.timeout = 2.0
        threading.Timer({delay} / 2, os.kill, (engine.pid, signal.SIGSTOP)).start()
    threading.Timer({delay}, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    try:
        engine.analyse(chuhe.Position("{fen}"), chuhe.Limit(depth=60, time=60))
        sys.exit("no interrupt")
    except KeyboardInterrupt:
        pass
    if {end!r} == "kill":
        engine.analysis(chuhe.Position("{fen}"))
        os.kill(os.getpid(), signal.SIGKILL)
    if {end!r} == "search":
        assert engine.play(chuhe.Position(), chuhe.Limit(depth=2)).move
assert engine.returncode is not None
"""


# Limits of the games, in turn.
LIMITS = [
    Limit(depth=2),
    Limit(nodes=500),
    Limit(time=0.02),
    Limit(red_clock=1, black_clock=1, red_inc=0.01, black_inc=0.01),
    Limit(depth=3, nodes=300),
]
# A position that is in no opening book, so that searches take some time.
UNKNOWN = Game(moves=["a3a4", "i6i5", "a0a1", "i9i8", "i0i2", "a9a7"])


class Foreign:
    """An engine under test."""

    def __init__(self, protocol: str, command: str, timeout: float) -> None:
        self.timeout, self.protocol = timeout, protocol
        self.command = os.path.abspath(command) if os.path.exists(command) else command
        # Engines look for their books in this folder.
        self.cwd = os.path.dirname(self.command) or None
        self.pids: list[int] = []

    def is_missing(self) -> bool:
        return shutil.which(self.command) is None

    def start(self) -> SimpleEngine:
        popen = SimpleEngine.popen_ucci if self.protocol == "ucci" else SimpleEngine.popen_uci
        engine = popen(self.command, cwd=self.cwd, timeout=self.timeout)
        self.pids.append(engine.pid)
        return engine

    def left(self) -> list[int]:
        """Returns the processes that have not ended within a second."""
        deadline = time.monotonic() + 1
        while (running := [pid for pid in self.pids if is_running(pid)]) and time.monotonic() < deadline:
            time.sleep(0.02)
        return running


def is_running(pid: int) -> bool:
    state = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True).stdout.strip()
    return bool(state) and not state.startswith("Z")


def games(foreign: Foreign, count: int) -> None:
    """Plays whole games with each colour; the driver raises an exception for an illegal move and for a
    missing answer."""
    results: collections.Counter[str] = collections.Counter()
    plies, slowest = 0, 0.0
    with foreign.start() as engine, chuhe.Engine(hash_mb=4, level=4, seed=1) as ours:
        for number in range(2 * count):
            game, limit = Game(), LIMITS[number % len(LIMITS)]
            engine.new_game()
            chance = random.Random(number)
            while not game.is_game_over() and len(game) < 200:
                if len(game) < 4:
                    game.push(chance.choice(game.legal_moves))
                elif game.turn == (number % 2 == 0):
                    begin = time.monotonic()
                    result = engine.play(game, limit)
                    slowest = max(slowest, time.monotonic() - begin)
                    if result.move is None:
                        results["resigned"] += 1
                        break
                    game.push(result.move)
                else:
                    game.push(ours.play(game, Limit(nodes=100)).move)
            results[game.result()] += 1
            plies += len(game)
            if (number + 1) % 20 == 0 or number + 1 == 2 * count:
                print(f"  {number + 1} games, {plies} plies, {dict(results)}, slowest answer {slowest:.2f} s", flush=True)


def kills(foreign: Foreign, count: int) -> None:
    """Kills the engine during a search, or suspends it so that it hangs."""
    for number in range(count):
        sent = signal.SIGKILL if number % 2 else signal.SIGSTOP
        with foreign.start() as engine:
            engine._engine.timeout = 3.0
            threading.Timer(0.005 * number, os.kill, (engine.pid, sent)).start()
            try:
                engine.analyse(UNKNOWN, Limit(time=1.0 if sent == signal.SIGSTOP else 10.0))
                raise AssertionError("an answer of a killed engine")
            except EngineTerminatedError:
                assert sent == signal.SIGKILL
            except EngineError:
                assert sent == signal.SIGSTOP
    print(f"  {count} kills and hangs", flush=True)


def interrupts(foreign: Foreign, count: int) -> None:
    """Interrupts a search with Ctrl-C, then starts another search or kills the Python process; or the engine
    hangs before the interrupt."""
    for number in range(count):
        end = ("search", "hang", "kill")[number % 3]
        delay = 0.05 + 0.05 * (number % 7)
        code = INTERRUPTED.format(
            protocol=foreign.protocol, command=foreign.command, cwd=foreign.cwd, timeout=foreign.timeout, fen=UNKNOWN.fen(), delay=delay, end=end
        )
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60 + 10 * foreign.timeout)
        foreign.pids.append(int(done.stdout.split()[0]))
        assert done.returncode == (-signal.SIGKILL if end == "kill" else 0), done.stderr
    print(f"  {count} times Ctrl-C", flush=True)


async def cancellations(foreign: Foreign, count: int) -> None:
    """Cancels tasks that are searching or waiting; the next answer must belong to the next position."""
    popen = popen_ucci if foreign.protocol == "ucci" else popen_uci
    chance = random.Random(1)
    async with await popen(foreign.command, cwd=foreign.cwd, timeout=foreign.timeout) as engine:
        foreign.pids.append(engine.pid)
        for number in range(count):
            search = asyncio.create_task(engine.analyse(UNKNOWN, Limit(depth=60, time=60)))
            waiting = asyncio.create_task(engine.play(UNKNOWN, Limit(depth=1)))
            await asyncio.sleep(chance.choice([0, 0.001, 0.01, 0.05, 0.1]))
            for task in (waiting, search) if number % 2 else (search, waiting):
                task.cancel()
            await asyncio.gather(search, waiting, return_exceptions=True)
            assert search.cancelled() and (waiting.cancelled() or waiting.done())
            game = Game(moves=["h2e2"])
            result = await engine.play(game, Limit(depth=2))
            assert result.move in game.legal_moves, result
        search = asyncio.create_task(engine.analyse(UNKNOWN, Limit(depth=60, time=60)))
        await asyncio.sleep(0.1)
        engine.timeout = 2.0
        os.kill(engine.pid, signal.SIGSTOP)
        search.cancel()
        await asyncio.gather(search, return_exceptions=True)
        assert search.cancelled()
        try:
            await engine.play(UNKNOWN, Limit(depth=1))
            raise AssertionError("an answer of a hung engine")
        except EngineTerminatedError:
            pass
    print(f"  {count} cancelled tasks, and one of an engine that hangs", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--uci", action="append", default=[], metavar="PATH")
    parser.add_argument("--ucci", action="append", default=[], metavar="PATH")
    parser.add_argument("--games", type=int, default=2)
    parser.add_argument("--times", type=int, default=20, help="kills, interrupts and cancelled tasks")
    parser.add_argument("--timeout", type=float, default=10.0, help="seconds that an engine has for an answer")
    chosen = parser.parse_args()
    engines = [Foreign(protocol, path, chosen.timeout) for protocol in ("uci", "ucci") for path in getattr(chosen, protocol)]
    if not engines:
        parser.error("name at least one engine")
    for foreign in engines:
        if not foreign.is_missing():
            drive(foreign, chosen.games, chosen.times)
    missing = [foreign.command for foreign in engines if foreign.is_missing()]
    if missing:
        print(f"missing engines: {', '.join(missing)}", file=sys.stderr)
        sys.exit(77)


def drive(foreign: Foreign, count: int, times: int) -> None:
    with foreign.start() as engine:
        print(f"{engine.id.get('name')}, {engine.dialect.value}", flush=True)
    games(foreign, count)
    kills(foreign, times)
    interrupts(foreign, times)
    asyncio.run(cancellations(foreign, times))
    left = foreign.left()
    assert not left, f"processes are left: {left}"
    print(f"  {len(foreign.pids)} processes, none left", flush=True)


if __name__ == "__main__":
    main()
