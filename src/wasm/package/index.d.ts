/** A talk with an engine that has a thread of its own. */
export interface Engine {
  /** Says a line of UCI or UCCI. `uci` or `ucci` comes first and decides which. */
  send(line: string): void;
  /**
   * Says a line, and promises all lines up to the last one of its answer: the one whose first word is `last`, or for which it is true.
   *
   *     const lines = await engine.ask("go movetime 1000", "bestmove");
   *
   * Several may wait at once: one last line answers the first who waits for it. Rejected when the engine ends, by `close` or `quit`.
   */
  ask(line: string, last: string | ((line: string) => boolean)): Promise<string[]>;
  /** Ends the engine and its thread. Nothing is heard of it any more. */
  close(): void;
}

export interface Options {
  /** Hears every line. */
  onLine?: (line: string) => void;
  /** Where the module is, if not beside `index.js`: relative to it, or whole. */
  wasm?: string | URL;
  /**
   * Whether lines reach a searching engine through shared memory. By default they do where memory can be shared: in Node, and in pages
   * that are isolated from other origins. Elsewhere a search is stopped by ending its thread, and what it had learned is lost.
   */
  share?: boolean;
}

/** Starts an engine. Rejected if the module can't be loaded. */
export function open(options?: Options): Promise<Engine>;

/** The nodes of the fixed search to a depth (10 if none is given): the signature of the engine. It blocks the thread that calls it. */
export function bench(depth?: number, wasm?: string | URL): Promise<number>;
