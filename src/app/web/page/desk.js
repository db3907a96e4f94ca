// Numbered requests to the engine, and their responses. A request that a newer one has made unnecessary is dropped.

import { connect } from "./link.js";
import { isWhole, NOT_FINAL } from "./responses.js";
import { settings } from "./settings.js";
import { t } from "./words.js";

/** @type {Map<number, {request: any, each: (event: any) => void, resolve: (event: any) => void}>} */
const waiting = new Map();
let number = 0;
let open = false;
let greeted = false;
/** Reason why the engine rejected this page. */
let refused = "";
/** Listener for the connection, called with its state and the hello response. */
export const listeners = { onstate: (/** @type {boolean} */ _open, /** @type {any} */ _answer) => {} };

const link = connect();
export const kind = link.kind;

link.onevent = (heard) => {
  const asked = waiting.get(heard.id);
  if (!asked) return;
  let event = heard;
  if (!isWhole(heard)) {
    reportError(new TypeError(`no answer to ${asked.request.do}: ${JSON.stringify(heard).slice(0, 100)}`));
    event = { id: heard.id, is: "error", code: "not_understood", text: t("notUnderstood") };
  }
  asked.each(event);
  if (!NOT_FINAL.has(event.is)) {
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
  ask({ do: "hello" }).then((event) => {
    greeted = event.is === "hello";
    if (event.code !== "connection_lost") refused = greeted ? "" : event.text;
    listeners.onstate(greeted, event);
  });
};

/** Returns the reason why the engine rejected this page; empty if it did not. */
export const refusal = () => refused;

export const connected = () => open && greeted;

/**
 * Sends a request and resolves to the final response, which may be an error. `each` is called with every
 * earlier response.
 * @param {object} request @param {(event: any) => void} [each]
 * @returns {Promise<any> & {id: number}}
 */
export function ask(request, each = () => {}) {
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

/** Cancels a request: its further responses are ignored. @param {number} id */
export const forget = (id) => void waiting.delete(id);
