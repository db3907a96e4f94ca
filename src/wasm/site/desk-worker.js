// The page's engine without a server: receives the desk's messages and sends its events, like the server's
// WebSocket.
//
// As on the server, two threads handle the requests: one handles quick requests, so that the page never
// waits, and the other searches. A new search ends the previous one. If memory can be shared, the searching
// thread receives a stop; otherwise it is ended and replaced.

import { canShare, makePipe, writer } from "./pipe.js";
import { compile, thread } from "./threads.js";

/** Requests handled by the thread for searches, as in `Request::is_quick`. */
const SEARCHES = new Set(["think", "play", "hint", "offer", "try", "review"]);
/** Events that are followed by others. */
const PARTS = new Set(["line", "progress"]);
/** Minimum interval between lines of an analysis, in milliseconds. */
const PAUSE = 100;
/** Maximum time in milliseconds from a stop until the thread of a search is ended. */
const PATIENCE = 2000;

/** @type {Promise<WebAssembly.Module>} */
const module = compile(new URL("./desk.wasm", import.meta.url));
module.catch((error) => setTimeout(() => { throw error; }));

const quick = seat();
const searches = seat();
let language;

self.onmessage = ({ data: message }) => {
  if (message.do === "hello") language = message.language ?? language;
  const question = { language, ...message };
  const searching = SEARCHES.has(message.do);
  if (searching || message.do === "stop") searches.stop();
  (searching ? searches : quick).ask(question);
};

/** Sends an event to the page. If lines arrive too fast, only those of the last complete iteration are sent. */
const told = (() => {
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
function seat() {
  let core, write;
  let number = 0;
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
    if (message.told !== undefined) {
      const event = JSON.parse(message.told);
      const asked = waiting[0];
      if (!asked || asked.question.id !== event.id) return told(event);
      if (event.is === "line" && event.multipv === 1) asked.line = event;
      if (!PARTS.has(event.is)) asked.answered = true;
      told(event);
    } else if (message.done) {
      clearTimeout(late);
      waiting.shift();
    } else if (message.died) fail(message.fault);
    else if (message.fault) console.error(message.fault);
  }

  /** Handles the end of the thread: its request receives an error, and a new thread handles the others. */
  function fail(reason) {
    core.end();
    const [failed, ...others] = waiting;
    if (failed && !failed.answered) told({ id: failed.question.id, is: "error", code: "failed", text: reason });
    begin(others);
  }

  function begin(questions) {
    clearTimeout(late);
    waiting = [];
    open();
    questions.forEach((asked) => put(asked));
  }

  function put(asked) {
    waiting.push(asked);
    core.post({ ask: JSON.stringify(asked.question), number: asked.number });
  }

  /** Final response of a search that is ended together with its thread. */
  function lastWord({ question, line }) {
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
    ask(question) {
      number += 1;
      put({ question, number });
    },
    /** Ends all requested searches. */
    stop() {
      if (waiting.length === 0) return;
      if (write) {
        write(String(number));
        clearTimeout(late);
        late = setTimeout(() => fail("stopped"), PATIENCE);
      } else {
        const ended = waiting;
        core.end();
        ended.filter((asked) => !asked.answered).forEach((asked) => told(lastWord(asked)));
        begin([]);
      }
    },
  };
}
