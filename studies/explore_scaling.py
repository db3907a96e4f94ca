#!/usr/bin/env python3
"""Measures how explorations scale: positions per second with one and with two workers.

    python3 studies/explore_scaling.py CHUHE FOLDER [SECONDS [POSITIONS]]

The workers are processes that share one file (for SECONDS each, 20), parts of a plan of POSITIONS (200) analysed
by `chuhe analyze --part`, and, if the packages chuhe and distributed are installed, a Dask cluster. Start it under
`tests/cluster/slurm.sh` to measure job arrays, too. The last column is the ratio of two workers to one.
"""

import os
import subprocess
import sys
import time
from pathlib import Path

EFFORT = ["--lines", "6", "--nodes", "20000", "--rest", "200"]
ROOT = Path(__file__).resolve().parent.parent
QUIET = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}


def count(chuhe, database):
    """Returns the number of positions of a database, none of which may be damaged."""
    output = subprocess.run([chuhe, "explore", "check", database, "--language", "en"], check=True, capture_output=True, text=True).stdout
    return int(output.split()[0])


def of_processes(chuhe, folder, workers, seconds):
    database = folder / f"processes{workers}.explore.db"
    subprocess.run([chuhe, "explore", "--to", database, "--positions", "20", *EFFORT], check=True, **QUIET)
    begun = time.time()
    command = [chuhe, "explore", "--to", database, "--time", f"{seconds}s", *EFFORT]
    for run in [subprocess.Popen(command, **QUIET) for _ in range(workers)]:
        assert run.wait() == 0
    return (count(chuhe, database) - 20) / (time.time() - begun)


def of_parts(chuhe, jobs, workers):
    command = [chuhe, "analyze", "--file", jobs, "--multipv", "6", "--nodes", "20000", "--json"]
    begun = time.time()
    for run in [subprocess.Popen([*command, "--part", f"{part}/{workers}"], **QUIET) for part in range(1, workers + 1)]:
        assert run.wait() == 0
    return time.time() - begun


def of_array(chuhe, jobs, workers):
    folder = jobs.parent / f"array{workers}"
    command = [ROOT / "tests/cluster/part.sbatch", chuhe, folder, "analyze", "--file", jobs, "--multipv", "6", "--nodes", "20000", "--json"]
    begun = time.time()
    subprocess.run(["sbatch", "--wait", "--output=/dev/null", f"--array=1-{workers}", *map(str, command)], check=True, **QUIET)
    # `sbatch --wait` looks for the end of the jobs only every few seconds.
    return max(file.stat().st_mtime for file in folder.iterdir()) - begun


def of_dask(jobs, workers):
    """Returns the time, excluding the start of the workers."""
    sys.path.append(str(ROOT / "python/examples"))
    from distributed import Client, LocalCluster
    from explore import analyse

    fens = [line.split(";")[0].strip() for line in jobs.read_text().splitlines()]
    with LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster) as client:
        client.run(analyse, fens[0], lines=1, nodes=1)
        begun = time.time()
        client.gather(client.map(analyse, fens, lines=6, nodes=20000))
        return time.time() - begun


def main(chuhe, folder, seconds=20, positions=200):
    chuhe, folder = Path(chuhe).resolve(), Path(folder).resolve()
    folder.mkdir(parents=True)
    jobs = folder / "jobs.epd"
    start = folder / "start.explore.db"
    subprocess.run([chuhe, "explore", "--to", start, "--positions", "60", "--nodes", "2000", "--rest", "50"], check=True, **QUIET)
    subprocess.run([chuhe, "explore", "plan", start, "--leaves", str(positions), "--to", jobs], check=True, **QUIET)
    number = len(jobs.read_text().splitlines())
    ways = {"processes": lambda workers: of_processes(chuhe, folder, workers, seconds), "parts": lambda workers: number / of_parts(chuhe, jobs, workers)}
    if "SLURM_CONF" in os.environ:
        ways["Slurm"] = lambda workers: number / of_array(chuhe, jobs, workers)
    try:
        import chuhe as _
        import distributed as _

        ways["Dask"] = lambda workers: number / of_dask(jobs, workers)
    except ImportError:
        pass
    print("way        one   two  ratio  (positions per second)")
    for name, way in ways.items():
        one, two = way(1), way(2)
        print(f"{name:9} {one:5.1f} {two:5.1f} {two / one:6.2f}", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:3], *map(int, sys.argv[3:]))
