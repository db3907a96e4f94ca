#!/usr/bin/env bash
# XBoard plays two whole games through the adapter uci2wb: Chuhe as a UCCI engine against Chuhe as a UCI engine, so both ways are used in each.
# XBoard is the referee: every move must be legal for it, and every game must come to an end. The adapter runs in paced.py, which says why.
#
# usage: tests/clients/xboard.sh CHUHE FOLDER        (Debian; root installs what is missing)
#
# FOLDER gets games.pgn, xboard.debug (what XBoard and the adapters said) and a log of each talk with the engine.
# Exit status 0 if both games went well, 77 if the machine lacks a program that is needed, else 1 and what went wrong.
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
# A new process plays each game; each keeps a log of its own.
for dialect in ucci uci; do
    printf '#!/bin/sh\nexec "%s" --log "%s/%s-$$.log"\n' "$chuhe" "$folder" "$dialect" > "$folder/$dialect"
    chmod +x "$folder/$dialect"
done

# Searches end by depth, long before the clocks do: a busy machine changes nothing. XBoard ends a game without captures after 60 moves.
# Without -xexit it would show a dialog after a fault, and wait; -noGUI needs a display all the same. GTK is told to leave the desktop's
# services alone, whose complaints would stand among XBoard's.
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
    # A side without moves may be asked too; it has no move to give. After a game XBoard says `stop` twice: in UCCI the second is answered as well.
    none=$(count '< (nobestmove|bestmove \(none\))' "$log")
    # XBoard does not know all rules of repetition, and goes on where Chuhe says that the game is over.
    complaints=$(grep -hE '< info (message|string)' "$log" | grep -vc 'the game is over: ' || true)
    # XBoard starts every engine once more than it plays; that process is asked nothing.
    printf '%s: %s questions, %s moves, %s without a move, %s complaints\n' "$log" "$questions" "$moves" "$none" "$complaints"
    answers=$((moves + none))
    [ "$answers" -ge "$questions" ] && [ "$answers" -le $((questions + stops)) ] && [ "$moves" -ge $((questions - 1)) ] && [ "$complaints" = 0 ] ||
        fail "$log: an answer is missing or was not asked for"
done
tr '\n' ' ' < games.pgn | grep -oE '\{[^{}+-]*\} (1-0|0-1|1/2-1/2)'
