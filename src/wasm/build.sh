#!/usr/bin/env bash
# Builds Chuhe for browsers and Node: the page as a folder of static files, and the npm package.
#
# usage: src/wasm/build.sh [FOLDER]      (FOLDER/site and FOLDER/package; without it target/wasm)
#
# Requires Rust with the target wasm32-unknown-unknown, which is installed with rustup if available, or
# Debian's rustc-web, cargo-web, rust-web-src and lld-19. Binaryen's wasm-opt makes the modules smaller. The
# exit status is 77 if no compiler can build for the target.
set -euo pipefail
cd "$(dirname "$0")/../.."
out=${1:-target/wasm}
built=${CARGO_TARGET_DIR:-target}/wasm32-unknown-unknown/wasm/chuhe_wasm.wasm
target=wasm32-unknown-unknown
cargo=(cargo)
# Flags for this machine's processor, which make sets, would replace the flags in .cargo/config.toml that
# enable SIMD and a large stack.
unset RUSTFLAGS CARGO_ENCODED_RUSTFLAGS

has_target() { [ -d "$(rustc --print target-libdir --target $target 2> /dev/null)" ]; }

if ! has_target; then
    command -v rustup > /dev/null && timeout 120 rustup target add $target || true
fi
if has_target; then
    flags=()
elif [ -x /usr/bin/rustc ] && [ -d /usr/lib/rustlib/src/rust/library ] && command -v wasm-ld-19 > /dev/null; then
    # Debian's package contains the sources of the standard library instead of the library.
    export RUSTC=/usr/bin/rustc RUSTC_BOOTSTRAP=1 CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER=wasm-ld-19
    cargo=(env -u RUSTUP_TOOLCHAIN /usr/bin/cargo)
    flags=(-Zbuild-std=std,panic_abort)
else
    echo "no compiler here builds for $target: rustup target add $target, or Debian's rustc-web cargo-web rust-web-src lld-19" >&2
    exit 77
fi

# module NAME [FEATURES]: builds one module.
module() {
    "${cargo[@]}" build --locked --package chuhe-wasm --profile wasm --features "${2:-}" --target $target "${flags[@]}"
    if command -v wasm-opt > /dev/null; then
        wasm-opt -Os --enable-simd --enable-bulk-memory --enable-sign-ext --enable-nontrapping-float-to-int --enable-mutable-globals \
            --enable-reference-types --enable-multivalue --strip-producers "$built" -o "$out/$1"
    else
        echo "WITHOUT wasm-opt (Debian's binaryen): $1 is a tenth larger" >&2
        cp "$built" "$out/$1"
    fi
    printf '%s: %d bytes, %d by gzip\n' "$1" "$(wc -c < "$out/$1")" "$(gzip -9c "$out/$1" | wc -c)"
}

rm -rf "$out/site" "$out/package"
mkdir -p "$out/site" "$out/package"
module chuhe.wasm
module desk.wasm desk

cp src/wasm/package/* LICENSE-MIT LICENSE-APACHE "$out/package"
number=$(sed -n 's/^version = "\(.*\)"$/\1/p' Cargo.toml | head -1)
sed -i 's/"version": "[^"]*"/"version": "'"$number"'"/' "$out/package/package.json"
mv "$out/chuhe.wasm" "$out/package"

cp src/app/web/page/* src/engine/picture/strokes.json src/wasm/site/* "$out/site"
cp src/wasm/package/{core,module,pipe,threads}.js "$out/site"
mv "$out/desk.wasm" "$out/site"
# The page with its engine inside.
sed -i 's|</head>|<meta name="chuhe-worker" content="desk-worker.js">\n<link rel="manifest" href="manifest.webmanifest">\n<script type="module" src="offline.js"></script>\n</head>|' "$out/site/index.html"
# Files that the page caches, and a name for this set of files.
version=chuhe-$(cd "$out/site" && cat * | sha256sum | cut -c1-16)
names=$(cd "$out/site" && ls | grep -v '^offline-worker.js$' | sed 's/.*/"&"/' | paste -sd, -)
sed -i "s|@version@|$version|; s|/\*@files@\*/|$names|" "$out/site/offline-worker.js"
echo "$out/site: $(ls "$out/site" | wc -l) files; $out/package: $(ls "$out/package" | wc -l) files"
