#!/usr/bin/env python3
"""Runs the adapter uci2wb 4.1 and prevents it from losing a command.

usage: tests/clients/paced.py uci2wb [-x|-c] ENGINE        (XBoard starts it in place of uci2wb)

uci2wb reads commands in one thread and executes them in another. It queues a move without an end of line, so
if the next command is queued before the move is read (XBoard sends `black` right after the first move of a
game), both are read as one line. The wake-up that remains repeats the move, and the engine with Black then
plays for Red. This script forwards each move separately: the next command waits until the adapter has
reported the move.
"""
import subprocess
import sys
import threading

# Timeout in seconds for the adapter's report of a move; it usually takes less than a millisecond.
PATIENCE = 60


def forward(adapter, executed):
    """Forwards XBoard's commands, and pauses after every move until the adapter has executed it."""
    try:
        for line in sys.stdin.buffer:
            executed.clear()
            adapter.stdin.write(line)
            adapter.stdin.flush()
            if line.startswith(b"usermove ") and not executed.wait(PATIENCE):
                print(f"tellusererror the adapter has not executed a move within {PATIENCE} s", flush=True)
                break
        adapter.stdin.close()
    except BrokenPipeError:
        pass


def main():
    program, *arguments = sys.argv[1:]
    adapter = subprocess.Popen([program, "debug", *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    executed = threading.Event()
    threading.Thread(target=forward, args=(adapter, executed), daemon=True).start()
    for line in adapter.stdout:
        # The adapter's name for a queued move is "e".
        if line.startswith(b"# command e\n"):
            executed.set()
        sys.stdout.buffer.write(line)
        sys.stdout.buffer.flush()
    sys.exit(adapter.wait())


if __name__ == "__main__":
    main()
