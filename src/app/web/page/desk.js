// Numbered requests to the engine, and their responses. A request that a newer one has made unnecessary is dropped.

import { connect } from "./link.js";
import { settings } from "./settings.js";
import { t } from "./words.js";

/** Responses that are not final. */
const PARTS = new Set(["line", "progress"]);

/** Response of each request, other than an error, and its fields. @type {Record<string, Record<string, string[]>>} */
const ANSWERS = {
  hello: { hello: ["rules", "levels", "formats"] },
  look: { position: ["fen", "side", "legal", "verdict", "warnings"] },
  line: { plies: ["plies"] },
  think: { line: ["multipv", "score", "pv"], done: ["best"] },
  stop: { stopped: [] },
  play: { move: ["move"], resigns: [] },
  options: { options: ["identity", "options"] },
  talk: { talk: ["text"] },
  folder: { folder: ["path", "folders", "programs"] },
  program: { program: ["path", "name"] },
  add_engine: { engines: ["engines", "text"] },
  remove_engine: { engines: ["engines"] },
  offer: { offer: ["takes"] },
  hint: { hint: ["move"] },
  book: { book: ["moves"] },
  endings: { endings: ["moves"] },
  puzzles: { puzzles: ["themes", "puzzles"] },
  mate: { mate: ["mates", "text", "tree"] },
  judge: { judgement: ["result", "text"] },
  read: { read: ["move"] },
  review: { progress: ["done", "of"], review: ["moves"] },
  try: { tried: ["right", "line"] },
  open: { games: ["games", "faults"] },
  save: { file: ["name"] },
  setup: { setup: ["possible", "faults"] },
  find: { found: ["total", "all", "from", "games"] },
  show: { games: ["games"] },
  played: { played: ["moves"] },
  keep: { kept: ["game"] },
  remove: { changed: ["total"] },
  edit: { changed: ["total"] },
  results: { results: ["opponents", "openings"] },
  names: { names: ["names", "merged", "proposed"] },
  merge: { names: ["names", "merged", "proposed"] },
  export: { file: ["name", "text"] },
  add: { added: ["added", "duplicates", "refused", "total"] },
};

/** Returns true if an event is a valid response to a request. */
function answers(event, request) {
  const has = event.is === "error" ? ["code", "text"] : ANSWERS[request.do]?.[event.is];
  return has?.every((name) => name in event) ?? false;
}

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
  if (!answers(heard, asked.request)) {
    reportError(new TypeError(`no answer to ${asked.request.do}: ${JSON.stringify(heard).slice(0, 100)}`));
    event = { id: heard.id, is: "error", code: "not_understood", text: t("notUnderstood") };
  }
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

/** Returns the reason why the engine rejected this page; empty if it did not. */
export const refusal = () => refused;

export const connected = () => open && greeted;

/**
 * Sends a request and resolves to the final response, which may be an error. `each` is called with every earlier response.
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

/** Cancels a request: its further responses are ignored. @param {number} id */
export const forget = (id) => void waiting.delete(id);
