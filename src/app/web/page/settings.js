// The user's settings, stored in the browser for all games.

import { store, stored } from "./store.js";

const KEY = "chuhe.settings";

const DEFAULTS = {
  language: navigator.language.startsWith("zh") ? "zh" : "en",
  /** @type {"auto" | "light" | "dark"} */
  theme: "auto",
  /** @type {"traditional" | "simplified" | "pictograms"} */
  pieces: "traditional",
  /** @type {"auto" | "chinese" | "wxf" | "iccs"} */
  notation: "auto",
  coordinates: false,
  sound: true,
  arrows: true,
  bar: true,
  lines: 3,
  /** Engines used for analysis; empty for Chuhe, or for no second engine. */
  analyst: "",
  second: "",
  /** Options of other engines set by the user, by engine. @type {Record<string, Record<string, string>>} */
  engines: {},
  threads: 0,
  rules: "asian",
  red: "human",
  black: "3",
  handicap: "none",
  minutes: 0,
  seconds: 0,
  /** @type {"increment" | "delay" | "byoyomi" | "move"} */
  clock: "increment",
  unequal: false,
  minutesBlack: 5,
  /** Turns the board to the side to move in games of two users. */
  turning: false,
  keys: true,
  /** Lets the opponent search during the user's turn. */
  ponder: false,
  /** Stores the games played on the page. */
  mine: true,
  /** Stores the page's analyses in the position database. */
  remember: false,
  /** @type {"jade" | "wood" | "paper" | "slate"} */
  board: "jade",
  /** Size of the board in percent. */
  size: 100,
};

/** The settings that the user has chosen; only these are stored. @type {Record<string, any>} */
const chosen = { ...stored(KEY, {}) };
/** @type {typeof DEFAULTS} */
export const settings = { ...DEFAULTS };
for (const [name, value] of Object.entries(chosen))
  if (value !== null && typeof value === typeof DEFAULTS[name]) settings[name] = value;

/** @type {Set<(name: string) => void>} */
const watchers = new Set();

/** @template {keyof typeof DEFAULTS} N @param {N} name @param {(typeof DEFAULTS)[N]} value */
function set(name, value) {
  settings[name] = value;
  watchers.forEach((watcher) => watcher(name));
}

/** @template {keyof typeof DEFAULTS} N @param {N} name @param {(typeof DEFAULTS)[N]} value */
export function change(name, value) {
  chosen[name] = value;
  if (name === "language") chosen.run = run();
  store(KEY, chosen);
  set(name, value);
}

/** Identifies the run of the server by its token. */
const run = () => stored("chuhe.token", "");

/** Sets the server's --language, unless the user has chosen a language during the same run. @param {string} value */
export const setServerLanguage = (value) => void (chosen.run === run() || set("language", value));

/** @param {(name: string) => void} watcher */
export const watch = (watcher) => void watchers.add(watcher);

export const notation = () =>
  settings.notation === "auto" ? (settings.language === "zh" ? "chinese" : "wxf") : settings.notation;
