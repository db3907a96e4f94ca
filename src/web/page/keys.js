// The keyboard: a key for everything, and the sheet that lists them.

import { get, h } from "./dom.js";
import { t } from "./words.js";

/** @type {[string[], string][]} keys and the word that says what they do */
const SHEET = [
  [["←", "→"], "keyStep"],
  [["↑", "↓"], "keyVariation"],
  [["Home", "End"], "keyEnds"],
  [["f"], "keyFlip"],
  [["a"], "keyAnalyse"],
  [["Space"], "keyBest"],
  [["x"], "keyThreat"],
  [["1", "…", "5"], "keyLines"],
  [["p"], "keyPlay"],
  [["r"], "keyReview"],
  [["n"], "keyNext"],
  [["e"], "keyEdit"],
  [["c"], "keyComment"],
  [["/"], "keyType"],
  [["b"], "keyBoard"],
  [["w"], "keyWhy"],
  [["u"], "takeBack"],
  [["h"], "hint"],
  [["o"], "openGame"],
  [["s"], "saveGame"],
  [["l"], "keyLanguage"],
  [["d"], "theme"],
  [["?"], "help"],
];

/** @param {Record<string, () => void>} work what each key does */
export function setUpKeys(work) {
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    const target = /** @type {HTMLElement} */ (event.target);
    if (document.querySelector("dialog[open]")) return;
    if (target.closest("input:not([type=radio]):not([type=checkbox]), textarea, select")) {
      if (event.key === "Escape") target.blur();
      return;
    }
    // A focused button keeps its own keys.
    if (event.key === " " && target.closest("button, summary, input")) return;
    if (/^Arrow/.test(event.key) && target.closest("input")) return;
    const act = work[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });
}

export function drawKeys() {
  get("keys").replaceChildren(
    ...SHEET.flatMap(([keys, word]) => [h("dt", {}, ...keys.map((key) => (key === "…" ? "…" : h("kbd", {}, key)))), h("dd", {}, t(word))]),
  );
}
