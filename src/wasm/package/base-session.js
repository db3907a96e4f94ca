// A UCI or UCCI session with an engine in its own thread.
//
// A searching thread receives messages only through shared memory. If it is available, every line goes
// through a pipe, and the engine itself schedules commands even during a search. Otherwise a search that must
// stop is ended together with its thread: a new thread continues with the same options and the same position
// but an empty hash table, and the reply is the best line so far.

import { canShare, makePipe, writer } from "./pipe.js";
import { thread } from "./threads.js";

/** Time in milliseconds in which a search that must stop can still end by itself. */
const GRACE = 15;

/**
 * @param {WebAssembly.Module} module @param {(line: string) => void} onLine
 * @param {{ share?: boolean, onEnd?: () => void, onFault?: (reason: string) => void }} [options]
 */
export function talk(module, onLine, { share = canShare(), onEnd = () => {}, onFault = (reason) => onLine(`info string ${reason}`) } = {}) {
  const address = new URL("./core.js", import.meta.url);
  /** State to be restored in a new thread. */
  const state = { handshake: "", options: [], position: [] };
  /**
   * Unfinished lines, the current one first; only that one has been sent to the thread. Empty if there is a
   * pipe.
   */
  let todo = [];
  /** Number of lines to be sent again to a new thread, whose replies are discarded. */
  let silent = 0;
  /** Reply if the current search is ended now. */
  let best = "";
  /** True if the current search is about to be ended. */
  let ending = false;
  /** Number of searches that have replied or were ended. */
  let answers = 0;
  let over = false;
  /** Number of unfinished lines that were sent through the pipe. */
  let piped = 0;
  /** Number of requested searches, and the last of them. */
  let searches = 0;
  let lastGo = "";
  /** True if there will be no further line: the engine ends after its reply. */
  let finishing = false;
  let write, core;

  function open() {
    const pipe = share ? makePipe() : undefined;
    write = pipe && writer(pipe, () => mine === core && mine.post({ more: true }));
    const mine = thread(address, (message) => mine === core && receive(message), (reason) => mine === core && fault(reason));
    core = mine;
    core.post({ module, pipe });
  }

  function receive(message) {
    if (message.output !== undefined) message.output.split("\n").forEach((line) => line && heard(line));
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
    // Waiting lines may end the search, once there is a reply.
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

  /** Sends the first unfinished line. */
  function begin() {
    best = "";
    ending = false;
    if (todo.length === 0) return;
    note(todo[0]);
    core.post({ line: todo[0] });
    attend();
  }

  /** Examines the lines that wait during a search: some must not wait, and some end the search. */
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

  /** Ends the current search together with its thread, unless it has already replied. */
  function end(number, word) {
    if (over || number !== answers) return;
    answers += 1;
    const go = todo[0];
    if (word === "quit") {
      if (state.handshake === "ucci") onLine("bye");
      return close();
    }
    const later = todo.slice(1);
    // A `stop` or `ponderhit` refers to this search.
    if (word === "stop" || word === "ponderhit") later.splice(later.findIndex((line) => firstWord(line) === word), 1);
    if (word === "ponderhit") later.unshift(go.replace(/\bponder\b/, ""));
    else onLine(best);
    restart(later);
  }

  /** Replaces this thread by a new one, restores its state, and continues with these lines. */
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

  /** Handles a failure: starts a new engine, unless this one failed before its handshake was complete. */
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
    /** Sends one or more lines to the engine. */
    send: (/** @type {string} */ lines) => lines.split("\n").forEach(hear),
    /** Ends the engine after its pending replies. A search without a limit is stopped. */
    finish() {
      finishing = true;
      if (answers < searches && isEndless(lastGo)) hear("stop");
      // Lines are executed in order, so all earlier lines are finished once this blank line is.
      hear("");
    },
    close,
  };
}

const firstWord = (/** @type {string | undefined} */ line) => line?.trim().split(/\s+/, 1)[0] ?? "";
const isGo = (/** @type {string | undefined} */ line) => firstWord(line) === "go";
const isEndless = (/** @type {string | undefined} */ line) =>
  isGo(line) && (/\b(?:infinite|ponder)\b/.test(line ?? "") || !/\b(?:depth|nodes|mate|perft|movetime|[wbr]?time)\b/.test(line ?? ""));
