#!/usr/bin/env python3
"""Replays PGN files in pyffish: every move must be legal, and every recorded mate must be a mate.

usage: tests/replay_pgn.py FILE.pgn...        (needs the PyPI package pyffish)
The exit status is 0 if all games can be replayed, otherwise 1; prints the first difference of each bad game.
"""
import re
import sys

import pyffish

START = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1"


def games(text):
    """Returns (tags, moves) of each game; the tag `Mated` is set if it ended by mate or stalemate."""
    for part in re.split(r"\n\s*\n(?=\[)", text):
        if not part.strip():
            continue
        tags = dict(re.findall(r'(?m)^\[(\w+) "((?:\\.|[^"\\])*)"\]', part))
        body = re.sub(r"(?m)^\[.*\]\s*$", "", part)
        # `chuhe match` stores the reason in a tag, `chuhe fastchess` in the last comment.
        last = (re.findall(r"\{[^}]*\}", body) or [""])[-1]
        tags["Mated"] = tags.get("Termination") in ("mate", "stalemate") or bool(re.search(r"mates\}|stalemate\}", last))
        words = re.sub(r"\d+\.+(?=\s)", " ", re.sub(r"\{[^}]*\}", " ", body)).split()
        yield tags, [word for word in words if word not in ("1-0", "0-1", "1/2-1/2", "*")]


def theirs(move, form, fen, played):
    """Returns a move in pyffish's notation, h3e3 with ranks 1-10, from ICCS (H2-E2 or h2e2) or from WXF, by
    comparing with pyffish's notation of all its moves."""
    if form == "WXF":
        names = pyffish.NOTATION_XIANGQI_WXF
        after = pyffish.get_fen("xiangqi", fen, played)
        for mv in pyffish.legal_moves("xiangqi", fen, played):
            name = pyffish.get_san("xiangqi", after, mv, False, names)
            # If both pieces on a file can move to a square, pyffish writes the file instead of front or rear.
            if name == move or (name[1].isdigit() and move[1] in "+-" and name[0] + name[2:] == move[0] + move[2:]):
                return mv
        return None
    a, b, c, d = move.lower().replace("-", "")
    return f"{a}{int(b) + 1}{c}{int(d) + 1}"


def replay(tags, moves):
    """Returns the error, or None."""
    fen = tags.get("FEN", START)
    played = []
    for number, move in enumerate(moves, 1):
        mv = theirs(move, tags.get("Format"), fen, played)
        if mv not in pyffish.legal_moves("xiangqi", fen, played):
            return f"move {number}, {move}, is not legal"
        played.append(mv)
    left = pyffish.legal_moves("xiangqi", fen, played)
    if tags["Mated"] != (not left):
        return f"ended by {tags.get('Termination')}, but {len(left)} moves are left"
    if str(len(moves)) != tags.get("PlyCount", str(len(moves))):
        return f"{len(moves)} moves instead of {tags['PlyCount']}"
    return None


def main():
    count = plies = bad = 0
    for path in sys.argv[1:]:
        with open(path, encoding="utf-8") as file:
            text = file.read()
        for tags, moves in games(text):
            count, plies = count + 1, plies + len(moves)
            wrong = replay(tags, moves)
            if wrong:
                bad += 1
                print(f"{path}: game {tags.get('Round')}: {wrong}")
    print(f"{count} games, {plies} plies, {bad} that do not replay")
    sys.exit(bad > 0 or count == 0)


main()
