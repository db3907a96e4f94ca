#!/usr/bin/env python3
"""Parses the output of `chuhe fastchess` with the worker's own code: no game may be lost, and no comment may
be unreadable.

usage: tests/openbench/parser.py CLIENT PROGRAM [GAMES]

CLIENT is the folder Client of a checkout of OpenBench, PROGRAM is `chuhe`. Python needs the packages of
CLIENT/requirements.txt.
"""
import os
import queue
import re
import sys
import tempfile
import threading

HERE = os.path.dirname(os.path.abspath(__file__))
client, program = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
games = int(sys.argv[3]) if len(sys.argv) > 3 else 1000
sys.path.insert(0, client)
arguments, sys.argv = sys.argv, sys.argv[:1]

import pgn_util
import worker

with tempfile.TemporaryDirectory() as folder:
    records = os.path.join(folder, "games.pgn")
    book = os.path.join(HERE, "..", "..", "positions", "openings.epd")
    engine = f"-engine cmd={program} proto=uci tc=inf nodes=60 option.Threads=1 option.Hash=1 name=Chuhe-"
    command = (
        f"{program} fastchess -recover -variant standard -testEnv -concurrency 2 -rounds {games // 2} -games 2 -resign movecount=3 score=600 "
        f"-draw movenumber=20 movecount=3 score=40 {engine}dev {engine}base -openings file={book} format=epd order=random start=1 -srand 1 "
        f"-pgnout file={records} seldepth=true nodes=true match_line='^info string pgncomment .*'"
    )
    results = queue.Queue()
    # The worker prints every line that it reads.
    own, sys.stdout = sys.stdout, open(os.devnull, "w")
    worker.run_and_parse_runner(None, command, 0, results, threading.Event())
    sys.stdout = own
    trinomial, pentanomial, faults = [0] * 3, [0] * 5, 0
    while not results.empty():
        part = results.get()
        trinomial = [a + b for a, b in zip(trinomial, part["trinomial"])]
        pentanomial = [a + b for a, b in zip(pentanomial, part["pentanomial"])]
        faults += part["crashes"] + part["timelosses"] + part["illegals"]
    print(f"{sum(trinomial)} games by lines: losses, draws, wins {trinomial}, pairs {pentanomial}, faults {faults}")
    good = sum(trinomial) == games and sum(pentanomial) == games // 2 and faults == 0
    for compact in [True, False]:
        text = pgn_util.process_pgn_file(records, 1.0, compact)
        found, moves, unknown = text.count("[Result "), text.count("{"), text.count("{unknown}")
        scored = len(re.findall(r"\{[+-](M?\d+|\d+\.\d\d)/\d+", text))
        print(f"{found} games by records, compact {compact}: {moves} moves, {scored} with a score, {unknown} unread")
        good &= found == games and unknown == 0 and scored == moves > games
sys.exit(not good)
