#!/usr/bin/env python3
"""Analyses positions planned by `chuhe explore` on a Dask cluster, and writes the results for
`chuhe explore add`.

    chuhe explore plan my.explore.db --leaves 1000 --to jobs.epd
    python3 python/examples/explore.py jobs.epd results.jsonl --scheduler tcp://host:8786
    chuhe explore add my.explore.db results.jsonl

Without --scheduler, two workers on this machine share the work. It needs the packages dask and distributed.
"""

import argparse
import json

import chuhe
from distributed import Client, LocalCluster, as_completed


def analyse(fen, lines, nodes):
    """Returns the result for a position as a line of JSON, in the form of `chuhe analyze --json`."""
    position = chuhe.Position(fen)
    with chuhe.Engine(hash_mb=16) as engine:
        analysis = engine.analyse(position, chuhe.Limit(nodes=nodes), lines=lines)
    found = [{"score": score_of(line.score.pov(position.turn)), "pv": [str(move) for move in line.pv]} for line in analysis.lines]
    return json.dumps({"fen": fen, "depth": analysis.depth, "nodes": analysis.nodes, "lines": found})


def score_of(score):
    """Returns a score from the mover's point of view in the form of `chuhe analyze --json`."""
    if score.kind == "mate":
        return {"mate": score.mate}
    if score.kind == "rule":
        return {"rule": 1 if score.value > 0 else -1}
    return {"cp": score.value}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("jobs")
    parser.add_argument("results")
    parser.add_argument("--scheduler", help="address of a Dask scheduler")
    parser.add_argument("--lines", type=int, default=6)
    parser.add_argument("--nodes", type=int, default=40_000)
    arguments = parser.parse_args()
    with open(arguments.jobs, encoding="utf-8") as file:
        fens = [line.split(";")[0].strip() for line in file if line.strip()]
    cluster = arguments.scheduler or LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None)
    with Client(cluster) as client, open(arguments.results, "w", buffering=1, encoding="utf-8") as results:
        futures = client.map(analyse, fens, lines=arguments.lines, nodes=arguments.nodes)
        for future, line in as_completed(futures, with_results=True):
            results.write(line + "\n")
    print(f"{len(fens)} positions in {arguments.results}")


if __name__ == "__main__":
    main()
