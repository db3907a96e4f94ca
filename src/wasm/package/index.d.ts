/** A session with an engine that has its own thread. */
export interface Engine {
  /** Sends a line of UCI or UCCI. The first line is `uci` or `ucci` and selects the protocol. */
  send(line: string): void;
  /**
   * Sends a line. Resolves to all lines up to the last line of the reply, whose first word is `last` or
   * for which `last` returns true.
   *
   *     const lines = await engine.ask("go movetime 1000", "bestmove");
   *
   * Several calls may wait at the same time; a last line completes the oldest call that waits for it. The
   * lines of a call begin after that of an earlier call with the same last line:
   *
   *     const [first, ready, second] = await Promise.all([
   *       engine.ask("go depth 3", "bestmove"), // depths 1 to 3
   *       engine.ask("isready", "readyok"), // the lines until `readyok`, of the first search as well
   *       engine.ask("go depth 5", "bestmove"), // depths 1 to 5
   *     ]);
   *
   * If the engine fails during a search, a new engine continues with the same options and the same position,
   * and the reply is the best line so far, or `bestmove (none)` (`nobestmove` in UCCI).
   *
   * Rejects if the engine is ended by `close` or `quit`.
   */
  ask(line: string, last: string | ((line: string) => boolean)): Promise<string[]>;
  /** Ends the engine and its thread; there is no further output. */
  close(): void;
}

export interface Options {
  /** Listener for every line. */
  onLine?: (line: string) => void;
  /** Location of the module, if it is not next to `index.js`: a relative or an absolute URL. */
  wasm?: string | URL;
  /**
   * Sends lines to a searching engine through shared memory. The default is true if memory can be
   * shared: in Node, and in pages that are isolated from other origins. Otherwise a search is stopped by
   * ending its thread, and its hash table is lost.
   */
  share?: boolean;
}

/** Starts an engine. Rejects if the module cannot be loaded. */
export function open(options?: Options): Promise<Engine>;

/**
 * Returns the number of nodes of the fixed search to a depth (default 10), the signature of the engine.
 * Blocks the calling thread. Rejects if the module cannot be loaded or the search fails.
 */
export function bench(depth?: number, wasm?: string | URL): Promise<number>;
