// The common part of both kinds of session: the lines that the engine has not finished, and its restart after
// a failure.

import { concernsSearch, EngineState, firstWord, isEndless, isSearch, isSearchReply, replyAfter } from "./commands.js";
import { startThread } from "./threads.js";

/**
 * @typedef {import("./messages.d.ts").FromEngine} FromEngine
 * @typedef {import("./session.js").Listeners} Listeners
 * @typedef {import("./session.js").Session} Session
 *
 * @typedef {object} Connection an engine in its thread
 * @property {(line: string) => void} write sends a line to the engine
 * @property {(isNeeded: boolean) => void} setNeeded determines whether the engine keeps the program running
 * @property {() => void} end
 */

/** @abstract @implements {Session} */
export class BaseSession {
  #module;
  #isOver = false;
  /** True if there will be no further line: the engine ends after its pending replies. */
  #isFinishing = false;
  /** Number of `readyok` since the first unfinished line was taken. */
  #readyReplies = 0;
  state = new EngineState();
  /** Lines from the GUI that the engine has not finished. @type {string[]} */
  unfinished = [];
  /** Number of unfinished lines that were sent to the engine's thread: the first ones. */
  sent = 0;
  /** Number of unfinished lines that the engine has begun to execute: the first ones. */
  taken = 0;
  /** Number of lines that a new engine must execute to restore the state. Their replies are discarded. */
  restoring = 0;
  /** Number of searches that have ended since the first unfinished line was taken. */
  searchReplies = 0;
  /** Reply if the current search is ended now; empty if it has not found a move. */
  best = "";

  /** @param {WebAssembly.Module} module @param {Listeners} listeners */
  constructor(module, listeners) {
    this.#module = module;
    this.listeners = listeners;
    this.engine = this.connect();
  }

  /** Starts an engine. @abstract @returns {Connection} */
  connect() {
    throw new Error("abstract");
  }

  /** Sends the unfinished lines that the engine may receive now. @abstract */
  sendMore() {}

  /** Starts the thread of an engine, which reads the pipe, if there is one. @param {SharedArrayBuffer} [pipe] */
  startThread(pipe) {
    const thread = startThread(
      new URL("./core.js", import.meta.url),
      (message) => this.#receiveFromEngine(message),
      (reason) => this.#fail(reason),
    );
    thread.post({ kind: "start", module: this.#module, pipe });
    return thread;
  }

  /** @param {string} lines */
  send(lines) {
    lines.split("\n").forEach((line) => this.#receiveFromGui(line));
  }

  finish() {
    this.#isFinishing = true;
    const searches = this.unfinished.filter(isSearch);
    if (this.searchReplies < searches.length && isEndless(searches.at(-1))) this.#receiveFromGui("stop");
    // Lines are executed in order, so all earlier lines are finished once this blank line is.
    this.#receiveFromGui("");
  }

  close() {
    if (this.#isOver) return;
    this.#isOver = true;
    this.unfinished = [];
    this.engine.end();
    this.listeners.onEnd();
  }

  /** @param {string} line */
  #receiveFromGui(line) {
    if (this.#isOver) return;
    this.unfinished.push(line);
    this.engine.setNeeded(true);
    if (this.restoring === 0) this.sendMore();
  }

  /** @param {FromEngine} message */
  #receiveFromEngine(message) {
    if (message.kind === "output") message.lines.split("\n").forEach((line) => line && this.#receiveLine(line));
    else if (message.kind === "taken") this.taken += 1;
    else if (message.kind === "done") this.#endTaken();
    else if (message.kind === "ended") this.close();
    else if (message.kind === "died") this.#fail(message.reason);
    else if (message.kind === "failure") this.#report(message.reason);
  }

  /** @param {string} line */
  #receiveLine(line) {
    if (this.restoring > 0 || this.#isOver) return;
    this.best = replyAfter(line) ?? this.best;
    if (line === "readyok") this.#readyReplies += 1;
    if (isSearchReply(line)) {
      this.searchReplies += 1;
      this.best = "";
    }
    this.listeners.onLine(line);
    // A line that ends a search may wait until there is a reply.
    if (this.best) this.sendMore();
  }

  /** Handles the end of all taken lines. */
  #endTaken() {
    if (this.restoring > 0) this.restoring -= this.taken;
    else this.unfinished.splice(0, this.taken).forEach((line) => this.state.add(line));
    this.#resetCounts(this.sent - this.taken);
    if (this.restoring === 0) this.sendMore();
    if (this.restoring > 0 || this.unfinished.length > 0) return;
    this.engine.setNeeded(false);
    if (this.#isFinishing) {
      this.#isFinishing = false;
      this.#receiveFromGui("quit");
    }
  }

  #resetCounts(sent = 0) {
    this.sent = Math.max(0, sent);
    this.taken = 0;
    this.searchReplies = 0;
    this.#readyReplies = 0;
    this.best = "";
  }

  /** Replaces the engine by a new one, restores its state, and continues with these lines. @param {string[]} lines */
  restart(lines) {
    this.engine.end();
    this.engine = this.connect();
    this.engine.setNeeded(true);
    this.unfinished = lines;
    this.#resetCounts();
    this.restoring = this.state.lines.length;
    this.state.lines.forEach((line) => this.engine.write(line));
    if (this.restoring === 0) this.sendMore();
  }

  /** Handles a failure: starts a new engine, unless the state cannot be restored. @param {string} reason */
  #fail(reason) {
    if (this.restoring > 0 || !this.state.protocol) {
      this.#report(`the engine has failed: ${reason}`);
      return this.close();
    }
    const { reply, lines } = this.#afterFailure();
    this.restart(lines);
    this.#report(`the engine has failed and is restarted: ${reason}`);
    if (reply) this.listeners.onLine(reply);
  }

  /**
   * Returns the reply to the search that has failed, if there is one, and the lines to be executed after the
   * failure: all except those that are finished, the one that has failed, and those that concern its search.
   */
  #afterFailure() {
    const taken = this.unfinished.slice(0, this.taken);
    const searches = [...taken.keys()].filter((index) => isSearch(taken[index]));
    // Lines are executed in order, so the lines before an ended search are finished, and a search that has
    // not ended is more likely to have failed than the lines before it.
    const ended = searches[this.searchReplies - 1] ?? -1;
    const search = searches[this.searchReplies];
    const failed = search ?? ended + 1;
    taken.slice(0, failed).forEach((line) => this.state.add(line));
    const isReady = (/** @type {string} */ line) => firstWord(line) === "isready";
    let answered = this.#readyReplies - taken.slice(0, failed).filter(isReady).length;
    let lines = this.unfinished.slice(Math.min(failed + 1, taken.length));
    lines = lines.filter((line) => !isReady(line) || answered-- <= 0);
    if (search === undefined) return { reply: "", lines };
    const next = lines.findIndex(isSearch);
    lines = lines.filter((line, index) => !concernsSearch(line) || (next >= 0 && index > next));
    return { reply: this.best || this.state.noMove, lines };
  }

  /** @param {string} reason */
  #report(reason) {
    this.listeners.onLine(`info string ${reason.replaceAll("\n", " ")}`);
  }
}
