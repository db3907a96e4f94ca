// Sessions of the npm package with real threads and a fake engine: failures, the end of a program, loading.
//
// usage: node session.mjs

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

/** A compiled module without content. */
const EMPTY_MODULE = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0);
/** A search of the kind `fail` takes a number of lines, then fails. */
const ENGINE = `
  let position = "";
  export const start = async (_module, { onOutput, nextLine }) => {
    const search = (kind, count) => {
      if (kind === "stuck") for (;;);
      if (kind === "slow") Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
      if (kind !== "fail-early") onOutput("info depth 1 pv h2e2 h9g7\\n");
      for (let taken = 0; taken < count; ) {
        const line = nextLine();
        if (line !== undefined) taken += 1;
        if (line === "isready") onOutput("readyok\\n");
      }
      if (kind.startsWith("fail")) throw new Error("the search");
      onOutput("info string " + position + "\\nbestmove a0a1\\n");
    };
    const execute = (line) => {
      const [command, kind, count] = line.split(" ");
      if (command === "uci") onOutput("uciok\\n");
      else if (command === "isready") onOutput("readyok\\n");
      else if (command === "position") position = line;
      else if (line === "setoption name Fail") throw new Error("the option");
      else if (command === "go") search(kind, kind === "fail" ? Number(count ?? 0) : 0);
      return command !== "quit";
    };
    return { execute };
  };`;

const folder = mkdtempSync(join(tmpdir(), "chuhe-session-"));
const own = join(import.meta.dirname, "../../src/wasm/package");
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
cpSync(own, folder, { recursive: true });
writeFileSync(join(folder, "module.js"), ENGINE);
const address = pathToFileURL(join(folder, "index.js")).href;
const { open } = await import(address);

await test("a module that could not be loaded is loaded by the next call", async () => {
  await assert.rejects(open());
  writeFileSync(join(folder, "chuhe.wasm"), EMPTY_MODULE);
  (await open()).close();
});

for (const share of [true, false]) {
  const way = share ? "through shared memory" : "without shared memory";
  const started = async (onLine) => {
    const engine = await open({ share, onLine });
    await engine.ask("uci", "uciok");
    engine.send("position fen first");
    return engine;
  };

  await test(`a search that fails is answered by its best line, ${way}`, async () => {
    const engine = await started();
    assert.equal((await engine.ask("go fail", "bestmove")).at(-1), "bestmove h2e2 ponder h9g7");
    assert.equal((await engine.ask("go fail-early", "bestmove")).at(-1), "bestmove (none)");
    assert((await engine.ask("go depth 1", "bestmove")).includes("info string position fen first"), "the position is restored");
    engine.close();
  });

  await test(`lines after a search that fails are executed, ${way}`, async () => {
    const engine = await started();
    const failed = engine.ask("go fail", "bestmove");
    engine.send("position fen second");
    const [lines, next] = await Promise.all([failed, engine.ask("go depth 1", "bestmove"), engine.ask("isready", "readyok")]);
    assert.equal(lines.at(-1), "bestmove h2e2 ponder h9g7");
    assert(next.includes("info string position fen second"), next.join("\n"));
    engine.close();
  });

  await test(`a line that ends the engine is not repeated, ${way}`, async () => {
    const engine = await started();
    engine.send("setoption name Fail");
    await engine.ask("isready", "readyok");
    assert((await engine.ask("go depth 1", "bestmove")).includes("info string position fen first"));
    engine.close();
  });

  await test(`a program ends although its engine waits for input, and not before a reply, ${way}`, () => {
    const program = (rest) => run(`import { open } from ${JSON.stringify(address)};
      const engine = await open({ share: ${share} });
      await engine.ask("uci", "uciok");
      ${rest}`);
    assert.deepEqual(program('console.log((await engine.ask("go slow", "bestmove")).at(-1));'), { status: 0, stdout: "bestmove a0a1\n" });
    // The long line does not fit into the shared memory, and the engine does not read it.
    assert.deepEqual(program('engine.send("go stuck"); engine.send("x".repeat(1 << 20)); engine.close();'), { status: 0, stdout: "" });
  });
}

await test("lines that an engine received during a search that fails are answered once", async () => {
  const received = [];
  const engine = await open({ share: true, onLine: (line) => received.push(line) });
  await engine.ask("uci", "uciok");
  const failed = engine.ask("go fail 3", "bestmove");
  engine.send("isready\nstop\nposition fen third\nisready");
  const next = await engine.ask("go depth 1", "bestmove");
  await failed;
  assert(next.includes("info string position fen third"), next.join("\n"));
  const counted = (line) => received.filter((other) => other.startsWith(line)).length;
  assert.deepEqual([counted("readyok"), counted("bestmove")], [2, 2], received.join("\n"));
  engine.close();
});

await test("a search that fails while it is about to be ended is answered once", async () => {
  const timers = [];
  const { setTimeout, clearTimeout } = globalThis;
  globalThis.setTimeout = (work) => timers.push(work);
  globalThis.clearTimeout = (timer) => void (timers[timer - 1] = undefined);
  const threads = [];
  globalThis.startFakeThread = (receive) => {
    threads.push(receive);
    return { post() {}, end() {}, setNeeded() {} };
  };
  const copy = join(folder, "without-threads");
  cpSync(own, copy, { recursive: true });
  writeFileSync(join(copy, "threads.js"), "export const startThread = (_address, receive) => globalThis.startFakeThread(receive);");
  const received = [];
  const { openSession } = await import(pathToFileURL(join(copy, "session.js")).href);
  const session = openSession(await WebAssembly.compile(EMPTY_MODULE), { onLine: (line) => received.push(line), onEnd() {} }, false);
  const execute = () => ["taken", "done"].forEach((kind) => threads.at(-1)({ kind }));
  session.send("uci");
  execute();
  session.send("go infinite");
  threads.at(-1)({ kind: "taken" });
  threads.at(-1)({ kind: "output", lines: "info depth 1 pv h2e2 h9g7\n" });
  session.send("stop");
  threads.at(-1)({ kind: "died", reason: "the search" });
  timers.forEach((work) => work?.());
  Object.assign(globalThis, { setTimeout, clearTimeout });
  assert.deepEqual(received.filter((line) => line.startsWith("bestmove")), ["bestmove h2e2 ponder h9g7"]);
  assert.equal(threads.length, 2, "the new engine is not ended");
});

await test("a search without a limit is recognised as in the engine", async () => {
  const { isEndless } = await import(pathToFileURL(join(own, "commands.js")).href);
  for (const endless of ["go", "go infinite", "go depth infinite", "go depth 5 ponder", "go mate 3", "go searchmoves h2e2", "go depth x"]) {
    assert(isEndless(endless), endless);
  }
  const limited = ["depth 5", "mate 3 nodes  100", "movetime 10", "wtime -5", "winc 5", "time 9 increment 0", "movestogo 20", "opptime 9", "perft 3"];
  for (const limit of limited) assert(!isEndless(`go ${limit}`), limit);
});

await test("a bench that fails is an error with its reason", async () => {
  const { start } = await import(pathToFileURL(join(own, "module.js")).href);
  const { instantiate } = WebAssembly;
  const memory = new WebAssembly.Memory({ initial: 1 });
  const { written } = new TextEncoder().encodeInto("no memory", new Uint8Array(memory.buffer));
  WebAssembly.instantiate = async (_module, { chuhe }) => ({
    exports: { memory, bench: (depth) => (depth > 1 ? 7 : (chuhe.report_failure(0, written), -1)) },
  });
  const engine = await start();
  WebAssembly.instantiate = instantiate;
  assert.equal(engine.bench(2), 7);
  assert.throws(() => engine.bench(1), { message: "no memory" });
});

/** Runs a program in Node. */
function run(program) {
  const { status, stdout } = spawnSync(process.execPath, ["--input-type=module", "--eval", program], { encoding: "utf8", timeout: 60_000 });
  return { status, stdout };
}

async function test(name, work) {
  const late = setTimeout(() => {
    console.error(`FAILED ${name}: no answer for a minute`);
    process.exit(1);
  }, 30_000);
  try {
    await work();
  } catch (error) {
    console.error(`FAILED ${name}: ${error.stack}`);
    process.exit(1);
  }
  clearTimeout(late);
  console.log(`ok     ${name}`);
}
