// Chuhe, a Xiangqi engine, for programs: in a page and in Node.

import { start } from "./module.js";
import { talk } from "./talk.js";
import { compile } from "./threads.js";

let compiled;
const module = (address) => (address ? compile(new URL(address, import.meta.url)) : (compiled ??= compile(new URL("./chuhe.wasm", import.meta.url))));

/** @type {typeof import("./index.d.ts").open} */
export async function open({ onLine = () => {}, wasm, share } = {}) {
  /** Who waits for a line. @type {{ lines: string[], isLast: (line: string) => boolean, resolve: (lines: string[]) => void }[]} */
  let waiting = [];
  const hear = (/** @type {string} */ line) => {
    onLine(line);
    for (const asked of [...waiting]) {
      asked.lines.push(line);
      if (!asked.isLast(line)) continue;
      waiting = waiting.filter((other) => other !== asked);
      asked.resolve(asked.lines);
    }
  };
  const engine = talk(await module(wasm), hear, share === undefined ? {} : { share });
  return {
    send: engine.send,
    ask(line, last) {
      const isLast = typeof last === "function" ? last : (/** @type {string} */ said) => said.split(" ", 1)[0] === last;
      const answer = new Promise((resolve) => waiting.push({ lines: [], isLast, resolve }));
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
