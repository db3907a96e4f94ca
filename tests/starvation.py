#!/usr/bin/env python3
"""Runs the program without enough processes or memory and checks its error messages.

    sudo python3 tests/starvation.py target/release/chuhe

Root is required to run the program as a user without other processes, since the number of processes of root
is not limited. Every case must end in time, without a signal. A command must end with status 2 and one line;
a protocol session must send one line, change nothing and continue.
"""

import os
import queue
import shutil
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

USER = 54321
MB = 1 << 20
SECONDS = 120

faults = 0


def report(name, fault, shown=""):
    global faults
    faults += bool(fault)
    print(f"{'FAULT' if fault else 'good '}  {name}: {fault or shown}", flush=True)


def starved(command, limits):
    """Runs the command as a separate user and under limits."""
    return ["setpriv", f"--reuid={USER}", f"--regid={USER}", "--clear-groups", "prlimit", *limits, *command]


def runs(name, command, limits, may_do=False):
    """Checks that a command ends with status 2 and one line, or succeeds if that is allowed."""
    try:
        done = subprocess.run(starved(command, limits), capture_output=True, text=True, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        return report(name, f"hangs for {SECONDS} s")
    lines = [line for line in done.stderr.splitlines() if line.startswith("chuhe: ")]
    last = done.stderr.strip().splitlines()[-1:] or [""]
    if done.returncode == 0 and may_do:
        return report(name, "", "done")
    if done.returncode != 2 or len(lines) != 1 or "panicked" in done.stderr:
        return report(name, f"status {done.returncode}: {done.stderr.strip()[-600:] or 'nothing said'}")
    report(name, "", last[0])


def talks(name, program, limits, wish, may_have=False):
    """Checks that a request in a session is refused in one line, and that the session continues."""
    process = subprocess.Popen(
        starved([program], limits), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, bufsize=1
    )
    heard, said = queue.Queue(), []

    def listen():
        for line in process.stdout:
            heard.put(line.rstrip("\n"))
        heard.put(None)

    threading.Thread(target=listen, daemon=True).start()

    def ask(command, answer):
        """Returns the lines up to the one that begins with `answer`; None if it does not arrive."""
        try:
            process.stdin.write(command)
            process.stdin.flush()
            lines = []
            while (line := heard.get(timeout=SECONDS)) is not None:
                said.append(line)
                lines.append(line)
                if line.startswith(answer):
                    return lines
        except (queue.Empty, BrokenPipeError):
            pass
        return None

    def judged():
        if ask("uci\nisready\n", "readyok") is None:
            return "no readyok", ""
        lines = ask(f"setoption name {wish}\nisready\n", "readyok")
        if lines is None:
            return f"no answer to {wish}", ""
        refused = [line for line in lines if "no option was changed" in line]
        if not refused and not may_have:
            return f"{wish} was not refused", ""
        if len(refused) > 1:
            return f"refused in {len(refused)} lines", ""
        for command, answer in [("go movetime 300\n", "bestmove"), ("ucinewgame\nisready\n", "readyok"), ("go depth 4\n", "bestmove")]:
            lines = ask(command, answer)
            if lines is None or "(none)" in lines[-1] or "0000" in lines[-1]:
                return f"no answer to {command.strip()!r}", ""
        return "", (refused or ["it has them, and played"])[0]

    fault, shown = judged()
    try:
        process.stdin.write("quit\n")
        process.stdin.close()
    except BrokenPipeError:
        pass
    try:
        status = process.wait(timeout=SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        status, fault = None, fault or "hangs at quit"
    errors = process.stderr.read().strip()
    if may_have and status == 2 and len(errors.splitlines()) == 1 and not said:
        return report(name, "", errors)
    if not fault and (status != 0 or "panicked" in errors):
        fault = f"status {status}"
    report(name, f"{fault}; {errors[-600:]}" if fault else "", shown)


def main():
    if os.getuid() != 0:
        sys.exit("root is needed: sudo python3 tests/starvation.py target/release/chuhe")
    with tempfile.TemporaryDirectory(prefix="chuhe-starvation-") as folder:
        folder = Path(folder)
        folder.chmod(0o755)
        # The folder must be readable for the other user.
        program = folder / "chuhe"
        shutil.copy(sys.argv[1], program)
        program.chmod(0o755)
        room = folder / "room"
        room.mkdir()
        os.chown(room, USER, USER)
        parts = {"processes": processes, "memory": memory}
        for part in sys.argv[2:] or parts:
            parts[part](str(program), room)
    if faults:
        sys.exit(f"{faults} faults")


def match(program, folder, *more):
    players = [word for name in "ab" for word in ["--engine", f"cmd=self,name={name},nodes=50,hash=1"]]
    return [program, "match", *players, "--out", folder, *more]


def datagen(program, folder, *more):
    return [program, "datagen", "--nodes", "50", "--hash", "1", "--out", folder, *more]


def processes(program, room):
    for most in [20, 40, 60]:
        talks(f"64 threads, {most} processes", program, [f"--nproc={most}"], "Threads value 64")
    for most in range(1, 8):
        talks(f"4 threads, {most} processes", program, [f"--nproc={most}"], "Threads value 4", may_have=True)
    few = ["--nproc=20"]
    runs("match, 64 at once", match(program, room / "match", "--games", "64", "--concurrency", "64"), few)
    runs("datagen, 64 threads", datagen(program, room / "data", "--threads", "64", "--games", "64"), few)
    openings = [program, "openings", "--engine", "cmd=self,nodes=500,hash=1", "--count", "5", "--out", room / "openings.epd", "--force"]
    runs("openings, 64 at once", [*openings, "--concurrency", "64"], few)
    # Each of the 8 players is a process with its own threads, so with some limits the program starts but
    # cannot create search threads.
    for most in range(28, 77, 4):
        runs(f"openings, 8 at once, {most} processes", [*openings, "--concurrency", "8"], [f"--nproc={most}"], may_do=True)
    whole = datagen(program, room / "records", "--threads", "1", "--games", "60")
    subprocess.run(starved(whole, []), check=True, capture_output=True)
    train = [program, "train", next((room / "records").glob("*.games")), "--epochs", "1", "--threads", "64"]
    runs("train, 64 threads", [*train, "--out", room / "net"], few)
    runs("train --linear, 64 threads", [*train, "--linear"], few)
    runs("perft, 64 threads", [program, "perft", "4", "--threads", "64"], few, may_do=True)
    runs("analyze, 64 threads", [program, "analyze", "--threads", "64", "--depth", "5"], few)


def memory(program, room):
    for most in [400, 1000, 2000]:
        limit = [f"--as={most * MB}"]
        talks(f"256 threads, {most} MB", program, limit, "Threads value 256")
        talks(f"16 GB of hash, {most} MB", program, limit, "Hash value 16384")
    for most in range(3000, 8001, 1000):
        talks(f"256 threads, {most} MB", program, [f"--as={most * MB}"], "Threads value 256", may_have=True)
    for most in [50, 100, 150, 200, 250, 300]:
        talks(f"8 threads, {most} MB", program, [f"--as={most * MB}"], "Threads value 8", may_have=True)
    little = [f"--as={600 * MB}"]
    runs("datagen, 64 threads, 600 MB", datagen(program, room / "more-data", "--threads", "64", "--games", "64"), little)
    runs("match, 64 at once, 600 MB", match(program, room / "more", "--games", "64", "--concurrency", "64"), little, may_do=True)


if __name__ == "__main__":
    main()
