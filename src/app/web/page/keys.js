// The keyboard: a key for every action, and the dialog that lists them.

import { get, h } from "./dom.js";
import { game, on, setMode } from "./game.js";
import { hasLibrary } from "./library.js";
import { setLines, threat, toggle } from "./lines.js";
import { otherLanguage, otherTheme } from "./options.js";
import { settings } from "./settings.js";
import { go, nextMistake, playBest } from "./steering.js";
import { board, grid, turnBoard } from "./table.js";
import { t } from "./words.js";

/** Rows of the dialog: the displayed keys, the key of their description, and the action of each. */
const SHEET = /** @type {[string[], string, Record<string, () => void>][]} */ ([
  [["←", "→"], "keyStep", { ArrowLeft: () => go("back"), ArrowRight: () => go("next") }],
  [["↑", "↓"], "keyVariation", { ArrowUp: () => go("up"), ArrowDown: () => go("down") }],
  [["Home", "End"], "keyEnds", { Home: () => go("first"), End: () => go("last") }],
  [["f"], "keyFlip", { f: () => turnBoard() }],
  [["a"], "keyAnalyse", { a: () => (game.mode === "analyse" ? toggle() : setMode("analyse")) }],
  [["Space"], "keyBest", { " ": playBest }],
  [["x"], "keyThreat", { x: () => game.node.look && !game.secret && !game.busy && game.mode !== "edit" && game.mode !== "puzzles" && threat() }],
  [["1", "…", "5"], "keyLines", Object.fromEntries([1, 2, 3, 4, 5].map((count) => [count, () => setLines(count)]))],
  [["p"], "play", { p: () => setMode("play") }],
  [["r"], "review", { r: () => setMode("review") }],
  [["n"], "keyNext", { n: () => (game.mode === "puzzles" ? get("puzzle-next").click() : nextMistake()) }],
  [["t"], "puzzles", { t: () => setMode("puzzles") }],
  [["e"], "edit", { e: () => setMode("edit") }],
  [["g"], "library", { g: () => hasLibrary() && setMode("library") }],
  [["c"], "keyComment", { c: comment }],
  [["Ctrl", "z"], "undo", {}],
  [["/"], "keyType", { "/": () => get("typed").focus() }],
  [["b"], "keyBoard", { b: () => grid.focus(grid.here) }],
  [["w"], "keyWhy", { w: () => get("why").click() }],
  [["u"], "takeBack", { u: () => get("take-back").click() }],
  [["h"], "hint", { h: () => get({ review: "learn-hint", puzzles: "puzzle-hint" }[game.mode] ?? "hint").click() }],
  [["o"], "openGame", { o: () => get("open").click() }],
  [["s"], "saveGame", { s: () => get("save").click() }],
  [["l"], "keyLanguage", { l: otherLanguage }],
  [["d"], "theme", { d: otherTheme }],
  [["?"], "help", { "?": () => get("help-dialog").showModal() }],
]);

const WORK = Object.assign({ Escape: () => board.select(null) }, ...SHEET.map(([, , work]) => work));

function comment() {
  get("annotate").open = true;
  get("comment").focus();
}

export function setUpKeys() {
  on("redraw", drawKeys);
  let byPointer = false;
  addEventListener("pointerdown", () => (byPointer = true), true);
  addEventListener("keydown", (event) => {
    if (event.key === "Tab") byPointer = false;
    if (event.altKey || event.defaultPrevented) return;
    const target = /** @type {HTMLElement} */ (event.target);
    if (document.querySelector("dialog[open]")) return;
    if (target.closest("input:not([type=radio]):not([type=checkbox]), textarea, select")) {
      if (event.key === "Escape") target.blur();
      return;
    }
    if (event.ctrlKey || event.metaKey) {
      if (event.key === "z") get(game.mode === "edit" ? "edit-undo" : "undo").click();
      return;
    }
    // A focused button handles its own keys; after a click, it does not handle Space if Space plays a move.
    const isClicked = byPointer && ["analyse", "review"].includes(game.mode) && target.matches("button");
    if (event.key === " " && !isClicked && target.closest("button, summary, input")) return;
    if (/^Arrow/.test(event.key) && target.closest("input")) return;
    // Letters can be disabled for users of speech input, and to avoid accidental key presses.
    if (!settings.keys && event.key.length === 1 && event.key !== " ") return;
    const act = WORK[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });
}

function drawKeys() {
  get("keys").replaceChildren(
    ...SHEET.flatMap(([keys, word]) => [h("dt", {}, ...keys.map((key) => (key === "…" ? "…" : h("kbd", {}, key)))), h("dd", {}, t(word))]),
  );
}
