#!/usr/bin/env python3
"""Compares the package with pyffish 0.0.90: legal moves, FEN and check on random positions, verdicts on
random cycles.

    pip install chuhe pyffish==0.0.90
    python3 python/compare/against_pyffish.py --positions 20000 --cycles 3000 --seed 7

Every difference between verdicts must belong to a class that docs/2-rules.md decides by the text of the
rules. The exit status is 1 if one does not, or if anything else differs.
"""

import argparse
import collections
import multiprocessing
import random
import sys
from collections.abc import Iterator

import chuhe
import pyffish

VARIANT = "xiangqi"
# Classes of differences, with the reason given in docs/2-rules.md.
CLASSES = {
    "standing": "pyffish counts an attack on a piece that was attacked before the move as well",
    "hindered": "pyffish counts an attack that would not pay: protected, an exchange, a bound attacker, a pawn's or a king's",
    "undermined": "pyffish does not see an attack that pays only since this move",
    "uncovered": "pyffish does not see an attack that a move uncovers",
    "false_root": "pyffish takes a piece for protected whose protector could not legally take back",
    "excused": "pyffish sees both sides chase, the other one by an attack that stood before or would not pay",
    "answered": "pyffish does not see one side's chase, undermining or uncovered, so that a mutual chase looks one-sided",
}


def strewn(chance: random.Random) -> chuhe.Position:
    """Returns a valid position of the kings and up to 16 other pieces, most of them near a king, where checks
    and pins occur."""
    while True:
        kings = [chance.choice((3, 4, 5)) + 9 * rank for rank in (chance.randrange(3), 9 - chance.randrange(3))]
        board = dict(zip(kings, map(chuhe.Piece.from_symbol, "Kk")))
        for _ in range(chance.randint(1, 16)):
            king, symbol = chance.choice(kings), chance.choice("RRNNCCPABrrnnccpab")
            square = chance.choice((chance.randrange(90), king % 9 + 9 * chance.randrange(10), king // 9 * 9 + chance.randrange(9), king + chance.randint(-20, 20)))
            if 0 <= square < 90:
                board.setdefault(square, chuhe.Piece.from_symbol(symbol))
        try:
            return chuhe.Position.from_piece_map(board, chance.choice((chuhe.RED, chuhe.BLACK)))
        except ValueError:
            pass  # an elephant over the river, kings that face each other


def positions(count: int, seed: int) -> Iterator[tuple[str, bool, list[str], str, str]]:
    """Yields positions of random games and random placements in turn: the FEN, True if the side to move is in
    check, the legal moves with ranks from 1, one of them (in half of the cases a capture, if there is one),
    and the FEN after it."""
    chance = random.Random(seed)
    game = chuhe.Position()
    while count > 0:
        position = game if count % 2 else strewn(chance)
        moves = position.legal_moves
        if not moves or len(position.move_stack) >= 250:
            game = chuhe.Position()
            continue
        fen, check = position.fen(), position.is_check()
        captures = [move for move in moves if position.is_capture(move)]
        move = position.push(chance.choice(captures if captures and chance.random() < 0.5 and position is not game else moves))
        yield fen, check, sorted(move.uci(ranks_from_one=True) for move in moves), move.uci(ranks_from_one=True), position.fen()
        count -= 1


def differences(row: tuple[str, bool, list[str], str, str]) -> list[str]:
    fen, check, moves, move, after = row
    found = []
    if moves != sorted(pyffish.legal_moves(VARIANT, fen, [])):
        found.append(f"{fen}: other legal moves")
    if check != pyffish.gives_check(VARIANT, fen, []):
        found.append(f"{fen}: check is {check} here")
    if after != (theirs := pyffish.get_fen(VARIANT, fen, [move])):
        found.append(f"{fen}: after {move}, {after} here and {theirs} there")
    return found


def verdict(game: chuhe.Game) -> str:
    """Returns the verdict for the side to move."""
    outcome = game.outcome("asian")
    if outcome is None:
        return "open"
    return "draw" if outcome.winner is None else "win" if outcome.winner == game.turn else "loss"


def opinion_of_pyffish(game: chuhe.Game) -> str:
    over, value = pyffish.is_optional_game_end(VARIANT, game.start.fen(), game.write_moves("uci1"))
    return "open" if not over else "draw" if value == 0 else "win" if value > 0 else "loss"


def victims(cycle: list[chuhe.CyclePly], color: bool) -> list[set[str]]:
    """Returns the effects of a side's moves on each enemy piece that the side attacks after all of its
    moves."""
    first: dict[int, int] = {}  # square now -> first square
    rows = collections.defaultdict(list)
    for ply in cycle:
        first[ply.move.to_square] = first.pop(ply.move.from_square, ply.move.from_square)
        if ply.color != color:
            continue
        new = {deed.attack.square: deed.attack for deed in ply.deeds if deed.kind == "chase" and deed.attack}
        for square in ply.aims:
            if attack := new.get(square):
                status = "undermined" if attack.undermining else "uncovered" if attack.discovered else attack.worth
            else:
                status = "standing" if square in ply.attacks else "hindered"
            # A checking move continues the chase if every move attacks the same piece.
            rows[first.get(square, square)].append(status)
    turns = sum(ply.color == color for ply in cycle)
    return [set(row) for row in rows.values() if len(row) == turns]


def explanation(game: chuhe.Game, ours: str, theirs: str) -> str | None:
    """Returns the class of a difference, or None."""
    cycle = game.ruling("asian").cycle
    hidden, idle = {"undermined", "uncovered", "false_root"}, {"standing", "hindered"}
    accused = game.turn if (theirs if theirs in ("win", "loss") else ours) == "loss" else not game.turn
    chases, answers = victims(cycle, accused), victims(cycle, not accused)
    if theirs in ("win", "loss"):
        if any("standing" in row and "hindered" not in row for row in chases):
            return "standing"
        if any("hindered" in row for row in chases):
            return "hindered"
        return "answered" if any(hidden & row for row in answers) else None
    if any(idle & row for row in answers):
        return "excused"
    return next((reason for reason in sorted(hidden) if any(reason in row and not idle & row for row in chases)), None)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--positions", type=int, default=20_000)
    parser.add_argument("--cycles", type=int, default=3_000)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--show", choices=CLASSES, help="print the cycles of a class")
    chosen = parser.parse_args()

    rows = list(positions(chosen.positions, chosen.seed))
    with multiprocessing.Pool() as pool:
        failed = [text for found in pool.imap(differences, rows, chunksize=50) for text in found]
    print(*failed[:20], sep="\n", end="\n" if failed else "")
    checks, moves = sum(row[1] for row in rows), sum(len(row[2]) for row in rows)
    print(f"{len(rows)} positions, {checks} of them in check, {moves} legal moves: {len(failed)} differences")

    verdicts: collections.Counter[tuple[str, str]] = collections.Counter()
    classes: collections.Counter[str] = collections.Counter()
    for game in chuhe.sample_cycles(chosen.cycles, chosen.seed):
        ours, theirs = verdict(game), opinion_of_pyffish(game)
        verdicts[ours, theirs] += 1
        if ours != theirs:
            reason = explanation(game, ours, theirs) if theirs != "open" else None
            if reason:
                classes[reason] += 1
            if reason in (None, chosen.show):
                print(f"{ours} here, {theirs} there, {reason}: {game!r}")
                failed += [] if reason else [repr(game)]
    decisive = verdicts["win", "win"] + verdicts["loss", "loss"]
    agreed = sum(count for (ours, theirs), count in verdicts.items() if ours == theirs)
    print(f"{sum(verdicts.values())} cycles, {agreed} alike, {decisive} of them decisive; {sum(verdicts.values()) - agreed - classes.total()} differences without a class")
    for name, cycles in classes.most_common():
        print(f"{cycles:6} {name}: {CLASSES[name]}")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
