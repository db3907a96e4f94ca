// Chuhe, a Xiangqi engine for programs in pages and in Node.

import { start } from "./module.js";
import { openSession } from "./session.js";
import { compile } from "./threads.js";

/** The package's module, unless it could not be loaded. @type {Promise<WebAssembly.Module> | undefined} */
let ownModule;

/** @param {string | URL} [address] */
function load(address) {
  if (address) return compile(new URL(address, import.meta.url));
  ownModule ??= compile(new URL("./chuhe.wasm", import.meta.url)).catch((error) => {
    // The next call tries again.
    ownModule = undefined;
    throw error;
  });
  return ownModule;
}

/**
 * @typedef {object} Request a call of `ask` that waits for its last line
 * @property {string[]} lines lines received so far
 * @property {(line: string) => boolean} isLast
 * @property {(lines: string[]) => void} resolve
 * @property {(reason: Error) => void} reject
 */

/** @type {typeof import("./index.d.ts").open} */
export async function open({ onLine = () => {}, wasm, share } = {}) {
  /** Pending requests, oldest first. @type {Request[]} */
  let requests = [];
  let isOver = false;
  const receiveFromEngine = (/** @type {string} */ line) => {
    onLine(line);
    let isAnswered = false;
    for (const request of [...requests]) {
      const isLast = request.isLast(line);
      if (isAnswered && isLast) {
        // An earlier request ended with the same last line, so the lines before it belong to that request.
        request.lines = [];
        continue;
      }
      request.lines.push(line);
      if (!isLast) continue;
      isAnswered = true;
      requests = requests.filter((other) => other !== request);
      request.resolve(request.lines);
    }
  };
  const onEnd = () => {
    isOver = true;
    requests.splice(0).forEach((request) => request.reject(new Error("the engine has ended")));
  };
  const session = openSession(await load(wasm), { onLine: receiveFromEngine, onEnd }, share);
  return {
    send: (line) => session.send(line),
    ask(line, last) {
      if (isOver) return Promise.reject(new Error("the engine has ended"));
      const isLast =
        typeof last === "function" ? last : (/** @type {string} */ received) => received.split(" ", 1)[0] === last;
      const answer = new Promise((resolve, reject) => requests.push({ lines: [], isLast, resolve, reject }));
      session.send(line);
      return answer;
    },
    close: () => session.close(),
  };
}

/** @type {typeof import("./index.d.ts").bench} */
export async function bench(depth = 10, wasm) {
  return (await start(await load(wasm))).bench(depth);
}
