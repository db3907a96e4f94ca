#!/usr/bin/env python3
"""Runs every command in the README and the guides, in both languages, and compares the pasted output with the
current one.

    python3 tests/docs_commands.py target/release/chuhe                    # all documents
    python3 tests/docs_commands.py target/release/chuhe docs/guide.md      # one of them
    python3 tests/docs_commands.py target/release/chuhe --write            # replaces the pasted output by the current one
    python3 tests/docs_commands.py target/release/chuhe --slow             # also the commands that build or measure

A block ```sh contains commands; a block ```text that begins with `$ ` contains commands with their output. A
line `…` stands for any lines. Each document has its own folder, in which its commands run in order; those of
*.zh-CN.md run in a Chinese locale. Times and speeds are not compared. If a command writes a file that also
exists in docs/pictures, the two must be equal.

The output of searches changes with the engine. A document contains the bench with which it was pasted, `<!--
pasted with bench N -->`. If the program has another bench, commands that search must succeed, but their
output is not compared until it is pasted again.

A comment above a block marks exceptions:

    <!-- slow: it builds the program -->           run with --slow only
    <!-- elsewhere: tests/page starts it -->       not run here, but by the named test
    <!-- not run: needs Windows -->                never run; counted and listed

The exit status is 1 if a command fails, an output differs or a link is broken.
"""

import argparse
import difflib
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
DOCUMENTS = ["README.md", "README.zh-CN.md", "docs/guide.md", "docs/guide.zh-CN.md"]
BLOCK = re.compile(r"(?:^<!-- (?P<kind>slow|elsewhere|not run)(?:: (?P<reason>[^\n]*?))? -->\n)?^```(?P<form>sh|text)\n(?P<body>.*?)^```$", re.M | re.S)
LINK = re.compile(r"\]\(([^)#\s]+)(#[^)]*)?\)")
RUST = re.compile(r"^```rust\n.*?^```$", re.M | re.S)
ANY = "…"
# Parts of the output that vary between runs.
VARYING = [
    (r"\b(time|nps|time_ms\":|nps\":) ?\d+", r"\1 N"),
    (r"[\d.]+ [kM ]*nodes/s, [\d.]+ s\b", "N nodes/s, N s"),
    (r"每秒 [\d.]+ 万节点，[\d.]+ 秒", "每秒 N 万节点，N 秒"),
    (r"每小时可得 \d+ 个", "每小时可得 N 个"),
    (r"(?<= nodes )\d+ nps", "N nps"),
    (r"[\d.]+ usable per hour", "N usable per hour"),
    (r"(?<=; )\d+ usable", "N usable"),
]
TIMES = {"ms/move", "slowest ms", "knodes/s", "time s", "positions/s"}
TIMES |= {"每着（毫秒）", "最慢（毫秒）", "千节点/秒", "用时（秒）", "局面/秒"}
PATIENCE = 300
# Commands whose output does not depend on how the engine plays.
STEADY = re.compile(r"^(echo|mkdir|cat moves|chuhe (convert|moves|judge|book|endings|show|perft|--version|completions|man)\b)")
BENCH = re.compile(r"<!-- pasted with bench (\d+) -->")


def commands(body):
    """Returns the commands of a block with their lines of output, in order. In a block of commands only, the
    output is None."""
    if not body.startswith("$ "):
        return [(command, None) for command in re.findall(r"(?:[^\n]*\\\n)*[^\n]+\n", body) if not command.lstrip().startswith("#")]
    found = []
    lines = iter(body.splitlines())
    for line in lines:
        if line.startswith("$ "):
            command = line[2:]
            while command.endswith("\\"):
                command += "\n" + next(lines)
            found.append((command, []))
        else:
            found[-1][1].append(line)
    return found


def without_times(lines):
    """Returns the lines without values that vary between runs: certain figures, and columns of times."""
    # On a slow machine, progress is printed every second.
    lines = [line.rstrip() for line in lines if not re.match(r"info (?!.* score )", line)]
    for at, ruler in enumerate(lines):
        if at and re.fullmatch(r"─+(  ─+)+", ruler):
            spans = [match.span() for match in re.finditer("─+", ruler)]
            names = [cut(lines[at - 1], span) for span in spans]
            end = at + 1
            while end < len(lines) and lines[end]:
                end += 1
            for row in [at - 1, *range(at + 1, end)]:
                cells = [cut(lines[row], span) for span in spans]
                lines[row] = " | ".join(cell for cell, name in zip(cells, names) if name not in TIMES)
            lines[at] = "---"
    for pattern, word in VARYING:
        lines = [re.sub(pattern, word, line) for line in lines]
    return lines


def cut(line, span):
    """Returns a cell of a table by its columns on the screen: Chinese characters occupy two."""
    text, column = "", 0
    for letter in line:
        if span[0] <= column < span[1]:
            text += letter
        column += 2 if "\u2e80" <= letter <= "\uffdc" else 1
    return text.strip()


def agree(pasted, printed):
    """Returns True if the printed lines equal the pasted ones, in which a line `…` stands for any lines."""
    parts = [[]]
    for line in without_times(pasted):
        if line == ANY:
            parts.append([])
        else:
            parts[-1].append(line)
    printed = without_times(printed)
    if len(parts) == 1:
        return parts[0] == printed
    first, *middle, last = parts
    if len(first) + len(last) > len(printed) or printed[: len(first)] != first or printed[len(printed) - len(last) :] != last:
        return False
    at, end = len(first), len(printed) - len(last)
    for part in middle:
        while at + len(part) <= end and printed[at : at + len(part)] != part:
            at += 1
        if at + len(part) > end:
            return False
        at += len(part)
    return True


def shortened(pasted, printed):
    """Returns the printed lines, with the same omissions as in the pasted ones; None if their position is
    ambiguous."""
    if ANY not in pasted:
        return printed
    if pasted.count(ANY) > 1:
        return None
    at = pasted.index(ANY)
    behind = len(pasted) - at - 1
    # A table before the omission may have another number of rows.
    after_empty = [index + 1 for index, line in enumerate(printed) if not line]
    if at and not pasted[at - 1] and after_empty:
        at = min(after_empty, key=lambda index: abs(index - at))
    return printed[:at] + [ANY] + (printed[-behind:] if behind else [])


class Checker:
    """Counts the commands run and the differences."""

    def __init__(self, program, slow, write):
        self.program, self.slow, self.write = program, slow, write
        self.ran, self.compared, self.wrong, self.forgiven, self.left = 0, 0, 0, 0, []
        self.moved = False
        done = subprocess.run([program, "bench"], capture_output=True, text=True, check=True)
        self.bench = re.search(r"^(\d+) nodes \d+ nps$", done.stdout, re.M)[1]

    def complain(self, what):
        self.wrong += 1
        print(f"    {what}", flush=True)

    def run(self, command, folder, chinese):
        """Returns the standard output of a command, or None if it fails."""
        tools = folder.parent / "bin"
        locale = "zh_CN.UTF-8" if chinese else "en_US.UTF-8"
        environment = {key: value for key, value in os.environ.items() if not key.startswith(("LC_", "CHUHE_", "NO_COLOR"))}
        environment |= {"PATH": f"{tools}:{os.environ['PATH']}", "LANG": locale, "COLUMNS": "100", "CARGO_INSTALL_ROOT": str(folder)}
        # Commands that build the program run in the folder of its sources.
        where = ROOT if re.match(r"(cargo|make|\.ci/)", command) else folder
        # The command runs in its own process group, so that it can be killed with its children after a
        # timeout.
        running = subprocess.Popen(
            ["bash", "-c", command],
            cwd=where,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        try:
            printed, said = running.communicate(timeout=PATIENCE * (10 if self.slow else 1))
        except subprocess.TimeoutExpired:
            os.killpg(running.pid, signal.SIGKILL)
            running.wait()
            return self.complain(f"does not end: {command}")
        self.ran += 1
        if running.returncode:
            return self.complain(f"ends with {running.returncode}: {command}\n{(printed + said).decode(errors='replace')}")
        return printed.decode().rstrip("\n").split("\n") if printed else []

    def block(self, match, document, folder):
        """Returns the corrected text of a block."""
        kind, form, body = match["kind"], match["form"], match["body"]
        if form == "text" and not body.startswith("$ "):
            return match[0]
        pairs = commands(body)
        if kind in ("elsewhere", "not run") or (kind == "slow" and not self.slow):
            self.left += [(document, command.strip(), f"{kind}: {match['reason']}") for command, _ in pairs]
            return match[0]
        pasted = []
        for command, output in pairs:
            printed = self.run(command.strip(), folder, ".zh-" in document)
            if output is None:
                continue
            # An empty line before the next command is part of the document, not of the output.
            spaced = bool(output) and not output[-1] and (not printed or bool(printed[-1]))
            old = output[:-1] if spaced else output
            if printed is not None:
                self.compared += 1
                if not agree(old, printed):
                    new = shortened(old, printed)
                    if self.write and new is not None:
                        old = new
                        print(f"    written: {command}", flush=True)
                    elif self.moved and not STEADY.match(command):
                        self.forgiven += 1
                    else:
                        changes = difflib.unified_diff(without_times(old), without_times(printed), "pasted", "printed", lineterm="")
                        self.complain(f"differs: {command}\n" + "\n".join(changes))
            pasted += ["$ " + command] + old + [""] * spaced
        if pasted:
            return match[0].replace(body, "\n".join(pasted) + "\n")
        return match[0]

    def document(self, name):
        """Runs a document, and rewrites it if requested."""
        path = ROOT / name
        text = path.read_text(encoding="utf-8")
        pasted = BENCH.search(text)
        self.moved = pasted is not None and pasted[1] != self.bench
        print(name + (f": pasted with bench {pasted[1]}, the program has {self.bench}" if self.moved else ""), flush=True)
        for link, _ in LINK.findall(text):
            # `../../releases` is a page of the repository's host.
            if "://" not in link and not link.startswith("../../") and not (path.parent / link).exists():
                self.complain(f"a link leads nowhere: {link}")
        # The Rust code in the English page is compiled and run by the documentation tests.
        english = name.replace(".zh-CN", "")
        if RUST.findall(text) != RUST.findall((ROOT / english).read_text(encoding="utf-8")):
            self.complain(f"has other Rust than {english}")
        with tempfile.TemporaryDirectory(prefix="chuhe-docs-") as scratch:
            scratch = pathlib.Path(scratch)
            folder = scratch / "work"
            folder.mkdir()
            (scratch / "bin").mkdir()
            (scratch / "bin" / "chuhe").symlink_to(self.program)
            # Files of the repository used by the documents.
            for shared in ("positions", "tests"):
                (folder / shared).symlink_to(ROOT / shared)
            new = BLOCK.sub(lambda match: self.block(match, name, folder), text)
            for link in re.findall(r"pictures/([\w.-]+)", text):
                picture, made = ROOT / "docs/pictures" / link, folder / link
                if made.exists() and not (picture.exists() and made.read_bytes() == picture.read_bytes()):
                    if self.write:
                        shutil.copy(made, picture)
                        print(f"    drawn: {picture.name}", flush=True)
                    elif self.moved:
                        self.forgiven += 1
                    else:
                        self.complain(f"{picture.name} is drawn differently now")
        if self.write and pasted:
            new = new.replace(pasted[0], f"<!-- pasted with bench {self.bench} -->")
        if self.write and new != text:
            path.write_text(new, encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=pathlib.Path, help="the path of chuhe")
    parser.add_argument("documents", nargs="*", default=DOCUMENTS, metavar="FILE", help="relative to the repository")
    parser.add_argument("--slow", action="store_true", help="also run the commands that build or measure")
    parser.add_argument("--write", action="store_true", help="paste what is printed now, and redraw pictures")
    args = parser.parse_args()

    checker = Checker(args.program.resolve(strict=True), args.slow, args.write)
    for name in args.documents:
        checker.document(name)
    for document, command, why in checker.left:
        print(f"left out in {document} ({why}): {' '.join(command.split())}")
    print(f"{checker.ran} commands run, {checker.compared} outputs compared, {checker.forgiven} forgiven, {len(checker.left)} left out, {checker.wrong} wrong")
    sys.exit(1 if checker.wrong or not checker.ran else 0)


if __name__ == "__main__":
    main()
