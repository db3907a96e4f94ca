// The editor: pieces can be placed freely, and the engine reports immediately why a position is not legal.

import { ask } from "./desk.js";
import { get, h, onClick } from "./dom.js";
import { emit, game, on, open, setMode } from "./game.js";
import { after, fenOf, FULL_SET, piecesOf, nameOf, other, pointOf, sideOf, START, turnOf } from "./position.js";
import { picture } from "./pieces.js";
import { settings } from "./settings.js";
import { Tree } from "./tree.js";
import { pieceName, t } from "./words.js";

export const editor = {
  /** @type {string[]} */
  pieces: Array(90).fill(""),
  /** @type {"red" | "black"} */
  side: "red",
  /** The piece placed by a press; empty to remove a piece, null to select one. @type {string | null} */
  brush: /** @type {string | null} */ (null),
  possible: false,
  fen: "",
  /** @type {number[]} */
  faults: [],
};

/** @type {{pieces: string[], side: "red" | "black"}[]} */
let undo = [];
let asked = 0;

export function setUpEdit() {
  on("mode", () => {
    if (game.mode !== "edit") return;
    editor.brush = null;
    // An edited position remains until it is used or replaced.
    if (undo.length > 0) changed();
    else fromBoard();
  });
  // After a reload, the position can be checked only when the connection is open, which `reported` indicates.
  for (const name of /** @type {const} */ (["redraw", "reported"])) on(name, () => game.mode === "edit" && changed());
  onClick("edit-here", fromBoard);
  onClick("edit-start", () => put(piecesOf(START), "red"));
  onClick("edit-clear", () =>
    put(
      Array(90)
        .fill("")
        .map((_, point) => ({ 4: "k", 84: "K" })[point] ?? ""),
    ),
  );
  onClick("edit-mirror", () =>
    put(editor.pieces.map((_, point) => editor.pieces[9 * Math.floor(point / 9) + 8 - (point % 9)])),
  );
  const recolour = (piece) => (sideOf(piece) === "red" ? piece.toLowerCase() : piece.toUpperCase());
  onClick("edit-swap", () =>
    put(
      editor.pieces.map((_, point) => recolour(editor.pieces[89 - point])),
      other(editor.side),
    ),
  );
  onClick("edit-undo", () => {
    Object.assign(editor, undo.pop());
    changed();
  });
  for (const side of /** @type {const} */ (["red", "black"])) {
    get(`edit-${side}`).addEventListener("change", () => put(editor.pieces, side));
  }
  get("edit-fen").addEventListener("change", ({ target }) => readFen(target.value));
  onClick("edit-analyse", () => use("analyse"));
  onClick("edit-play", () => use("play"));
}

/** Returns the position if it has been edited, to be stored. */
export const editedPosition = () => (undo.length > 0 ? { pieces: editor.pieces, side: editor.side } : null);

/** @param {{pieces: string[], side: "red" | "black"}} kept */
export function restoreEdited(kept) {
  undo = [{ pieces: piecesOf(START), side: "red" }];
  Object.assign(editor, kept);
}

/** Sets the position of the displayed game. */
function fromBoard() {
  Object.assign(editor, { pieces: game.node.pieces.slice(), side: game.tree.turn(game.node) });
  undo = [];
  changed();
}

/** Sets the position from a typed or pasted FEN. @param {string} text */
async function readFen(text) {
  const answer = await ask({ do: "setup", fen: text.trim() });
  if (answer.is === "setup" && answer.fen) put(piecesOf(answer.fen), turnOf(answer.fen));
  else tell([{ text: answer.faults?.[0]?.text ?? answer.text, square: null }], false);
}

function put(pieces, side = editor.side) {
  undo.push({ pieces: editor.pieces, side: editor.side });
  editor.pieces = pieces;
  editor.side = side;
  changed();
}

/** @param {number} from @param {number} to */
export const movePiece = (from, to) => put(after(editor.pieces, [nameOf(from) + nameOf(to)]));

/** @param {number} point @param {string} [piece] */
export const wipe = (point, piece = "") => put(Object.assign([...editor.pieces], { [point]: piece }));

/** @param {number} point */
export const press = (point) =>
  editor.brush !== null && wipe(point, editor.pieces[point] === editor.brush ? "" : editor.brush);

async function changed() {
  emit("edited");
  drawPalette();
  get(`edit-${editor.side}`).checked = true;
  get("edit-undo").disabled = undo.length === 0;
  asked += 1;
  const now = asked;
  const pieces = Object.fromEntries(
    editor.pieces.map((piece, point) => [nameOf(point), piece]).filter(([, piece]) => piece),
  );
  const answer = await ask({ do: "setup", pieces, side: editor.side });
  if (now !== asked || game.mode !== "edit") return;
  editor.possible = answer.is === "setup" && answer.possible;
  editor.fen = answer.fen ?? fenOf(editor.pieces, editor.side);
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

function drawPalette() {
  const left = { ...FULL_SET };
  editor.pieces.forEach((piece) => piece && (left[piece] -= 1));
  const brush = (piece, label, ...content) => {
    const onclick = () => {
      editor.brush = editor.brush === piece ? null : piece;
      drawPalette();
    };
    return h(
      "button",
      {
        type: "button",
        class: "brush",
        "aria-pressed": String(editor.brush === piece),
        "aria-label": label,
        title: label,
        "data-brush": piece,
        onclick,
      },
      ...content,
    );
  };
  const ofPiece = (piece) => {
    const count = Math.max(0, left[piece]);
    const label = t("piecesLeft", { piece: `${t(sideOf(piece))} ${pieceName(piece)}`, count });
    return brush(
      piece,
      label,
      picture(piece, settings.pieces),
      h("span", { class: left[piece] < 0 ? "count bad" : "count" }, String(count)),
    );
  };
  const row = (letters) => h("div", { class: "brushes" }, ...[...letters].map(ofPiece));
  const wiper = h(
    "div",
    { class: "brushes" },
    brush(
      "",
      t("wipe"),
      h("span", { class: "wipe", "aria-hidden": "true" }, "×"),
      h("span", { class: "wipe-word" }, t("wipe")),
    ),
  );
  const focused = document.activeElement?.getAttribute("data-brush");
  get("palette").replaceChildren(row("KABNRCP"), row("kabnrcp"), wiper);
  if (focused !== null && focused !== undefined) get("palette").querySelector(`[data-brush="${focused}"]`)?.focus();
}

/** Leaves the editor and starts a new game from its position. @param {"analyse" | "play"} mode */
function use(mode) {
  if (!editor.possible) return;
  const { fen } = editor;
  undo = [];
  setMode(mode);
  open(new Tree(fen === START ? "startpos" : fen));
  emit("set-up", mode);
}
