#!/usr/bin/env python3
"""Runs the commands in docs/5-textbook.md and compares the tables there with the current output.

    python3 tests/gallery.py target/release/chuhe                 # all commands followed by a table
    python3 tests/gallery.py target/release/chuhe --claims 7 8    # those of claims 7 and 8

Counts and ratios must be the same; times are ignored. Rows that depend on the engine (its evaluation or its
search) may change with it; their differences are only reported. Any other difference ends the run with status
1.
"""

import argparse
import pathlib
import re
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
TIMES = {"ms", "× time"}


def tables(chapter):
    """Returns every command followed by a table, the rows of the table by column, and the heading above."""
    pair = r"^```\n(chuhe [^`]*)```\n(?:(?!```|\|).*\n)*((?:\|.*\n)+)"
    for section in re.split("^#+ ", chapter, flags=re.MULTILINE):
        heading = section.partition("\n")[0]
        for command, table in re.findall(pair, section, flags=re.MULTILINE):
            columns, _, *rows = [re.split(r" *\| *", line)[1:-1] for line in table.splitlines()]
            yield heading, command.replace("\\\n", " "), [dict(zip(columns, row)) for row in rows]


def run(program, command):
    """Returns the rows of the table printed by a command, or the reason why there is none."""
    done = subprocess.run([program] + shlex.split(command)[1:], cwd=ROOT, capture_output=True, text=True)
    if done.returncode:
        return [], f"ends with {done.returncode}: {done.stdout}{done.stderr}"
    lines = [re.split(" {2,}", line) for line in done.stdout.splitlines()]
    return [dict(zip(lines[0], line)) for line in lines[2:]], None


def moves(command, row):
    """Returns True if a row depends on the engine: its algorithm is the engine's search, or its evaluation is
    the engine's."""
    name = next(iter(row.values()))
    own = re.search(r"\+eval=(\w+)", name) or re.search(r"--eval (\w+)", command)
    return "--finders" not in command and (name.startswith("search") or own is None or own[1] == "full")


def differences(written, printed, command):
    """Returns the differences cell by cell, each with True if it is allowed. Ratios refer to the best row,
    which may depend on the engine."""
    if len(written) != len(printed):
        yield f"{len(written)} rows are written and {len(printed)} printed", False
    any_moves = any(moves(command, row) for row in written)
    for old, new in zip(written, printed):
        for column in old:
            if column not in TIMES and old[column] != new.get(column):
                may = moves(command, old) or (any_moves and column == "× nodes")
                yield f"{next(iter(old.values()))}: {column} {old[column]} is now {new.get(column)}", may


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=pathlib.Path, help="the path of chuhe")
    parser.add_argument("--claims", nargs="+", metavar="N", help="only the commands of these claims")
    args = parser.parse_args()

    seen = wrong = 0
    found_claims = set()
    for heading, command, written in tables((ROOT / "docs/5-textbook.md").read_text(encoding="utf-8")):
        if args.claims and heading.split()[0] not in args.claims:
            continue
        seen += 1
        found_claims.add(heading.split()[0])
        printed, failure = run(args.program.resolve(), command)
        found = [(failure, False)] if failure else list(differences(written, printed, command))
        verdict = "differs" if any(not may for _, may in found) else "the engine's rows have moved" if found else "the same"
        print(f"{heading}: {len(written)} rows, {verdict}", flush=True)
        for what, may in found:
            print(f"    {what}{' (may)' if may else ''}", flush=True)
        wrong += verdict == "differs"
    missing = set(args.claims or []) - found_claims
    sys.exit(f"no table of {sorted(missing)} was found" if missing or not seen else 1 if wrong else 0)


if __name__ == "__main__":
    main()
