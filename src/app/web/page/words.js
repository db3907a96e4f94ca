// The language of the page, and its texts with arguments.

import { sideOf } from "./position.js";
import { settings } from "./settings.js";
import { WORDS } from "./texts.js";

let language = 0;

/** @param {string} name `zh` or `en` */
export const setLanguage = (name) => void (language = name === "zh" ? 0 : 1);

/**
 * Returns a text with each argument substituted for its name in braces; `{count?ply:plies}` selects the
 * singular or the plural.
 * @param {string} key @param {Record<string, any>} [values]
 */
export function t(key, values = {}) {
  const texts = WORDS[key];
  if (!texts) throw new Error(`no words for ${key}`);
  const text = texts[language].replace(/\{(\w+)\?(\w+):(\w+)\}/g, (_, name, one, many) =>
    values[name] === 1 ? one : many,
  );
  return text.replace(/\{(\w+)\}/g, (_, name) => String(values[name]));
}

/** @param {string} key */
export const hasWords = (key) => key in WORDS;

/** @param {string} piece its letter */
export const pieceName = (piece) =>
  t(sideOf(piece) === "red" ? "redPieces" : "blackPieces").split(" ")["KABNRCP".indexOf(piece.toUpperCase())];

/**
 * Returns the place of a piece: its file as its owner counts it, or its square if the board shows
 * coordinates.
 * @param {string} square @param {"red" | "black"} side
 */
export function placeName(square, side) {
  if (settings.coordinates) return t("onSquare", { square });
  const column = "abcdefghi".indexOf(square[0]);
  return t("onFile", { file: side === "black" ? column + 1 : language === 0 ? "九八七六五四三二一"[column] : 9 - column });
}

/**
 * Inserts the texts into the page: `data-t` is a text, `data-t-label` an accessible name and, for buttons, a
 * tooltip, `data-t-placeholder` a placeholder.
 */
export function apply() {
  /** @param {string} name @returns {NodeListOf<HTMLElement>} */
  const all = (name) => document.querySelectorAll(name);
  for (const node of all("[data-t]")) node.textContent = t(node.dataset.t ?? "");
  for (const node of all("[data-t-label]")) {
    node.setAttribute("aria-label", t(node.dataset.tLabel ?? ""));
    if (node.tagName === "BUTTON") node.setAttribute("title", t(node.dataset.tLabel ?? ""));
  }
  for (const node of all("[data-t-placeholder]")) node.setAttribute("placeholder", t(node.dataset.tPlaceholder ?? ""));
}
