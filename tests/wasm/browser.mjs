// The npm package in a page: a Worker plays a game, with and without shared memory.
//
// usage: node browser.mjs CHUHE FOLDER CHROMIUM       (FOLDER/installed was created by package.mjs)

import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { extname, join, normalize } from "node:path";

const [chuhe, folder, chromium] = process.argv.slice(2);
/** Black has no rooks, so that the game comes to an end. */
const UNEVEN = "1nbakabn1/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w";
const home = join(folder, "installed", "node_modules", "chuhe");
const types = { ".js": "text/javascript", ".html": "text/html", ".wasm": "application/wasm" };
const isolation = { "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Embedder-Policy": "require-corp" };

const page = `<!doctype html><meta charset="utf-8"><title>game</title><script type="module">
  const worker = new Worker("./worker.js", { type: "module" });
  const heard = [];
  let wake = () => {};
  worker.onmessage = (event) => (heard.push(event.data), wake());
  const until = async (word) => {
    for (;;) {
      const at = heard.findIndex((line) => line.split(" ", 1)[0] === word);
      if (at >= 0) return heard.splice(0, at + 1);
      await new Promise((resolve) => (wake = resolve));
    }
  };
  const say = (line) => worker.postMessage(line);
  const moves = [];
  say("uci");
  await until("uciok");
  for (;;) {
    say("position fen ${UNEVEN} moves " + moves.join(" "));
    say("go nodes 3000");
    const best = (await until("bestmove")).at(-1).split(" ")[1];
    if (!/^[a-i]\\d[a-i]\\d$/.test(best) || moves.length === 200) break;
    moves.push(best);
  }
  const stops = [];
  for (let round = 0; round < 5; round += 1) {
    say("position startpos moves h2e2");
    say("go infinite");
    await new Promise((resolve) => setTimeout(resolve, 500));
    const start = performance.now();
    say("stop");
    await until("bestmove");
    stops.push(Math.round(performance.now() - start));
  }
  await fetch("/result", { method: "POST", body: JSON.stringify({ isolated: crossOriginIsolated, moves, stops }) });
</script>`;

for (const isolated of [true, false]) {
  const result = await visit(isolated);
  assert.equal(result.isolated, isolated);
  const verdict = execFileSync(chuhe, ["judge", "--fen", UNEVEN, "--moves", result.moves.join(" ")], { encoding: "utf8" });
  assert.match(verdict, /Red wins/);
  assert.equal(result.stops.length, 5);
  console.log(`ok     a game of ${result.moves.length} plies in a page ${isolated ? "with" : "without"} shared memory; stopped within ${result.stops.join(", ")} ms`);
}

/** Opens the page in a separate browser and returns its report. */
async function visit(isolated) {
  let report;
  const reported = new Promise((resolve) => (report = resolve));
  const server = createServer((request, response) => {
    if (request.method === "POST") {
      let body = "";
      request.on("data", (part) => (body += part));
      request.on("end", () => (response.end(), report(JSON.parse(body))));
      return;
    }
    const name = normalize(new URL(request.url, "http://localhost").pathname);
    const headers = { "Content-Type": types[extname(name)] ?? "text/html", ...(isolated ? isolation : {}) };
    try {
      const bytes = name === "/" ? page : readFileSync(join(home, name));
      response.writeHead(200, headers).end(bytes);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const profile = mkdtempSync(join(tmpdir(), "chuhe-wasm-"));
  const flags = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", `--user-data-dir=${profile}`];
  const browser = spawn(chromium, [...flags, `http://127.0.0.1:${server.address().port}/`], { stdio: "ignore" });
  const late = new Promise((_, reject) => setTimeout(() => reject(new Error("the page has reported nothing for three minutes")), 180_000).unref());
  try {
    return await Promise.race([reported, late]);
  } finally {
    browser.kill();
    await new Promise((resolve) => (browser.exitCode === null && browser.signalCode === null ? browser.on("exit", resolve) : resolve()));
    server.closeAllConnections();
    server.close();
    try {
      rmSync(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
    } catch {
      // A browser process may still be writing to the folder, which then remains among the system's temporary
      // files.
    }
  }
}
