// A pipe of lines in shared memory, for messages to a busy thread. It is available only if memory can be
// shared: in Node, and in pages that are isolated from other origins.

const BYTES = 1 << 16;
/** Fields of the header: the numbers of bytes written and read since the start, modulo 2^32. */
const WRITTEN = 0;
const READ = 1;

export const canShare = () => typeof SharedArrayBuffer === "function" && globalThis.crossOriginIsolated !== false;

export const makePipe = () => new SharedArrayBuffer(8 + BYTES);

/**
 * Writing end. Data that does not fit is queued; `onWrite` is called whenever data has been written.
 * @param {SharedArrayBuffer} pipe @param {() => void} [onWrite]
 */
export function openWriter(pipe, onWrite = () => {}) {
  const head = new Int32Array(pipe, 0, 2);
  const bytes = new Uint8Array(pipe, 8);
  const encoder = new TextEncoder();
  /** @type {Uint8Array[]} */
  const queue = [];
  let later;
  const flush = () => {
    clearTimeout(later);
    while (queue.length > 0) {
      const written = Atomics.load(head, WRITTEN);
      const room = BYTES - ((written - Atomics.load(head, READ)) >>> 0);
      const part = queue[0].subarray(0, room);
      part.forEach((byte, index) => (bytes[(written + index) & (BYTES - 1)] = byte));
      Atomics.store(head, WRITTEN, (written + part.length) | 0);
      if (part.length === queue[0].length) {
        queue.shift();
      } else {
        queue[0] = queue[0].subarray(part.length);
        later = setTimeout(flush, 2);
        break;
      }
    }
    onWrite();
  };
  return {
    write(/** @type {string} */ line) {
      queue.push(encoder.encode(`${line}\n`));
      flush();
    },
    /** Discards the queue. */
    close() {
      clearTimeout(later);
      queue.length = 0;
    },
  };
}

/** Reading end. Returns a line if a complete one is available. @param {SharedArrayBuffer} pipe */
export function openReader(pipe) {
  const head = new Int32Array(pipe, 0, 2);
  const bytes = new Uint8Array(pipe, 8);
  const decoder = new TextDecoder();
  let rest = "";
  return () => {
    const read = Atomics.load(head, READ);
    const count = (Atomics.load(head, WRITTEN) - read) >>> 0;
    if (count > 0) {
      // A decoder does not accept shared memory.
      const part = Uint8Array.from({ length: count }, (_, index) => bytes[(read + index) & (BYTES - 1)]);
      Atomics.store(head, READ, (read + count) | 0);
      rest += decoder.decode(part, { stream: true });
    }
    const end = rest.indexOf("\n");
    if (end < 0) return undefined;
    const line = rest.slice(0, end);
    rest = rest.slice(end + 1);
    return line;
  };
}
