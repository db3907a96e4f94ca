#!/usr/bin/env node
// UCI and UCCI on standard input and output.

import { createInterface } from "node:readline";
import { openSession } from "./session.js";
import { compile } from "./threads.js";

const session = openSession(await compile(new URL("./chuhe.wasm", import.meta.url)), {
  onLine: (line) => process.stdout.write(`${line}\n`),
  onEnd: () => process.exit(),
});
const input = createInterface({ input: process.stdin });
input.on("line", (line) => session.send(line));
input.on("close", () => session.finish());
