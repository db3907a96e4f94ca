#!/usr/bin/env python3
"""Measures the growth of strength with threads and memory: nodes per second, nodes to a depth, and the
matches to play.

    python3 studies/scaling.py target/release/chuhe --threads 1 2 4 8 16 --hash 1 4 16 64 256

Threads: openings are searched for the same time with each number of threads in turn, so that other activity
of the machine affects all of them equally. The machine must nevertheless be idle; with fewer cores than
threads the figures are meaningless. Hash tables: openings are searched to the same depth with one thread; the
number of nodes depends only on the size, so the machine may be busy. Elo requires games at a fixed time, on
an idle machine, one game at a time; the commands are printed at the end.
"""

import argparse
import json
import os
import statistics
import subprocess
from pathlib import Path

OPENINGS = Path(__file__).parent.parent / "src" / "lab" / "embedded" / "openings.epd"


def searched(program, fen, *words):
    done = subprocess.run([program, "analyze", "--fen", fen, "--json", *map(str, words)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--threads", type=int, nargs="*", default=[1, 2])
    parser.add_argument("--hash", type=int, nargs="*", default=[1, 4, 16, 64, 256], help="MB")
    parser.add_argument("--openings", type=int, default=20)
    parser.add_argument("--time", default="2s")
    parser.add_argument("--depth", type=int, default=18)
    options = parser.parse_args()
    program = options.program
    lines = [line for line in OPENINGS.read_text().splitlines() if line and not line.startswith("#")]
    fens = [line.split(";")[0].strip() for line in lines[:: max(1, len(lines) // options.openings)]][: options.openings]

    speeds = {threads: [] for threads in options.threads}
    for fen in fens if speeds else []:
        for threads, found in speeds.items():
            found.append(searched(program, fen, "--time", options.time, "--threads", threads, "--hash", 256)["nps"])
    if speeds:
        first = options.threads[0]
        print(f"nodes a second, {len(fens)} openings of {options.time}, 256 MB, {os.cpu_count()} cores\n\n| threads | thousand nodes a second | ratio |\n|---|---|---|")
        for threads, found in speeds.items():
            ratio = statistics.median(a / b for a, b in zip(found, speeds[first]))
            print(f"| {threads} | {statistics.median(found) / 1000:.0f} | {ratio:.2f} |")

    if options.hash:
        nodes = {size: [searched(program, fen, "--depth", options.depth, "--hash", size)["nodes"] for fen in fens] for size in options.hash}
        most = options.hash[-1]
        print(f"\nnodes to depth {options.depth}, {len(fens)} openings, one thread\n\n| hash, MB | million nodes | against {most} MB |\n|---|---|---|")
        for size, found in nodes.items():
            print(f"| {size} | {sum(found) / 1e6:.1f} | {sum(found) / sum(nodes[most]):.2f} |")

    play = "tc=2+0.02 --order random --concurrency 1 --games 400 --adjudicate-win moves=4,score=1500"
    print("\nElo, on an idle machine:")
    for fewer, more in zip(options.threads, options.threads[1:]):
        players = f"--engine cmd=self,name=threads-{more},threads={more} --engine cmd=self,name=threads-{fewer},threads={fewer}"
        print(f"  {program} match {players} --each hash=256,{play} --out runs/threads-{more}")
    for less, more in zip(options.hash, options.hash[1:]):
        players = f"--engine cmd=self,name=hash-{more},hash={more} --engine cmd=self,name=hash-{less},hash={less}"
        print(f"  {program} match {players} --each threads=1,{play} --out runs/hash-{more}")


if __name__ == "__main__":
    main()
