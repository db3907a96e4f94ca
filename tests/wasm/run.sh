#!/usr/bin/env bash
# Builds the WebAssembly modules and tests the npm package in Node and in a browser.
#
# usage: tests/wasm/run.sh CHUHE FOLDER        (FOLDER/site and FOLDER/package are created; as root, installs missing Debian packages)
#
# CHUHE is the native program, with which the module is compared. The exit status is 0 on success, 77 if a
# requirement is missing, and otherwise 1 with a message.
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
node tests/wasm/desk_worker.mjs
node tests/wasm/session.mjs
status=0
# The same variables as in make, so that the module is identical.
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
