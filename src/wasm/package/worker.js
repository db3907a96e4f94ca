// A Worker for UCI and UCCI: each message, in either direction, is one line.
//
//     const worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
//     worker.onmessage = (event) => console.log(event.data);
//     worker.postMessage("uci");

import { openSession } from "./session.js";
import { compile, connectToParent } from "./threads.js";

/** @type {import("./session.js").Session | undefined} */
let session;
/** Lines received before the engine was started. @type {string[]} */
const early = [];

/** @type {{ post: (line: string) => void, end: () => void }} */
const gui = connectToParent((/** @type {unknown} */ line) => {
  if (session) session.send(String(line));
  else early.push(String(line));
});

compile(new URL("./chuhe.wasm", import.meta.url)).then(
  (module) => {
    const opened = openSession(module, { onLine: (line) => gui.post(line), onEnd: () => gui.end() });
    session = opened;
    early.splice(0).forEach((line) => opened.send(line));
  },
  (error) => gui.post(`info string the engine can't be loaded: ${error.message}`),
);
