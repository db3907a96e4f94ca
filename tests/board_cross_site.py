#!/usr/bin/env python3
"""Checks in a real browser that a page of another origin cannot access `chuhe serve`.

usage: tests/board_cross_site.py [--chuhe PROGRAM] [--chromium PROGRAM]

Ends with status 77 if there is no Chromium.
"""

import argparse
import http.server
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading

PAGE = """<!doctype html><meta charset="utf-8"><title>Evil</title><body><script>
const target = "http://127.0.0.1:PORT", socket = "ws://127.0.0.1:PORT/ws", token = "TOKEN";
const tried = {};
const within = (promise) => Promise.race([promise, new Promise((end) => setTimeout(() => end("nothing"), 4000))]);
const open = (address) => new Promise((end) => {
  const socket = new WebSocket(address);
  socket.onopen = () => socket.send(JSON.stringify({ id: 1, do: "hello", token }));
  socket.onmessage = (event) => end("answered: " + event.data);
  socket.onerror = socket.onclose = () => end("refused");
});
const load = (name, attributes) => new Promise((end) => {
  const element = Object.assign(document.createElement(name), attributes);
  element.onload = () => end("loaded");
  element.onerror = () => end("refused");
  document.body.append(element);
});
const look = (address) => new Promise((end) => {
  const frame = document.createElement("iframe");
  frame.onload = () => {
    try { end("shown: " + frame.contentDocument.body.innerHTML.length); } catch { end("foreign"); }
  };
  frame.src = address;
  document.body.append(frame);
});
const read = async (address, options) => {
  try {
    const answer = await fetch(address, options);
    return answer.type === "opaque" ? "opaque" : "read: " + (await answer.text()).length;
  } catch { return "refused"; }
};
(async () => {
  tried.socket = await within(open(socket));
  tried.socketByName = await within(open(socket.replace("127.0.0.1", "localhost")));
  tried.fetch = await within(read(target + "/", {}));
  tried.fetchWithHeaders = await within(read(target + "/", { headers: { "X-Mine": "1" } }));
  tried.post = await within(read(target + "/ws", { method: "POST", body: "{}", mode: "cors" }));
  tried.opaque = await within(read(target + "/", { mode: "no-cors" }));
  tried.script = await within(load("script", { src: target + "/app.js", type: "module" }));
  tried.oldScript = await within(load("script", { src: target + "/app.js" }));
  tried.style = await within(load("link", { rel: "stylesheet", href: target + "/style.css" }));
  tried.image = await within(load("img", { src: target + "/icon.svg" }));
  tried.frame = await within(look(target + "/"));
  const popup = window.open(target + "/");
  tried.popup = await within(new Promise((end) => setTimeout(() => {
    try { end(popup ? "reached: " + popup.document.title : "refused"); } catch { end("foreign"); }
  }, 1000)));
  await fetch("/tried", { method: "POST", body: JSON.stringify(tried) });
})();
</script>"""

ALLOWED = {"refused", "foreign", "nothing"}


def serve(page, results):
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.end_headers()
            self.wfile.write(page().encode())

        def do_POST(self):
            results.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(204)
            self.end_headers()
            done.set()

        def log_message(self, *_arguments):
            pass

    done = threading.Event()
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server.server_address[1], done


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--chuhe", default="target/release/chuhe")
    parser.add_argument("--chromium", default=shutil.which("chromium") or shutil.which("chromium-browser"))
    arguments = parser.parse_args()
    if not arguments.chromium:
        print("no Chromium", file=sys.stderr)
        sys.exit(77)
    process = subprocess.Popen([arguments.chuhe, "serve", "--port", "0", "--no-my-games"], stdout=subprocess.PIPE, text=True)
    port, token = re.match(r"http://127\.0\.0\.1:(\d+)/#token=(\w+)", process.stdout.readline()).groups()
    results = []
    # The page has the token, so only the check of the origin can reject it.
    page = lambda: PAGE.replace("PORT", port).replace("TOKEN", token)
    own, done = serve(page, results)
    profile = tempfile.mkdtemp()
    flags = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"]
    flags += ["--disable-popup-blocking", f"--user-data-dir={profile}"]
    try:
        browser = subprocess.Popen(
            [arguments.chromium, *flags, "--remote-debugging-port=0", f"http://localhost:{own}/"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env={**os.environ, "HOME": profile},
        )
        came = done.wait(240)
        browser.terminate()
        browser.wait()
        if not came:
            sys.exit("the page said nothing")
    finally:
        process.kill()
        shutil.rmtree(profile, ignore_errors=True)
    tried = results[0]
    # Chromium shows a foreign frame as an error page of its own origin; an opaque response cannot be read.
    wrong = {name: got for name, got in tried.items() if got not in ALLOWED and not (name == "opaque" and got == "opaque")}
    print(json.dumps(tried, indent=1))
    if wrong:
        sys.exit(f"a foreign page got: {wrong}")


if __name__ == "__main__":
    main()
