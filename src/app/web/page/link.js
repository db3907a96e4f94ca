// The way to the engine: the same messages go over a WebSocket to `chuhe serve`, or by postMessage to a Worker that holds Chuhe. Nothing
// here knows what they mean.

/**
 * @typedef {object} Link
 * @property {"server" | "worker"} kind
 * @property {(message: object) => boolean} send false if there is no connection; the message is then lost
 * @property {(message: any) => void} onevent called with every message that comes
 * @property {(open: boolean) => void} onstate called when the connection opens or is lost
 */

const FIRST_WAIT = 250;
const LONGEST_WAIT = 4000;

/**
 * Opens the way: a Worker if the page was made with one, else a WebSocket to where the page came from.
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
      if (message.is === "hello") keepToken(token);
      // Anybody can make such an address: one that opens nothing takes the place of none that does.
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
  // Another run of the server has another secret: its address may be opened in this tab.
  const again = () => {
    token = takeToken();
    wait = FIRST_WAIT;
    if (socket) socket.close();
    else open();
  };
  addEventListener("hashchange", () => TOKEN.test(location.hash) && again());
  // Or in another one.
  addEventListener("storage", (event) => event.key === KEPT && event.newValue !== token && again());
  // Listeners are set after this returns.
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

/** Where the secret of the last run that let a page in is kept, for all tabs and bookmarks of this address. */
const KEPT = "chuhe.token";

function keptToken() {
  try {
    return localStorage.getItem(KEPT) ?? "";
  } catch {
    return ""; // a browser that keeps nothing: the address must be opened each time
  }
}

/** @param {string} token */
function keepToken(token) {
  try {
    localStorage.setItem(KEPT, token);
  } catch {
    // This page is let in all the same.
  }
}

/** The secret that the server put behind the # of the address, which is taken out of there; else the one that is kept. */
function takeToken() {
  const found = TOKEN.exec(location.hash);
  if (found) history.replaceState(null, "", location.pathname + location.search + location.hash.replace(TOKEN, "").replace(/^#?&?(?=.)/, "#"));
  return found?.[1] ?? keptToken();
}
