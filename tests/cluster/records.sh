#!/bin/bash
# Training records from a larger machine that is lent for minutes: plays on all threads until the time is over, or until the records are as
# large as what may be sent back, and leaves them coded in a folder.
#
#   records.sh PROGRAM FOLDER SECONDS THREADS SEED [more arguments of chuhe datagen]
#
# Send this script and the program; a program for another machine is best linked statically (cargo build --release --locked --target
# x86_64-unknown-linux-musl). The files of FOLDER come back: SEED-*.games, and SEED.txt with everything that a log of networks needs.
# Each run needs a seed of its own. LIMIT_MIB (64) is the size that may be sent back.
set -euo pipefail
program=$1 folder=$2 seconds=$3 threads=$4 seed=$5
shift 5
# A block of each thread may still be written after the end.
limit=$(((${LIMIT_MIB:-64} << 20) - threads * (256 << 10)))

mkdir -p "$folder"
"$program" datagen --out "$folder" --threads "$threads" --seed "$seed" --positions 1000000000000 --resume "$@" &
run=$!
# Whatever ends this script ends the run, which keeps its games.
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
