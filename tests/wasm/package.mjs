// The npm package, packed and installed into an empty folder, tested in Node: its signature, sessions in both
// protocols, and a game.
//
// usage: node package.mjs CHUHE FOLDER       (FOLDER/package is the package, FOLDER/installed is created)

import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [chuhe, folder] = process.argv.slice(2);
/** Black has no rooks, so that the game comes to an end. */
const UNEVEN = "1nbakabn1/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w";
const installed = join(folder, "installed");
rmSync(installed, { recursive: true, force: true });
mkdirSync(installed);
const packed = JSON.parse(execFileSync("npm", ["pack", "--json", "--pack-destination", installed], { cwd: join(folder, "package"), encoding: "utf8" }))[0];
for (const name of ["LICENSE-MIT", "LICENSE-APACHE", "README.md", "index.d.ts", "worker.js", "example.html", "chuhe.wasm"]) {
  assert(packed.files.some((file) => file.path === name), `${name} is not in the package`);
}
assert.equal(`chuhe ${packed.version}`, execFileSync(chuhe, ["--version"], { encoding: "utf8" }).trim(), "the package has the program's version");
writeFileSync(join(installed, "package.json"), '{ "private": true, "type": "module" }');
execFileSync("npm", ["install", "--silent", "--no-audit", "--no-fund", "--offline", `./${packed.filename}`], { cwd: installed });
const home = join(installed, "node_modules", "chuhe");
const { open, bench } = await import(pathToFileURL(join(home, "index.js")).href);
console.log(`${packed.filename}: ${packed.size} bytes packed, ${readdirSync(home).length} files`);

await test("the signature is the native engine's", async () => {
  for (const depth of [10, 14]) {
    const native = Number(/(\d+) nodes/.exec(execFileSync(chuhe, ["bench", String(depth)], { encoding: "utf8" }))[1]);
    assert.equal(await bench(depth), native, `bench ${depth}`);
  }
});

for (const share of [true, false]) {
  const way = share ? "through shared memory" : "without shared memory";

  await test(`UCI ${way}`, async () => {
    const engine = await open({ share });
    const greeting = await engine.ask("uci", "uciok");
    assert(greeting.some((line) => line.startsWith("id name Chuhe")), greeting.join("\n"));
    await engine.ask("isready", "readyok");
    engine.send("position fen 3k5/9/9/9/9/9/9/4R4/4R4/5K3 w");
    const mate = await engine.ask("go depth 5", "bestmove");
    assert(mate.some((line) => line.includes("score mate 1 ")), mate.join("\n"));
    engine.send("position startpos moves h2e2");
    for (const search of ["go infinite", "go depth 90", "go"]) {
      const answer = engine.ask(search, "bestmove");
      await engine.ask("isready", "readyok");
      await wait(200);
      engine.send("stop");
      const lines = await answer;
      const last = lines.findLast((line) => / pv /.test(line) && !line.includes("bound"));
      assert.equal(lines.at(-1).split(" ")[1], / pv (\S+)/.exec(last)[1], lines.join("\n"));
    }
    // The position must be unchanged.
    assert.match((await engine.ask("go depth 4", "bestmove")).at(-1), /^bestmove [a-i]\d[a-i]\d/);
    ruling(["h2e2", (await engine.ask("go depth 6", "bestmove")).at(-1).split(" ")[1]]);
    engine.close();
  });

  await test(`no book is carried, and that is said, ${way}`, async () => {
    const engine = await open({ share });
    await engine.ask("uci", "uciok");
    engine.send("setoption name OwnBook value true");
    const said = await engine.ask("isready", "readyok");
    engine.send("position startpos");
    const answer = await engine.ask("go depth 4", "bestmove");
    assert([...said, ...answer].some((line) => line.startsWith("info string") && line.includes("contains no opening book")), said.join("\n"));
    assert(answer.some((line) => line.includes(" depth 4 ")), answer.join("\n"));
    engine.close();
  });

  await test(`a line longer than the shared memory is read, ${way}`, async () => {
    const engine = await open({ share });
    await engine.ask("uci", "uciok");
    const position = `position startpos moves ${"b0c2 b9c7 c2b0 c7b9 ".repeat(20_000)}`;
    await engine.ask(`${position}\nisready`, "readyok");
    engine.send("position startpos");
    assert.match((await engine.ask("go depth 2", "bestmove")).at(-1), /^bestmove [a-i]\d[a-i]\d/);
    engine.close();
  });

  await test(`pondering ${way}`, async () => {
    const engine = await open({ share });
    await engine.ask("uci", "uciok");
    engine.send("position startpos moves h2e2 h9g7");
    let answered = false;
    const answer = engine.ask("go ponder wtime 2000 btime 2000", "bestmove").then((lines) => ((answered = true), lines));
    await wait(300);
    assert(!answered, "an answer before ponderhit");
    engine.send("ponderhit");
    assert.match((await answer).at(-1), /^bestmove /);
    engine.close();
  });

  await test(`what waits ends a search without an end, ${way}`, async () => {
    const engine = await open({ share });
    await engine.ask("uci", "uciok");
    const answer = engine.ask("go infinite", "bestmove");
    await wait(100);
    engine.send("position startpos moves h2e2 h9g7");
    await answer;
    // With few legal moves, the search reaches its maximum depth, which requires the most stack. The hash
    // table and the histories of the previous search depend on its time and could make the tree many times as
    // large, so they are cleared.
    engine.send("ucinewgame");
    engine.send("position fen 4k4/9/9/9/9/9/9/9/4A4/4K4 w");
    assert.match((await engine.ask("go depth 120", "bestmove")).at(-1), /^bestmove /);
    const refused = await engine.ask("setoption name Threads value 4\nisready", "readyok");
    assert(refused.some((line) => line.includes("cannot create")), refused.join("\n"));
    engine.close();
  });
}

await test("several questions at once get an answer each, and none hangs when the engine ends", async () => {
  const engine = await open();
  await engine.ask("uci", "uciok");
  engine.send("position startpos");
  const [first, ready, second] = await Promise.all([
    engine.ask("go depth 3", "bestmove"), engine.ask("isready", "readyok"), engine.ask("go depth 5", "bestmove"),
  ]);
  const depths = (lines) => [...new Set(lines.join("\n").match(/(?<= depth )\d+/g))].join(" ");
  assert.deepEqual([depths(first), ready.at(-1), depths(second)], ["1 2 3", "readyok", "1 2 3 4 5"]);
  const hanging = engine.ask("go infinite", "bestmove");
  engine.close();
  await assert.rejects(hanging, /ended/);
  await assert.rejects(engine.ask("isready", "readyok"), /ended/);
});

await test("more hash than there can be is refused, and it plays on", async () => {
  const engine = await open();
  await engine.ask("uci", "uciok");
  for (const megabytes of [4095, 4096, 4097, 8192, 1048576]) {
    const said = await engine.ask(`setoption name Hash value ${megabytes}\nisready`, "readyok");
    assert(said.some((line) => line.startsWith("info string setoption: ")), said.join("\n"));
  }
  assert.match((await engine.ask("go depth 4", "bestmove")).at(-1), /^bestmove /);
  engine.close();
});

await test("the end of the input waits for what was asked", async () => {
  const talk = (input) => spawnSync(join(installed, "node_modules", ".bin", "chuhe"), { input, encoding: "utf8", timeout: 60_000 }).stdout;
  for (const go of ["go depth 6", "go infinite", "go ponder movetime 10", "go mate 9"]) {
    const said = talk(`uci\nposition startpos\n${go}\n`).trim().split("\n");
    assert.match(said.at(-1), /^bestmove /, said.join("\n"));
  }
  assert.match(talk("uci\nisready\nquit\n"), /uciok\nreadyok\n$/);
});

await test("UCCI on standard input and output", async () => {
  const talk = "ucci\nposition startpos moves h2e2\ngo depth 6\n";
  const { stdout } = spawnSync(join(installed, "node_modules", ".bin", "chuhe"), { input: `setoption batch on\n${talk}quit\n`, encoding: "utf8", timeout: 60_000 });
  const lines = stdout.trim().split("\n");
  assert(lines.includes("ucciok") && lines.some((line) => line.startsWith("bestmove ")), stdout);
  assert.equal(lines.at(-1), "bye");
});

await test("a game in Node", async () => {
  const engine = await open();
  await engine.ask("uci", "uciok");
  const moves = [];
  for (;;) {
    engine.send(`position fen ${UNEVEN} moves ${moves.join(" ")}`);
    const [, best] = (await engine.ask("go nodes 3000", "bestmove")).at(-1).split(" ");
    if (!/^[a-i]\d[a-i]\d$/.test(best) || moves.length === 200) break;
    moves.push(best);
  }
  engine.close();
  const verdict = ruling(moves, UNEVEN);
  assert.match(verdict, /Red wins/);
  console.log(`   ${moves.length} plies: ${verdict}`);
});

console.log(`chuhe.wasm: ${statSync(join(home, "chuhe.wasm")).size} bytes`);
assert(readFileSync(join(home, "example.html"), "utf8").includes("worker.js"));

async function test(name, work) {
  const start = performance.now();
  const late = setTimeout(() => {
    console.error(`FAILED ${name}: no answer for two minutes`);
    process.exit(1);
  }, 120_000);
  try {
    await work();
  } catch (error) {
    console.error(`FAILED ${name}: ${error.stack}`);
    process.exit(1);
  }
  clearTimeout(late);
  console.log(`ok     ${name} (${((performance.now() - start) / 1000).toFixed(1)} s)`);
}

function wait(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** Returns the native referee's ruling on a game; fails for an illegal move. */
function ruling(moves, fen) {
  const start = fen ? ["--fen", fen] : [];
  return execFileSync(chuhe, ["judge", ...start, "--moves", moves.join(" ")], { encoding: "utf8" }).trim().split("\n")[0];
}
