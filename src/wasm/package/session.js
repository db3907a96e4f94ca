// A UCI or UCCI session with an engine in its own thread.

import { MessageSession } from "./message-session.js";
import { canShare } from "./pipe.js";
import { PipeSession } from "./pipe-session.js";

/**
 * @typedef {object} Session
 * @property {(lines: string) => void} send sends one or more lines to the engine
 * @property {() => void} finish ends the engine after its pending replies; a search without a limit is stopped
 * @property {() => void} close ends the engine at once
 *
 * @typedef {object} Listeners
 * @property {(line: string) => void} onLine receives every line of the engine
 * @property {() => void} onEnd called once, when the engine has ended
 */

/**
 * Starts an engine. `share` selects the connection: a pipe in shared memory, or messages.
 * @param {WebAssembly.Module} module @param {Listeners} listeners @param {boolean} [share] @returns {Session}
 */
export function openSession(module, listeners, share = canShare()) {
  return share ? new PipeSession(module, listeners) : new MessageSession(module, listeners);
}
