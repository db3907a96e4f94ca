// A UCI or UCCI session with an engine in its own thread.
//
// A thread that searches hears nothing unless memory can be shared with it. Where it can, every line goes through a pipe and the engine
// itself decides, during a search too. Where it can't, a search that must stop is ended with its thread: another one takes its
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
  /** What another thread would have to be told. */
  const state = { handshake: "", options: [], position: [] };
  /** Lines that are not done, the present one first; only that one has been said to the thread. Empty where there is a pipe. */
  let todo = [];
  /** How many lines are said again to a new thread, so that their answers are not heard. */
  let silent = 0;
  /** The answer if the present search were ended now. */
  let best = "";
  /** The present search is about to be ended. */
  let ending = false;
  /** How many searches have answered, or were ended. */
  let answers = 0;
  let over = false;
  /** How many lines went through the pipe and are not done. */
  let piped = 0;
  /** How many searches were asked for, and the last of them. */
  let searches = 0;
  let lastGo = "";
  /** No line comes any more: the engine ends when it has answered. */
  let finishing = false;
  let write, core;

  function open() {
    const pipe = share ? makePipe() : undefined;
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
    if (/^(?:no)?bestmove\b/.test(line)) {
      answers += 1;
      ending = true;
    }
    onLine(line);
    // What waits may end the search, once there is an answer.
    if (pv) attend();
  }

  function done() {
    silent = Math.max(0, silent - 1);
    if (share) piped -= 1;
    else {
      todo.shift();
      begin();
    }
    if (finishing && piped === 0 && todo.length === 0) {
      finishing = false;
      hear("quit");
    }
  }

  /** Says the first line that is not done. */
  function begin() {
    best = "";
    ending = false;
    if (todo.length === 0) return;
    note(todo[0]);
    core.post({ line: todo[0] });
    attend();
  }

  /** Looks what waits while a search runs: some of it must not wait, and some ends the search. */
  function attend() {
    if (silent > 0 || ending || !isGo(todo[0])) return;
    const ends = (word) => word === "stop" || word === "ponderhit" || word === "quit" || isEndless(todo[0]);
    for (const line of todo.slice(1)) {
      const word = firstWord(line);
      if (word === "isready") {
        todo.splice(todo.indexOf(line, 1), 1);
        onLine("readyok");
      } else if (ends(word)) {
        if (!best && word !== "quit") return;
        ending = true;
        setTimeout(end, word === "stop" ? GRACE : 0, answers, word);
        return;
      }
    }
  }

  /** Ends the present search with its thread, unless it has answered by itself. */
  function end(number, word) {
    if (over || number !== answers) return;
    answers += 1;
    const go = todo[0];
    if (word === "quit") {
      if (state.handshake === "ucci") onLine("bye");
      return close();
    }
    const later = todo.slice(1);
    // A `stop` or `ponderhit` is for this search.
    if (word === "stop" || word === "ponderhit") later.splice(later.findIndex((line) => firstWord(line) === word), 1);
    if (word === "ponderhit") later.unshift(go.replace(/\bponder\b/, ""));
    else onLine(best);
    restart(later);
  }

  /** Another thread takes the place of this one, is told what it must know, and goes on with these lines. */
  function restart(lines) {
    core.end();
    open();
    const said = [state.handshake, ...state.options, ...state.position].filter(Boolean);
    silent = said.length;
    piped = 0;
    if (share) return said.forEach(tell);
    todo = [...said, ...lines];
    state.options = [];
    begin();
  }

  /** The engine has failed: another one goes on, unless it fails before it has begun. */
  function fault(reason) {
    const text = reason.replaceAll("\n", " ");
    if (silent > 0 || !state.handshake) {
      onFault(`the engine has failed: ${text}`);
      return close();
    }
    onFault(`the engine has failed and is restarted: ${text}`);
    if (isGo(todo[0]) && best) onLine(best);
    restart(todo.slice(1));
  }

  function note(line) {
    const word = firstWord(line);
    if (word === "uci" || word === "ucci") state.handshake = line;
    else if (word === "setoption") state.options.push(line);
    else if (word === "position") state.position = [line];
    else if (word === "banmoves") state.position.push(line);
  }

  function tell(line) {
    piped += 1;
    write(line);
    core.post({});
  }

  function close() {
    if (over) return;
    over = true;
    core.end();
    onEnd();
  }

  function hear(line) {
    if (over) return;
    if (isGo(line) && !/\bperft\b/.test(line)) {
      searches += 1;
      lastGo = line;
    }
    if (share) {
      note(line);
      return tell(line);
    }
    todo.push(line);
    if (todo.length === 1) begin();
    else attend();
  }

  open();
  return {
    /** Says a line to the engine, or several. */
    send: (/** @type {string} */ lines) => lines.split("\n").forEach(hear),
    /** Ends the engine when it has answered what it was asked. A search without an end is stopped. */
    finish() {
      finishing = true;
      if (answers < searches && isEndless(lastGo)) hear("stop");
      // When this blank line is done, everything is.
      hear("");
    },
    close,
  };
}

const firstWord = (/** @type {string | undefined} */ line) => line?.trim().split(/\s+/, 1)[0] ?? "";
const isGo = (/** @type {string | undefined} */ line) => firstWord(line) === "go";
const isEndless = (/** @type {string | undefined} */ line) =>
  isGo(line) && (/\b(?:infinite|ponder)\b/.test(line ?? "") || !/\b(?:depth|nodes|mate|perft|movetime|[wbr]?time)\b/.test(line ?? ""));
