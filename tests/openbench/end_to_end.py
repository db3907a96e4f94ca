#!/usr/bin/env python3
"""Tests Chuhe on OpenBench, from the form to the results, on 127.0.0.1 with an unmodified server and
unmodified workers.

usage: tests/openbench/end_to_end.py --openbench CHECKOUT --work FOLDER --chuhe PROGRAM [--only NAME…] [--screenshots FOLDER]

CHECKOUT is a copy of https://github.com/AndyGrant/OpenBench, which is not changed. PROGRAM is a release build
of `chuhe`. It plays in all runs except `built`, in which the worker builds the engines and the runner. Python
requires the packages of OpenBench's two requirements.txt.

  built     an SPRT of two commits, built by the worker from source; it ends by itself
  sprt      an SPRT that ends by itself
  spsa      an SPSA of four parameters that changes them
  datagen   a DATAGEN whose PGN is read again, game by game
  crash     an engine that crashes becomes an event with the game's text
  workers   two workers at once
  killed    a worker that is killed; the other one plays the remaining games

The exit status is 0 if all of them succeed.
"""
import argparse
import bz2
import glob
import os
import re
import stat
import subprocess
import sys
import tarfile
import time

from instance import BOOK, ENGINE, Instance, bench_of, git

RUNS = ["sprt", "spsa", "datagen", "crash", "workers", "killed", "built"]

# A UCI engine that answers `bench` like the engine that it replaces, and exits during a game.
CRASHING = """#!/bin/sh
[ "$1" = bench ] && exec {program} bench
count=0
while read -r word rest; do
    case $word in
        uci) echo "id name crashing"; echo uciok ;;
        isready) echo readyok ;;
        go) exit 3 ;;
        quit) exit 0 ;;
    esac
done
"""


class Form(dict):
    """The fields of a web form."""

    COMMON = {
        "book_name": BOOK, "upload_pgns": "FALSE", "priority": "0", "throughput": "1000", "workload_size": "4", "syzygy_wdl": "DISABLED",
        "syzygy_adj": "DISABLED", "scale_method": "BASE", "scale_nps": "800000", "win_adj": "movecount=3 score=1000",
        "draw_adj": "movenumber=40 movecount=4 score=20", "info": "",
    }

    def __init__(self, dev, base, dev_limit, base_limit, **fields):
        super().__init__(self.COMMON)
        for side, commit, limit in [("dev", dev, dev_limit), ("base", base, base_limit)]:
            own = {
                "engine": ENGINE, "repo": "https://github.com/chuhe/chuhe", "branch": commit, "bench": bench_of(commit), "network": "",
                "options": "Threads=1 Hash=8", "time_control": limit,
            }
            self.update({f"{side}_{name}": value for name, value in own.items()})
        self.update(fields)


def create(kind, form, sources):
    """Creates a workload with the server's form; git replaces GitHub. Returns its number."""
    from django.contrib.auth.models import User
    import OpenBench.views  # first: the server's modules have circular imports
    from OpenBench.workloads import create_workload, verify_workload

    class Answer:
        def __init__(self, url):
            commit = url.rstrip("/").split("/")[-1]
            message = git("log", "-1", "--format=%B", commit).decode()
            self.data = {"sha": git("rev-parse", commit).decode().strip(), "commit": {"message": message}}

        def json(self):
            return self.data

    class Request:
        POST = form
        user = User.objects.get()

    class Site:
        get = staticmethod(lambda url, **_: Answer(url))

    verify_workload.requests = Site
    makers = {"TEST": create_workload.create_new_test, "TUNE": create_workload.create_new_tune, "DATAGEN": create_workload.create_new_datagen}
    workload, errors = makers[kind](Request)
    assert not errors, errors
    for engine in {workload.dev, workload.base}:
        engine.source = f"{sources}/zip/{engine.sha}"
        engine.save()
    workload.approved = True
    workload.save()
    return workload.id


def test(number):
    from OpenBench.models import Test

    return Test.objects.get(id=number)


def wait(number, what, done, minutes=15):
    """Waits until `done(test)` is true."""
    start = time.time()
    while time.time() - start < minutes * 60:
        if done(test(number)):
            return test(number)
        time.sleep(2)
    raise AssertionError(f"{what}: not after {minutes} minutes, {describe(test(number))}")


def describe(t):
    return (
        f"{t.games} games, W {t.wins} L {t.losses} D {t.draws}, pairs {[t.LL, t.LD, t.DD, t.DW, t.WW]}, LLR {t.currentllr:.2f} "
        f"[{t.lowerllr:.2f}, {t.upperllr:.2f}], finished {t.finished}, passed {t.passed}, failed {t.failed}, error {t.error}"
    )


def say(name, text):
    print(f"{name}: {text}", flush=True)


class Runs:
    def __init__(self, instance, program, dev, base):
        self.instance, self.program, self.dev, self.base = instance, program, dev, base
        self.engines = {dev: program, base: program}

    def worker(self, name, threads=2):
        return self.instance.worker(name, threads, self.engines, self.program)

    def sprt_form(self):
        return Form(self.dev, self.base, "N=2000", "N=250", test_mode="SPRT", test_bounds="[0.00, 60.00]",
                    test_confidence="[0.05, 0.05]", test_max_games="")

    def sprt(self):
        number = create("TEST", self.sprt_form(), self.instance.sources)
        worker = self.worker("worker-sprt")
        found = wait(number, "sprt", lambda t: t.finished)
        assert found.passed and found.currentllr > found.upperllr and found.LL + found.LD + found.DD + found.DW + found.WW == found.games / 2
        say("sprt", describe(found))
        self.instance.stop(worker)

    def built(self):
        """The worker builds the runner and both engines."""
        bases = git("log", "--format=%H", "-n", "40", self.dev).decode().split()
        other = next((commit for commit in bases if bench_of(commit) != bench_of(self.dev)), bases[-1])
        form = Form(self.dev, other, "N=2000", "N=250", test_mode="SPRT", test_bounds="[0.00, 60.00]",
                    test_confidence="[0.05, 0.05]", test_max_games="")
        number = create("TEST", form, self.instance.sources)
        start = time.time()
        worker = self.instance.worker("worker-built", 2)
        found = wait(number, "built", lambda t: t.finished, minutes=90)
        assert found.passed and not found.error
        folder = os.path.join(self.instance.folder, "worker-built")
        names = sorted(os.listdir(os.path.join(folder, "Engines"))) + [os.path.basename(p) for p in glob.glob(f"{folder}/fastchess-ob")]
        assert len(names) == 3, names
        say("built", f"{', '.join(names)} after {(time.time() - start) / 60:.0f} minutes; {describe(found)}")
        self.instance.stop(worker)

    def spsa(self):
        lines = subprocess.run([self.program, "params"], check=True, capture_output=True, text=True).stdout.split("\n")[:4]
        form = Form(self.dev, self.dev, "N=400", "N=400", spsa_inputs="\n".join(lines), spsa_reporting_type="BATCHED", spsa_distribution_type="SINGLE",
                    spsa_alpha="0.602", spsa_gamma="0.101", spsa_A_ratio="0.1", spsa_iterations="8", spsa_pairs_per="4")
        number = create("TUNE", form, self.instance.sources)
        worker = self.worker("worker-spsa")
        found = wait(number, "spsa", lambda t: t.finished)
        values = numbers(found)
        starts = {line.split(",")[0].strip(): float(line.split(",")[2]) for line in lines}
        assert len(values) == 4 and any(values[name] != starts[name] for name in starts), values
        say("spsa", f"{found.games} games; " + ", ".join(f"{name} {starts[name]:g} -> {values[name]:.4f}" for name in starts))
        self.instance.stop(worker)

    def datagen(self):
        form = Form(self.dev, self.dev, "N=400", "N=400", datagen_max_games="32", datagen_custom_genfens="", datagen_play_reverses="NO",
                    book_name="NONE", upload_pgns="VERBOSE", win_adj="None", draw_adj="None")
        number = create("DATAGEN", form, self.instance.sources)
        worker = self.worker("worker-datagen")
        found = wait(number, "datagen", lambda t: t.finished)
        path = os.path.join(self.instance.server, "Media", "PGNs", f"{number}.pgn.tar")
        start, text = time.time(), ""
        # Each part of the games is sent as a separate file, and the server packs them one after another.
        while text.count("[Result ") < found.games and time.time() - start < 300:
            time.sleep(2)
            text = records(path)
        own = os.path.join(self.instance.folder, "datagen.pgn")
        with open(own, "w") as file:
            file.write(text)
        games = text.count("[Result ")
        fens = set(re.findall(r'\[FEN "(.*)"\]', text))
        assert games == found.games >= 32 and len(fens) > games / 3, (games, found.games, len(fens))
        assert not re.search(r"{unknown}", text)
        judged = subprocess.run([self.program, "judge", "--pgn", own], capture_output=True, text=True)
        assert judged.returncode == 0 and len(judged.stdout.splitlines()) == games, judged.stderr
        inspected = subprocess.run([self.program, "datagen", "--inspect", own], capture_output=True, text=True)
        assert inspected.returncode == 0, inspected.stderr
        trained = subprocess.run(
            [self.program, "train", own, "--epochs", "2", "--hidden", "32", "--held-out", "8", "--out", os.path.join(self.instance.folder, "net")],
            capture_output=True, text=True)
        lines = trained.stdout.splitlines()
        # Two numbered lines of epochs: training loss, held-out loss, positions per second.
        epochs = [line.split()[:3] for line in lines if re.match(r" +[12] ", line)]
        say("datagen", f"{found.games} games from {len(fens)} openings, {len(text)} bytes of PGN; judge and datagen --inspect read all; train: "
                       f"{lines[0] if lines else trained.stderr}; epochs {epochs}")
        assert trained.returncode == 0 and len(epochs) == 2 and os.path.exists(os.path.join(self.instance.folder, "net.net")), trained.stderr
        self.instance.stop(worker)

    def crash(self):
        from OpenBench.models import LogEvent

        script = os.path.join(self.instance.folder, "crashing")
        with open(script, "w") as file:
            file.write(CRASHING.format(program=self.program))
        os.chmod(script, stat.S_IRWXU)
        form = Form(self.dev, self.base, "N=400", "N=400", test_mode="GAMES", test_max_games="8", test_bounds="", test_confidence="")
        number = create("TEST", form, self.instance.sources)
        worker = self.instance.worker("worker-crash", 2, {self.dev: script, self.base: self.program}, self.program)
        found = wait(number, "crash", lambda t: t.finished)
        start = time.time()
        events = []
        while not events and time.time() - start < 120:
            events = [e for e in LogEvent.objects.filter(test_id=number) if "Disconnect" in e.summary]
            time.sleep(2)
        assert found.error and found.losses == found.games and events
        log = os.path.join(self.instance.server, "Media", events[0].log_file)
        with open(log) as file:
            game = file.read()
        assert "abandoned" in game, game
        say("crash", f"{len(events)} events {events[0].summary!r}, with the game; {describe(found)}")
        self.instance.stop(worker)

    def workers(self):
        from OpenBench.models import Result

        form = Form(self.dev, self.base, "N=1000", "N=1000", test_mode="GAMES", test_max_games="64", test_bounds="", test_confidence="", workload_size="2")
        number = create("TEST", form, self.instance.sources)
        both = [self.worker(name, 1) for name in ["worker-one", "worker-two"]]
        found = wait(number, "workers", lambda t: t.finished)
        shares = [r.games for r in Result.objects.filter(test=found)]
        assert len(shares) == 2 and min(shares) > 0 and sum(shares) == found.games, shares
        say("workers", f"shares {shares}; {describe(found)}")
        for worker in both:
            self.instance.stop(worker)

    def killed(self):
        from OpenBench.models import Result

        form = Form(self.dev, self.base, "N=1500", "N=1500", test_mode="GAMES", test_max_games="64", test_bounds="", test_confidence="", workload_size="2")
        number = create("TEST", form, self.instance.sources)
        first = self.worker("worker-killed", 1)
        wait(number, "killed", lambda t: t.games > 0)
        played = test(number).games
        # The runner and its two engines during a game.
        start, engines = time.time(), []
        while len(engines) < 3 and time.time() - start < 120:
            engines = descendants(first.pid)
        self.instance.stop(first)
        second = self.worker("worker-heir", 1)
        start = time.time()
        while any(os.path.exists(f"/proc/{process}") for process in engines) and time.time() - start < 60:
            time.sleep(0.1)
        left = [process for process in engines if os.path.exists(f"/proc/{process}")]
        gone = time.time() - start
        found = wait(number, "killed", lambda t: t.finished)
        shares = [r.games for r in Result.objects.filter(test=found)]
        assert len(shares) == 2 and min(shares) > 0 and sum(shares) == found.games >= 64 and len(engines) >= 3 and not left, (shares, engines, left)
        say("killed", f"after {played} games; its runner and {len(engines) - 1} engines were gone after {gone:.1f} s; shares {shares}; {describe(found)}")
        self.instance.stop(second)


def numbers(workload):
    """Returns the current values of an SPSA."""
    return {parameter.name: parameter.value for parameter in workload.spsa_run.parameters.all()}


def records(path):
    """Returns all games of an archive of PGN files."""
    if not os.path.exists(path):
        return ""
    with tarfile.open(path) as archive:
        return "\n".join(bz2.decompress(archive.extractfile(member).read()).decode() for member in archive if member.isfile())


def descendants(process):
    """Returns the processes started by a process, directly or indirectly."""
    parents = {}
    for entry in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{entry}/stat") as file:
                parents[int(entry)] = int(file.read().rpartition(")")[2].split()[1])
        except OSError:
            pass
    found, todo = [], [process]
    while todo:
        parent = todo.pop()
        children = [child for child, of in parents.items() if of == parent]
        found += children
        todo += children
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--openbench", required=True)
    parser.add_argument("--work", required=True)
    parser.add_argument("--chuhe", required=True)
    parser.add_argument("--only", nargs="+", choices=RUNS, default=RUNS)
    parser.add_argument("--screenshots")
    parser.add_argument("--port", type=int, default=8018)
    options = parser.parse_args()
    program = os.path.abspath(options.chuhe)
    dev, base = git("rev-parse", "HEAD", "HEAD~1").decode().split()
    # Paths are resolved before the working directory changes.
    screenshots = options.screenshots and os.path.abspath(options.screenshots)
    instance = Instance(options.openbench, options.work, dev, options.port)
    failed = []
    try:
        instance.start()
        runs = Runs(instance, program, dev, base)
        for name in options.only:
            try:
                getattr(runs, name)()
            except AssertionError as error:
                failed.append(name)
                say(name, f"FAILED: {error}")
            finally:
                instance.end_workers()
        if screenshots:
            os.makedirs(screenshots, exist_ok=True)
            for page in ["index", "test/1"]:
                picture = os.path.join(screenshots, page.replace("/", "-") + ".png")
                words = ["--headless", "--no-sandbox", "--hide-scrollbars", "--window-size=1400,900", f"--screenshot={picture}"]
                subprocess.run(["chromium", *words, f"{instance.url}/{page}/"], capture_output=True, timeout=120)
    finally:
        instance.end()
    sys.exit(bool(failed))


main()
