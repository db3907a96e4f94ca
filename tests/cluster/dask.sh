#!/usr/bin/env bash
# Tests the recipe of docs/16-explore.md for Dask: positions planned by `chuhe explore` are analysed by the
# package for Python on a local cluster of two workers, one of which is killed meanwhile, and are added.
#
# usage: tests/cluster/dask.sh PROGRAM FOLDER PYTHON      (PYTHON has the packages chuhe, dask and distributed)
set -euo pipefail
program=$(realpath "$1")
python=$(realpath -s "$3")
example=$(realpath "$(dirname "$0")/../../python/examples/explore.py")
rm -rf "$2" && mkdir -p "$2" && cd "$2"

"$program" explore --to a.explore.db --positions 20 --lines 6 --nodes 1000 --rest 20 > /dev/null 2>&1
"$program" explore plan a.explore.db --leaves 60 --to jobs.epd
"$python" "$example" jobs.epd results.jsonl --nodes 60000 &
run=$!
# A killed worker is replaced, and its positions are analysed again.
until [ -s results.jsonl ]; do
    kill -0 "$run" || { echo "the run has ended without a result"; exit 1; }
    sleep 0.1
done
worker=$("$python" - "$run" <<'PYTHON'
import pathlib, sys

def fields(stat):
    return stat.read_text().rsplit(")", 1)[1].split()

parents = {}
for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
    try:
        parents.setdefault(int(fields(stat)[1]), []).append(int(stat.parent.name))
    except FileNotFoundError:
        pass
workers = [child for child in parents[int(sys.argv[1])] if b"spawn_main" in pathlib.Path(f"/proc/{child}/cmdline").read_bytes()]
print(workers[0])
PYTHON
)
kill -9 "$worker"
wait "$run"
[ "$(sort -u results.jsonl | wc -l)" -eq 60 ] || { echo "60 positions were expected"; exit 1; }
"$program" explore add a.explore.db results.jsonl | tee added
grep -q "60 new" added
"$program" explore check a.explore.db
