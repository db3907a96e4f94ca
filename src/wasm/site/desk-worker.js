// The page's engine without a server: receives the desk's messages and sends its events, like the server's
// WebSocket.
//
// As on the server, two threads handle the requests: one handles quick requests, so that the page never
// waits, and the other searches. A new search ends the previous one. If memory can be shared, the searching
// thread receives a stop; otherwise it is ended and replaced.

import { canShare, makePipe, openWriter } from "./pipe.js";
import { NOT_FINAL } from "./responses.js";
import { compile, startThread } from "./threads.js";

/**
 * @typedef {{ id: number, do: string, language?: string }} Request
 *
 * @typedef {object} Pending a request without a final response
 * @property {Request} request
 * @property {number} number
 * @property {boolean} [isAnswered] true if the final response was sent, but the thread is not free yet
 * @property {any} [line] last best line of an analysis
 */

/** Requests handled by the thread for searches, as in `RequestName::kind`; a test compares the lists. */
const SEARCHES = new Set(["think", "play", "offer", "hint", "mate", "review", "try"]);
/** Minimum interval between lines of an analysis, in milliseconds. */
const PAUSE = 100;
/** Maximum time in milliseconds from a stop until the thread of a search is ended. */
const PATIENCE = 2000;

/** @type {Promise<WebAssembly.Module>} */
const module = compile(new URL("./desk.wasm", import.meta.url));
module.catch((error) => setTimeout(() => { throw error; }));

/**
 * Sends an event to the page. If lines arrive too fast, only those of the last complete iteration are sent. With
 * a server, `src/app/web/lines.rs` does the same.
 */
const send = (() => {
  /** @type {any[]} lines of the current iteration */
  let growing = [];
  /** @type {any[]} */
  let lines = [];
  let last = 0;
  let later = 0;
  /** The request to which the last lines belong. */
  let id;
  const flush = () => {
    clearTimeout(later);
    later = 0;
    last = performance.now();
    lines.forEach((line) => self.postMessage(line));
    lines = [];
  };
  return (/** @type {any} */ event) => {
    if (event.is !== "line") {
      flush();
      self.postMessage(event);
      return;
    }
    if (event.id !== id) {
      // The first line of a search is not delayed by the previous search.
      flush();
      id = event.id;
      last = 0;
    }
    if (event.multipv === 1) growing = [];
    growing.push(event);
    if (event.multipv < event.of) return;
    lines = growing;
    const wait = last + PAUSE - performance.now();
    if (wait <= 0) flush();
    else later ||= setTimeout(flush, wait);
  };
})();

/** A thread that handles requests of the page; it is replaced if necessary. */
class DeskThread {
  /** @type {ReturnType<typeof startThread> | undefined} */
  #thread;
  /** @type {ReturnType<typeof openWriter> | undefined} */
  #writer;
  /** Number of the last request. */
  #number = 0;
  /** Number of the last request that was stopped; all earlier ones are stopped as well. */
  #stopped = 0;
  /** Requests without a final response, the current one first. @type {Pending[]} */
  #pending = [];
  #late = 0;

  constructor() {
    this.#start();
  }

  #start() {
    const pipe = canShare() ? makePipe() : undefined;
    const thread = startThread(
      new URL("./core.js", import.meta.url),
      (message) => this.#receive(message),
      (reason) => this.#fail(reason),
    );
    this.#thread = thread;
    this.#writer = pipe && openWriter(pipe);
    module.then((compiled) => thread.post({ kind: "start", module: compiled, pipe }), () => {});
    return thread;
  }

  /** @param {Request} request */
  add(request) {
    this.#number += 1;
    this.#post({ request, number: this.#number });
  }

  /** @param {Pending} pending */
  #post(pending) {
    this.#pending.push(pending);
    const thread = this.#thread ?? this.#start();
    thread.post({ kind: "request", json: JSON.stringify(pending.request), number: pending.number });
  }

  /** Ends all requested searches. */
  stop() {
    if (this.#pending.length === 0) return;
    const begins = this.#pending[0].number > this.#stopped;
    this.#stopped = this.#number;
    if (this.#writer) {
      this.#writer.write(String(this.#number));
      if (begins) this.#endInTime();
    } else {
      this.#fail("stopped");
    }
  }

  /** @param {import("./messages.d.ts").FromEngine} message */
  #receive(message) {
    if (message.kind === "event") {
      const event = JSON.parse(message.json);
      const [pending] = this.#pending;
      if (pending?.request.id === event.id) {
        if (event.is === "line" && event.multipv === 1) pending.line = event;
        if (!NOT_FINAL.has(event.is)) pending.isAnswered = true;
      }
      send(event);
    } else if (message.kind === "done") {
      this.#pending.shift();
      this.#endInTime();
    } else if (message.kind === "died") {
      this.#fail(message.reason);
    } else if (message.kind === "failure") {
      console.error(message.reason);
    }
  }

  /** Ends the thread if the current request has been stopped but does not end by itself. */
  #endInTime() {
    clearTimeout(this.#late);
    const [pending] = this.#pending;
    if (pending && pending.number <= this.#stopped) this.#late = setTimeout(() => this.#fail("stopped"), PATIENCE);
  }

  /**
   * Replaces the thread: stopped requests receive their final responses, the current one an error if it was not
   * stopped, and the new thread handles the others. A thread that can't be started is not replaced before the
   * next request.
   * @param {string} reason
   */
  #fail(reason) {
    this.#thread?.end();
    this.#thread = undefined;
    const [current, ...waiting] = this.#pending;
    const others = waiting.filter((pending) => pending.number > this.#stopped);
    for (const pending of this.#pending) {
      if (pending.isAnswered || others.includes(pending)) continue;
      const failure = { id: pending.request.id, is: "error", code: "failed", text: reason };
      send(pending.number <= this.#stopped ? finalResponse(pending) : failure);
    }
    this.#pending = [];
    if (current) this.#start();
    others.forEach((pending) => this.#post(pending));
    this.#endInTime();
  }
}

/** Returns the final response of a stopped search that is ended together with its thread. @param {Pending} pending */
function finalResponse({ request, line }) {
  if (request.do !== "think") return { id: request.id, is: "error", code: "stopped", text: "" };
  /** @param {Record<string, string[]>} names */
  const first = (names) => Object.fromEntries(Object.entries(names ?? {}).map(([form, list]) => [form, list[0]]));
  return {
    id: request.id,
    is: "done",
    best: line?.pv[0] ?? null,
    names: line ? first(line.names) : null,
    nodes: line?.nodes ?? 0,
    time_ms: line?.time_ms ?? 0,
    stopped: true,
  };
}

const quick = new DeskThread();
const searches = new DeskThread();
/** @type {string | undefined} */
let language;

self.onmessage = ({ data }) => {
  if (data.do === "hello") language = data.language ?? language;
  const isSearch = SEARCHES.has(data.do);
  if (isSearch || data.do === "stop") searches.stop();
  (isSearch ? searches : quick).add({ language, ...data });
};
