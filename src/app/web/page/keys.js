// The keyboard: a key for every action, and the dialog that lists them; navigation through a game, and typed moves.

import { ask } from "./desk.js";
import { get, h, onClick, openDialog } from "./dom.js";
import { game, on, play, setMode, show, step, told } from "./game.js";
import { asking } from "./learn.js";
import { hasLibrary } from "./library.js";
import { analysis, setLines, threat, toggle } from "./lines.js";
import { BAD } from "./moves.js";
import { otherLanguage, otherTheme } from "./options.js";
import { mayMove } from "./play.js";
import { pointsOf } from "./position.js";
import { solving } from "./puzzles.js";
import { settings } from "./settings.js";
import { board, grid, notice, turnBoard } from "./table.js";
import { t } from "./words.js";

/** Rows of the dialog: the displayed keys, the key of their description, and the action of each. */
const SHEET = /** @type {[string[], string, Record<string, () => void>][]} */ ([
  [["←", "→"], "keyStep", { ArrowLeft: () => go("back"), ArrowRight: () => go("next") }],
  [["↑", "↓"], "keyVariation", { ArrowUp: () => go("up"), ArrowDown: () => go("down") }],
  [["Home", "End"], "keyEnds", { Home: () => go("first"), End: () => go("last") }],
  [["f"], "keyFlip", { f: () => turnBoard() }],
  [["a"], "keyAnalyse", { a: () => (game.mode === "analyse" ? toggle() : setMode("analyse")) }],
  [["Space"], "keyBest", { " ": playBest }],
  [
    ["x"],
    "keyThreat",
    {
      x: () =>
        game.node.report && !game.secret && !game.busy && game.mode !== "edit" && game.mode !== "puzzles" && threat(),
    },
  ],
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
  [["?"], "help", { "?": () => openDialog("help-dialog") }],
]);

const WORK = Object.assign({ Escape: () => board.select(null) }, ...SHEET.map(([, , work]) => work));

function comment() {
  get("annotate").open = true;
  get("comment").focus();
}

export function setUpKeys() {
  for (const where of /** @type {const} */ (["first", "back", "next", "last"])) onClick(`go-${where}`, () => go(where));
  get("board-box").addEventListener("wheel", wheel, { passive: false });
  get("type-form").addEventListener("submit", (event) => {
    event.preventDefault();
    typed(get("typed").value);
  });
  get("typed").addEventListener("input", () => get("typed").removeAttribute("aria-invalid"));
  for (const name of /** @type {const} */ (["shown", "said"])) on(name, forgetTyped);
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
    ...SHEET.flatMap(([keys, word]) => [
      h("dt", {}, ...keys.map((key) => (key === "…" ? "…" : h("kbd", {}, key)))),
      h("dd", {}, t(word)),
    ]),
  );
}

// Navigation

/** @param {"back" | "next" | "first" | "last" | "up" | "down"} where */
function go(where) {
  if (game.mode === "edit" || asking() || solving()) return;
  step(where);
}

let turned = 0;
/** One notch of a wheel is a step; touchpads send many small movements. */
function wheel(event) {
  if (game.mode === "edit" || event.ctrlKey) return;
  event.preventDefault();
  turned = Math.sign(turned) === Math.sign(event.deltaY) ? turned + event.deltaY : event.deltaY;
  if (Math.abs(turned) < 50) return;
  turned = 0;
  go(event.deltaY > 0 ? "next" : "back");
}

/** @param {string} text */
async function typed(text) {
  const field = get("typed");
  if (!text.trim() || game.mode === "edit") return;
  if (game.mode === "play" && !mayMove()) return notice(t("notYourTurn"), true);
  const { node } = game;
  const answer = await ask({ do: "read", ...told(), text: text.trim() });
  if (game.node !== node) return;
  if (answer.is !== "read") {
    field.setAttribute("aria-invalid", "true");
    notice(answer.text || t("noEngine"), true);
    return;
  }
  field.removeAttribute("aria-invalid");
  field.value = "";
  const { move, names } = answer;
  if (asking() || solving()) board.watcher.move(...pointsOf(move), false);
  else play(move, { names });
}

/** Removes a rejected move from its field after the next event. */
function forgetTyped() {
  const field = get("typed");
  if (!field.hasAttribute("aria-invalid")) return;
  field.removeAttribute("aria-invalid");
  field.value = "";
}

function playBest() {
  const best = analysis.lines[0];
  if (best && analysis.on && !game.secret && game.mode !== "play" && game.mode !== "puzzles") play(best.pv[0]);
}

function nextMistake() {
  if (game.secret) return;
  const bad = [...game.tree.mainline()].filter((node) => node.glyphs.some((glyph) => BAD.includes(glyph)));
  const ply = told().moves.length;
  const found = bad.find((node) => told(node).moves.length > ply) ?? bad[0];
  if (found) show(found);
}
