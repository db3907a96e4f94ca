"""A UCI engine, for the scripts of `tests` and `studies`."""

import queue
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor


class Engine:
    def __init__(self, command, **options):
        self.run = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
        self.ask("uci", "uciok")
        for name, value in options.items():
            self.say(f"setoption name {name} value {value}")

    def say(self, text):
        self.run.stdin.write(text + "\n")

    def ask(self, text, word):
        """What it says up to the line that begins with a word, each line as words."""
        self.say(text)
        lines = []
        for line in self.run.stdout:
            lines.append(line.split())
            if line.startswith(word):
                return lines
        sys.exit("an engine has ended")

    def search(self, position, limit, fresh=False):
        """The answer to a search, and before it the lines with a score and moves; if asked for, with an empty table."""
        if fresh:
            self.ask("ucinewgame\nisready", "readyok")
        *lines, answer = self.ask(f"position fen {position}\ngo {limit}", "bestmove")
        return [line for line in lines if line[:1] == ["info"] and {"score", "pv"} <= set(line)], answer


def two_at_once(start, ask, questions):
    """The answers in order. Each question is put to what `start` has made, an engine or several: there are two such, and two questions at a time."""
    idle = queue.SimpleQueue()
    for _ in range(2):
        idle.put(start())

    def answer(question):
        one = idle.get()
        try:
            return ask(one, question)
        finally:
            idle.put(one)

    with ThreadPoolExecutor(2) as pool:
        yield from pool.map(answer, questions)
