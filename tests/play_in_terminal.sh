#!/usr/bin/env bash
# Plays a game with `chuhe play` in a terminal of 80x24 (tmux), from the first move to mate, with a takeback and a saved record.
#
#     tests/play_in_terminal.sh target/release/chuhe
#
# Prints the screen after the last move. Fails if required text is missing from a screen, or if a part of the
# board is not visible; status 77 without tmux.
set -euo pipefail
command -v tmux > /dev/null || { echo "tmux is missing (Debian: tmux)" >&2; exit 77; }

chuhe=$(realpath "$1")
room=$(mktemp -d)
terminal=(tmux -L "chuhe-play-$$" -f /dev/null)
trap '"${terminal[@]}" kill-server 2>/dev/null || true; rm -r "$room"' EXIT

# Waits until the last lines of the screen contain a text.
expect() {
    for _ in $(seq 300); do
        screen=$("${terminal[@]}" capture-pane -p)
        if tail -n 4 <<<"$screen" | grep -F -- "$1" > /dev/null; then return; fi
        sleep 0.1
    done
    printf 'the screen never showed %s:\n%s\n' "$1" "$screen" >&2
    exit 1
}

say() { "${terminal[@]}" send-keys "$1" Enter; }

# The screen must contain all ten ranks of the board.
whole() {
    [ "$(grep -cE '^  [0-9] ' <<<"$screen")" = 10 ] || { printf 'the board does not fit:\n%s\n' "$screen" >&2; exit 1; }
}

"${terminal[@]}" new-session -d -x 80 -y 24 \
    "LC_ALL=C.UTF-8 '$chuhe' play --side both --language en --save '$room/end.pgn'; exec sleep 600"
expect "1 Red>"
say h2e2; expect "1 Black>"; whole
say a6a5; expect "2 Red>"
say C5+4; expect "2 Black>"
say a5a4; expect "3 Red>"
say undo; expect "2 Black>"
say P1+1; expect "3 Red>"; whole
say b2b4; expect "3 Black>"
say i6i5; expect "4 Red>"
say "save $room/middle.pgn"; expect "4 Red>"
say b4e4; expect "Checkmate. Red wins. 1-0"; whole

grep -q '\[Result "\*"\]' "$room/middle.pgn"
grep -q '\[Result "1-0"\]' "$room/end.pgn"
"$chuhe" judge --pgn "$room/end.pgn" >/dev/null
printf '%s\n' "$screen"
