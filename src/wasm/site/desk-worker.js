// The page's engine without a server: receives the desk's messages and sends its events, like the server's
// WebSocket.
//
// As on the server, two threads handle the requests: one handles quick requests, so that the page never
// waits, and the other searches. A new search ends the previous one. If memory can be shared, the searching
// thread receives a stop; otherwise it is ended and replaced.

import { canShare, makePipe, writer } from "./pipe.js";
import { compile, thread } from "./threads.js";

/** Requests handled by the thread for searches, as in `RequestName::kind`; a test compares the lists. */
const SEARCHES = new Set(["think", "play", "offer", "hint", "mate", "review", "try"]);
/** Events that are followed by others. */
const PARTS = new Set(["line", "progress"]);
/** Minimum interval between lines of an analysis, in milliseconds. */
const PAUSE = 100;
/** Maximum time in milliseconds from a stop until the thread of a search is ended. */
const PATIENCE = 2000;

/** @type {Promise<WebAssembly.Module>} */
const module = compile(new URL("./desk.wasm", import.meta.url));
module.catch((error) => setTimeout(() => { throw error; }));

const quick = deskThread();
const searches = deskThread();
let language;

self.onmessage = ({ data: message }) => {
  if (message.do === "hello") language = message.language ?? language;
  const question = { language, ...message };
  const searching = SEARCHES.has(message.do);
  if (searching || message.do === "stop") searches.stop();
  (searching ? searches : quick).request(question);
};

/** Sends an event to the page. If lines arrive too fast, only those of the last complete iteration are sent. */
const send = (() => {
  /** @type {any[]} lines of the current iteration */
  let growing = [];
  /** @type {any[]} */
  let lines = [];
  let last = 0;
  let later = 0;
  /** The request to which the last lines belong. */
  let question;
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
    if (event.id !== question) {
      // The first line of a search is not delayed by the previous search.
      flush();
      question = event.id;
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

/** A thread with a desk, which is replaced if necessary. */
function deskThread() {
  let core, write;
  let number = 0;
  /** Number of the last request that was stopped; all earlier ones are stopped as well. */
  let stopped = 0;
  /** Requests without a final response, the current one first. */
  let waiting = [];
  let late = 0;

  function open() {
    const pipe = canShare() ? makePipe() : undefined;
    write = pipe && writer(pipe);
    const mine = thread(
      new URL("./core.js", import.meta.url),
      (message) => mine === core && receive(message),
      (reason) => mine === core && fail(reason),
    );
    core = mine;
    module.then((compiled) => mine.post({ module: compiled, pipe }), () => {});
  }

  function receive(message) {
    if (message.event !== undefined) {
      const event = JSON.parse(message.event);
      const asked = waiting[0];
      if (!asked || asked.question.id !== event.id) return send(event);
      if (event.is === "line" && event.multipv === 1) asked.line = event;
      if (!PARTS.has(event.is)) asked.answered = true;
      send(event);
    } else if (message.done) {
      waiting.shift();
      endInTime();
    } else if (message.died) fail(message.fault);
    else if (message.fault) console.error(message.fault);
  }

  /** Ends the thread if the current request has been stopped but does not end by itself. */
  function endInTime() {
    clearTimeout(late);
    if (waiting.length > 0 && waiting[0].number <= stopped) late = setTimeout(() => fail("stopped"), PATIENCE);
  }

  /**
   * Replaces the thread: stopped requests receive their final responses, the current one an error if it was not
   * stopped, and the new thread handles the others.
   */
  function fail(reason) {
    core.end();
    const [current] = waiting;
    const others = waiting.filter((asked) => asked !== current && asked.number > stopped);
    for (const asked of waiting) {
      if (asked.answered || others.includes(asked)) continue;
      send(asked.number <= stopped ? finalResponse(asked) : { id: asked.question.id, is: "error", code: "failed", text: reason });
    }
    waiting = [];
    open();
    others.forEach(put);
    endInTime();
  }

  function put(asked) {
    waiting.push(asked);
    core.post({ request: JSON.stringify(asked.question), number: asked.number });
  }

  /** Final response of a stopped search that is ended together with its thread. */
  function finalResponse({ question, line }) {
    if (question.do === "think") {
      const name = (/** @type {any} */ names) => Object.fromEntries(Object.entries(names ?? {}).map(([form, list]) => [form, list[0]]));
      return {
        id: question.id, is: "done", best: line?.pv[0] ?? null, names: line ? name(line.names) : null,
        nodes: line?.nodes ?? 0, time_ms: line?.time_ms ?? 0, stopped: true,
      };
    }
    return { id: question.id, is: "error", code: "stopped", text: "" };
  }

  open();
  return {
    request(question) {
      number += 1;
      put({ question, number });
    },
    /** Ends all requested searches. */
    stop() {
      if (waiting.length === 0) return;
      const begins = waiting[0].number > stopped;
      stopped = number;
      if (!write) fail("stopped");
      else {
        write(String(number));
        if (begins) endInTime();
      }
    },
  };
}
