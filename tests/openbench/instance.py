"""An OpenBench instance for Xiangqi on 127.0.0.1: server, workers, and a replacement for the sites from which
sources are fetched.

The checkout of OpenBench is copied, and its files are not changed. `configure` contains the changes required
for an instance.
"""
import hashlib
import http.server
import io
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
import urllib.request
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))
REPOSITORY = os.path.dirname(os.path.dirname(HERE))
ENGINE = "Chuhe"
BOOK = "xiangqi.epd"

# A worker kills processes by name on the whole machine. With several workers on one machine this must be
# restricted: here only processes started by the caller are killed.
PKILL = """#!/usr/bin/env python3
import os, signal, sys
name, parents, lines = sys.argv[-1], {}, {}
for entry in filter(str.isdigit, os.listdir("/proc")):
    try:
        parents[int(entry)] = int(open(f"/proc/{entry}/stat").read().rpartition(")")[2].split()[1])
        lines[int(entry)] = open(f"/proc/{entry}/cmdline").read()
    except OSError:
        pass
def is_ours(process):
    while process in parents:
        process = parents[process]
        if process == os.getppid():
            return True
    return False
for process, line in lines.items():
    if name in line and is_ours(process):
        os.kill(process, signal.SIGKILL)
"""


def git(*words):
    return subprocess.run(["git", "-C", REPOSITORY, *words], check=True, capture_output=True).stdout


def bench_of(commit):
    """Returns the node count in the newest commit message up to this commit."""
    found = re.search(rb"^Bench: (\d+)", git("log", "--format=%B", commit), re.MULTILINE)
    return found.group(1).decode()


class Sources(http.server.BaseHTTPRequestHandler):
    """Responds in place of the sites of books and sources: /book.zip, /zip/COMMIT,
    /runner/archive/COMMIT.zip/."""

    def do_GET(self):
        parts = self.path.strip("/").split("/")
        if parts == ["book.zip"]:
            body = self.server.book
        elif parts[0] == "zip":
            body = git("archive", "--format=zip", "--prefix=chuhe/", parts[1])
        elif parts[:2] == ["runner", "archive"]:
            body = git("archive", "--format=zip", "--prefix=runner/", parts[2].removesuffix(".zip"))
        else:
            return self.send_error(404)
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class Instance:
    """A server in `folder`, created from a checkout of OpenBench."""

    def __init__(self, checkout, folder, runner_commit, port=8018):
        self.checkout, self.folder, self.port = os.path.abspath(checkout), os.path.abspath(folder), port
        self.server = os.path.join(self.folder, "server")
        self.sources = f"http://127.0.0.1:{port + 1}"
        self.url = f"http://127.0.0.1:{port}"
        self.processes = []
        shutil.rmtree(self.folder, ignore_errors=True)
        shutil.copytree(self.checkout, self.server, ignore=shutil.ignore_patterns(".git", "db.sqlite3", "Media"))
        self.configure(runner_commit)
        self.environment = dict(os.environ, PATH=os.path.join(self.folder, "bin") + ":" + os.environ["PATH"])
        os.makedirs(os.path.join(self.folder, "bin"))
        with open(os.path.join(self.folder, "bin", "pkill"), "w") as file:
            file.write(PKILL)
            os.chmod(file.fileno(), 0o755)

    def configure(self, runner_commit):
        """Writes the files required for Xiangqi: four changes of the configuration, an engine file, a book
        file."""
        with open(os.path.join(REPOSITORY, "positions", "openings.epd"), "rb") as file:
            book = file.read()
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr(BOOK, book)
        files = http.server.ThreadingHTTPServer(("127.0.0.1", self.port + 1), Sources)
        files.book = packed.getvalue()
        threading.Thread(target=files.serve_forever, daemon=True).start()

        path = os.path.join(self.server, "Config", "config.json")
        with open(path) as file:
            config = json.load(file)
        config["books"] = [BOOK]
        config["engines"] = [ENGINE]
        config["fastchess_repo_url"] = f"{self.sources}/runner"
        config["fastchess_repo_ref"] = runner_commit
        with open(path, "w") as file:
            json.dump(config, file, indent=4)
        with open(os.path.join(self.server, "Books", BOOK + ".json"), "w") as file:
            json.dump({"sha": hashlib.sha256(book).hexdigest(), "source": f"{self.sources}/book.zip"}, file)
        shutil.copy(os.path.join(HERE, "Chuhe.json"), os.path.join(self.server, "Engines"))

    def start(self):
        """Creates the database and its user, and starts the server. Afterwards OpenBench's own modules can be
        imported."""
        # The server also searches for work in tables that do not exist yet, and prints long messages about
        # this.
        subprocess.run([sys.executable, "manage.py", "migrate", "-v", "0"], cwd=self.server, check=True, stderr=subprocess.DEVNULL)
        os.chdir(self.server)
        sys.path.insert(0, self.server)
        os.environ["DJANGO_SETTINGS_MODULE"] = "OpenSite.settings"
        os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"
        import django

        django.setup()
        from django.contrib.auth.models import User
        from OpenBench.models import Profile

        user = User.objects.create_user("tester", "", "secret")
        Profile.objects.create(user=user, enabled=True, approver=True)
        self.run([sys.executable, "manage.py", "runserver", "--noreload", f"127.0.0.1:{self.port}"], self.server, "server.log")
        for _ in range(300):
            try:
                return urllib.request.urlopen(self.url, timeout=5)
            except OSError:
                time.sleep(0.5)
        raise SystemExit("the server does not answer; see server.log")

    def run(self, command, folder, log):
        """Starts a process in its own group, which ends with this script."""
        log = open(os.path.join(self.folder, log), "w")
        process = subprocess.Popen(
            command, cwd=folder, stdout=log, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, env=self.environment, start_new_session=True
        )
        self.processes.append(process)
        return process

    def worker(self, name, threads, engines=None, runner=None):
        """Starts a worker. `engines` maps commits to programs that are installed beforehand, so that nothing
        is built for them."""
        folder = os.path.join(self.folder, name)
        shutil.copytree(os.path.join(self.checkout, "Client"), folder)
        os.makedirs(os.path.join(folder, "Engines"))
        for commit, program in (engines or {}).items():
            shutil.copy(program, os.path.join(folder, "Engines", f"{ENGINE}-{commit.upper()[:8]}"))
        if runner:
            shutil.copy(runner, os.path.join(folder, "fastchess-ob"))
        words = ["-U", "tester", "-P", "secret", "-S", self.url, "-T", str(threads), "-N", "1", "-I", name, "--no-client-downloads"]
        return self.run([sys.executable, "-u", "client.py", *words], folder, name + ".log")

    def stop(self, process):
        """Kills a process like a system without free memory, so that it cannot clean up."""
        process.send_signal(signal.SIGKILL)
        process.wait()

    def end_workers(self):
        """Terminates the remaining processes of a run; a remaining worker would take part in the next run."""
        for process in self.processes[1:]:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()

    def end(self):
        for process in self.processes:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGTERM)
        time.sleep(2)
        for process in self.processes:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
