#!/usr/bin/env python3
"""Measures the nodes that a search to a depth needs, or the mates found within a number of nodes, with one
change at a time.

    python3 studies/tree_sizes.py target/release/chuhe --file positions/hidden-mates-2.epd --depth 14 16 --change "" --change check_extension=false
    python3 studies/tree_sizes.py target/release/chuhe --file positions/hidden-mates-2.epd --nodes 400000 --change "" --change mates=false

A change is a list of unlisted engine options, NAME=VALUE with spaces between them; the empty one is the engine as it is. One thread, 16 MB, and
an empty table for each position, so the counts depend on nothing else and the machine may be busy. With --depth, the geometric mean of the
nodes is printed, and its ratio to the first change; with --nodes, the number of mates in the last line of analysis. Lines are for a table.
"""

import argparse
import math
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent.parent / "tests"))
from uci import Engine, two_at_once


def spent(engine, fen, depth):
    lines, _ = engine.search(fen, f"depth {depth}", fresh=True)
    return max(int(line[line.index("nodes") + 1]) for line in lines)


def has_mate(engine, fen, nodes):
    lines, _ = engine.search(fen, f"nodes {nodes}", fresh=True)
    kind, value = lines[-1][lines[-1].index("score") + 1 :][:2]
    return kind == "mate" and int(value) > 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--file", required=True)
    parser.add_argument("--every", type=int, default=1, help="use every n-th position")
    parser.add_argument("--most", type=int, default=10**9, help="positions")
    parser.add_argument("--depth", type=int, nargs="*", default=[])
    parser.add_argument("--nodes", type=int, nargs="*", default=[])
    parser.add_argument("--change", action="append", default=[])
    options = parser.parse_args()
    lines = [line for line in Path(options.file).read_text().splitlines() if line and not line.startswith("#")]
    fens = [line.split(";")[0].strip() for line in lines[:: options.every]][: options.most]
    first = {}
    for change in options.change or [""]:
        settings = dict(pair.split("=") for pair in change.split())

        def start(settings=settings):
            return Engine([options.program], Hash=16, Threads=1, **settings)

        for depth in options.depth:
            mean = math.exp(sum(math.log(nodes) for nodes in two_at_once(start, lambda one, fen: spent(one, fen, depth), fens)) / len(fens))
            ratio = mean / first.setdefault(depth, mean)
            print(change, Path(options.file).name, len(fens), f"depth {depth}", round(mean), f"{ratio:.3f}", sep="\t", flush=True)
        for nodes in options.nodes:
            found = sum(two_at_once(start, lambda one, fen: has_mate(one, fen, nodes), fens))
            print(change, Path(options.file).name, len(fens), f"nodes {nodes}", found, sep="\t", flush=True)


if __name__ == "__main__":
    main()
