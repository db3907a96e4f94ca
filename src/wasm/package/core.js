// The engine's thread. While it is busy, input reaches it only through the pipe, if there is one.

import { start } from "./module.js";
import { reader } from "./pipe.js";
import { parent } from "./threads.js";

let engine;
/** @type {() => string | undefined} */
let next = () => undefined;
/** Number of the current request of a desk. */
let current = 0;
/** Number of the last request that was stopped; all earlier ones are stopped as well. */
let stopped = 0;
/** True once a stop has been sent to the current request. */
let stops = false;
const early = [];

const port = parent((message) => {
  if (message.module) begin(message);
  else if (engine) obey(message);
  else early.push(message);
});

async function begin({ module, pipe }) {
  if (pipe) next = reader(pipe);
  try {
    engine = await start(module, {
      onOutput: (output) => port.post({ output }),
      onEvent: (event) => port.post({ event }),
      nextLine: () => (current > 0 ? nextStop() : next()),
      onFault: (fault) => port.post({ fault }),
    });
  } catch (error) {
    port.post({ fault: String(error) });
    return;
  }
  port.post({ ready: true });
  early.splice(0).forEach(obey);
}

function obey(message) {
  try {
    if (message.request !== undefined) {
      current = message.number;
      stops = false;
      engine.request(message.request);
    } else {
      if (message.line !== undefined) execute(message.line);
      for (let line = next(); line !== undefined; line = next()) execute(line);
    }
  } catch (error) {
    port.post({ fault: String(error), died: true });
    return;
  } finally {
    current = 0;
  }
  // A request for more bytes is not a line.
  if (!message.more) port.post({ done: true });
}

function execute(line) {
  if (!engine.execute(line)) port.post({ over: true });
}

/**
 * Returns a line once if the current request must stop. The pipe of a desk transmits the numbers of the
 * requests to stop; a number may arrive during an earlier request.
 */
function nextStop() {
  for (let line = next(); line !== undefined; line = next()) stopped = Math.max(stopped, Number(line));
  if (stops || stopped < current) return undefined;
  stops = true;
  return "stop";
}
