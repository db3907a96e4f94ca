#!/usr/bin/env python3
"""Reads records with Chuhe and with the Python library cchess, and compares the games; pyffish looks at every move.

usage: tests/foreign_records.py CHUHE FOLDER            other programs' files
       tests/foreign_records.py CHUHE --own GAMES.PGN   the games of a file, through every format that cchess reads
       tests/foreign_records.py CHUHE --book BOOK.DAT   every move of ElephantEye's book

Needs the PyPI packages cchess and pyffish. Other programs' files are not part of this repository: the test data of walker8088/cchess
(tests/data) and ElephantEye's CCGC/*.PGN, XQFTOOLS/*.XQF and BOOK/BOOK.DAT. The main lines must be equal, and pyffish must find every move
legal. The last line counts. The exit status is 1 if a game of ours differs, or if a move is illegal.
"""

import collections
import pathlib
import random
import struct
import subprocess
import sys
import tempfile

import pyffish
from cchess import Game

START = pyffish.start_fen("xiangqi")
SUFFIXES = (".xqf", ".cbr", ".cbl", ".cbf", ".pgn")


def convert(chuhe, *arguments):
    return subprocess.run([chuhe, "convert", *map(str, arguments), "--language", "en"], capture_output=True, text=True)


def ours(chuhe, path):
    """The games as (FEN, moves), and the faults."""
    run = convert(chuhe, path, "--to", "position")
    games = []
    for line in run.stdout.splitlines():
        start, _, moves = line.partition(" moves")
        fen = start.removeprefix("position ").removeprefix("fen ")
        games.append((START if fen == "startpos" else fen, moves.split()))
    return games, run.stderr.splitlines()[2:]


def theirs(path):
    """The main lines as cchess reads them, without headings, or None if it can't. It reads PGN in UTF-8 alone."""
    try:
        if path.suffix.lower() == ".cbl":
            games = Game.read_from_lib(str(path))["games"]
        elif path.suffix.lower() == ".pgn":
            bytes_ = path.read_bytes()
            try:
                text = bytes_.decode("utf-8")
            except UnicodeDecodeError:
                text = bytes_.decode("gb18030")
            with tempfile.TemporaryDirectory() as folder:
                copy = pathlib.Path(folder) / "copy.pgn"
                copy.write_text(text, encoding="utf-8")
                games = [Game.read_from(str(copy))]
        else:
            games = [Game.read_from(str(path))]
        lines = []
        for game in games:
            line, move = [], game.first_move
            while move is not None:
                line.append(move.to_iccs())
                move = move.next_move
            lines.append(line)
        return [line for line in lines if line or len(lines) == 1]
    except Exception as error:  # whatever it stumbles over
        print(f"  cchess can't read {path.name}: {str(error)[:80]!r}")
        return None


def with_ranks_from_one(move):
    return f"{move[0]}{int(move[1]) + 1}{move[2]}{int(move[3]) + 1}"


def is_legal(fen, moves):
    for move in map(with_ranks_from_one, moves):
        if move not in pyffish.legal_moves("xiangqi", fen, []):
            return False
        fen = pyffish.get_fen("xiangqi", fen, [move])
    return True


def compare(chuhe, files):
    """Counts over files, by name."""
    count = collections.Counter()
    for path in files:
        games, faults = ours(chuhe, path)
        count["games"] += len(games)
        count["faults"] += len(faults)
        for line in faults:
            print(f"  ours: {line.strip()}")
        count["illegal"] += sum(not is_legal(fen, moves) for fen, moves in games)
        others = theirs(path)
        if others is None:
            count["unreadable"] += 1
            continue
        mine = [moves for _, moves in games]
        for number in range(max(len(mine), len(others))):
            one, two = (lines[number] if number < len(lines) else None for lines in (mine, others))
            count["equal" if one == two else "differing"] += 1
            if one != two:
                moves = lambda line: "none" if line is None else f"{len(line)} moves"
                print(f"  {path.name}, game {number + 1}: {moves(two)} by cchess, {moves(one)} by Chuhe")
    return count


def foreign(chuhe, folder):
    files = sorted(path for path in folder.iterdir() if path.suffix.lower() in SUFFIXES)
    count = compare(chuhe, files)
    print(f"{len(files)} files, {count['games']} games: {count['equal']} equal to cchess, {count['differing']} not, {count['unreadable']} "
          f"files that it can't read, {count['faults']} faults, {count['illegal']} games with a move that pyffish finds illegal")
    return count["illegal"] > 0


def own(chuhe, games):
    """The games of a PGN file through every format, each against cchess and pyffish."""
    bad = False
    with tempfile.TemporaryDirectory() as folder:
        for suffix in ("xqf", "cbr", "cbl", "cbf"):
            place = pathlib.Path(folder) / suffix
            place.mkdir()
            # A library stands in one file, the others have a game a file.
            convert(chuhe, games, "--to", suffix, "--out", place / "all.cbl" if suffix == "cbl" else place)
            count = compare(chuhe, sorted(place.iterdir()))
            print(f"{suffix}: {count['equal']} games equal to cchess, {count['differing']} not, {count['unreadable']} files that it can't "
                  f"read, {count['illegal']} games with an illegal move")
            bad |= count["equal"] == 0 or any(count[kind] for kind in ("differing", "unreadable", "illegal", "faults"))
    return bad


def keys():
    """ElephantEye's: RC4 with a key of zeros; of three numbers the book uses the last."""
    state, x, y = list(range(256)), 0, 0
    for at in range(256):
        y = (y + state[at]) & 255
        state[at], state[y] = state[y], state[at]
    y = 0

    def byte():
        nonlocal x, y
        x = (x + 1) & 255
        y = (y + state[x]) & 255
        state[x], state[y] = state[y], state[x]
        return state[(state[x] + state[y]) & 255]

    def third():
        return struct.unpack("<I", bytes(byte() for _ in range(12))[8:])[0]

    return third(), [[third() for _ in range(256)] for _ in range(14)]


def book(chuhe, path):
    """Walks through the book from the start: every position that its moves and all replies reach, as far as the book knows them."""
    turn, table = keys()
    records = collections.defaultdict(list)
    for key, move, weight in struct.iter_unpack("<IHH", path.read_bytes()):
        records[key].append((move, weight))

    def key(fen, mirrored):
        board, side = fen.split()[:2]
        number = turn if side == "b" else 0
        for row, text in enumerate(board.split("/")):
            file = 0
            for letter in text:
                if letter.isdigit():
                    file += int(letter)
                    continue
                piece = "KABNRCPkabnrcp".index(letter)
                number ^= table[piece][(row + 3) * 16 + (8 - file if mirrored else file) + 3]
                file += 1
        return number

    def name(square, mirrored):
        file = square % 16 - 3
        return "abcdefghi"[8 - file if mirrored else file] + str(13 - square // 16)

    # Of each record that was met: is its move legal in some position with its key? Keys of 32 bits fit a foreign position now and then.
    legal_in, strangers = {}, []
    seen, todo, samples = {" ".join(START.split()[:2])}, [START], []
    while todo:
        fen = todo.pop()
        legal = pyffish.legal_moves("xiangqi", fen, [])
        known = set()
        for mirrored in (False, True):
            for place, (move, weight) in enumerate(records.get(key(fen, mirrored), [])):
                text = name(move & 255, mirrored) + name(move >> 8, mirrored)
                record = key(fen, mirrored), place
                legal_in[record] = legal_in.get(record, False) or text in legal
                if text in legal:
                    known.add(text)
                else:
                    strangers.append((record, fen, text))
        if known or strangers and strangers[-1][1] == fen:
            samples.append((fen, known))
        # The enemy may play anything after which the book knows more.
        for move in legal:
            after = pyffish.get_fen("xiangqi", fen, [move])
            board = " ".join(after.split()[:2])
            if board not in seen and (key(after, False) in records or key(after, True) in records):
                seen.add(board)
                todo.append(after)
    total = sum(map(len, records.values()))
    random.seed(1)
    differing = 0
    odd = {fen for _, fen, _ in strangers}
    chosen = [sample for sample in samples if sample[0] in odd] + random.sample(samples, min(200, len(samples)))
    for fen, known in chosen:
        said = subprocess.run([chuhe, "book", "probe", str(path), "--fen", fen, "--json"], capture_output=True, text=True).stdout
        found = {with_ranks_from_one(line.split('"')[3]) for line in said.splitlines()}
        differing += not found <= known or not found and bool(known)
    illegal = [(fen, text) for record, fen, text in strangers if not legal_in[record]]
    print(f"{len(legal_in)} of {total} records of {len(records)} keys met in {len(samples)} positions; {len(strangers) - len(illegal)} met in a "
          f"foreign position too, where the move is not legal; {len(illegal)} moves legal in no position; "
          f"{differing} of 200 positions, and of these, in which Chuhe finds other moves", *illegal, sep="\n")
    return bool(illegal) or differing > 0


def main():
    chuhe = sys.argv[1]
    match sys.argv[2:]:
        case ["--own", games]:
            return own(chuhe, pathlib.Path(games))
        case ["--book", path]:
            return book(chuhe, pathlib.Path(path))
        case [folder]:
            return foreign(chuhe, pathlib.Path(folder))
    sys.exit(__doc__)


if __name__ == "__main__":
    sys.exit(main())
