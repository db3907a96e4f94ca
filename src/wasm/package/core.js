// The thread with the engine. It is busy while it answers; what is said meanwhile reaches it only through the pipe, if there is one.

import { start } from "./module.js";
import { reader } from "./pipe.js";
import { parent } from "./threads.js";

let engine;
/** @type {() => string | undefined} */
let next = () => undefined;
/** The number of the question that is being answered. */
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
      heard: () => (question > 0 ? stopped() : next()),
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
  port.post({ done: true });
}

function hear(line) {
  if (!engine.hear(line)) port.post({ over: true });
}

/** Through the pipe of a desk come the numbers of the questions that are to be ended. */
function stopped() {
  for (let line = next(); line !== undefined; line = next()) if (Number(line) >= question) return line;
  return undefined;
}
