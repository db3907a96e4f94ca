#!/bin/bash
# Generates training records on a larger machine for a limited time: plays on all threads until the time is
# over or the records have the maximum size, and packs them in a folder.
#
#   records.sh PROGRAM FOLDER SECONDS THREADS SEED [more arguments of chuhe datagen]
#
# Send this script and the program, which should be linked statically for another machine (cargo build
# --release --locked --target x86_64-unknown-linux-musl). FOLDER contains the results: SEED-*.games, and
# SEED.txt with the data for the table of networks. Use a different seed for each run. LIMIT_MIB (64) is the
# maximum size of the results.
set -euo pipefail
program=$1 folder=$2 seconds=$3 threads=$4 seed=$5
shift 5
# Each thread may write another block after the end.
limit=$(((${LIMIT_MIB:-64} << 20) - threads * (256 << 10)))

mkdir -p "$folder"
"$program" datagen --out "$folder" --threads "$threads" --seed "$seed" --positions 1000000000000 --resume "$@" &
run=$!
# If this script is terminated, the run is ended as well; its games are preserved.
trap 'kill -TERM $run 2> /dev/null || true' EXIT
end=$((SECONDS + seconds))
while kill -0 $run 2> /dev/null && [ $SECONDS -lt $end ] && [ "$(du -sb "$folder" | cut -f1)" -lt "$limit" ]; do
    sleep 1
done
kill -TERM $run 2> /dev/null || true
wait $run
trap - EXIT

{
    "$program" --version
    echo "seed $seed, $threads threads, $SECONDS s: $*"
    "$program" datagen --inspect "$folder/$seed"-*.games
} > "$folder/$seed.txt"
plies=$(awk '$1 == "positions" { print $2; exit }' "$folder/$seed.txt")
bytes=$(cat "$folder/$seed"-*.games | wc -c)
awk -v plies="$plies" -v bytes="$bytes" \
    'BEGIN { printf "\n%d bytes, %.2f bytes per position\n", bytes, bytes / plies }' >> "$folder/$seed.txt"
tail -1 "$folder/$seed.txt"
[ "$bytes" -le $((${LIMIT_MIB:-64} << 20)) ]
