// Workers with the same interface in browsers and in Node.

export const inNode = typeof process === "object" && !!process.versions?.node;

const node = inNode ? await import("node:worker_threads") : undefined;

/**
 * @typedef {object} Thread
 * @property {(message: any) => void} post
 * @property {() => void} end
 */

/**
 * Starts a module in its own thread.
 * @param {URL} address @param {(message: any) => void} onmessage @param {(reason: string) => void} onfault @returns {Thread}
 */
export function thread(address, onmessage, onfault) {
  if (node) {
    const worker = new node.Worker(address);
    worker.on("message", onmessage);
    worker.on("error", (error) => onfault(String(error?.message ?? error)));
    // A program can exit although its engine waits for input.
    return { post: (message) => worker.postMessage(message), end: () => void worker.terminate() };
  }
  const worker = new Worker(address, { type: "module" });
  worker.onmessage = (event) => onmessage(event.data);
  worker.onerror = (event) => onfault(event.message ?? "the worker could not be started");
  return { post: (message) => worker.postMessage(message), end: () => worker.terminate() };
}

/** Connection to the parent thread. @param {(message: any) => void} onmessage */
export function parent(onmessage) {
  if (node) {
    node.parentPort?.on("message", onmessage);
    return { post: (/** @type {any} */ message) => node.parentPort?.postMessage(message), end: () => process.exit() };
  }
  onmessageOf(onmessage);
  return { post: (/** @type {any} */ message) => self.postMessage(message), end: () => self.close() };
}

function onmessageOf(/** @type {(message: any) => void} */ onmessage) {
  self.onmessage = (/** @type {MessageEvent} */ event) => onmessage(event.data);
}

/** Fetches and compiles a module. @param {URL} address @returns {Promise<WebAssembly.Module>} */
export async function compile(address) {
  if (inNode && address.protocol === "file:") {
    const { readFile } = await import("node:fs/promises");
    return WebAssembly.compile(await readFile(address));
  }
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${address}: ${answer.status} ${answer.statusText}`);
  // The type of the file is ignored, since some servers send a wrong one.
  const streams = answer.headers.get("content-type") === "application/wasm" && !!WebAssembly.compileStreaming;
  return streams ? WebAssembly.compileStreaming(answer) : WebAssembly.compile(await answer.arrayBuffer());
}
