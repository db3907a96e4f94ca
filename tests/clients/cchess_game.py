#!/usr/bin/env python3
"""The library cchess plays a whole game between two instances of Chuhe, one in UCI and one in UCCI, with its
own board and referee.

usage: tests/clients/cchess_game.py CHUHE        (needs the PyPI package cchess)

The library sends FENs without history, lines that end in CR LF, and UCI's `setoption name … value …` in both
dialects. The exit status is 0 if the game ended, every move was legal and had a score, and both engines
exited when requested; otherwise 1.
"""
import subprocess
import sys
import time

import cchess
from cchess.engine import UcciEngine, UciEngine

# The search is limited by depth, so that the result does not depend on the load; the timeout in seconds ends
# a test that hangs.
GO = {"depth": 6}
PATIENCE = 300
LONGEST_GAME = 300


def start(engine, path):
    """Starts an engine and performs the handshake."""
    if not engine.load(path) or not engine.wait_for_ready(PATIENCE):
        sys.exit(f"no {engine.ok_resp()}")
    engine.set_option("Threads", 1)
    engine.set_option("Hash", 16)
    print(f"{engine.ok_resp()}: {engine.ids['name']}, {len(engine.options)} options")
    return engine


def answer(engine, fen):
    """Returns the action that ends the search: bestmove, dead or draw."""
    engine.go_from(fen, GO)
    deadline = time.time() + PATIENCE
    while time.time() < deadline:
        action = engine.get_action()
        if action is None:
            time.sleep(0.002)
        elif action["action"] in ("bestmove", "dead", "draw"):
            return action
    sys.exit(f"no answer in {fen}")


def play(engines):
    """Plays a game; returns its moves in Chinese and the reason for its end."""
    board = cchess.ChessBoard(cchess.FULL_INIT_FEN)
    seen, moves = {}, []
    while len(moves) < LONGEST_GAME:
        fen = board.to_fen()
        # The engines receive no history, so they may repeat positions.
        place = " ".join(fen.split()[:2])
        seen[place] = seen.get(place, 0) + 1
        if seen[place] == 3:
            return moves, "repetition"
        action = answer(engines[board.move_player.color], fen)
        if board.no_moves():
            if action["action"] != "dead":
                sys.exit(f"{action['raw_msg']!r}, but there is no move in {fen}")
            return moves, "mate or stalemate"
        if action["action"] != "bestmove" or not ("score" in action or "mate" in action):
            sys.exit(f"{action} is no move with a score in {fen}")
        move = board.move_iccs(action["move"])
        if move is None:
            sys.exit(f"{action['move']} is illegal in {fen}")
        moves.append(move.to_text())
        board.next_turn()
    sys.exit(f"no end after {LONGEST_GAME} plies: {' '.join(moves)}")


def main():
    engines = {cchess.RED: start(UciEngine(), sys.argv[1]), cchess.BLACK: start(UcciEngine(), sys.argv[1])}
    moves, end = play(engines)
    print(f"{len(moves)} plies, {end}: {' '.join(moves)}")
    for engine in engines.values():
        engine.running = False
        engine.quit()
        try:
            status = engine.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            sys.exit("an engine did not quit")
        if status != 0:
            sys.exit(f"an engine ended with status {status}")


if __name__ == "__main__":
    main()
