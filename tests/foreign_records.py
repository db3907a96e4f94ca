#!/usr/bin/env python3
"""Reads records with Chuhe and with the Python library cchess and compares the games; pyffish checks every
move.

usage: tests/foreign_records.py CHUHE FOLDER            other programs' files
       tests/foreign_records.py CHUHE --own GAMES.PGN   the games of a file, through every format that cchess reads
       tests/foreign_records.py CHUHE --book BOOK.DAT POSITIONS
                                                        every move of ElephantEye's book, in positions of examples/book_positions.rs

Requires the PyPI packages cchess and pyffish. The test files are not part of this repository: they are the
test data of walker8088/cchess, and ElephantEye's CCGC/*.PGN, XQFTOOLS/*.XQF and BOOK/BOOK.DAT. The main lines
must be equal, and pyffish must find every move legal. The last line of the output has the counts. The exit
status is 1 if a game read by Chuhe differs, or if a move is illegal.
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
# Changes a key of ElephantEye's book into a control key, as in examples/book_positions.rs.
CONTROL = 0x5A5A5A5A
SUFFIXES = (".xqf", ".cbr", ".cbl", ".cbf", ".pgn")


def convert(chuhe, *arguments):
    return subprocess.run([chuhe, "convert", *map(str, arguments), "--language", "en"], capture_output=True, text=True)


def ours(chuhe, path):
    """Returns the games as (FEN, moves), and the errors."""
    run = convert(chuhe, path, "--to", "position")
    games = []
    for line in run.stdout.splitlines():
        start, _, moves = line.partition(" moves")
        fen = start.removeprefix("position ").removeprefix("fen ")
        games.append((START if fen == "startpos" else fen, moves.split()))
    return games, run.stderr.splitlines()[2:]


def theirs(path):
    """Returns the main lines as read by cchess, without empty entries of a library, or None if it fails.
    cchess reads PGN only in UTF-8."""
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
    except Exception as error:  # any error of the library
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
    """Compares the games in each file; returns the totals."""
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
    """Converts the games of a PGN file to every format and compares each with cchess and pyffish."""
    bad = False
    with tempfile.TemporaryDirectory() as folder:
        for suffix in ("xqf", "cbr", "cbl", "cbf"):
            place = pathlib.Path(folder) / suffix
            place.mkdir()
            # A library is a single file; the other formats have one file per game.
            convert(chuhe, games, "--to", suffix, "--out", place / "all.cbl" if suffix == "cbl" else place)
            count = compare(chuhe, sorted(place.iterdir()))
            bad |= failed(suffix, count)
        # XQF is written unscrambled; scrambled versions are derived from these files.
        for version in range(11, 19):
            place = pathlib.Path(folder) / f"xqf-{version}"
            place.mkdir()
            for number, path in enumerate(sorted((pathlib.Path(folder) / "xqf").iterdir())):
                (place / path.name).write_bytes(scrambled(path.read_bytes(), version, random.Random(100 * version + number)))
            bad |= failed(f"xqf of version {version}", compare(chuhe, sorted(place.iterdir())))
    return bad


def failed(name, count):
    print(f"{name}: {count['equal']} games equal to cchess, {count['differing']} not, {count['unreadable']} files that it can't "
          f"read, {count['illegal']} games with an illegal move")
    return count["equal"] == 0 or any(count[kind] for kind in ("differing", "unreadable", "illegal", "faults"))


def scrambled(plain, version, chance):
    """Converts an XQF file of version 1.0 to a later version, with random keys."""
    header = bytearray(plain[:0x400])
    header[2], header[3] = version, chance.randrange(256)
    header[8:16] = chance.randbytes(8)
    mask, total, pieces, start, end = header[3], *header[12:16]
    step = lambda key, factor: (54 * key * key + 221) * factor & 255
    piece_key = step(pieces, pieces)
    start_key = step(start, piece_key)
    end_key = step(end, start_key)
    comment_key = (total * 256 + pieces) % 32000 + 767
    for piece in range(32):
        header[0x10 + ((piece - piece_key - 1) % 32 if version >= 12 else piece)] = plain[0x10 + piece] + piece_key & 255
    nodes, at = bytearray(), 0x400
    while at < len(plain):
        length = int.from_bytes(plain[at + 4:at + 8], "little")
        flags = (0x80 if plain[at + 2] & 0xF0 else 0) | (0x40 if plain[at + 2] & 0x0F else 0) | (0x20 if length else 0)
        nodes += bytes([plain[at] + start_key & 255, plain[at + 1] + end_key & 255, flags, 0])
        if length:
            nodes += (length + comment_key).to_bytes(4, "little") + plain[at + 8:at + 8 + length]
        at += 8 + length
    four = [header[8 + number] | header[12 + number] & mask for number in range(4)]
    stream = [letter & four[number % 4] for number, letter in enumerate(b"[(C) Copyright Mr. Dong Shiwei.]")]
    return bytes(header) + bytes(byte + stream[number % 32] & 255 for number, byte in enumerate(nodes))


def keys():
    """Returns ElephantEye's keys: RC4 with a key of zeros; the book uses the last of three numbers."""
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


def book(chuhe, path, positions):
    """Checks every move of the book in every position found for it (examples/book_positions.rs) with
    pyffish."""
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

    # Collects, for each record, the positions in which its move is legal, and those in which it is not. For a
    # position and its mirror image the book contains the smaller key. Control keys get the moves of a key of
    # the book; their positions are found by chance.
    found, by_chance = (collections.defaultdict(lambda: ([], [])) for _ in range(2))
    for fen in filter(None, map(str.strip, positions.read_text().splitlines())):
        legal = pyffish.legal_moves("xiangqi", fen, [])
        own, mirrored = min((key(fen, mirrored), mirrored) for mirrored in (False, True))
        for places, number in ((found, own), (by_chance, own ^ CONTROL)):
            for place, (move, _) in enumerate(records.get(number, [])):
                text = name(move & 255, mirrored) + name(move >> 8, mirrored)
                places[number, place][text not in legal].append((fen, text))
    legal, illegal = ({record for record, places in found.items() if bool(places[0]) == is_legal} for is_legal in (True, False))
    # Expected number of chance matches among the records without a legal move.
    proved, refuted = (sum(record not in legal and bool(places[0]) == is_legal for record, places in by_chance.items()) for is_legal in (True, False))
    twice = [record for record in legal if found[record][1]]
    known = collections.defaultdict(set)
    for places in found.values():
        for is_legal, place in zip((True, False), places):
            for fen, text in place:
                known[fen] |= {text} if is_legal else set()
    odd = {fen for _, places in found.values() for fen, _ in places}
    random.seed(1)
    chosen = sorted(odd) + random.sample(sorted(known), min(200, len(known)))
    differing = 0
    for fen in chosen:
        said = subprocess.run([chuhe, "book", "probe", str(path), "--fen", fen, "--json"], capture_output=True, text=True).stdout
        differing += {with_ranks_from_one(line.split('"')[3]) for line in said.splitlines()} != known[fen]
    for record in sorted(twice)[:5]:
        (fen, text), (other, same) = found[record][0][0], found[record][1][0]
        print(f"  key {record[0]:08x}: {text} is legal in {fen}, {same} not in {other}, which has the same key")
    total = sum(map(len, records.values()))
    print(f"{len(legal)} of {total} records of {len(records)} keys are legal in a position found, {len(illegal)} in none of those found, "
          f"{total - len(legal) - len(illegal)} were not met; {len(twice)} of the first were met in a foreign position too\n"
          f"by chance: {proved} legal in a position found, {refuted} in none, of the {total - len(legal)} records that are not legal above\n"
          f"{differing} of {len(chosen)} positions in which Chuhe finds other moves")
    # For two such counts with the same mean, a difference of more than three standard deviations occurs once
    # in a thousand times.
    excess = len(illegal) - refuted
    return excess > 3 * (len(illegal) + refuted) ** 0.5 or differing > 0


def main():
    chuhe = sys.argv[1]
    match sys.argv[2:]:
        case ["--own", games]:
            return own(chuhe, pathlib.Path(games))
        case ["--book", path, positions]:
            return book(chuhe, pathlib.Path(path), pathlib.Path(positions))
        case [folder]:
            return foreign(chuhe, pathlib.Path(folder))
    sys.exit(__doc__)


if __name__ == "__main__":
    sys.exit(main())
