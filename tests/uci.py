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
        """Returns the output up to the line that begins with a word, each line as a list of words."""
        self.say(text)
        lines = []
        for line in self.run.stdout:
            lines.append(line.split())
            if line.startswith(word):
                return lines
        sys.exit("an engine has ended")

    def search(self, position, limit, fresh=False):
        """Returns the result of a search, and the lines with a score and moves before it; clears the hash
        table first if requested."""
        if fresh:
            self.ask("ucinewgame\nisready", "readyok")
        *lines, answer = self.ask(f"position fen {position}\ngo {limit}", "bestmove")
        return [line for line in lines if line[:1] == ["info"] and {"score", "pv"} <= set(line)], answer


def two_at_once(start, ask, questions):
    """Returns the answers in order. Each question is put to the engine or engines created by `start`; two
    questions are processed at a time."""
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
