// The module: compiled WebAssembly and its imported functions. An instance has one thread and is busy while
// it handles a request.

const decoder = new TextDecoder();
const encoder = new TextEncoder();

/**
 * @typedef {object} Handlers
 * @property {(lines: string) => void} onOutput receives lines of UCI or UCCI, each with a line break
 * @property {(json: string) => void} onEvent receives an event of the desk
 * @property {() => string | undefined} nextLine returns a line received in the meantime
 * @property {(reason: string) => void} onFailure receives the reason of a failure
 */

/** Waits, if the thread may block; otherwise returns at once. */
const sleep = (() => {
  try {
    // WebAssembly memory can be shared even in pages that may not share their own memory; nothing else uses
    // this memory.
    const place = new Int32Array(new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true }).buffer);
    return (/** @type {number} */ milliseconds) => void Atomics.wait(place, 0, 0, milliseconds);
  } catch {
    return () => {};
  }
})();

/**
 * Creates an instance.
 * @param {WebAssembly.Module} module @param {Partial<Handlers>} handlers
 */
export async function start(module, handlers = {}) {
  /** @param {((text: string) => void) | undefined} handler */
  const decoded = (handler) => (/** @type {number} */ at, /** @type {number} */ bytes) =>
    handler?.(decoder.decode(new Uint8Array(exports.memory.buffer, at, bytes)));
  const writeInput = (/** @type {string} */ line) => {
    const bytes = encoder.encode(line);
    // The allocation may move the memory.
    const at = exports.allocate_input(bytes.length);
    new Uint8Array(exports.memory.buffer, at, bytes.length).set(bytes);
  };
  /** Last failure. */
  let failure = "";
  const chuhe = {
    now: () => performance.now(),
    random_bits: () => crypto.getRandomValues(new Uint32Array(1))[0],
    sleep,
    take_line: () => {
      const line = handlers.nextLine?.();
      if (line === undefined) return 0;
      writeInput(line);
      return 1;
    },
    write_output: decoded(handlers.onOutput),
    send_event: decoded(handlers.onEvent),
    report_failure: decoded((reason) => {
      failure = reason;
      handlers.onFailure?.(reason);
    }),
  };
  const instance = await WebAssembly.instantiate(module, { chuhe });
  const exports = /** @type {any} */ (instance.exports);
  return {
    /** Executes a line of UCI or UCCI to completion; returns false after `quit`. */
    execute(/** @type {string} */ line) {
      writeInput(line);
      return exports.execute_line() !== 0;
    },
    /** Handles a message of the desk, as JSON. */
    request(/** @type {string} */ json) {
      writeInput(json);
      exports.handle_request();
    },
    /** Returns the number of nodes of the fixed search to a depth, the same number as the native engine's. */
    bench(/** @type {number} */ depth) {
      const nodes = /** @type {number} */ (exports.bench(depth));
      if (nodes < 0) throw new Error(failure);
      return nodes;
    },
  };
}
