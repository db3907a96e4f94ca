#!/usr/bin/env bash
# Both arrays on Slurm, each with a task that is requeued: the records are the same byte for byte as without Slurm, and the merged match is the
# match played in one piece.
#
# usage: tests/cluster/slurm.sh tests/cluster/arrays.sh PROGRAM FOLDER
set -euo pipefail
program=$(realpath "$1")
here=$(realpath "$(dirname "$0")")
rm -rf "$2" && mkdir -p "$2" && cd "$2"

# Waits until no job is left.
finish() {
    while squeue --noheader | grep -q .; do sleep 1; done
}

# Sends a running task back into the queue as soon as it has written so many kilobytes. Slurm would start it again after two minutes.
requeue() {
    local task=$1 folder=$2 kilobytes=$3
    until find "$folder" -type f -size "+${kilobytes}k" 2>/dev/null | grep -q .; do sleep 0.1; done
    scontrol requeue "$task"
    until squeue --noheader --states=pending --jobs="$task" | grep -q .; do sleep 0.2; done
    scontrol update "jobid=$task" starttime=now
    echo "$task was sent back into the queue"
}

echo "== datagen"
settings=(--positions 4000 --nodes 400)
for seed in 1 2; do "$program" datagen --out alone --threads 1 --seed "$seed" "${settings[@]}" >/dev/null 2>&1; done
job=$(sbatch --parsable --array=1-2 "$here/datagen.sbatch" "$program" "$PWD/array" "${settings[@]}")
requeue "${job}_1" array 4
finish
for file in alone/*; do cmp "$file" "array/$(basename "$file")" && echo "$(basename "$file"): the same"; done

echo "== match"
players=(--engine cmd=self,name=more,nodes=600,hash=4 --engine cmd=self,name=less,nodes=300,hash=4 --games 40)
"$program" match "${players[@]}" --out whole --json > whole.json 2>/dev/null
job=$(sbatch --parsable --array=1-2 "$here/match.sbatch" "$program" "$PWD/parts" "${players[@]}")
requeue "${job}_1" parts/1 40
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
