#!/usr/bin/env python3
"""Damages files of every readable kind and checks the behaviour of the program.

    cargo build
    python3 tests/damaged_files.py target/debug/chuhe [--files 100] [--seed 1] [--only KIND…] [--keep FOLDER]

First a valid file of each kind is created, if possible by the program itself. Then bits are changed, bytes
are inserted, removed or copied, numbers become huge, and ends are truncated. A separate command reads each
damaged file. It must end with status 0, 1 or 2, within 20 seconds of processor time and 4 GB of address
space, without a panic. If it fails, it must give the reason in a few lines without control characters. A
build with debug assertions also detects integer overflows. Linux only, because of prlimit.
"""

import argparse
import collections
import random
import re
import shutil
import sqlite3
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

LIMITS = ["prlimit", "--cpu=20", f"--as={4 << 30}", "--core=0"]
PLAYERS = ["--engine", "cmd=self,name=a,nodes=10,hash=1", "--engine", "cmd=self,name=b,nodes=10,hash=1"]
# Maximum length of a report, larger than that of a report with several errors.
MOST_LINES = 60


def run(program, words, folder):
    # Standard input is empty, so that no command waits for input.
    command = [*LIMITS, program, *map(str, words)]
    return subprocess.run(command, cwd=folder, capture_output=True, stdin=subprocess.DEVNULL, timeout=600)


def sound(program, folder):
    """Returns valid files, and for each kind the commands that read it, with `{}` for the damaged file."""

    def do(*words):
        done = run(program, words, folder)
        assert done.returncode == 0, (words, done.stderr.decode(errors="replace")[-800:])
        return done.stdout

    def write(name, content):
        path = folder / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    do("match", *PLAYERS, "--games", "2", "--out", "played")
    pgn = folder / "played" / "games.pgn"
    game = write("game.pgn", pgn.read_text().split("\n\n[")[0] + "\n")
    kinds = {"pgn": (pgn, ["convert", "{}", "--to", "pgn"])}
    tree = '[Game "Chinese Chess"]\n[Red "甲"]\n\n1. 炮二平五! {好} 马８进７ (1... 马２进３ 2. 马二进三 (2. 马八进七)) 2. 马二进三 1-0\n'
    kinds["pgn gb18030"] = (write("tree.pgn", tree.encode("gb18030")), ["convert", "{}", "--to", "dhtmlxq"])
    tree = write("tree-utf8.pgn", tree)
    for name in ["xqf", "cbr", "cbl", "cbf", "dhtmlxq", "wxf", "position", "moves"]:
        path = folder / f"tree.{name}"
        do("convert", tree if name != "moves" else game, "--to", name, "--out", path)
        kinds[name] = (path, ["convert", "{}", "--to", "pgn"])
    kinds["pgn reviewed"] = (tree, ["review", "{}", "--nodes", "1000", "--hash", "1"])
    kinds["pgn judged"] = (pgn, ["judge", "--pgn", "{}", "--json"])
    fens = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1"
    fens = f"# two\n{fens} ; D1 44 ; bm h2e2\n3k5/9/9/9/9/9/9/9/4R4/R3K4 w - - 3 5 ; dm 2\n"
    epd = write("two.epd", fens)
    kinds["epd judged"] = (epd, ["judge", "--file", "{}"])
    kinds["epd counted"] = (epd, ["perft", "--file", "{}", "--max-depth", "1"])
    kinds["epd searched"] = (epd, ["analyze", "--file", "{}", "--nodes", "200"])
    kinds["epd compared"] = (epd, ["compare", "--file", "{}", "--depth", "1", "--only", "pvs"])
    short = ["--games", "2", "--concurrency", "1", "--out", "again"]
    kinds["openings epd"] = (epd, ["match", *PLAYERS, *short, "--openings", "{}"])
    kinds["openings pgn"] = (pgn, ["match", *PLAYERS, *short, "--openings", "{}", "--opening-plies", "6"])
    config = '[each]\nnodes = 10\nhash = 1\n\n[[engine]]\ncmd = "self"\nname = "one"\n\n[[engine]]\ncmd = "self"\nname = "two"\n'
    config = 'order = "random"\nadjudicate-win = { moves = 4, score = 2000 }\n\n' + config
    kinds["match toml"] = (write("match.toml", config), ["match", "--config", "{}", *short])
    kinds["match merged"] = (folder / "played" / "games.jsonl", ["match", "--merge", "{folder}"])
    again = ["match", *PLAYERS, "--games", "4", "--concurrency", "1", "--out", "{folder}", "--resume"]
    kinds["match resumed"] = (folder / "played" / "games.jsonl", again)

    do("datagen", "--games", "24", "--nodes", "50", "--hash", "1", "--threads", "1", "--out", "records")
    records = next((folder / "records").glob("*.games"))
    kinds["records inspected"] = (records, ["datagen", "--inspect", "{}"])
    few = ["--epochs", "1", "--batch", "64", "--threads", "1", "--hidden", "32"]
    kinds["records learnt"] = (records, ["train", "{}", *few, "--out", "learnt"])
    kinds["records fitted"] = (records, ["train", "{}", "--linear", "--epochs", "1", "--batch", "64", "--threads", "1"])
    kinds["pgn learnt"] = (pgn, ["train", "{}", *few, "--out", "learnt"])
    do("train", records, *few, "--out", "net")
    kinds["network"] = (folder / "net.net", ["net", "eval", "{}"])
    kinds["network searched"] = (folder / "net.net", ["analyze", "--net", "{}", "--nodes", "200"])
    kinds["network quantised"] = (folder / "net.float", ["net", "quantise", "{}", "quantised.net"])
    kinds["network gone on"] = (folder / "net.float", ["train", records, "--from", "{}", *few[:-2], "--out", "learnt"])
    kinds["checkpoint"] = (folder / "net.checkpoint", ["train", records, "--resume", "--epochs", "2", *few[2:], "--out", "{stem}"])
    do("tune", "--iterations", "1", "--batch", "1", "--pairs", "1", "--nodes", "50", "--threads", "1", "--out", "run.toml")
    kinds["tuning"] = (folder / "run.toml", ["tune", "--inspect", "{}"])

    do("book", "build", pgn, "--out", "own.book")
    ask = ["book", "probe", "{}"]
    kinds["book"] = (folder / "own.book", ask)
    kinds["book shown"] = (folder / "own.book", ["book", "show", "{}"])
    lot = random.Random(1)
    # The records are sorted by key, whose lowest byte comes first.
    entries = sorted((lot.getrandbits(32), lot.getrandbits(16), lot.getrandbits(16)) for _ in range(300))
    kinds["book dat"] = (write("BOOK.DAT", b"".join(struct.pack("<IHH", *entry) for entry in entries)), ask)
    database = sqlite3.connect(folder / "some.obk")
    database.execute(
        "CREATE TABLE bhobk (id INTEGER PRIMARY KEY, vkey, vmove INTEGER, vscore INTEGER, vwin INTEGER, vdraw INTEGER, vlost INTEGER,"
        " vvalid INTEGER, vmemo BLOB, vindex INTEGER)"
    )
    rows = [(lot.getrandbits(63), lot.getrandbits(16), 5, 1, 2, 3, 1, b"", 0) for _ in range(50)]
    database.executemany("INSERT INTO bhobk (vkey, vmove, vscore, vwin, vdraw, vlost, vvalid, vmemo, vindex) VALUES (?,?,?,?,?,?,?,?,?)", rows)
    database.commit()
    database.close()
    kinds["book obk"] = (folder / "some.obk", ask)
    return kinds


def damage(content, lot):
    content = bytearray(content)
    for _ in range(lot.choice([1, 1, 1, 2, 4, 16])):
        at = lot.randrange(len(content) + 1)
        kind = lot.randrange(8)
        if kind == 0 and content:
            content[at % len(content)] ^= 1 << lot.randrange(8)
        elif kind == 1 and content:
            content[at % len(content)] = lot.choice([0, 255, 127, 128, 10, 27, 34, 40, 123])
        elif kind == 2:
            del content[at:]
        elif kind == 3:
            del content[at : at + lot.randrange(1, 40)]
        elif kind == 4:
            content[at:at] = lot.randbytes(lot.randrange(1, 20))
        elif kind == 5:
            content[at : at + 4] = struct.pack("<I", lot.choice([0xFFFFFFFF, 0x7FFFFFFF, 0x80000000, 0xFFFF]))
        elif kind == 6:
            content[at:at] = lot.choice([b"99999999999999999999", b"-1", b"\xe2\x80\xae", b"(" * 300, b"\x1b[2J", "炮二平五".encode(), b"e308"])
        else:
            other = lot.randrange(len(content) + 1)
            content[at:at] = content[other : other + lot.randrange(1, 200)]
    return bytes(content)


def fault_of(done):
    """Returns the fault in the result of a command, or None."""
    said, shown = done.stderr.decode(errors="replace"), done.stdout.decode(errors="replace")
    if done.returncode not in (0, 1, 2):
        return f"status {done.returncode}: {said[-500:]}"
    if "panicked" in said or "RUST_BACKTRACE" in said:
        return f"a panic: {said[-500:]}"
    if done.returncode == 2 and "chuhe: " not in said:
        return f"status 2, and nothing said: {said[-500:]}"
    if len(said.splitlines()) > MOST_LINES:
        return f"{len(said.splitlines())} lines on standard error: {said[:500]}"
    if re.search("[\x00-\x08\x0b-\x1f\x7f\u202a-\u202e\u2066-\u2069]", said.replace("\r", "")):
        return f"what it says steers the terminal: {said[:500]!r}"
    return ""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--files", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", nargs="+")
    parser.add_argument("--keep", type=Path, default=Path("damaged"), help="where files go that are taken badly")
    options = parser.parse_args()
    program, keep = str(Path(options.program).resolve()), options.keep.resolve()
    faults = 0
    with tempfile.TemporaryDirectory(prefix="chuhe-damaged-") as folder:
        folder = Path(folder)
        for kind, (path, words) in sound(program, folder).items():
            if options.only and kind not in options.only:
                continue
            lot, ends = random.Random(f"{options.seed} {kind}"), collections.Counter()
            whole = path.read_bytes()
            # Number -1 is the valid file, which must be accepted.
            for number in range(-1, options.files):
                place = folder / "place"
                shutil.rmtree(place, ignore_errors=True)
                place.mkdir()
                damaged = place / path.name
                content = whole if number < 0 else damage(whole, lot)
                damaged.write_bytes(content)
                filled = [str(w).replace("{}", str(damaged)).replace("{folder}", str(place)).replace("{stem}", str(place / path.stem)) for w in words]
                try:
                    done = run(program, filled, place)
                    fault = fault_of(done)
                    if number < 0 and done.returncode != 0:
                        fault = f"sound, and status {done.returncode}: {done.stderr.decode(errors='replace')[-500:]}"
                    ends[done.returncode] += number >= 0
                except subprocess.TimeoutExpired:
                    fault = "it hangs"
                if fault:
                    faults += 1
                    keep.mkdir(parents=True, exist_ok=True)
                    kept = keep / f"{kind.replace(' ', '-')}-{number}{path.suffix}"
                    kept.write_bytes(content)
                    print(f"FAULT {kind}, {kept}: {fault}", flush=True)
            print(f"{kind}: {options.files} files; " + ", ".join(f"status {end}: {ends[end]}" for end in sorted(ends)), flush=True)
    print(f"{faults or 'no'} faults")
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()
