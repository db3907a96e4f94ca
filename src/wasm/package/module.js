// The module: compiled WebAssembly, and the functions it imports. One instance has one thread, and is busy while it answers.

const text = { read: new TextDecoder(), write: new TextEncoder() };

/**
 * @typedef {object} Ears
 * @property {(lines: string) => void} say takes lines of UCI or UCCI, each ended by a line break
 * @property {(json: string) => void} tell takes an event of the desk
 * @property {() => string | undefined} heard gives a line that was said meanwhile
 * @property {(reason: string) => void} fault takes the reason why the module ends
 */

/** Waits, in a thread that may; elsewhere it returns at once. */
const rest = (() => {
  try {
    // Memory of WebAssembly can be shared even where a page may not share its own; here nothing else uses it.
    const place = new Int32Array(new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true }).buffer);
    return (/** @type {number} */ milliseconds) => void Atomics.wait(place, 0, 0, milliseconds);
  } catch {
    return () => {};
  }
})();

/**
 * Makes an instance.
 * @param {WebAssembly.Module} module @param {Partial<Ears>} ears
 */
export async function start(module, ears = {}) {
  const taken = (/** @type {((text: string) => void) | undefined} */ take) => (/** @type {number} */ at, /** @type {number} */ bytes) =>
    take?.(text.read.decode(new Uint8Array(exports.memory.buffer, at, bytes)));
  const put = (/** @type {string} */ line) => {
    const bytes = text.write.encode(line);
    // Making room may move the memory.
    const at = exports.room(bytes.length);
    new Uint8Array(exports.memory.buffer, at, bytes.length).set(bytes);
  };
  const chuhe = {
    now: () => performance.now(),
    chance: () => crypto.getRandomValues(new Uint32Array(1))[0],
    rest,
    heard: () => {
      const line = ears.heard?.();
      if (line === undefined) return 0;
      put(line);
      return 1;
    },
    say: taken(ears.say),
    tell: taken(ears.tell),
    fault: taken(ears.fault),
  };
  const instance = await WebAssembly.instantiate(module, { chuhe });
  const exports = /** @type {any} */ (instance.exports);
  return {
    /** Obeys a line of UCI or UCCI, to the end of what it asks for; false after `quit`. */
    hear(/** @type {string} */ line) {
      put(line);
      return exports.hear() !== 0;
    },
    /** Answers a message of the desk, as JSON. */
    ask(/** @type {string} */ json) {
      put(json);
      exports.ask();
    },
    /** The nodes of the fixed search to a depth: the same number as the native engine's. */
    bench: (/** @type {number} */ depth) => /** @type {number} */ (exports.bench(depth)),
  };
}
