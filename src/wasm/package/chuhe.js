#!/usr/bin/env node
// UCI and UCCI on standard input and output.

import { createInterface } from "node:readline";
import { talk } from "./talk.js";
import { compile } from "./threads.js";

const engine = talk(await compile(new URL("./chuhe.wasm", import.meta.url)), (line) => process.stdout.write(`${line}\n`), {
  onEnd: () => process.exit(),
});
const input = createInterface({ input: process.stdin });
input.on("line", engine.send);
input.on("close", engine.finish);
