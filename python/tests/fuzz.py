#!/usr/bin/env python3
"""Calls all functions with random arguments: wrong types, wrong values, moves of other positions. A call may
only return or raise an `Exception`.

    python3 tests/fuzz.py --calls 10000000 --seed 1

A panic in Rust is not an `Exception`, and a crash ends the program, so both fail the test. Arguments that
determine the duration of a call, such as the depth of perft, are small.
"""

import argparse
import collections
import random
import resource
import tempfile
import time
from pathlib import Path

import chuhe
import numpy as np

FENS = [
    chuhe.STARTING_FEN,
    "startpos",
    "3k5/4P4/9/9/9/9/9/9/9/R3K4 w",
    "3k5/4P4/9/9/9/9/9/9/9/4K4 b",
    "3k5/9/9/p8/9/9/P8/9/4R4/5K3 w",
    "r1bakab1r/9/1cn4c1/p1p1p1p1p/9/2P6/P3P1P1P/1C4N1C/9/RNBAKAB1R b - - 65535 65535",
    "9/9/9/9/9/9/9/9/9/9 w",
    "4k4/9/9/9/9/9/9/9/9/4K4 w - - -1 99999999",
]
TEXTS = ["", "h2e2", "h9g7", "炮二平五", "C2=5", "H2-E2", "前兵九平八", "Che2", "a0", "i9", "j5", "asian", "chinese", "pgn", "xqf", "wxf", "en",
         "zh", "1-0", "king", "wings", "\0", "\ud800", "𠀀" * 50, "0" * 5000, "1. h2e2 h9g7 (1... c6c5) {x} *", "[Red \"x\"]\n\n1. h2e3"]
NUMBERS = [0, 1, 2, 7, 14, 44, 89, 90, -1, 255, 256, 2**31, 2**63, 2**64, -(2**63), 2**200, 0.5, -1.0, float("nan"), float("inf"), True, False]
OTHERS = [None, (), [], {}, set(), b"", b"XQ\x0a" + bytes(100), object(), object, print, Ellipsis, np.zeros(3), np.zeros((2, 90), np.uint8),
          np.array([True, False]), np.full((1, 90), 14, np.uint8), Path("nowhere")]
# Arguments that determine the duration of a call; they are invalid or small.
SMALL = [0, 1, 2, 3, -1, "2", None, 2.5, 2**70]


class Fuzzer:
    def __init__(self, seed: int, folder: Path) -> None:
        self.random = random.Random(seed)
        self.folder = folder
        self.engine = chuhe.Engine(hash_mb=1)
        self.network = chuhe.Network.embedded()
        self.book, self.tables = chuhe.Book(), chuhe.Tables()
        self.library = chuhe.Library(folder / "library.db", add=True)
        self.pool: list[object] = []
        self.refill()
        self.targets = [self.value, self.method, self.method, self.method, self.method, self.function, self.attribute, self.operator]

    def refill(self) -> None:
        """Creates the objects to call. The calls change them, so they are replaced from time to time and
        cannot grow without limit."""
        record = chuhe.Record(chuhe.Game(moves=["h2e2", "h9g7"]))
        self.pool = [chuhe.Position(fen) for fen in FENS[:6]] + [chuhe.Game(fen) for fen in FENS[:6]]
        self.pool += [chuhe.Move("h2", "e2"), chuhe.Move(0, 89), chuhe.Move.null(), chuhe.SquareSet([4, 85]), chuhe.Piece.from_symbol("R"), chuhe.Score(30), chuhe.Rules("league"), record,
                      record.root, record.root.next(), chuhe.Game(FENS[4], ["e1d1", "d9e9", "d1e1", "e9d9"] * 2).ruling(), self.network, self.book,
                      self.tables, self.library, chuhe.parse_records("1. h2e2 *"), chuhe.sample_cycles(3), chuhe.squares]

    def anything(self) -> object:
        pick = self.random.random()
        if pick < 0.25:
            return self.random.choice(self.pool)
        if pick < 0.5:
            return self.random.choice(TEXTS)
        if pick < 0.7:
            return self.random.choice(NUMBERS)
        if pick < 0.8:
            return self.random.choice(FENS)
        if pick < 0.9:
            return [self.anything() for _ in range(self.random.randrange(3))]
        return self.random.choice(OTHERS)

    def arguments(self) -> list[object]:
        return [self.anything() for _ in range(self.random.choice([0, 1, 1, 1, 2, 2, 3]))]

    def small(self) -> object:
        return self.random.choice(SMALL)

    def value(self) -> object:
        made = self.random.choice([chuhe.Position, chuhe.Game, chuhe.Move, chuhe.Piece, chuhe.Score, chuhe.Rules, chuhe.Record, chuhe.Limit,
                                   chuhe.Move.from_uci, chuhe.Piece.from_symbol, chuhe.Position.from_piece_map, chuhe.SquareSet,
                                   chuhe.Score.from_cp, chuhe.Score.from_mate])
        return made(*self.arguments())

    def method(self) -> object:
        owner = self.random.choice(self.pool)
        name = self.random.choice([name for name in dir(owner) if not name.startswith("__")])
        if name == "save":
            return owner.save(self.folder / "fuzz.net")
        if name == "perft":
            return owner.perft(self.small())
        method = getattr(owner, name)
        if name in ("push", "parse", "is_legal") and self.random.random() < 0.5:
            return method(self.random.choice(owner.legal_moves))
        return method(*self.arguments()) if callable(method) else method

    def function(self) -> object:
        pick = self.random.randrange(12)
        if pick == 0 and self.random.random() < 0.01:
            limit = chuhe.Limit(depth=self.random.choice([1, 2, -1, "x"]), nodes=self.random.choice([1, 100, None, -5]))
            search = self.random.choice([self.engine.analyse, self.engine.play])
            return search(self.anything(), limit)
        if pick == 1:
            return chuhe.solve_mate(self.anything(), nodes=self.small(), quiet=self.small()) if self.random.random() < 0.02 else None
        if pick == 2:
            return chuhe.shortest_mate(self.anything(), self.small(), nodes=self.small()) if self.random.random() < 0.02 else None
        if pick == 3:
            return chuhe.mate_pattern(*self.arguments())
        if pick == 4:
            return chuhe.boards(self.anything())
        if pick == 5:
            return chuhe.features(self.anything(), self.anything())
        if pick == 6:
            return list(chuhe.parse_records(self.anything()))
        if pick == 7:
            return self.network.evaluate(self.anything())
        if pick == 8:
            return chuhe.read_records(*self.arguments())
        if pick == 9:
            return chuhe.load_samples(self.anything())
        if pick == 10 and self.random.random() < 0.02:
            return self.engine.configure(hash_mb=self.random.choice([0, -1, 1, 2, "x", 2**70]), level=self.anything(), seed=self.anything())
        return self.engine.evaluate(self.anything())

    def attribute(self) -> object:
        owner = self.random.choice(self.pool)
        if owner is chuhe.squares:
            return None
        return setattr(owner, self.random.choice(["result", "comment", "turn", "halfmove_clock", "fullmove_number", "x", "value"]), self.anything())

    def operator(self) -> object:
        one, two = self.random.choice(self.pool), self.anything()
        return self.random.choice([
            lambda: one == two, lambda: one < two, lambda: one in {one}, lambda: hash(one), lambda: len(one), lambda: -one, lambda: repr(one) + str(one),
            lambda: next(one), lambda: bool(one), lambda: one.__copy__(), lambda: one.__deepcopy__(two), lambda: one.__reduce__(),
        ])()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--calls", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    raised: collections.Counter[str] = collections.Counter()
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        fuzzer = Fuzzer(chosen.seed, Path(folder))
        for number in range(1, chosen.calls + 1):
            if number % 1000 == 0:
                fuzzer.refill()
            target = fuzzer.random.choice(fuzzer.targets)
            try:
                target()
                raised["nothing"] += 1
            except Exception as error:
                raised[type(error).__name__] += 1
            if number % 1_000_000 == 0:
                memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
                print(f"{number} calls, {time.monotonic() - start:.0f} s, at most {memory} MB", flush=True)
    print(f"{chosen.calls} calls of seed {chosen.seed}: nothing but exceptions")
    print(", ".join(f"{name} {count}" for name, count in raised.most_common()))


if __name__ == "__main__":
    main()
