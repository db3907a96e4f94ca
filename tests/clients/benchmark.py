#!/usr/bin/env python3
"""Checks Chuhe as the defender of XiangqiBench; a scripted player mates it in three of the benchmark's cases.

usage: tests/clients/benchmark.py CHUHE        (needs the PyPI package xiangqibench)

The player stands in for a language model: it reads the position in each observation and plays the move of
another Chuhe. No network or key is needed. Exit status 0 if `xiangqibench doctor` finds nothing wrong, every
case ends with mate, and every move of the defender is Chuhe's; else 1.
"""
import re
import subprocess
import sys

from xiangqibench.cases import load_case
from xiangqibench.defender import PikafishDefender, PikafishEngine
from xiangqibench.llm import Completion
from xiangqibench.modes import get_mode
from xiangqibench.runner import play_trial

# Forced mates in 5, 7 and 9 plies. The limit is a depth, so that the load of the machine has no effect.
CASES = ("xq_shi_qing_ya_qu_232", "xq_shi_qing_ya_qu_052", "xq_shi_qing_ya_qu_016")
DEPTH = 14
# Timeout of the benchmark for an answer of the program, in seconds.
PATIENCE = 300
FEN = re.compile(r"(?:[1-9kabnrcpKABNRCP]+/){9}[1-9kabnrcpKABNRCP]+ [wb](?: \S+ \S+ \d+ \d+)?")


class Player:
    """A player that uses an engine, with the benchmark's interface for models."""

    name = "scripted"

    def __init__(self, engine):
        self.engine = engine

    def complete(self, messages):
        fens = FEN.findall(messages[-1]["content"])
        if not fens:
            sys.exit(f"no position in the observation: {messages[-1]['content']}")
        return Completion(text=f"```bash\nmove {self.engine.best_move(fens[-1])}\n```")


def main(chuhe):
    doctor = [sys.executable, "-m", "xiangqibench.cli", "doctor", "--engine-path", chuhe]
    found = subprocess.run(doctor, capture_output=True, text=True)
    print(found.stdout + found.stderr, end="")
    if found.returncode != 0 or "[ok]   Pikafish Chuhe" not in found.stdout:
        sys.exit(f"xiangqibench doctor ended with status {found.returncode}")
    options = {"path": chuhe, "depth": DEPTH, "hash_mb": 16, "start_timeout": PATIENCE}
    with PikafishEngine(**options) as attacker, PikafishEngine(**options) as engine:
        for name in CASES:
            case = load_case(name)
            summary, record = play_trial(case, get_mode("sighted"), Player(attacker), PikafishDefender(case.challenger, engine))
            by = {turn["defender_backend"] for turn in record["trajectory"] if turn.get("defender_backend")}
            print(f"{name}, mate in {case.win_in_plies} plies: {summary.status} ({summary.termination_reason}), {' '.join(record['moves'])}")
            if (summary.status, summary.termination_reason, summary.winner) != ("pass", "checkmate", case.challenger):
                sys.exit(f"{name} was not won: {summary}")
            if by != {"pikafish"}:
                sys.exit(f"{name}: the defender's moves come from {by or 'nowhere'}, not from the engine alone")


if __name__ == "__main__":
    main(sys.argv[1])
