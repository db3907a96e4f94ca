// Connection to the engine: sends the same messages over a WebSocket to `chuhe serve`, or by postMessage to a
// Worker that contains Chuhe.

import { store, stored } from "./store.js";

/**
 * @typedef {object} Link
 * @property {"server" | "worker"} kind
 * @property {(message: object) => boolean} send returns false if there is no connection; the message is lost
 *   in that case
 * @property {(message: any) => void} onevent called with every received message
 * @property {(open: boolean) => void} onstate called when the connection is opened or lost
 */

const FIRST_WAIT = 250;
const LONGEST_WAIT = 4000;

/**
 * Opens the connection: to a Worker if the page was built with one, and otherwise to the page's server by
 * WebSocket.
 * @returns {Link}
 */
export function connect() {
  const worker = document.querySelector('meta[name="chuhe-worker"]')?.getAttribute("content");
  return worker ? toWorker(worker) : toServer();
}

/** @returns {Link} */
function toServer() {
  let token = takeToken();
  let socket = null;
  let wait = FIRST_WAIT;
  let later = 0;
  const link = {
    kind: /** @type {const} */ ("server"),
    send(message) {
      if (socket?.readyState !== WebSocket.OPEN) return false;
      socket.send(JSON.stringify(message.do === "hello" ? { ...message, token } : message));
      return true;
    },
    onevent: (_message) => {},
    onstate: (_open) => {},
  };
  const open = () => {
    clearTimeout(later);
    const opened = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws`);
    socket = opened;
    opened.onopen = () => {
      wait = FIRST_WAIT;
      link.onstate(true);
    };
    opened.onmessage = (event) => {
      const message = JSON.parse(event.data);
      if (message.is === "hello") store(KEPT, token);
      // Anyone can create such an address, so a token that is not accepted must not replace a valid one.
      else if (message.code === "token" && token !== keptToken()) return void (token = keptToken());
      link.onevent(message);
    };
    opened.onclose = () => {
      if (socket !== opened) return;
      socket = null;
      link.onstate(false);
      later = setTimeout(open, wait);
      wait = Math.min(2 * wait, LONGEST_WAIT);
    };
  };
  // Another run of the server has another token; its address may be opened in this tab.
  const again = () => {
    token = takeToken();
    wait = FIRST_WAIT;
    if (socket) socket.close();
    else open();
  };
  addEventListener("hashchange", () => TOKEN.test(location.hash) && again());
  // The address may also be opened in another tab.
  addEventListener("storage", (event) => event.key === KEPT && keptToken() !== token && again());
  // The caller sets the listeners after this function returns.
  queueMicrotask(open);
  return link;
}

/** @param {string} address @returns {Link} */
function toWorker(address) {
  const worker = new Worker(address, { type: "module" });
  const link = {
    kind: /** @type {const} */ ("worker"),
    send(message) {
      worker.postMessage(message);
      return true;
    },
    onevent: (_message) => {},
    onstate: (_open) => {},
  };
  worker.onmessage = (event) => link.onevent(event.data);
  worker.onerror = () => link.onstate(false);
  queueMicrotask(() => link.onstate(true));
  return link;
}

const TOKEN = /(?:^#|&)token=([^&]+)/;

/** Key under which the token of the last accepted connection is stored, for all tabs and bookmarks of this address. */
const KEPT = "chuhe.token";

const keptToken = () => stored(KEPT, "");

/**
 * Returns the token after the # of the address, and removes it from the address; without one, returns the
 * stored token.
 */
function takeToken() {
  const found = TOKEN.exec(location.hash);
  if (found)
    history.replaceState(
      history.state,
      "",
      location.pathname + location.search + location.hash.replace(TOKEN, "").replace(/^#?&?(?=.)/, "#"),
    );
  return found?.[1] ?? keptToken();
}
