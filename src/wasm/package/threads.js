// Workers with the same interface in browsers and in Node.

/**
 * @typedef {import("./messages.d.ts").ToEngine} ToEngine
 * @typedef {import("./messages.d.ts").FromEngine} FromEngine
 */

export const inNode = typeof process === "object" && !!process.versions?.node;

const node = inNode ? await import("node:worker_threads") : undefined;

/**
 * Starts the thread of an engine. No listener is called after `end`.
 *
 * In Node, a program ends if no thread is needed; a new one is not, so that a program can end while its engine
 * waits for input.
 * @param {URL} address @param {(message: FromEngine) => void} onMessage @param {(reason: string) => void} onFailure
 */
export function startThread(address, onMessage, onFailure) {
  // Options of the program, such as `--input-type`, may not apply to a thread.
  const worker = node ? new node.Worker(address, { execArgv: [] }) : new Worker(address, { type: "module" });
  let isEnded = false;
  const receive = (/** @type {FromEngine} */ message) => isEnded || onMessage(message);
  const fail = (/** @type {string} */ reason) => isEnded || onFailure(reason);
  if (node) {
    worker.on("message", receive);
    worker.on("error", (error) => fail(String(error?.message ?? error)));
    worker.unref();
  } else {
    worker.onmessage = (event) => receive(event.data);
    worker.onerror = (event) => fail(event.message ?? "the worker could not be started");
  }
  return {
    post: (/** @type {ToEngine} */ message) => worker.postMessage(message),
    setNeeded: (/** @type {boolean} */ isNeeded) => void (node && (isNeeded ? worker.ref() : worker.unref())),
    end() {
      isEnded = true;
      worker.terminate();
    },
  };
}

/**
 * Connects a thread to the one that started it.
 * @template Received, Sent
 * @param {(message: Received) => void} onMessage @returns {{ post: (message: Sent) => void, end: () => void }}
 */
export function connectToParent(onMessage) {
  if (node) {
    node.parentPort?.on("message", onMessage);
    return { post: (message) => node.parentPort?.postMessage(message), end: () => process.exit() };
  }
  self.onmessage = (event) => onMessage(event.data);
  return { post: (message) => self.postMessage(message), end: () => self.close() };
}

/** Fetches and compiles a module. @param {URL} address @returns {Promise<WebAssembly.Module>} */
export async function compile(address) {
  if (inNode && address.protocol === "file:") {
    const { readFile } = await import("node:fs/promises");
    return WebAssembly.compile(await readFile(address));
  }
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address}: ${response.status} ${response.statusText}`);
  // The type of the file is ignored, since some servers send a wrong one.
  const streams = response.headers.get("content-type") === "application/wasm" && !!WebAssembly.compileStreaming;
  return streams ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer());
}
