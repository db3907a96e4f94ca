// Storage in the browser. Every tab stores its game and restores it after a reload; a new tab restores the
// newest game that is not open in another tab.

const PREFIX = "chuhe.game.";
const MOST = 8;

let id = "";

/**
 * Returns a stored value; `usual` if there is none, if it is damaged, and in browsers that do not store data.
 * @param {string} key @param {any} usual @returns {any}
 */
export function stored(key, usual) {
  try {
    return JSON.parse(localStorage.getItem(key) ?? "null") ?? usual;
  } catch {
    return usual;
  }
}

/** Stores a value; returns false if the browser does not store it. @param {string} key @param {any} value */
export function store(key, value) {
  try {
    localStorage.setItem(key, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

/** @returns {Promise<any>} the stored data, or null */
export async function restore() {
  try {
    id = sessionStorage.getItem("chuhe.tab") ?? "";
    // A reloaded page waits until its previous instance has released the lock; a duplicated tab, which has a
    // copy of the session, waits until the timeout.
    if (id && !(await hold(id, 500))) id = "";
    for (const [name] of id ? [] : kept()) {
      if (!id && (await hold(name, 0))) id = name;
    }
    if (!id) {
      id = fresh();
      await hold(id, 0);
    }
    sessionStorage.setItem("chuhe.tab", id);
    return stored(PREFIX + id, null);
  } catch {
    id ||= fresh();
    return null;
  }
}

/** @param {object} state */
export function keep(state) {
  // If storing fails, the game exists only as long as the page is open.
  if (!store(PREFIX + id, { ...state, at: Date.now() })) return;
  for (const [name] of kept().slice(MOST)) if (name !== id) localStorage.removeItem(PREFIX + name);
}

const fresh = () => Math.random().toString(36).slice(2, 10);

/** @returns {[string, number][]} */
function kept() {
  const names = Object.keys(localStorage).filter((key) => key.startsWith(PREFIX));
  const found = names.map(
    (key) => /** @type {[string, number]} */ ([key.slice(PREFIX.length), stored(key, {}).at ?? 0]),
  );
  return found.sort((a, b) => b[1] - a[1]);
}

/**
 * Locks the game of this tab, so that other tabs do not restore it as long as this tab exists.
 * @param {string} name @param {number} patience milliseconds
 * @returns {Promise<boolean>} true if no other tab has the game
 */
function hold(name, patience) {
  if (!navigator.locks) return Promise.resolve(true);
  return new Promise((resolve) => {
    const held = () => {
      resolve(true);
      return new Promise(() => {});
    };
    const options = patience > 0 ? { signal: AbortSignal.timeout(patience) } : { ifAvailable: true };
    const work = (lock) => (lock ? held() : resolve(false));
    navigator.locks.request(PREFIX + name, options, work).catch(() => resolve(false));
  });
}
