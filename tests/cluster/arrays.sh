#!/usr/bin/env bash
# Tests the job arrays on Slurm. A task of the first is requeued, and during the second the node fails,
# so that all tasks are requeued. The records must be identical to those of a run without Slurm, the merged
# match must equal the match played in one run, and so must the review of its games. Positions planned by
# `chuhe explore` are analysed in parts and added.
#
# usage: tests/cluster/slurm.sh tests/cluster/arrays.sh PROGRAM FOLDER
set -euo pipefail
program=$(realpath "$1")
here=$(realpath "$(dirname "$0")")
rm -rf "$2" && mkdir -p "$2" && cd "$2"

# Waits until no job is left in the queue.
finish() {
    while squeue --noheader | grep . > /dev/null; do sleep 1; done
}

# Waits until a running task has written this number of kilobytes.
written() {
    until find "$1" -type f -size "+${2}k" 2>/dev/null | grep . > /dev/null; do sleep 0.1; done
}

# Starts a requeued task at once; Slurm would wait for two minutes.
begin_again() {
    until squeue --noheader --states=pending --jobs="$1" | grep . > /dev/null; do sleep 0.2; done
    scontrol update "jobid=$1" starttime=now
    echo "$1 was sent back into the queue"
}

# Simulates a node that no longer responds: Slurm marks it as down, kills its jobs and requeues them.
fail_node() {
    local node running
    node=$(sinfo --noheader --format=%n)
    running=$(squeue --noheader --states=running --format=%i)
    [ -n "$running" ] || { echo "nothing runs on the node"; exit 1; }
    scontrol update "nodename=$node" state=down reason=test
    while squeue --noheader --states=running,completing | grep . > /dev/null; do sleep 0.2; done
    # A node that has registered again is already back (`ReturnToService`).
    scontrol update "nodename=$node" state=resume || [[ $(sinfo --noheader --format=%t) == idle* ]]
    for task in $running; do begin_again "$task"; done
}

echo "== datagen"
settings=(--positions 4000 --nodes 400)
for seed in 1 2; do "$program" datagen --out alone --threads 1 --seed "$seed" "${settings[@]}" >/dev/null 2>&1; done
job=$(sbatch --parsable --array=1-2 "$here/datagen.sbatch" "$program" "$PWD/array" "${settings[@]}")
written array 4
scontrol requeue "${job}_1"
begin_again "${job}_1"
finish
for file in alone/*; do cmp "$file" "array/$(basename "$file")" && echo "$(basename "$file"): the same"; done

echo "== match"
players=(--engine cmd=self,name=more,nodes=600,hash=4 --engine cmd=self,name=less,nodes=300,hash=4 --games 40)
"$program" match "${players[@]}" --out whole --json > whole.json 2>/dev/null
job=$(sbatch --parsable --array=1-2 "$here/match.sbatch" "$program" "$PWD/parts" "${players[@]}")
written parts/1 40
fail_node
finish
"$program" match --merge parts/* --out merged --json > merged.json
python3 - <<'PYTHON'
import json

def games(folder):
    found = {}
    for line in open(f"{folder}/games.jsonl").read().splitlines()[1:]:
        game = json.loads(line)
        spoken = [{key: value for key, value in said.items() if key != "us"} for said in game["thoughts"]]
        found[game["game"]] = (game["red"], game["black"], game["fen"], game["moves"], game["result"], game["reason"], spoken)
    return found

whole, merged = games("whole"), games("merged")
assert whole == merged and len(whole) == 40, "other games"
of = lambda path: json.load(open(path))["encounters"][0]
assert of("whole.json") == of("merged.json"), "other results"
print("40 games, the same moves, scores, depths and nodes; pairs", of("merged.json")["pairs"])
PYTHON

echo "== review"
"$program" review whole/games.pgn --nodes 1000 --json > whole.jsonl 2>/dev/null
sbatch --parsable --array=1-2 "$here/part.sbatch" "$program" "$PWD/reviewed" review "$PWD/whole/games.pgn" --nodes 1000 --json
finish
cat reviewed/*.out | cmp - whole.jsonl
echo "$(wc -l < whole.jsonl) games, reviewed in parts as in one piece"

echo "== explore"
effort=(--lines 6 --nodes 1000 --rest 20)
"$program" explore --to a.explore.db --positions 20 "${effort[@]}" >/dev/null 2>&1
"$program" explore plan a.explore.db --leaves 40 --to jobs.epd
sbatch --parsable --array=1-2 "$here/part.sbatch" "$program" "$PWD/explored" analyze --file "$PWD/jobs.epd" --multipv 6 --nodes 1000 --json
finish
cat explored/*.out > explored.jsonl
[ "$(wc -l < explored.jsonl)" -eq 40 ]
"$program" explore add a.explore.db explored.jsonl
"$program" explore check a.explore.db
