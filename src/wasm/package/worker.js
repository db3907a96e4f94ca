// A Worker for UCI and UCCI: each message, in either direction, is one line.
//
//     const worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
//     worker.onmessage = (event) => console.log(event.data);
//     worker.postMessage("uci");

import { talk } from "./talk.js";
import { compile, parent } from "./threads.js";

let engine;
/** Lines received before the engine was started. */
const early = [];

const port = parent((message) => {
  if (engine) engine.send(String(message));
  else early.push(String(message));
});

compile(new URL("./chuhe.wasm", import.meta.url)).then(
  (module) => {
    engine = talk(module, (line) => port.post(line), { onEnd: () => port.end() });
    early.splice(0).forEach(engine.send);
  },
  (error) => port.post(`info string the engine can't be loaded: ${error.message}`),
);
