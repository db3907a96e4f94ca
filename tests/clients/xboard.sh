#!/usr/bin/env bash
# XBoard plays two whole games through the adapter uci2wb, between Chuhe as a UCCI engine and Chuhe as a UCI
# engine with alternating colours. XBoard is the referee: every move must be legal, and every game must end.
# The adapter runs in paced.py, which explains the reason.
#
# usage: tests/clients/xboard.sh CHUHE FOLDER        (Debian; as root, installs missing packages)
#
# FOLDER gets games.pgn, xboard.debug (the output of XBoard and the adapters) and a log of the communication
# with each engine. The exit status is 0 on success, 77 if a required program is missing, and otherwise 1 with
# a message.
set -euo pipefail

chuhe=$(realpath "$1")
folder=$(realpath -m "$2")
here=$(realpath "$(dirname "$0")")
export PATH=$PATH:/usr/games
. "$here/../get.sh"

fail() {
    printf 'xboard: %s; see %s\n' "$1" "$folder" >&2
    exit 1
}

missing() {
    for program in xboard uci2wb xvfb-run xauth python3; do
        command -v "$program" > /dev/null || printf '%s ' "$program"
    done
}
for program in $(missing); do
    get "$program" xboard uci2wb xvfb xauth python3
done
if [ -n "$(missing)" ]; then
    printf 'xboard: this machine lacks %s(Debian: apt-get install xboard uci2wb xvfb xauth python3, as root)\n' "$(missing)" >&2
    exit 77
fi

rm -rf "$folder"
mkdir -p "$folder"
ln -s "$here/paced.py" "$folder/paced"
# Each game is played by a new process with its own log.
for dialect in ucci uci; do
    printf '#!/bin/sh\nexec "%s" --log "%s/%s-$$.log"\n' "$chuhe" "$folder" "$dialect" > "$folder/$dialect"
    chmod +x "$folder/$dialect"
done

# Searches are limited by depth and end long before the clocks run out, so that the load of the machine has no
# effect. XBoard ends a game after 60 moves without a capture. Without -xexit it would open a dialog after an
# error and wait. -noGUI still requires a display. GTK must not use the desktop's services, whose error
# messages would be mixed with XBoard's.
cd "$folder"
export GSETTINGS_BACKEND=memory GIO_USE_VFS=local NO_AT_BRIDGE=1
timeout 300 xvfb-run -a xboard -noGUI -xexit -soundProgram true -variant xiangqi \
    -fcp "./paced uci2wb -x ./ucci" -scp "./paced uci2wb -c ./uci" -fd "$folder" -sd "$folder" -xponder \
    -matchGames 2 -matchPause 100 -timeControl 30 -searchDepth 5 -adjudicateDrawMoves 60 -saveGameFile "$folder/games.pgn" \
    -debugMode true -nameOfDebugFile "$folder/xboard.debug" > "$folder/output.txt" 2>&1 || fail "XBoard ended with status $?"

count() {
    grep -hcE "$@" || true
}

[ "$(count '^\[Result "(1-0|0-1|1/2-1/2)"\]' games.pgn)" = 2 ] || fail "not two finished games"
if faults=$(grep -niE 'forfeit|illegal|exited unexpectedly|disconnect' games.pgn output.txt); then
    fail "a game was not ended by the rules: $faults"
fi
for log in ucci-*.log uci-*.log; do
    questions=$(count '> go ' "$log") stops=$(count '> stop$' "$log") moves=$(count '< bestmove [a-i][0-9]' "$log")
    # A side without legal moves may also be requested to move. After a game XBoard sends `stop` twice; in
    # UCCI the second one is answered.
    none=$(count '< (nobestmove|bestmove \(none\))' "$log")
    # XBoard does not implement all repetition rules, so it continues games that are over for Chuhe.
    complaints=$(grep -hE '< info (message|string)' "$log" | grep -vc 'the game is over: ' || true)
    # XBoard starts each engine once more than it plays games; this process receives no `go`.
    printf '%s: %s questions, %s moves, %s without a move, %s complaints\n' "$log" "$questions" "$moves" "$none" "$complaints"
    answers=$((moves + none))
    [ "$answers" -ge "$questions" ] && [ "$answers" -le $((questions + stops)) ] && [ "$moves" -ge $((questions - 1)) ] && [ "$complaints" = 0 ] ||
        fail "$log: an answer is missing or was not asked for"
done
tr '\n' ' ' < games.pgn | grep -oE '\{[^{}+-]*\} (1-0|0-1|1/2-1/2)'
