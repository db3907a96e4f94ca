#!/usr/bin/env python3
"""Checks that all names in scripts and documentation exist, and that every script is run.

usage: tests/names.py        (in a checkout; needs cargo and git)

The following names in .ci, .github, the Makefile, the documentation and the comments of the source must
exist:
- paths below the folders of the repository, and targets of links, including headings;
- Cargo's packages, targets and features after --package, --test, --bench, --example, --bin and --features;
- the steps after `.ci/run`.
Every script of .ci and tests must be run by .ci/run or a workflow, directly or through another script.
"""
import fnmatch
import json
import pathlib
import posixpath
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
FILES = subprocess.check_output(["git", "ls-files", "--cached", "--others", "--exclude-standard"], cwd=ROOT, text=True).split("\n")[:-1]
FILES = [file for file in FILES if (ROOT / file).exists()]
FOLDERS = {str(folder) for file in FILES for folder in pathlib.PurePosixPath(file).parents}
TOP = sorted({file.split("/")[0] for file in FILES if "/" in file})
# Scripts that run other scripts.
ROOTS = re.compile(r"\.ci/run|\.github/workflows/.*\.yml|Makefile")
SCRIPT = re.compile(r"\.ci/[\w-]+(\.py)?|tests/.*\.(py|sh|mjs|sbatch)")
READ = re.compile(r"\.ci/.*|\.github/.*|Makefile|.*\.md|(src|tests|examples|benches|studies|python)/.*\.(rs|py|sh|mjs)")
# Histories contain former names of files; this file contains patterns.
SKIPPED = {"CHANGELOG.md", "tests/names.py"}
# Files written by commands in the documentation, and rates such as positions per second.
OTHER = re.compile(r"nets/(first|new|old|NAME)(\.\w+)?|positions/s")

PATH = re.compile(r"(?<![\w./$}-])(?:" + "|".join(re.escape(name) for name in TOP) + r")/[\w./*-]*[\w*/]")
LINK = re.compile(r"\]\(([^)\s]+)\)")
CARGO = re.compile(r"cargo [^\n`]*")
OPTION = re.compile(r"(?<!\S)(-p|--package|--test|--bench|--example|--bin|--features)[ =]([\w,/-]+)")
STEP = re.compile(r"(?<![\w/])\.ci/run((?: [a-z][\w-]*)+)")
# In a page, commands are between backticks or begin a line.
QUOTED = re.compile(r"`[^`]+`|^ *(?:- run: |\$ )?\.ci/.*")


def exists(path, file=""):
    """Returns True if a path, which may be a pattern, is in the repository, or in a folder around the file
    that contains it."""
    for folder in pathlib.PurePosixPath(file).parents if file else [pathlib.PurePosixPath()]:
        whole = str(folder / path)
        if whole in FILES or whole in FOLDERS or ("*" in whole and any(fnmatch.fnmatch(other, whole) for other in FILES)):
            return True
    return False


def anchors(page):
    """Returns the anchors that a site generates from the headings of a page."""
    text = re.sub(r"^```.*?^```", "", (ROOT / page).read_text(encoding="utf-8"), flags=re.M | re.S)
    headings = re.findall(r"^#+ (.*)$", text, re.M)
    return {re.sub(r"[^\w\- ]", "", re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading).strip().lower()).replace(" ", "-") for heading in headings}


def cargo():
    """Returns the names known to Cargo, by the option that precedes a name."""
    found = json.loads(subprocess.check_output(["cargo", "metadata", "--no-deps", "--offline", "--format-version", "1"], cwd=ROOT))
    python = json.loads(
        subprocess.check_output(["cargo", "metadata", "--no-deps", "--offline", "--format-version", "1", "--manifest-path", "python/Cargo.toml"], cwd=ROOT)
    )
    packages = found["packages"] + python["packages"]
    targets = [(kind, target["name"]) for package in packages for target in package["targets"] for kind in target["kind"]]
    names = {f"--{kind}": {name for other, name in targets if other == kind} for kind in ("test", "bench", "example", "bin")}
    names["--package"] = names["-p"] = {package["name"] for package in packages}
    features = {feature for package in packages for feature in package["features"]}
    features |= {f"{package['name']}/{feature}" for package in packages for feature in package["features"]}
    names["--features"] = features
    return names


def missing(file, known, steps):
    """Returns all names in a file that do not exist, as pairs of line number and name."""
    page = file.endswith(".md")
    comments = file.endswith((".rs", ".py", ".mjs")) and not file.startswith(".ci/")
    for number, line in enumerate((ROOT / file).read_text(encoding="utf-8").split("\n"), 1):
        if file.endswith(".rs") and not line.lstrip().startswith("//"):
            continue
        # The targets of a page's links are checked below.
        for path in PATH.findall(LINK.sub("", re.sub(r"\w+://\S+", "", line))):
            if not exists(path, file) and not OTHER.fullmatch(path):
                yield number, path
        for target in LINK.findall(line) if page else []:
            path, _, anchor = target.partition("#")
            where = pathlib.Path(file).parent
            # `../../releases` is a page of the repository's host.
            if "://" in target or target.startswith(("../../", "mailto:")):
                continue
            other = posixpath.normpath((where / path).as_posix()) if path else file
            if not exists(other):
                yield number, target
            elif anchor and other.endswith(".md") and anchor not in anchors(other):
                yield number, target
        if comments:
            continue
        for command in CARGO.findall(line):
            for option, names in OPTION.findall(command):
                for name in names.split(",") if option == "--features" else [names]:
                    if name not in known[option]:
                        yield number, f"{option} {name}"
        for names in STEP.findall(" ".join(QUOTED.findall(line)) if page else line):
            for name in names.split():
                if name not in steps:
                    yield number, f".ci/run {name}"


def code(file):
    """Returns the text of a script without its comments."""
    text = (ROOT / file).read_text(encoding="utf-8")
    if file.endswith(".py"):
        text = re.sub(r'^"""(.*?)"""', "", re.sub(r"^#!.*\n", "", text), count=1, flags=re.S)
    return "\n".join(line for line in text.split("\n") if not re.match(r"\s*(#|//)", line))


def unreached():
    """Returns the scripts that are never run."""
    scripts = {file for file in FILES if SCRIPT.fullmatch(file)}
    texts = [code(file) for file in FILES if ROOTS.fullmatch(file)]
    left = scripts - {file for file in FILES if ROOTS.fullmatch(file)}
    while texts:
        text = texts.pop()
        for file in sorted(left):
            path = pathlib.PurePosixPath(file)
            imported = path.suffix == ".py" and re.search(rf"^\s*(?:from {path.stem} import|import {path.stem}\b)", text, re.M)
            if imported or re.search(rf"(?<![\w.-]){re.escape(path.name)}(?![\w-])", text):
                left.discard(file)
                texts.append(code(file))
    return left


def main():
    known = cargo()
    listed = subprocess.check_output([ROOT / ".ci/run", "--list"], text=True)
    steps = {line.split()[0] for line in listed.split("\n") if re.match(r"[a-z]", line)}
    faults = 0
    read = [file for file in FILES if READ.fullmatch(file) and file not in SKIPPED]
    for file in read:
        for number, name in missing(file, known, steps):
            print(f"{file}:{number}: there is no {name}")
            faults += 1
    for file in sorted(unreached()):
        print(f"{file}: neither .ci/run nor a workflow runs it")
        faults += 1
    print(f"{len(read)} files read, {faults} faults")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
