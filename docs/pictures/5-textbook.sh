#!/usr/bin/env bash
# Draws the plots of docs/5-textbook.md. The optional argument is the path of the program, by default
# target/release/chuhe.
set -euo pipefail
chuhe=$(realpath "${1:-$(dirname "$0")/../../target/release/chuhe}")
cd "$(dirname "$0")/../.."

plot() {
    name=$1
    shift
    "$chuhe" compare --file positions/textbook.epd --eval positional --plot "docs/pictures/5-$name.svg" "$@"
}

all="--order staged --hash --deepening --killers 2 --history square"
plot algorithms --depth 1-6 $all --only fail-soft,negascout,mtd-plaat,bisection,pvs-printed
plot orders --depth 1-4 --only minimax,fail-soft+order=worst,fail-soft,fail-soft+order=lists,fail-soft+order=staged,fail-soft+order=best
plot null --depth 3-8 $all --only pvs,pvs+null=2,pvs+null=3
plot history --depth 2-6 --order staged --only pvs,pvs+killers=2,pvs+history=square,pvs+killers=2+history=square,pvs+killers=2+history=square+hash+deepening
