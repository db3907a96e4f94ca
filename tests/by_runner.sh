#!/usr/bin/env bash
# Runs tests of the command line with a program for another system, such as chuhe.exe under Wine or an ARM
# program under QEMU.
#
# usage: tests/by_runner.sh "wine /path/to/chuhe.exe" program protocol [-- filters and options for the tests]
#
# The tests themselves are built for this machine. While they run, target/debug/chuhe is replaced by a script
# that calls the other program. Prints the number of passed tests; the exit status is 1 if a test failed.
set -euo pipefail
cd "$(dirname "$0")/.."
runner=$1
shift
tests=()
while [ $# -gt 0 ] && [ "$1" != -- ]; do
    tests+=(--test "$1")
    shift
done
[ $# -eq 0 ] || shift

target=${CARGO_TARGET_DIR:-target}
binaries=$(cargo test --locked --no-run "${tests[@]}" 2>&1 | tee /dev/stderr | sed -n 's/^ *Executable tests.*(\(.*\))$/\1/p')
program=$target/debug/chuhe
mv "$program" "$program.own"
trap 'mv -f "$program.own" "$program"' EXIT
printf '#!/bin/sh\nexec %s "$@"\n' "$runner" > "$program"
chmod +x "$program"

status=0
for binary in $binaries; do
    "$binary" "$@" || status=1
done
exit $status
