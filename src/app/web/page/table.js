// The table: the board with pieces, marks and arrows, the players, the clocks, sounds, notices above the
// board, and texts for screen readers.

import { Board } from "./board.js";
import { connected } from "./desk.js";
import { get, h, show as showNodes } from "./dom.js";
import { editor, movePiece, press, wipe } from "./edit.js";
import { emit, game, isOver, on, play, targets, turn } from "./game.js";
import { Grid } from "./grid.js";
import { answer, asking, lesson } from "./learn.js";
import { withValues } from "./known_moves.js";
import { arrows as lineArrows } from "./lines.js";
import { inByoyomi, isHuman, left, match, seatName, timed } from "./match.js";
import { tag } from "./moves.js";
import { hint, isBehind, mayMove } from "./play.js";
import { picture } from "./pieces.js";
import { after, lost, piecesOf, nameOf, other } from "./position.js";
import { puzzle, solve, solving } from "./puzzles.js";
import { warned } from "./referee.js";
import { arrows as reviewArrows } from "./review.js";
import { settings } from "./settings.js";
import { sound } from "./sound.js";
import { pieceName, t } from "./words.js";

/** @type {Board} */
export let board;
/** @type {Grid} */
export let grid;
/** Arrows of the referee's table, which replace all others. @type {{move: string, kind: string}[]} */
let pointed = [];
let previewed = false;
/** The position reached by a move, until the engine has reported whether it is check. @type {any} */
let fresh = null;
/** The position for which the user drew arrows. @type {any} */
let drawnFor = null;

export function setUpTable() {
  board = new Board(get("board"), {
    targets: (point) => (mayAct() ? targets(point) : []),
    warned: (from, to) => warned(nameOf(from) + nameOf(to)),
    move,
    place: (point) =>
      game.mode === "edit" ? press(point) : isBehind() && emit("said", get("play-status").textContent),
    placing: () => game.mode === "edit" && editor.brush !== null,
    drop: (point) => game.mode === "edit" && wipe(point),
    selected: () => grid?.update(),
  });
  board.set = settings.pieces;
  board.coordinates = settings.coordinates;
  board.redraw();
  grid = new Grid(get("grid"), board);
  on("shown", shown);
  on("reported", showReport);
  on("mode", () => shown({ slide: false }));
  on("redraw", () => {
    redraw();
    // Clears the last text for screen readers, which is in the previous language.
    get("live").textContent = "";
  });
  on("edited", drawEdited);
  for (const name of /** @type {const} */ (["arrows", "analysis"])) on(name, drawArrows);
  on("clock", drawClocks);
  on("kept", drawPlayers);
  on(
    "played",
    ({ node }) =>
      settings.turning &&
      match.active &&
      isHuman("red") &&
      isHuman("black") &&
      turnBoard(game.tree.turn(node) === "black"),
  );
  on("secret", () => document.body.classList.toggle("secret", game.secret));
  on("turn-board", (side) => turnBoard(side === "black"));
  on("try", (moved) => board.setPieces(after(game.node.pieces, [moved]), { slide: true }));
  on("said", announce);
  for (const name of /** @type {const} */ (["trouble", "said"])) on(name, (text) => notice(text, true));
  // A response with missing fields can cause an exception anywhere in the page. It is also reported by a
  // notice; dialogs, which would cover the notice, are closed.
  for (const failed of ["error", "unhandledrejection"]) {
    addEventListener(failed, () => {
      document.querySelectorAll("dialog[open]").forEach((dialog) => /** @type {HTMLDialogElement} */ (dialog).close());
      notice(t("notUnderstood"), true);
    });
  }
}

/** Returns true if the user may move any piece. */
function mayAct() {
  if (game.mode === "edit") return true;
  if (previewed || lesson.state === "checking") return false;
  if (game.mode === "play") return mayMove();
  return game.mode !== "puzzles" || puzzle.state === "asking";
}

function move(from, to, dragged) {
  if (game.mode === "edit") return movePiece(from, to);
  const text = nameOf(from) + nameOf(to);
  // A dragged piece is already on its target, so it must not slide there.
  if (solving()) solve(text);
  else if (asking()) answer(text);
  else play(text, { slide: !dragged });
}

function shown(how = {}) {
  if (game.mode === "edit") return drawEdited();
  previewed = false;
  board.svg.classList.remove("preview");
  board.free = false;
  const { node } = game;
  if (node !== drawnFor) board.wipeOwn();
  drawnFor = node;
  if (!node.report) delete board.svg.dataset.fen;
  const took = node.parent && node.parent.pieces.filter(Boolean).length > node.pieces.filter(Boolean).length;
  board.setPieces(node.pieces, { slide: how.slide !== false });
  if (how.sound && node.parent) {
    sound(took ? "capture" : "move");
    fresh = node;
  } else fresh = null;
  drawAll();
}

function showReport() {
  const { node } = game;
  const { report } = node;
  board.svg.dataset.fen = report.fen;
  if (game.mode === "edit") return;
  drawMarks();
  grid.update();
  drawPlayers();
  if (fresh !== node) return;
  fresh = null;
  if (report.check) sound("check");
  if (!report.last || game.secret) return;
  const { piece, capture, side } = report.last;
  const to = report.last.move.slice(2);
  const isChinese = settings.language === "zh";
  const effect = capture ? t("takesOn", { piece: pieceName(capture), square: to }) : t("goesTo", { square: to });
  const spoken = `${pieceName(piece)} ${report.last.move.slice(0, 2)} ${effect}`;
  const parts = [t("ofFile", { file: t(side), text: isChinese ? report.last.names.chinese : spoken })];
  if (report.verdict.result !== "open") parts.push(report.verdict.text);
  else if (report.check) parts.push(t("check"));
  announce(parts.join(isChinese ? "，" : ". "));
}

/** @param {string} text */
export function announce(text) {
  const live = get("live");
  live.textContent = live.textContent === text ? `${text}\u00a0` : text;
}

let fading = 0;
/**
 * Shows a notice above the board, for some seconds or until it is removed.
 * @param {string} text @param {boolean} brief
 */
export function notice(text, brief) {
  clearTimeout(fading);
  const box = get("notice");
  box.textContent = text;
  box.classList.toggle("brief", brief);
  showNodes(text !== "", box);
  if (brief)
    fading = window.setTimeout(() => (connected() ? showNodes(false, box) : notice(t("noServer"), false)), 3500);
  if (text && !brief) announce(text);
}

function drawMarks() {
  const { node } = game;
  const { report } = node;
  const king = report?.check ? node.pieces.indexOf(report.side === "red" ? "K" : "k") : null;
  board.setMarks({ last: game.secret ? null : node.move || null, check: king });
}

function drawArrows() {
  if (game.mode === "edit") board.setArrows([]);
  else if (pointed.length > 0) board.setArrows(pointed);
  else if (lesson.state !== "off") board.setArrows(lesson.arrows);
  else if (game.mode === "puzzles") board.setArrows(puzzle.arrows);
  else {
    const others = [...reviewArrows(), ...lineArrows(), ...(game.mode === "play" ? hint() : [])];
    board.setArrows(withValues(others));
  }
}

/** @param {{move: string, kind: string}[]} arrows */
export function pointAt(arrows) {
  pointed = arrows;
  drawArrows();
}

/** Shows the position after moves that were not played, or the actual position again. @param {string[] | null} moves */
export function preview(moves) {
  if (moves === null && !previewed) return;
  previewed = moves !== null;
  board.svg.classList.toggle("preview", previewed);
  board.setPieces(after(game.node.pieces, moves ?? []), { slide: false });
  if (moves) {
    board.setMarks({ last: moves[moves.length - 1] });
    board.setArrows([]);
  } else {
    drawMarks();
    drawArrows();
  }
}

function drawEdited() {
  if (game.mode !== "edit") return;
  board.free = true;
  board.setPieces(editor.pieces, { slide: false });
  board.setMarks({ faults: editor.faults });
  board.setArrows([]);
  grid.update();
  drawPlayers();
}

/** @param {boolean} flipped */
export function turnBoard(flipped = !board.flipped) {
  board.flipped = flipped;
  document.body.classList.toggle("flipped", flipped);
  redraw();
  emit("kept");
}

/** Redraws the table, after the board was flipped or the pieces or the language changed. */
function redraw() {
  board.set = settings.pieces;
  board.coordinates = settings.coordinates;
  board.redraw();
  if (game.mode === "edit") drawEdited();
  else drawAll();
}

function drawAll() {
  drawMarks();
  drawArrows();
  drawPlayers();
  grid.update();
}

// Players

function drawPlayers() {
  const [top, bottom] = /** @type {("red" | "black")[]} */ (board.flipped ? ["red", "black"] : ["black", "red"]);
  drawPlayer(get("player-top"), top);
  drawPlayer(get("player-bottom"), bottom);
  drawClocks();
}

/** @param {HTMLElement} strip @param {"red" | "black"} side */
function drawPlayer(strip, side) {
  const key = side === "red" ? "Red" : "Black";
  const seat = match.active && game.mode === "play" ? seatName(side) : tag(key);
  const pieces = game.mode === "edit" ? editor.pieces : game.node.pieces;
  const before = piecesOf(game.tree.fen);
  const gone = game.mode === "edit" ? [] : lost(before, pieces, other(side));
  const ended = match.active && match.result && game.mode === "play" && game.node === match.node;
  const onMove = game.mode === "edit" ? editor.side === side : turn() === side && !ended && !isOver();
  strip.dataset.side = side;
  strip.classList.toggle("to-move", onMove);
  strip.replaceChildren(
    h("span", { class: `dot ${side}`, "aria-hidden": "true" }),
    h("span", { class: "name" }, h("b", {}, t(side)), seat && seat !== t(side) ? ` ${seat}` : ""),
    h("span", { class: "turn" }, onMove ? t("toMove") : ""),
    h(
      "span",
      {
        class: "taken",
        role: "img",
        "aria-label":
          gone.length > 0 ? t("hasTaken", { pieces: gone.map(pieceName).join(t("comma")) }) : t("hasTakenNothing"),
      },
      ...gone.map((piece) => picture(piece, settings.pieces)),
    ),
    h("span", { class: "clock" }),
  );
}

/** @param {number} time milliseconds */
function clockText(time) {
  const seconds = Math.ceil(time / 1000);
  if (time < 10_000) return (time / 1000).toFixed(1);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

function drawClocks() {
  for (const strip of [get("player-top"), get("player-bottom")]) {
    const clock = strip.querySelector(".clock");
    if (!clock) continue;
    const side = strip.dataset.side;
    const shown = match.active && timed() && game.mode === "play";
    showNodes(shown, clock);
    if (!shown) continue;
    const time = left(side);
    clock.textContent = clockText(time) + (inByoyomi(side) ? ` ${t("byoyomi")}` : "");
    clock.classList.toggle("short", time < 20_000);
    clock.classList.toggle("running", match.node !== null && !match.result && game.tree.turn(match.node) === side);
  }
}
