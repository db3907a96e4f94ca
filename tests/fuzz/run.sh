#!/usr/bin/env bash
# Runs libFuzzer on each target for some seconds.
#
# usage: tests/fuzz/run.sh SECONDS [TARGET…]        (needs a C++ compiler)
#
# Starts from tests/fuzz/seeds; new inputs are stored in target/fuzz/corpus and used by the next run. Inputs
# on which a parser fails are stored as target/fuzz/TARGET-…, and the exit status is 1. Works with stable
# Rust, since the instrumentation requires no option of the nightly compiler.
set -euo pipefail
seconds=$1
shift
cd "$(dirname "$0")/../.."
target=${CARGO_TARGET_DIR:-target}
out=$target/fuzz
host=$(rustc -vV | sed -n 's/^host: //p')

# The target is given explicitly, so that build scripts are not instrumented.
RUSTFLAGS="-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 -Cllvm-args=-sanitizer-coverage-inline-8bit-counters \
-Cllvm-args=-sanitizer-coverage-pc-table -Cllvm-args=-sanitizer-coverage-trace-compares -Cdebug-assertions -Coverflow-checks \
-Ctarget-cpu=native" \
    cargo build --release --locked --package chuhe-fuzz --features libfuzzer --bin fuzz --target "$host" --target-dir "$out/build"

[ $# -gt 0 ] || set -- $(basename -a tests/fuzz/seeds/*/)
failed=
for name in "$@"; do
    mkdir -p "$out/corpus/$name"
    printf -- '-- %s\n' "$name"
    CHUHE_FUZZ=$name "$out/build/$host/release/fuzz" -max_total_time="$seconds" -timeout=20 -rss_limit_mb=4096 -print_final_stats=1 \
        -artifact_prefix="$out/$name-" "$out/corpus/$name" "tests/fuzz/seeds/$name" > "$out/$name.log" 2>&1 || failed+="$name "
    grep -E '^(stat::number_of_executed_units|SUMMARY|thread .* panicked)' "$out/$name.log" || true
    [[ " $failed" != *" $name "* ]] || tail -30 "$out/$name.log"
done
[ -z "$failed" ] || { echo "fuzz: $failed failed; the inputs are in $out"; exit 1; }
