#!/usr/bin/env python3
"""Checks how commands and errors look in terminals of 80 and 60 columns (tmux), in English and in Chinese.

usage: tests/terminal_looks.py CHUHE [--keep FOLDER]        (needs tmux; FOLDER receives the screens)

- No sentence is cut by the edge of the terminal. Only what is copied may be longer than a line: positions,
  records, and words that are wider than the terminal.
- Columns of tables and the squares of a board are aligned; a Chinese character counts two columns.
- No English sentence is on a Chinese screen, and no Chinese sentence on an English one.

Exit status: 0 if all this holds, 1 if not, 77 without tmux.
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
import unicodedata

RECORD = """[Game "Chinese Chess"]
[Event "某赛"]
[Red "张三"]
[Black "李四"]
[Result "0-1"]

1. 炮二平五 马8进7 2. 炮五进四 车9进1 3. 马二进三 卒3进1 0-1
"""
CYCLE = '"3k5/9/9/p8/9/9/P8/9/4R4/5K3 w" --moves "e1d1 d9e9 d1e1 e9d9 e1d1 d9e9 d1e1 e9d9"'
MATE = '"3k5/4P4/9/9/9/9/9/9/9/R3K4 w"'
TWO = "--engine cmd=self,name=red --engine cmd=self,name=black"
COMMANDS = {
    "help": "--help",
    "help-short": "-h",
    "help-analyze": "analyze --help",
    "help-match": "match --help",
    "help-explore": "explore --help",
    "help-convert": "convert --help",
    "show": 'show --moves "h2e2 h9g7 h0g2"',
    "analyze": 'analyze --moves "h2e2" --nodes 20000 --multipv 3',
    "analyze-mate": f"analyze --fen {MATE} --nodes 20000",
    "eval": 'eval --moves "h2e2 h9g7"',
    "judge": f"judge --fen {CYCLE}",
    "judge-record": "judge --pgn game.pgn",
    "mate": f"mate --fen {MATE}",
    "book": "book show",
    "endings-make": "endings make R-H --out endings",
    "endings-show": "endings show R-H --dir endings",
    "endings-probe": 'endings probe "3k5/9/9/9/4n4/9/9/9/4R4/4K4 w" --dir endings',
    "engines": "engines list",
    "review": "review game.pgn --nodes 3000",
    "convert": "convert game.pgn --to pgn",
    "moves": 'moves "炮二平五 马8进7 马二进三"',
    "match": f"match {TWO} --each nodes=200 --games 4 --out played-{{number}}",
    "games-add": "games add game.pgn --to all.games.db",
    "games-find": "games find all.games.db",
    "games-stats": "games stats all.games.db --by opening",
    "games-moves": "games moves all.games.db",
    "explore": "explore --to own.explore.db --positions 3 --nodes 500 --rest 50",
    "explore-show": "explore show own.explore.db",
    "explore-line": "explore line own.explore.db",
    "puzzles": "puzzles make game.pgn --nodes 2000 --out puzzles-{number}.epd",
    "compare": "compare --depth 2",
    "perft": "perft 3",
    "params": "params",
    "net": "net info",
}
# Commands with typed lines; the terminal is still their output.
TYPED = {
    "play": ("help\\nmoves\\nh2e9\\nh2e2\\nanalyze\\nquit\\n", "play --side both"),
    "practise": ("hint\\nh2e9\\nh2e2\\nshow\\nquit\\n", "practise game.pgn --nodes 2000"),
}
ERRORS = {
    "error-command": "analise",
    "error-option": "analyze --dept 5",
    "error-value": "analyze --depth x",
    "error-range": "play --level 99",
    "error-missing": "convert game.pgn",
    "error-subcommand": "engines",
    "error-file": "review nothing.pgn",
    "error-format": "convert game.pgn --to pgx",
    "error-fen": 'show --fen "rnbakabnr/9/9 w"',
    "error-position": 'show --fen "3k5/9/9/9/9/9/9/9/9/3K5 w"',
    "error-move": 'show --moves "h2e9"',
    "error-engine": "match --engine cmd=/no/such/engine --engine cmd=self --games 2 --out none",
    "error-players": "match --engine cmd=self --games 2",
    "error-twice": "analyze --nodes 5 --nodes 6",
    "error-damaged": "convert damaged.pgn --to pgn",
}
FEN = re.compile(r"(?:[0-9A-Za-z]+/){9}[0-9A-Za-z]+")
RULE = re.compile(r"─+(?:  ─+)+")
# Typed lines come from a pipe and are not echoed, so the output follows the prompt on the same line.
PROMPT = re.compile(r"^(?:> |\d+ \S+> )+")
# Parts of Chinese screens that are not translated.
COPIED = re.compile(r"`[^`]*`|“[^”]*”|\"[^\"]*\"|chuhe .*|\S*[=/]\S*")


def width(text):
    return sum(0 if unicodedata.combining(letter) else 2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in text)


def cells(line):
    """Returns the characters by display column; the second column of a wide character repeats it."""
    return [letter for letter in line for _ in range(width(letter))]


def tmux(*arguments):
    socket = f"chuhe-looks-{os.getpid()}"
    return subprocess.run(["tmux", "-u", "-L", socket, "-f", "/dev/null", *arguments], capture_output=True, text=True, check=True).stdout


def screen(name, command, folder, columns):
    """Runs a command in a terminal; returns its output as the terminal shows it, its lines without the
    terminal's breaks, and its exit status."""
    tmux("new-session", "-d", "-s", name, "-x", str(columns), "-y", "300", f"cd '{folder}'; {command}; echo '[done' $?]; exec sleep 600")
    deadline = time.monotonic() + 300
    while time.monotonic() < deadline:
        shown = tmux("capture-pane", "-p", "-t", name).rstrip("\n")
        last = shown.rsplit("\n", 1)[-1]
        if last.startswith("[done "):
            lines = tmux("capture-pane", "-p", "-J", "-t", name).rstrip("\n").split("\n")
            tmux("kill-session", "-t", name)
            return shown[: -len(last)], [line.rstrip() for line in lines[:-1]], int(last.strip("[done ]"))
        time.sleep(0.03)
    sys.exit(f"no end after 300 s: {command}\n{shown}")


def is_copied(line, columns):
    """Returns True for a line that may be longer than the terminal."""
    return bool(FEN.search(line)) or any(width(word) > columns - 8 for word in line.split())


def is_sentence(text):
    """Returns True if a string has three English words in a row."""
    return bool(re.search(r"(?<![\w-])[a-z]{2,},? [a-z]{2,},? [a-z]{2,}(?![\w-])", text))


def faults(lines, language, columns):
    """Returns the faults of a screen."""
    lines = [PROMPT.sub("", line) for line in lines]
    found = [f"cut: {line}" for line in lines if width(line) > columns and not is_copied(line, columns)]
    for number, line in enumerate(lines):
        if RULE.fullmatch(line.strip()):
            rule = cells(line)
            gaps = [column for column, letter in enumerate(rule) if letter == " "]
            for row in lines[max(0, number - 1) : number] + list(rows(lines[number + 1 :])):
                row = cells(row)
                if any(column < len(row) and row[column] != " " for column in gaps):
                    found.append(f"not aligned: {''.join(row)}")
    board = [width(line) for line in lines if re.match(r" {5}[├│]", line)]
    if len(set(board)) > 1:
        found.append(f"lines of a board have these widths: {sorted(set(board))}")
    for line in lines:
        if language == "zh" and is_sentence(COPIED.sub("|", line)):
            found.append(f"English: {line}")
        if language == "en" and re.search("[，。；：（）？！]", line):
            found.append(f"Chinese: {line}")
    return found


def rows(lines):
    """Returns the rows of a table: lines until one without a gap between cells."""
    for line in lines:
        if "  " not in line:
            return
        yield line


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("chuhe", type=pathlib.Path)
    parser.add_argument("--keep", type=pathlib.Path)
    chosen = parser.parse_args()
    if shutil.which("tmux") is None:
        print("tmux is missing (Debian: tmux)", file=sys.stderr)
        sys.exit(77)
    tmux("new-session", "-d", "-s", "first", "sleep 86400")
    try:
        wrong = check(chosen)
    finally:
        tmux("kill-server")
    sys.exit(1 if wrong else 0)


def check(chosen):
    """Checks all screens; returns the number of faults."""
    wrong, screens = 0, 0
    for language in ("en", "zh"):
        for columns in (80, 60):
            with tempfile.TemporaryDirectory() as folder:
                pathlib.Path(folder, "game.pgn").write_text(RECORD, encoding="utf-8")
                pathlib.Path(folder, "damaged.pgn").write_text(RECORD.replace("车9进1", "车9进8"), encoding="utf-8")
                program = f"XDG_CONFIG_HOME='{folder}' LC_ALL=C.UTF-8 '{chosen.chuhe.resolve()}' --language {language}"
                every = {name: f"{program} {text.format(number=columns)}" for name, text in (COMMANDS | ERRORS).items()}
                every |= {name: f"printf '{typed}' | {program} {text}" for name, (typed, text) in TYPED.items()}
                for name, command in every.items():
                    shown, lines, status = screen(name, command, folder, columns)
                    screens += 1
                    if chosen.keep:
                        chosen.keep.mkdir(parents=True, exist_ok=True)
                        (chosen.keep / f"{name}.{language}.{columns}.txt").write_text(shown, encoding="utf-8")
                    expected = (2, 1) if name in ERRORS else (0,)
                    found = faults(lines, language, columns)
                    found += [] if status in expected else [f"exit status {status}"]
                    wrong += len(found)
                    for fault in found:
                        print(f"{name}, {language}, {columns} columns: {fault}")
    print(f"{screens} screens, {wrong} faults")
    return wrong


if __name__ == "__main__":
    main()
