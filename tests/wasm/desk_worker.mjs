// The threads of the page without a server, with a fake engine: which requests are stopped, ended and repeated.
//
// usage: node desk_worker.mjs

import assert from "node:assert/strict";
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";

const sources = join(import.meta.dirname, "../../src");
const folder = mkdtempSync(join(tmpdir(), "chuhe-desk-worker-"));
for (const path of ["wasm/package/core.js", "wasm/package/pipe.js", "wasm/site/desk-worker.js", "app/web/page/responses.js"]) {
  copyFileSync(join(sources, path), join(folder, basename(path)));
}
writeFileSync(join(folder, "package.json"), '{"type": "module"}');
writeFileSync(join(folder, "threads.js"), `
  export const compile = async () => ({});
  export const connectToParent = (onMessage) => (globalThis.toCore = onMessage, { post: (message) => globalThis.fromCore.push(message) });
  export function startThread(_address, onMessage, onFailure) {
    const one = { onMessage, onFailure, requests: [], ended: false };
    globalThis.threads.push(one);
    const post = (message) => message.kind === "request" && one.requests.push(JSON.parse(message.json).id);
    return { post, end: () => (one.ended = true) };
  }`);
writeFileSync(join(folder, "module.js"), `
  export const start = async (module, handlers) => ({ request: (json) => globalThis.onRequest(json, handlers), execute: () => true });`);

const load = (name) => import(pathToFileURL(join(folder, name)));
const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Timers that have been set and not cleared. */
const timers = new Map();
globalThis.setTimeout = (work) => (timers.set(timers.size + 1, work), timers.size);
globalThis.clearTimeout = (timer) => timers.delete(timer);
const elapse = () => [...timers].forEach(([timer, work]) => (timers.delete(timer), work()));

globalThis.threads = [];
globalThis.self = globalThis;
let events = [];
globalThis.postMessage = (event) => events.push(event);
const taken = () => events.splice(0);

try {
  await load("desk-worker.js");
  const search = (id, request = "think") => self.onmessage({ data: { id, do: request } });
  const current = () => threads.findLast((one, index) => index > 0);

  search(1);
  search(2);
  search(3);
  const first = current();
  assert.deepEqual(first.requests, [1, 2, 3], "a stopped search may still end by itself");
  elapse();
  assert.deepEqual(taken().map(({ id, is, stopped }) => [id, is, stopped]), [[1, "done", true], [2, "done", true]]);
  assert(first.ended);
  assert.deepEqual(current().requests, [3], "a search that was superseded does not run again");
  console.log("ok     stopped searches are not repeated in a new thread");

  current().onMessage({ kind: "event", json: JSON.stringify({ id: 3, is: "done" }) });
  current().onMessage({ kind: "done" });
  taken();
  search(4, "mate");
  current().onMessage({ kind: "died", reason: "no memory" });
  assert.deepEqual(taken().map(({ id, is, code, text }) => [id, is, code, text]), [[4, "error", "failed", "no memory"]]);
  assert.deepEqual(current().requests, []);
  console.log("ok     a request that ends the thread receives its error");

  const started = threads.length;
  current().onMessage({ kind: "died", reason: "the module can't be started" });
  assert.equal(threads.length, started, "it would end again and again");
  search(8);
  assert.deepEqual([threads.length, current().requests], [started + 1, [8]]);
  current().onMessage({ kind: "event", json: JSON.stringify({ id: 8, is: "done" }) });
  current().onMessage({ kind: "done" });
  taken();
  console.log("ok     a thread that can't be started is replaced at the next request");

  search(5);
  search(6);
  search(7);
  // The stop of the sixth request was sent while the fifth was running.
  current().onMessage({ kind: "event", json: JSON.stringify({ id: 5, is: "done" }) });
  current().onMessage({ kind: "done" });
  taken();
  elapse();
  assert.deepEqual(taken().map(({ id, stopped }) => [id, stopped]), [[6, true]]);
  assert.deepEqual(current().requests, [7]);
  console.log("ok     a stopped search that has not started ends in time");

  const { makePipe, openWriter } = await load("pipe.js");
  globalThis.fromCore = [];
  await load("core.js");
  const pipe = makePipe();
  const { write } = openWriter(pipe);
  const stops = [];
  globalThis.onRequest = (id, { nextLine }) => {
    if (id === "1") ["1", "2"].forEach(write);
    for (let line = nextLine(); line !== undefined; line = nextLine()) stops.push(id);
  };
  toCore({ kind: "start", module: {}, pipe });
  await turn();
  [1, 2, 3].forEach((number) => toCore({ kind: "request", json: String(number), number }));
  assert.deepEqual(stops, ["1", "2"], "a stop that arrives early applies to its request");
  console.log("ok     a stop that arrives during an earlier request is not lost");
} finally {
  rmSync(folder, { recursive: true, force: true });
}
