#!/usr/bin/env python3
"""Runs the commands of docs/5-textbook.md and compares the tables printed there with what the program gives now.

    python3 tests/gallery.py target/release/chuhe                 # every command that a table follows
    python3 tests/gallery.py target/release/chuhe --claims 7 8    # those of claims 7 and 8

Counts and their ratios must be the same; times are left alone. Rows that depend on the engine (its evaluation, its search) move with it:
what has changed there is told and forgiven. Any other difference ends the run with 1.
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
    """Every command that a table follows, and the table's rows by column, with the heading above."""
    pair = r"^```\n(chuhe [^`]*)```\n(?:(?!```|\|).*\n)*((?:\|.*\n)+)"
    for section in re.split("^#+ ", chapter, flags=re.MULTILINE):
        heading = section.partition("\n")[0]
        for command, table in re.findall(pair, section, flags=re.MULTILINE):
            columns, _, *rows = [re.split(r" *\| *", line)[1:-1] for line in table.splitlines()]
            yield heading, command.replace("\\\n", " "), [dict(zip(columns, row)) for row in rows]


def run(program, command):
    """The rows of the table that a command prints, or why there is none."""
    done = subprocess.run([program] + shlex.split(command)[1:], cwd=ROOT, capture_output=True, text=True)
    if done.returncode:
        return [], f"ends with {done.returncode}: {done.stdout}{done.stderr}"
    lines = [re.split(" {2,}", line) for line in done.stdout.splitlines()]
    return [dict(zip(lines[0], line)) for line in lines[2:]], None


def moves(command, row):
    """Whether a row depends on what the engine has learnt: its algorithm is the playing search, or its evaluation the engine's."""
    name = next(iter(row.values()))
    own = re.search(r"\+eval=(\w+)", name) or re.search(r"--eval (\w+)", command)
    return "--finders" not in command and (name.startswith("search") or own is None or own[1] == "full")


def differences(written, printed, command):
    """What differs, cell by cell, each with whether it may. Ratios are to the best row, and that may be one that moves."""
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
