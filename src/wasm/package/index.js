// Chuhe, a Xiangqi engine for programs in pages and in Node.

import { start } from "./module.js";
import { talk } from "./talk.js";
import { compile } from "./threads.js";

let compiled;
const module = (address) => (address ? compile(new URL(address, import.meta.url)) : (compiled ??= compile(new URL("./chuhe.wasm", import.meta.url))));

/** @type {typeof import("./index.d.ts").open} */
export async function open({ onLine = () => {}, wasm, share } = {}) {
  /**
   * Calls that wait for a line, oldest first.
   * @type {{ lines: string[], isLast: (line: string) => boolean, resolve: (lines: string[]) => void, reject: (reason: Error) => void }[]}
   */
  let waiting = [];
  let over = false;
  const hear = (/** @type {string} */ line) => {
    onLine(line);
    let answered = false;
    for (const asked of [...waiting]) {
      const isLast = asked.isLast(line);
      if (answered && isLast) {
        // An earlier request ended with the same last line, so the lines before it belong to that request.
        asked.lines = [];
        continue;
      }
      asked.lines.push(line);
      if (!isLast) continue;
      answered = true;
      waiting = waiting.filter((other) => other !== asked);
      asked.resolve(asked.lines);
    }
  };
  const onEnd = () => {
    over = true;
    waiting.splice(0).forEach((asked) => asked.reject(new Error("the engine has ended")));
  };
  const engine = talk(await module(wasm), hear, { onEnd, ...(share === undefined ? {} : { share }) });
  return {
    send: engine.send,
    ask(line, last) {
      const isLast = typeof last === "function" ? last : (/** @type {string} */ said) => said.split(" ", 1)[0] === last;
      if (over) return Promise.reject(new Error("the engine has ended"));
      const answer = new Promise((resolve, reject) => waiting.push({ lines: [], isLast, resolve, reject }));
      engine.send(line);
      return answer;
    },
    close: engine.close,
  };
}

/** @type {typeof import("./index.d.ts").bench} */
export async function bench(depth = 10, wasm) {
  return (await start(await module(wasm))).bench(depth);
}
