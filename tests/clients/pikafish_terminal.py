#!/usr/bin/env python3
"""Plays a whole game in pikafish-terminal with Chuhe as its engine; a script types the moves of a second
Chuhe process.

usage: tests/clients/pikafish_terminal.py CHUHE        (needs the PyPI package pikafish-terminal, and sed)

The client sends the current position followed by all moves of the game, which are illegal there: a script in
front of Chuhe drops them. Exit status 0 if every move that is typed counts as legal, every reply is legal,
and the game ends with mate or stalemate; else 1.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

# The client's engine searches one ply; the player is much stronger, so that the game ends. The limits are
# nodes and depth, so that the load of the machine has no effect.
CLIENT = ("--depth", "1")
NODES = 20_000
LONGEST_GAME = 300
PROMPT = "(pikafish) > "
WRAPPER = """#!/bin/sh
sed -u '/^position/s/ moves.*//' | '{chuhe}' --protocol uci
"""
REPLY = re.compile(r"Engine plays (\d{4})")
OVER = re.compile(r"Game Over: (.*)")


class Player:
    """A second Chuhe process, controlled over UCI."""

    def __init__(self, chuhe):
        self.process = subprocess.Popen([chuhe], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
        self.moves = []

    def move(self):
        """Returns the best move after the moves of the game; `(none)` if there is none. Exits if a move is
        illegal."""
        print(f"position startpos moves {' '.join(self.moves)}\ngo nodes {NODES}", file=self.process.stdin, flush=True)
        for line in self.process.stdout:
            if "is not legal" in line:
                sys.exit(f"{line.strip()}: {' '.join(self.moves)}")
            if line.startswith("bestmove"):
                return line.split()[1]
        sys.exit("the player has ended")


def digits(move):
    """Converts `h2e2` to the client's form `8252`."""
    return "".join(str(ord(letter) - ord("a") + 1) if letter.isalpha() else letter for letter in move)


def letters(move):
    return "".join(chr(ord("a") + int(digit) - 1) if place % 2 == 0 else digit for place, digit in enumerate(move))


def read_until(stream, ends):
    """Returns the output up to one of these texts; prompts have no line end."""
    text = ""
    while not any(end in text for end in ends):
        letter = stream.read(1)
        if not letter:
            return text
        text += letter
    return text


def play(client, player):
    """Plays Red for the player; returns the client's last output."""
    say = lambda text: print(text, file=client.stdin, flush=True)
    read_until(client.stdout, ["lack): "])
    say("r")
    read_until(client.stdout, [PROMPT])
    # Disables scores, for which the client searches half a second before and after each move.
    say("s")
    while len(player.moves) < LONGEST_GAME:
        text = read_until(client.stdout, [PROMPT, "Game Over: "])
        reply = REPLY.findall(text)
        player.moves += [letters(move) for move in reply[-1:]]
        if "Game Over" in text:
            return text + client.stdout.readline()
        if "Illegal move" in text or len(player.moves) % 2:
            return text
        player.moves.append(player.move())
        say(digits(player.moves[-1]))
    return "no end"


def main(chuhe):
    with tempfile.TemporaryDirectory() as folder:
        wrapper = pathlib.Path(folder) / "chuhe-for-terminal"
        wrapper.write_text(WRAPPER.format(chuhe=pathlib.Path(chuhe).resolve()))
        wrapper.chmod(0o755)
        command = [sys.executable, "-m", "pikafish_terminal.cli", "--engine", str(wrapper), "--log-level", "ERROR", *CLIENT]
        player = Player(chuhe)
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as client:
            last = play(client, player)
            client.stdin.close()
            client.kill()
        over = OVER.search(last)
        print(f"{len(player.moves)} plies: {' '.join(player.moves)}\n{over.group(0) if over else last}")
        if over is None or "No legal moves" not in over.group(1) or player.move() != "(none)":
            sys.exit("the game did not end with mate or stalemate")
        player.process.stdin.close()
        player.process.wait()


if __name__ == "__main__":
    main(sys.argv[1])
