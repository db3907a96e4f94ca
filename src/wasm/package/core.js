// The engine's thread. While it is busy, input reaches it only through the pipe, if there is one.

import { start } from "./module.js";
import { openReader } from "./pipe.js";
import { connectToParent } from "./threads.js";

/**
 * @typedef {import("./messages.d.ts").ToEngine} ToEngine
 * @typedef {import("./messages.d.ts").FromEngine} FromEngine
 */

/** @typedef {Awaited<ReturnType<typeof start>>} Engine */

/** @type {Engine | undefined} */
let engine;
/** @type {() => string | undefined} */
let readLine = () => undefined;
/** Number of the current request of the page; 0 if there is none. */
let current = 0;
/** Number of the last request that was stopped; all earlier ones are stopped as well. */
let stopped = 0;
/** True once a stop has been sent to the current request. */
let isStopSent = false;
/** Messages received before the engine was started. @type {ToEngine[]} */
const early = [];

/** @type {{ post: (message: FromEngine) => void }} */
const parent = connectToParent((/** @type {ToEngine} */ message) => {
  if (message.kind === "start") begin(message.module, message.pipe);
  else if (engine) handle(engine, message);
  else early.push(message);
});

/** @param {WebAssembly.Module} module @param {SharedArrayBuffer} [pipe] */
async function begin(module, pipe) {
  if (pipe) readLine = openReader(pipe);
  try {
    const started = await start(module, {
      onOutput: (lines) => parent.post({ kind: "output", lines }),
      onEvent: (json) => parent.post({ kind: "event", json }),
      nextLine: () => (current > 0 ? nextStop() : takeLine()),
      onFailure: (reason) => parent.post({ kind: "failure", reason }),
    });
    engine = started;
    early.splice(0).forEach((message) => handle(started, message));
  } catch (error) {
    parent.post({ kind: "died", reason: String(error) });
  }
}

/** @param {Engine} engine @param {ToEngine} message */
function handle(engine, message) {
  const execute = (/** @type {string} */ line) => parent.post({ kind: engine.execute(line) ? "done" : "ended" });
  try {
    if (message.kind === "request") {
      current = message.number;
      isStopSent = false;
      engine.request(message.json);
      parent.post({ kind: "done" });
    } else if (message.kind === "line") {
      parent.post({ kind: "taken" });
      execute(message.line);
    } else {
      for (let line = takeLine(); line !== undefined; line = takeLine()) execute(line);
    }
  } catch (error) {
    parent.post({ kind: "died", reason: String(error) });
  } finally {
    current = 0;
  }
}

/** Returns the next line of the pipe. */
function takeLine() {
  const line = readLine();
  if (line !== undefined) parent.post({ kind: "taken" });
  return line;
}

/**
 * Returns a line once if the current request must stop. The pipe of the page's engine transmits the numbers of
 * the requests to stop; a number may arrive during an earlier request.
 */
function nextStop() {
  for (let line = readLine(); line !== undefined; line = readLine()) stopped = Math.max(stopped, Number(line));
  if (isStopSent || stopped < current) return undefined;
  isStopSent = true;
  return "stop";
}
