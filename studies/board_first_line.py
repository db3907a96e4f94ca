#!/usr/bin/env python3
"""Measures the time from a request to the first line of an analysis: for the first analysis of a run, the
next, and the first after a game.

usage: studies/board_first_line.py [--chuhe PROGRAM] [--runs N] [--threads N]

Only measures. Requires only Python.
"""

import argparse
import os
import re
import select
import statistics
import subprocess
import sys
import time
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent.parent / "tests"))
from board_soak import Page


def until(page, *kinds):
    """Waits for an event of a kind and returns its time."""
    while True:
        select.select([page.socket], [], [])
        if any(event["is"] in kinds for event in page.events()):
            return time.monotonic()


def first_line(page, **more):
    """Returns the milliseconds from a request to its first line."""
    start = time.monotonic()
    page.ask(do="think", lines=3, **more)
    first = until(page, "line")
    page.ask(do="stop")
    until(page, "done")
    return 1000 * (first - start)


def run(chuhe, threads, before):
    """Runs the first and the second analysis of a server, optionally after another request."""
    process = subprocess.Popen([chuhe, "serve", "--port", "0", "--no-my-games"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        port, token = re.match(r"http://127\.0\.0\.1:(\d+)/#token=(\w+)", process.stdout.readline()).groups()
        page = Page(int(port), token)
        until(page, "hello")
        page.ask(do="look")
        until(page, "position")
        if before:
            page.ask(**before)
            until(page, "move")
        return first_line(page, threads=threads), first_line(page, moves=["h2e2"], threads=threads)
    finally:
        process.kill()
        process.wait()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--chuhe", default="target/release/chuhe")
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--threads", type=int, default=1)
    arguments = parser.parse_args()
    for name, before in [("a fresh server", None), ("after a move of level 3", {"do": "play", "moves": ["h2e2"], "level": 3, "book": False})]:
        times = [run(arguments.chuhe, arguments.threads, before) for _ in range(arguments.runs)]
        for order, found in zip(("first", "second"), zip(*times)):
            print(f"{name}, {order} analysis: median {statistics.median(found):.1f} ms, most {max(found):.1f} ms, {len(found)} runs")
    print(f"load of the machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")


if __name__ == "__main__":
    main()
