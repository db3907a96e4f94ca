#!/usr/bin/env bash
# Tests the page of `chuhe serve` in a real browser: tests/page/scenes.py, with Playwright and Debian's Chromium, and axe-core
# for accessibility.
#
# usage: tests/page/run.sh CHUHE FOLDER PYTHON [scene ...]        (Debian; root installs what is missing)
#
# PYTHON is an interpreter of a virtual environment, into which Playwright is installed. The variable CHROMIUM selects another
# browser. axe-core and a screenshot of every failed scene are written to FOLDER.
# The exit status is 0 if all scenes pass, 77 if the machine lacks a requirement, and otherwise 1, with a message.
set -euo pipefail

chuhe=$(realpath "$1")
folder=$(realpath -m "$2")
python=$3
shift 3
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../get.sh"
mkdir -p "$folder"

lacks() {
    printf 'page: THE PAGE WAS NOT TESTED: this machine lacks %s\n' "$1" >&2
    exit 77
}

[ -n "${CHROMIUM:-}" ] || get chromium chromium
browser=${CHROMIUM:-$(command -v chromium || true)}
[ -n "$browser" ] || lacks "Chromium (Debian: apt-get install chromium, as root)"

# pip is not run if Playwright is installed, since other steps may be installing into the same environment.
"$python" -c 'import importlib.metadata as installed, sys; sys.exit(installed.version("playwright") != "1.65.2")' 2> /dev/null ||
    "$python" -m pip install --quiet --disable-pip-version-check playwright==1.65.2 || lacks "Playwright 1.65.2 from PyPI"

axe=$(axe_core "$folder") || lacks "npm, which brings axe-core 4.14.1"

exec "$python" "$here/scenes.py" "$chuhe" "$@" --browser "$browser" --axe "$axe" --pictures "$folder/failed"
