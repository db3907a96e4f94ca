// The page: its parts are set up here, and what concerns several of them.

import { draw as drawBook, setUpBook } from "./book.js";
import { ask, connected, kind, listeners } from "./desk.js";
import { get, show as showNodes } from "./dom.js";
import { changed as askEditor, setUpEdit } from "./edit.js";
import { formats, setUpFiles } from "./files.js";
import { emit, game, look, on, play, setMode, setRules, show, step, told } from "./game.js";
import { setUpGraph } from "./graph.js";
import { drawKeys, setUpKeys } from "./keys.js";
import { asking, draw as drawLearn, setUpLearn } from "./learn.js";
import { analysis, draw as drawLines, setLines, setUpLines, start as startAnalysis, threat, toggle } from "./lines.js";
import { BAD, draw as drawMoves, setUpMoves } from "./moves.js";
import { drawRules, otherLanguage, otherTheme, setThreads, setUpOptions } from "./options.js";
import { begin, draw as drawPlay, drawSeats, levels, match, mayMove, resume, setUpPlay, sleep, wake } from "./play.js";
import { draw as drawReferee, ruleSets, setUpReferee } from "./referee.js";
import { begin as beginReview, draw as drawReview, review, setUpReview } from "./review.js";
import { change, settings } from "./settings.js";
import { pointsOf } from "./position.js";
import { keep, restore } from "./store.js";
import { announce, grid, pointAt, preview, redraw, setUpTable, turnBoard, board } from "./table.js";
import { Tree } from "./tree.js";
import { t } from "./words.js";

const MODES = /** @type {const} */ (["play", "analyse", "review", "edit"]);
const RESULTS = { "1-0": "result_red", "0-1": "result_black", "1/2-1/2": "result_draw" };
let version = "";
/** Whether the kept game is on the board, so that it may be saved again. */
let restored = false;
/** Whether it is just being put there: then nothing begins by itself. */
let taking = false;
let keepLater = 0;

setUpOptions(drawAll);
setUpTable();
setUpMoves();
setUpLines(preview);
setUpBook(preview);
setUpGraph();
setUpReferee(pointAt);
setUpEdit();
setUpPlay();
setUpReview();
setUpLearn();
setUpFiles();

for (const mode of MODES) get(`mode-${mode}`).addEventListener("click", () => setMode(mode));
for (const [id, where] of [["go-first", "first"], ["go-back", "back"], ["go-next", "next"], ["go-last", "last"]]) {
  get(id).addEventListener("click", () => go(/** @type {any} */ (where)));
}
get("flip").addEventListener("click", () => turnBoard());
get("review-mine").addEventListener("click", () => beginReview());
get("help").addEventListener("click", () => get("help-dialog").showModal());
get("type-form").addEventListener("submit", (event) => {
  event.preventDefault();
  typed(get("typed").value);
});
for (const id of ["rules-play", "rules-set"]) {
  get(id).addEventListener("change", (event) => {
    change("rules", event.target.value);
    drawRules([...ruleSets.keys()], settings.rules);
    if (!match.active || game.mode !== "play") setRules(settings.rules);
  });
}
get("board-box").addEventListener("wheel", wheel, { passive: false });

setUpKeys({
  ArrowLeft: () => go("back"),
  ArrowRight: () => go("next"),
  ArrowUp: () => go("up"),
  ArrowDown: () => go("down"),
  Home: () => go("first"),
  End: () => go("last"),
  Escape: () => board.select(null),
  f: () => turnBoard(),
  a: () => (game.mode === "analyse" ? toggle() : setMode("analyse")),
  p: () => setMode("play"),
  r: () => setMode("review"),
  e: () => setMode("edit"),
  n: nextMistake,
  c: () => {
    get("annotate").open = true;
    get("comment").focus();
  },
  "/": () => get("typed").focus(),
  b: () => grid.focus(grid.here),
  w: () => get("why").click(),
  u: () => get("take-back").click(),
  h: () => (game.mode === "review" ? get("learn-hint") : get("hint")).click(),
  x: () => game.node.look && !game.secret && !game.reviewing && game.mode !== "edit" && threat(),
  " ": playBest,
  o: () => get("open").click(),
  s: () => get("save").click(),
  l: otherLanguage,
  d: otherTheme,
  "?": () => get("help-dialog").showModal(),
  ...Object.fromEntries([1, 2, 3, 4, 5].map((count) => [String(count), () => setLines(count)])),
});

on("mode", drawMode);
on("trouble", (text) => notice(text, true));
// An answer that lacks something fails somewhere in the page: that too ends in a sentence, which no dialog hides.
for (const failed of ["error", "unhandledrejection"]) {
  addEventListener(failed, () => {
    document.querySelectorAll("dialog[open]").forEach((dialog) => /** @type {HTMLDialogElement} */ (dialog).close());
    notice(t("notUnderstood"), true);
  });
}
on("said", (text) => notice(text, true));
for (const name of ["tree", "shown", "kept", "mode", "rules", "value", "noted"]) on(name, keepSoon);
on("set-up", (mode) => (mode === "play" ? begin(game.node) : toggle(true)));
for (const name of ["look", "new", "kept"]) on(name, () => get("game-title").replaceChildren(title()));
for (const name of ["shown", "said"]) on(name, forgetTyped);
get("typed").addEventListener("input", () => get("typed").removeAttribute("aria-invalid"));

listeners.onstate = (open, answer) => {
  document.body.classList.toggle("offline", !open);
  if (!open) {
    notice(answer?.text || t(kind === "server" ? "noServer" : "noEngine"), false);
    sleep();
    drawLines();
    return;
  }
  notice("", false);
  version = answer.version;
  levels.splice(0, levels.length, ...answer.levels);
  formats.splice(0, formats.length, ...answer.formats);
  answer.rules.forEach((rules) => ruleSets.set(rules.name, rules));
  setThreads(answer.threads);
  drawSeats();
  drawRules([...ruleSets.keys()], settings.rules);
  drawAbout();
  // What was asked before the connection was lost is asked again.
  restoring
    .then(() => look(game.node))
    .then(() => {
      startAnalysis(true);
      wake();
    });
};

const restoring = restore().then((kept) => {
  taking = true;
  try {
    take(kept);
  } catch {
    take(null);
  }
  taking = false;
  restored = true;
});

/** Takes up a kept game, or begins the first one. @param {any} kept */
function take(kept) {
  drawMode();
  if (!kept?.tree) {
    match.active = true;
    match.seats = { red: settings.red, black: settings.black };
    game.tree = new Tree();
    match.node = game.node = game.tree.root;
    emit("tree");
    show(game.node);
    get("new-game").open = matchMedia("(min-width: 900px)").matches;
    return;
  }
  const tree = Tree.unpack(kept.tree);
  const follow = (moves) => moves.reduce((node, move) => node.children.find((child) => child.move === move) ?? node, tree.root);
  game.tree = tree;
  game.rules = kept.rules;
  const node = follow(kept.at_moves);
  if (kept.flipped) turnBoard(true);
  if (kept.review) {
    review.found = kept.review;
    review.nodes = tree.mainline().slice(0, kept.review.moves.length);
  }
  analysis.on = kept.analysis === true;
  game.note = kept.note ?? "";
  emit("noted");
  if (kept.match) resume(kept.match, follow(kept.match_moves));
  game.mode = kept.mode === "edit" ? "analyse" : kept.mode;
  game.node = node;
  emit("mode", "");
  emit("tree");
  show(node, { slide: false });
  drawReview();
}

function keepSoon() {
  if (!restored || keepLater) return;
  keepLater = setTimeout(keepNow, 200);
}

function keepNow() {
  clearTimeout(keepLater);
  keepLater = 0;
  if (!restored) return;
  const { active, seats, base, increment, clock, result, paused } = match;
  keep({
    tree: game.tree.pack(),
    at_moves: told().moves,
    rules: game.rules,
    note: game.note,
    mode: game.mode,
    flipped: board.flipped,
    analysis: analysis.on,
    review: review.found && isMainLine(review.nodes) ? review.found : null,
    ...(active && match.node && { match: { active, seats, base, increment, clock, result, paused }, match_moves: told(match.node).moves }),
  });
}
addEventListener("pagehide", keepNow);

/** Whether the main line still begins with these nodes. */
function isMainLine(nodes) {
  const line = game.tree.mainline();
  return nodes.every((node, place) => line[place] === node);
}

function drawMode() {
  document.body.dataset.mode = game.mode;
  for (const mode of MODES) {
    if (mode === game.mode) get(`mode-${mode}`).setAttribute("aria-current", "page");
    else get(`mode-${mode}`).removeAttribute("aria-current");
  }
  showNodes(game.mode === "play", get("play-panel"));
  showNodes(game.mode === "review", get("review-panel"));
  showNodes(game.mode === "analyse" || game.mode === "review", get("lines-panel"));
  showNodes(game.mode === "edit", get("edit-panel"));
  showNodes(game.mode !== "edit", get("moves-panel"), get("graph-panel"));
  if (game.mode === "analyse" && !analysis.on && !taking) toggle(true);
  drawLines();
}

/** @param {"back" | "next" | "first" | "last" | "up" | "down"} where */
function go(where) {
  if (game.mode === "edit" || asking()) return;
  step(where);
}

let turned = 0;
/** A notch of the wheel is a step; touchpads turn in many small ones. */
function wheel(event) {
  if (game.mode === "edit" || event.ctrlKey) return;
  event.preventDefault();
  turned = Math.sign(turned) === Math.sign(event.deltaY) ? turned + event.deltaY : event.deltaY;
  if (Math.abs(turned) < 50) return;
  turned = 0;
  go(event.deltaY > 0 ? "next" : "back");
}

/** A move in any notation. @param {string} text */
async function typed(text) {
  const field = get("typed");
  if (!text.trim() || game.mode === "edit") return;
  if (game.mode === "play" && !mayMove()) {
    notice(t("notYourTurn"), true);
    return;
  }
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
  if (asking()) board.watcher.move(...pointsOf(move), false);
  else play(move, { names });
}

/** Takes a rejected move out of its field, once something else has happened. */
function forgetTyped() {
  const field = get("typed");
  if (!field.hasAttribute("aria-invalid")) return;
  field.removeAttribute("aria-invalid");
  field.value = "";
}

function playBest() {
  const best = analysis.lines[0];
  if (best && analysis.on && !game.secret && game.mode !== "play") play(best.pv[0]);
}

function nextMistake() {
  if (game.secret) return;
  const bad = [...game.tree.mainline()].filter((node) => node.glyphs.some((glyph) => BAD.includes(glyph)));
  const ply = told().moves.length;
  const found = bad.find((node) => told(node).moves.length > ply) ?? bad[0];
  if (found) show(found);
}

let fading = 0;
/** Says something above the board; for a while, or until it is taken back. @param {string} text @param {boolean} brief */
function notice(text, brief) {
  clearTimeout(fading);
  const box = get("notice");
  box.textContent = text;
  box.classList.toggle("brief", brief);
  showNodes(text !== "", box);
  if (brief) fading = setTimeout(() => (connected() ? showNodes(false, box) : notice(t("noServer"), false)), 3500);
  if (text && !brief) announce(text);
}

function title() {
  const { tags, result } = game.tree;
  const [red, black, event] = ["Red", "Black", "Event"].map((name) => tags.get(name)?.replace(/^\?+$/, "") ?? "");
  const players = red || black ? `${red || "?"} – ${black || "?"}` : "";
  return [players || event || t("moves"), RESULTS[result] ? t(RESULTS[result]) : ""].filter(Boolean).join("  ");
}

function drawAbout() {
  get("about").textContent = version ? t("about", { version }) : "";
}

/** Redraws everything that has words or pieces. */
function drawAll() {
  if (!board) return;
  redraw();
  drawMoves();
  drawLines();
  drawBook();
  drawSeats();
  drawPlay();
  drawReview();
  drawLearn();
  drawReferee();
  drawRules([...ruleSets.keys()], settings.rules);
  drawKeys();
  drawAbout();
  get("live").textContent = "";
  if (game.mode === "edit") askEditor();
  get("game-title").replaceChildren(title());
  look(game.node);
}
drawAll();
