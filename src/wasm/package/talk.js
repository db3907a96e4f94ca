// A talk in UCI or UCCI with an engine in a thread of its own.
//
// A thread that searches hears nothing unless memory can be shared with it. Where it can, every line goes through a pipe and the engine
// itself decides, in the midst of a search too. Where it can't, a search that must stop is ended with its thread: another one takes its
// place, with the same options and the same position but an empty memory, and the answer is the best line that was seen.

import { canShare, makePipe, writer } from "./pipe.js";
import { thread } from "./threads.js";

/** How long a search that must stop may still end by itself, in milliseconds. */
const GRACE = 15;

/**
 * @param {WebAssembly.Module} module @param {(line: string) => void} onLine
 * @param {{ share?: boolean, onEnd?: () => void, onFault?: (reason: string) => void }} [options]
 */
export function talk(module, onLine, { share = canShare(), onEnd = () => {}, onFault = (reason) => onLine(`info string ${reason}`) } = {}) {
  const address = new URL("./core.js", import.meta.url);
  const state = { handshake: "", options: [], position: [] };
  /** Lines that are not done yet, the present one first. @type {string[]} */
  let todo = [];
  /** How many of them are said again to a new thread, so that their answers are not heard. */
  let silent = 0;
  let best = "";
  let over = false;
  let pipe, write, core;

  function open() {
    pipe = share ? makePipe() : undefined;
    write = pipe && writer(pipe);
    const mine = thread(address, (message) => mine === core && receive(message), (reason) => mine === core && fault(reason));
    core = mine;
    core.post({ module, pipe });
  }

  function receive(message) {
    if (message.said !== undefined) message.said.split("\n").forEach((line) => line && heard(line));
    else if (message.done) done();
    else if (message.over) close();
    else if (message.died) fault(message.fault);
    else if (message.fault) onFault(message.fault.replaceAll("\n", " "));
  }

  function heard(line) {
    if (silent > 0) return;
    const pv = /^info\b(?!.*\b(?:upper|lower)bound\b)(?!.* multipv (?!1\b)).* pv (\S+)(?: (\S+))?/.exec(line);
    if (pv) best = `bestmove ${pv[1]}${pv[2] ? ` ponder ${pv[2]}` : ""}`;
    onLine(line);
  }

  function done() {
    silent = Math.max(0, silent - 1);
    if (share) return;
    todo.shift();
    if (isGo(todo[0])) best = "";
    endIfAwaited();
  }

  /** What waits ends a search that has no end of its own, and a `stop` any. */
  function endIfAwaited() {
    const [search, ...waiting] = todo;
    if (waiting.length > 0 && (isEndless(search) || (isGo(search) && waiting.some(isStop)))) interrupt();
  }

  /** Notes what another thread would have to be told. */
  function note(line) {
    const word = firstWord(line);
    if (word === "uci" || word === "ucci") state.handshake = line;
    else if (word === "setoption") state.options.push(line);
    else if (word === "position") state.position = [line];
    else if (word === "banmoves") state.position.push(line);
  }

  function put(line) {
    todo.push(line);
    core.post({ line });
  }

  /** Ends the present search with its thread. `again`: what is said in its place. */
  function interrupt(again) {
    const asked = todo;
    const go = asked[0];
    setTimeout(() => {
      if (over || todo !== asked || asked[0] !== go) return;
      // Every search has a line within moments.
      if (!best && !again) return interrupt();
      const later = asked.slice(1).filter((line) => !isStop(line));
      const answer = best;
      core.end();
      open();
      const said = [state.handshake, ...state.options, ...state.position].filter(Boolean);
      silent = said.length;
      todo = [];
      said.forEach(put);
      if (!again) onLine(answer);
      [...(again ? [again] : []), ...later].forEach(put);
    }, again ? 0 : GRACE);
  }

  /** The engine has failed: another one goes on, unless it fails before it has begun. */
  function fault(reason) {
    if (silent > 0 || !state.handshake) {
      onFault(`the engine has failed: ${reason}`.replaceAll("\n", " "));
      return close();
    }
    onFault(`the engine has failed and begins anew: ${reason}`.replaceAll("\n", " "));
    if (isGo(todo[0]) && best) onLine(best);
    todo = [];
    core.end();
    open();
    const said = [state.handshake, ...state.options, ...state.position].filter(Boolean);
    silent = said.length;
    said.forEach(share ? tell : put);
  }

  function tell(line) {
    write(line);
    core.post({});
  }

  function close() {
    if (over) return;
    over = true;
    core.end();
    onEnd();
  }

  /** Says a line to the engine. */
  function send(/** @type {string} */ line) {
    if (over) return;
    const word = firstWord(line);
    const searching = !share && isGo(todo[0]);
    if (searching && word === "stop") interrupt();
    else if (searching && word === "isready") onLine("readyok");
    else if (searching && word === "ponderhit") interrupt(todo[0].replace(/\bponder\b/, ""));
    else if (searching && word === "quit") {
      if (state.handshake === "ucci") onLine("bye");
      close();
    }
    else {
      note(line);
      if (share) return tell(line);
      if (todo.length === 0) best = "";
      put(line);
      endIfAwaited();
    }
  }

  open();
  return { send, close };
}

const firstWord = (/** @type {string | undefined} */ line) => line?.trim().split(/\s+/, 1)[0] ?? "";
const isStop = (/** @type {string} */ line) => firstWord(line) === "stop";
const isGo = (/** @type {string | undefined} */ line) => firstWord(line) === "go";
const isEndless = (/** @type {string | undefined} */ line) =>
  isGo(line) && (/\b(?:infinite|ponder)\b/.test(line ?? "") || !/\b(?:depth|nodes|mate|perft|movetime|[wbr]?time)\b/.test(line ?? ""));
