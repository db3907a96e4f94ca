// A session through messages, which a searching engine does not receive. It receives one line at a time, and a
// search that must stop is ended together with its thread: a new thread continues with the same options and the
// same position but an empty hash table, and the reply is the best line so far.

import { BaseSession } from "./base-session.js";
import { concernsSearch, firstWord, isEndless, isGo } from "./commands.js";

/** Time in milliseconds in which a search that must stop can still end by itself. */
const GRACE = 15;

export class MessageSession extends BaseSession {
  /** The search that is about to be ended, as a timer. @type {any} */
  #ending;

  connect() {
    const thread = this.startThread();
    return { ...thread, write: (/** @type {string} */ line) => thread.post({ kind: "line", line }) };
  }

  sendMore() {
    if (this.sent === 0 && this.unfinished.length > 0) {
      clearTimeout(this.#ending);
      this.#ending = undefined;
      this.sent = 1;
      this.engine.write(this.unfinished[0]);
    }
    const isSearching = isGo(this.unfinished[0]) && this.searchReplies === 0;
    if (isSearching && this.#ending === undefined) this.#examineWaiting();
  }

  /** Examines the lines that wait during a search: `isready` is answered at once, and some lines end the search. */
  #examineWaiting() {
    const [search, ...waiting] = this.unfinished;
    const isReady = (/** @type {string} */ line) => firstWord(line) === "isready";
    const endsSearch = (/** @type {string} */ line) =>
      concernsSearch(line) || firstWord(line) === "quit" || (isEndless(search) && !isReady(line));
    const end = waiting.findIndex(endsSearch);
    const before = end < 0 ? waiting : waiting.slice(0, end);
    this.unfinished = [search, ...before.filter((line) => !isReady(line)), ...waiting.slice(before.length)];
    const word = firstWord(waiting[end]);
    if (end >= 0 && (this.best || word === "quit")) {
      this.#ending = setTimeout(() => this.#endSearch(word), word === "stop" ? GRACE : 0);
    }
    before.filter(isReady).forEach(() => this.listeners.onLine("readyok"));
  }

  /** Ends the current search together with its thread, unless it has already replied. @param {string} word */
  #endSearch(word) {
    if (this.searchReplies > 0) return;
    if (word === "quit") {
      if (this.state.protocol === "ucci") this.listeners.onLine("bye");
      return this.close();
    }
    const [search, ...lines] = this.unfinished;
    const reply = this.best;
    // A `stop` or `ponderhit` concerns this search.
    if (word === "stop" || word === "ponderhit") lines.splice(lines.findIndex(concernsSearch), 1);
    if (word === "ponderhit") lines.unshift(search.replace(/\bponder\b/, ""));
    this.restart(lines);
    if (word !== "ponderhit") this.listeners.onLine(reply);
  }

  /** @param {string[]} lines */
  restart(lines) {
    clearTimeout(this.#ending);
    super.restart(lines);
  }

  close() {
    clearTimeout(this.#ending);
    super.close();
  }
}
