// The editor: men are put on the board freely, and the engine says live what stands against the set-up.

import { ask } from "./desk.js";
import { get, h } from "./dom.js";
import { emit, game, on, open, setMode } from "./game.js";
import { fenOf, FULL_SET, menOf, nameOf, other, pointOf, START, turnOf } from "./position.js";
import { picture } from "./pieces.js";
import { settings } from "./settings.js";
import { Tree } from "./tree.js";
import { manName, t } from "./words.js";

export const editor = {
  /** @type {string[]} */
  men: Array(90).fill(""),
  /** @type {"red" | "black"} */
  side: "red",
  /** The man that a press puts down; empty wipes, null takes up what stands there. @type {string | null} */
  brush: /** @type {string | null} */ (null),
  possible: false,
  fen: "",
  /** @type {number[]} */
  faults: [],
};

/** @type {{men: string[], side: "red" | "black"}[]} */
let undo = [];
let asked = 0;

export function setUpEdit() {
  on("mode", () => {
    if (game.mode !== "edit") return;
    editor.men = game.node.men.slice();
    editor.side = game.tree.turn(game.node);
    editor.brush = null;
    undo = [];
    changed();
  });
  const button = (id, work) => get(id).addEventListener("click", work);
  button("edit-start", () => put(menOf(START), "red"));
  button("edit-clear", () => put(Array(90).fill("").map((_, point) => ({ 4: "k", 84: "K" })[point] ?? "")));
  button("edit-mirror", () => put(editor.men.map((_, point) => editor.men[9 * Math.floor(point / 9) + 8 - (point % 9)])));
  button("edit-swap", () => {
    const swapped = editor.men.map((_, point) => {
      const man = editor.men[89 - point];
      return man === man.toUpperCase() ? man.toLowerCase() : man.toUpperCase();
    });
    put(swapped, other(editor.side));
  });
  button("edit-undo", () => {
    const before = undo.pop();
    if (before) {
      Object.assign(editor, before);
      changed();
    }
  });
  for (const side of /** @type {const} */ (["red", "black"])) {
    get(`edit-${side}`).addEventListener("change", () => {
      put(editor.men, side);
    });
  }
  const fen = get("edit-fen");
  fen.addEventListener("change", () => readFen(fen.value));
  button("edit-analyse", () => use("analyse"));
  button("edit-play", () => use("play"));
}

/** Takes a FEN that was typed or pasted. @param {string} text */
async function readFen(text) {
  const answer = await ask({ do: "setup", fen: text.trim() });
  if (answer.is === "setup" && answer.fen) put(menOf(answer.fen), turnOf(answer.fen));
  else tell([{ text: answer.faults?.[0]?.text ?? answer.text, square: null }], false);
}

function put(men, side = editor.side) {
  undo.push({ men: editor.men, side: editor.side });
  editor.men = men;
  editor.side = side;
  changed();
}

/** A man goes from one point to another. @param {number} from @param {number} to */
export function moveMan(from, to) {
  const men = editor.men.slice();
  men[to] = men[from];
  men[from] = "";
  put(men);
}

/** A point was pressed. @param {number} point */
export function press(point) {
  if (editor.brush === null) return;
  const men = editor.men.slice();
  men[point] = men[point] === editor.brush ? "" : editor.brush;
  put(men);
}

/** @param {number} point */
export function wipe(point) {
  const men = editor.men.slice();
  men[point] = "";
  put(men);
}

/** Asks anew what stands against the set-up. */
export async function changed() {
  emit("edited");
  drawPalette();
  get(`edit-${editor.side}`).checked = true;
  get("edit-undo").disabled = undo.length === 0;
  asked += 1;
  const now = asked;
  const pieces = Object.fromEntries(editor.men.map((man, point) => [nameOf(point), man]).filter(([, man]) => man));
  const answer = await ask({ do: "setup", pieces, side: editor.side });
  if (now !== asked || game.mode !== "edit") return;
  editor.possible = answer.is === "setup" && answer.possible;
  editor.fen = answer.fen ?? fenOf(editor.men, editor.side);
  if (document.activeElement !== get("edit-fen")) get("edit-fen").value = editor.fen;
  tell(answer.faults ?? [{ text: answer.text, square: null }], editor.possible);
}

function tell(faults, possible) {
  editor.faults = faults.filter((fault) => fault.square).map((fault) => pointOf(fault.square));
  const list = faults.map((fault) => h("li", {}, fault.text));
  get("edit-faults").replaceChildren(...(possible ? [h("li", { class: "fine" }, t("setupPossible"))] : list));
  for (const id of ["edit-analyse", "edit-play"]) get(id).disabled = !possible;
  emit("edited");
}

export function drawPalette() {
  const left = { ...FULL_SET };
  editor.men.forEach((man) => man && (left[man] -= 1));
  const brush = (man, label, ...content) =>
    h(
      "button",
      {
        type: "button",
        class: "brush",
        "aria-pressed": String(editor.brush === man),
        "aria-label": label,
        title: label,
        "data-brush": man,
        onclick: () => {
          editor.brush = editor.brush === man ? null : man;
          drawPalette();
        },
      },
      ...content,
    );
  const row = (letters) =>
    h(
      "div",
      { class: "brushes" },
      ...[...letters].map((man) => {
        const label = t("menLeft", { man: `${t(man === man.toUpperCase() ? "red" : "black")} ${manName(man)}`, count: Math.max(0, left[man]) });
        return brush(man, label, picture(man, settings.pieces), h("span", { class: left[man] < 0 ? "count bad" : "count" }, String(Math.max(0, left[man]))));
      }),
    );
  const wiper = h("div", { class: "brushes" }, brush("", t("wipe"), h("span", { class: "wipe", "aria-hidden": "true" }, "×"), h("span", { class: "wipe-word" }, t("wipe"))));
  const focused = document.activeElement?.getAttribute("data-brush");
  get("palette").replaceChildren(row("KABNRCP"), row("kabnrcp"), wiper);
  if (focused !== null && focused !== undefined) get("palette").querySelector(`[data-brush="${focused}"]`)?.focus();
}

/** Leaves the editor with its position as a new game. @param {"analyse" | "play"} mode */
function use(mode) {
  if (!editor.possible) return;
  const { fen } = editor;
  setMode(mode);
  open(new Tree(fen === START ? "startpos" : fen));
  emit("set-up", mode);
}
