#!/usr/bin/env python3
"""Runs pages that play, analyse and review at random for an hour. Memory must not grow, and every request
must be answered.

usage: tests/board_soak.py [--chuhe PROGRAM] [--minutes N] [--pages N] [--seed S] [--engine KEY=VALUE,… …]

Requires only Python. Prints a line per minute. The exit status is 1 if a response is missing, if memory or
threads grow, or if a process is left running. With --engine, other engines analyse and play too.
"""

import argparse
import json
import pathlib
import random
import re
import select
import signal
import socket
import struct
import subprocess
import sys
import time

PATIENCE = 600  # timeout of a response in seconds, longer than any response takes on a busy machine
STARTS = [
    "startpos",
    "3k5/9/9/p8/9/9/P8/9/4R4/5K3 w",
    "r2akab2/9/2n1b1n2/p3p3p/2p6/6P2/P1P1P3P/2N1B1N2/9/R2AKAB2 w",
    "3k5/9/9/9/9/9/9/9/4R4/R3K4 w",
]


class Page:
    """A WebSocket to the server, like that of a page."""

    def __init__(self, port, token):
        self.socket = socket.create_connection(("127.0.0.1", port))
        host = f"127.0.0.1:{port}"
        self.socket.sendall(
            f"GET /ws HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n".encode()
        )
        self.buffer = b""
        while b"\r\n\r\n" not in self.buffer:
            self.buffer += self.read()
        head, self.buffer = self.buffer.split(b"\r\n\r\n", 1)
        if b" 101 " not in head:
            raise ConnectionError(head.split(b"\r\n")[0].decode())
        self.number, self.looked, self.waiting = 0, 0, {}
        self.start, self.moves, self.legal, self.engines = "startpos", [], [], []
        self.ask(do="hello", token=token, language=random.choice(["en", "zh"]))

    def read(self):
        data = self.socket.recv(1 << 16)
        if not data:
            raise ConnectionError("the server has hung up")
        return data

    def ask(self, **message):
        self.number += 1
        text = json.dumps({"id": self.number, **message}).encode()
        head = b"\x81"
        if len(text) < 126:
            head += bytes([0x80 | len(text)])
        elif len(text) < 1 << 16:
            head += b"\xfe" + struct.pack(">H", len(text))
        else:
            head += b"\xff" + struct.pack(">Q", len(text))
        self.socket.sendall(head + bytes(4) + text)
        self.waiting[self.number] = (time.monotonic(), message["do"])
        if message["do"] == "look":
            self.looked = self.number

    def events(self):
        """Returns the received messages; blocks until a partial frame is complete."""
        while select.select([self.socket], [], [], 0)[0]:
            self.buffer += self.read()
        found = []
        while len(self.buffer) >= 2:
            length, at = self.buffer[1], 2
            if length == 126:
                length, at = struct.unpack(">H", self.buffer[2:4])[0], 4
            elif length == 127:
                length, at = struct.unpack(">Q", self.buffer[2:10])[0], 10
            while len(self.buffer) < at + length:
                self.buffer += self.read()
            opcode, body = self.buffer[0] & 15, self.buffer[at : at + length]
            self.buffer = self.buffer[at + length :]
            if opcode == 8:
                raise ConnectionError("the server has said goodbye")
            found.append(json.loads(body))
        for event in found:
            if event["is"] not in ("line", "progress"):
                self.waiting.pop(event["id"], None)
        return found

    def game(self):
        return {"start": self.start, "moves": self.moves, "rules": random.choice(["asian", "chinese", "league", "draw"])}

    def act(self):
        """Performs a random action of a player."""
        game = self.game()
        if self.engines and random.random() < 0.2:
            limit = {"time_ms": random.randrange(20, 2000)}
            self.ask(do=random.choice(["think", "play"]), **game, engine=random.choice(self.engines), lines=3, limit=limit)
            return
        act = random.choices(
            ["move", "think", "play", "stop", "review", "hint", "try", "new", "back", "files", "judge", "setup", "offer"],
            [30, 20, 15, 6, 2, 4, 3, 2, 4, 3, 4, 2, 1],
        )[0]
        if act == "move" and self.legal:
            self.moves = self.moves + [random.choice(self.legal)]
            self.legal = []
            self.ask(do="look", **self.game())
        elif act == "think":
            limit = random.choice([{"time_ms": random.randrange(50, 3000)}, {"nodes": 50_000}, {"depth": 8}])
            effort = {"threads": random.choice([1, 1, 2]), "hash_mb": random.choice([16, 64, 64, 64])}
            self.ask(do="think", **game, lines=random.randrange(1, 6), limit=limit, **effort)
        elif act == "play":
            self.ask(do="play", **game, level=random.randrange(1, 11), limit={"time_ms": 300})
        elif act == "stop":
            self.ask(do="stop")
        elif act == "review":
            self.ask(do="review", **game, nodes=1000)
        elif act == "hint":
            self.ask(do="hint", **game, limit={"nodes": 20_000})
        elif act == "offer":
            self.ask(do="offer", **game)
        elif act == "try" and self.legal:
            self.ask(do="try", **game, answer=random.choice(self.legal), nodes=5000)
        elif act == "new":
            self.start, self.moves, self.legal = random.choice(STARTS), [], []
            self.ask(do="look", **self.game())
        elif act == "back":
            self.moves, self.legal = self.moves[:-2], []
            self.ask(do="look", **self.game())
        elif act == "files":
            nodes = [{"parent": index, "move": move} for index, move in enumerate(self.moves)]
            form = random.choice(["pgn", "xqf", "cbr", "cbf", "dhtmlxq"])
            self.ask(do="save", form=form, notation="chinese", tree={"start": self.start, "nodes": nodes})
        elif act == "judge":
            self.ask(do="judge", **game)
            self.ask(do="book", **game)
        elif act == "setup":
            squares = [f"{file}{rank}" for file in "abcdefghi" for rank in range(10)]
            self.ask(do="setup", pieces={square: random.choice("KABNRCPkabnrcp") for square in random.sample(squares, 12)})

    def hear(self):
        """Handles the received messages; starts a new game if the current one is over or long."""
        for event in self.events():
            if event["is"] == "hello":
                self.engines = event["engines"]
            elif event["is"] == "position":
                # An earlier position may have the same number of plies.
                if event["id"] == self.looked:
                    self.legal = event["legal"]
                if event["verdict"]["result"] != "open" or event["ply"] > 300:
                    self.start, self.moves, self.legal = random.choice(STARTS), [], []
                    self.ask(do="look", **self.game())
            elif event["is"] == "file":
                kind = "text" if "text" in event else "base64"
                self.ask(do="open", **{kind: event[kind]})
            elif event["is"] == "error" and event["code"] not in ("busy", "stopped", "game_over", "illegal", "bad_file"):
                raise AssertionError(f"an error that should not be: {event}")
        oldest = min(self.waiting.values(), default=None)
        if oldest and time.monotonic() - oldest[0] > PATIENCE:
            raise AssertionError(f"no answer to {oldest[1]} for {PATIENCE} s")


def standing(number):
    """Returns the memory in MB and the number of threads of a process; 0 and 0 if it has just ended."""
    try:
        text = pathlib.Path(f"/proc/{number}/status").read_text(encoding="ascii")
    except (FileNotFoundError, ProcessLookupError):
        return 0, 0
    field = lambda name: int(found[1]) if (found := re.search(rf"{name}:\s+(\d+)", text)) else 0
    return field("VmRSS") // 1024, field("Threads")


def children(process):
    """Returns the child processes of a process."""
    found = []
    for tasks in pathlib.Path(f"/proc/{process.pid}/task").glob("*/children"):
        try:
            found += tasks.read_text(encoding="ascii").split()
        except (FileNotFoundError, ProcessLookupError):
            pass  # a thread that has just ended; its children have another parent now
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--chuhe", default="target/release/chuhe")
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--pages", type=int, default=4)
    parser.add_argument("--pause", type=float, default=0.02, help="seconds between two acts")
    parser.add_argument("--seed", type=int, default=21)
    parser.add_argument("--engine", action="append", default=[], help="another engine, as `chuhe serve` takes it")
    arguments = parser.parse_args()
    random.seed(arguments.seed)
    engines = [word for engine in arguments.engine for word in ("--engine", engine)]
    process = subprocess.Popen([arguments.chuhe, "serve", "--port", "0", "--no-my-games", *engines], stdout=subprocess.PIPE, text=True)
    port, token = re.match(r"http://127\.0\.0\.1:(\d+)/#token=(\w+)", process.stdout.readline()).groups()
    pages = []
    start, asked, left, table = time.monotonic(), 0, 0, []
    try:
        while (elapsed := time.monotonic() - start) < 60 * arguments.minutes:
            while len(pages) < arguments.pages:
                pages.append(Page(int(port), token))
            page = random.choice(pages)
            if len(page.waiting) < 5:
                page.act()
                asked += 1
            for page in list(pages):
                page.hear()
                # Some pages are closed during a search.
                if random.random() < 0.0005:
                    page.socket.close()
                    pages.remove(page)
                    left += 1
            if elapsed >= 60 * len(table):
                table.append(standing(process.pid))
                memory, threads = table[-1]
                theirs = [standing(child)[0] for child in children(process)]
                print(
                    f"{elapsed / 60:5.1f} min  {asked:7} questions  {left:4} pages left  {memory:5} MB  {threads:3} threads"
                    f"  {len(theirs)} engines: {sum(theirs)} MB",
                    flush=True,
                )
            time.sleep(arguments.pause)
        started = children(process)
        process.send_signal(signal.SIGINT)
        status = process.wait(timeout=60)
        assert status == 0, f"status {status}"
        end = time.monotonic() + 60
        while left := [child for child in started if pathlib.Path(f"/proc/{child}").exists()]:
            assert time.monotonic() < end, f"left behind: {left}"
            time.sleep(0.1)
    finally:
        process.kill()
    # The last third of the run may use no more memory than the middle third, except for the tables of two
    # engines and a review.
    third = max(1, len(table) // 3)
    middle, last = table[third : 2 * third] or table, table[-third:]
    for name, place, slack in [("MB", 0, 96), ("threads", 1, 8)]:
        before, after = max(row[place] for row in middle), max(row[place] for row in last)
        print(f"at most {before} {name} in the middle third, {after} in the last")
        if after > before + slack:
            sys.exit(f"{name} grow")


if __name__ == "__main__":
    main()
