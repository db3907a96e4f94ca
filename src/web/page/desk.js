// Requests to the engine, numbered, and their answers. A request that a newer one has made pointless is dropped.

import { connect } from "./link.js";
import { settings } from "./settings.js";

/** Answers after which more may come. */
const PARTS = new Set(["line", "progress"]);

/** @type {Map<number, {request: any, each: (event: any) => void, resolve: (event: any) => void}>} */
const waiting = new Map();
let number = 0;
let open = false;
let greeted = false;
/** Why the engine would not speak with this page. */
let refused = "";
/** Who hears of the connection: whether it is open, and what the engine answered to the greeting. */
export const listeners = { onstate: (/** @type {boolean} */ _open, /** @type {any} */ _answer) => {} };

const link = connect();
export const kind = link.kind;

link.onevent = (event) => {
  const asked = waiting.get(event.id);
  if (!asked) return;
  asked.each(event);
  if (!PARTS.has(event.is)) {
    waiting.delete(event.id);
    asked.resolve(event);
  }
};

link.onstate = (now) => {
  open = now;
  greeted = false;
  if (!now) {
    for (const [id, asked] of [...waiting]) {
      waiting.delete(id);
      asked.resolve({ id, is: "error", code: "connection_lost", text: "" });
    }
    listeners.onstate(false, { text: refused });
    return;
  }
  put({ do: "hello" }).then((event) => {
    greeted = event.is === "hello";
    if (event.code !== "connection_lost") refused = greeted ? "" : event.text;
    listeners.onstate(greeted, event);
  });
};

/** Why the engine would not speak with this page; empty if it would. */
export const refusal = () => refused;

/** Whether there is an engine to ask. */
export const connected = () => open && greeted;

/**
 * Asks, and promises the last answer; an error is an answer too. `each` hears every answer on the way.
 * @param {object} request @param {(event: any) => void} [each]
 * @returns {Promise<any> & {id: number}}
 */
export function ask(request, each) {
  return put(request, each);
}

function put(request, each = (/** @type {any} */ _event) => {}) {
  number += 1;
  const id = number;
  const promise = new Promise((resolve) => {
    waiting.set(id, { request, each, resolve });
    if (!link.send({ id, language: settings.language, ...request })) {
      waiting.delete(id);
      resolve({ id, is: "error", code: "connection_lost", text: "" });
    }
  });
  return Object.assign(promise, { id });
}

/** Forgets a question: what still comes for it is not heard. @param {number} id */
export const forget = (id) => void waiting.delete(id);
