/**
 * Messages to the thread of an engine (`core.js`), from a session (`session.js`) or from the thread that
 * schedules the requests of the page (`desk-worker.js`).
 */
export type ToEngine =
  /**
   * The first message. With a pipe, lines of UCI and UCCI, or the numbers of the page's requests to stop,
   * arrive through it.
   */
  | { kind: "start"; module: WebAssembly.Module; pipe?: SharedArrayBuffer }
  /** A line of UCI or UCCI; only without a pipe. */
  | { kind: "line"; line: string }
  /** The pipe contains new bytes. A busy engine reads the pipe without this message. */
  | { kind: "readPipe" }
  /** A request of the page as JSON. Requests have consecutive numbers from 1. */
  | { kind: "request"; json: string; number: number };

/** Messages from the thread of an engine. */
export type FromEngine =
  /** Lines of UCI or UCCI, each with a line break. */
  | { kind: "output"; lines: string }
  /** A response to a request of the page, as JSON. */
  | { kind: "event"; json: string }
  /** The engine has begun to execute the next line. */
  | { kind: "taken" }
  /** The engine has finished all lines that it has taken, or a request. */
  | { kind: "done" }
  /** The session has ended, after `quit` or because of a failure that was reported. */
  | { kind: "ended" }
  /** A failure after which the engine may continue. */
  | { kind: "failure"; reason: string }
  /** The engine could not be started or has failed; its thread is of no further use. */
  | { kind: "died"; reason: string };
