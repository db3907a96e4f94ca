#!/usr/bin/env bash
# Chuhe as WebAssembly: builds the modules, and tries the npm package in Node and in a browser.
#
# usage: tests/wasm/run.sh CHUHE FOLDER        (FOLDER/site and FOLDER/package are made; root gets what is missing from Debian)
#
# CHUHE is the native program, with which the module is compared. Exit status 0 if all went well, 77 if the machine lacks something that is
# needed, else 1 and what went wrong.
set -euo pipefail

chuhe=$(realpath "$1")
folder=$(realpath -m "$2")
cd "$(dirname "$0")/../.."
. tests/get.sh

lacks() {
    printf 'wasm: NOT ALL OF WEBASSEMBLY WAS TESTED: this machine lacks %s\n' "$1" >&2
    exit 77
}

get node nodejs
get npm npm
get wasm-opt binaryen
command -v node > /dev/null && command -v npm > /dev/null || lacks "Node 18 and npm"
status=0
# As make has them; the module must be the same.
export RUSTFLAGS="-C target-cpu=native"
src/wasm/build.sh "$folder" || status=$?
if [ $status = 77 ]; then
    get wasm-ld-19 rustc-web cargo-web rust-web-src lld-19
    status=0
    src/wasm/build.sh "$folder" || status=$?
fi
[ $status != 77 ] || lacks "a compiler for wasm32-unknown-unknown, see above"
[ $status = 0 ] || exit 1

node tests/wasm/package.mjs "$chuhe" "$folder"
[ -n "${CHROMIUM:-}" ] || get chromium chromium
browser=${CHROMIUM:-$(command -v chromium || true)}
[ -n "$browser" ] || lacks "Chromium, to try the package in a page"
node tests/wasm/browser.mjs "$chuhe" "$folder" "$browser"
