// The engine's thread. While it is busy, input reaches it only through the pipe, if there is one.

import { start } from "./module.js";
import { reader } from "./pipe.js";
import { parent } from "./threads.js";

let engine;
/** @type {() => string | undefined} */
let next = () => undefined;
/** Number of the current request. */
let question = 0;
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
      say: (said) => port.post({ said }),
      tell: (json) => port.post({ told: json }),
      nextLine: () => (question > 0 ? stopped() : next()),
      fault: (fault) => port.post({ fault }),
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
    if (message.ask !== undefined) {
      question = message.number;
      engine.ask(message.ask);
    } else {
      if (message.line !== undefined) hear(message.line);
      for (let line = next(); line !== undefined; line = next()) hear(line);
    }
  } catch (error) {
    port.post({ fault: String(error), died: true });
    return;
  } finally {
    question = 0;
  }
  // A request for more bytes is not a line.
  if (!message.more) port.post({ done: true });
}

function hear(line) {
  if (!engine.hear(line)) port.post({ over: true });
}

/** The pipe of a desk transmits the numbers of the requests to stop. */
function stopped() {
  for (let line = next(); line !== undefined; line = next()) if (Number(line) >= question) return line;
  return undefined;
}
