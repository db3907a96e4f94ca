// The page: its parts are set up here, and what concerns several of them.

import { setUpAbout } from "./about.js";
import { draw as drawBook, setUpBook } from "./book.js";
import { kind, listeners } from "./desk.js";
import { get, show as showNodes } from "./dom.js";
import { changed as askEditor, setUpEdit } from "./edit.js";
import { drawEngines, setEngines, setUpEngines } from "./engines.js";
import { formats, setUpFiles } from "./files.js";
import { game, look, on, setMode, setRules } from "./game.js";
import { setUpGraph } from "./graph.js";
import { isTaking, setUpKeeping } from "./keeping.js";
import { drawKeys, setUpKeys } from "./keys.js";
import { draw as drawLearn, setUpLearn } from "./learn.js";
import { drawLibrary, setLibrary, setUpLibrary } from "./library.js";
import { analysis, draw as drawLines, setUpLines, start as startAnalysis, toggle } from "./lines.js";
import { setUpMate } from "./mate.js";
import { draw as drawMoves, setUpMoves } from "./moves.js";
import { notice, setUpNotice } from "./notice.js";
import { drawRules, setThreads, setUpOptions } from "./options.js";
import { begin, draw as drawPlay, drawSeats, levels, match, setUpPlay, sleep, wake } from "./play.js";
import { draw as drawPuzzles, setPuzzles, setUpPuzzles } from "./puzzles.js";
import { draw as drawReferee, ruleSets, setUpReferee } from "./referee.js";
import { begin as beginReview, draw as drawReview, setUpReview } from "./review.js";
import { change, settings } from "./settings.js";
import { setUpShare, takeLink } from "./share.js";
import { setUpSteering } from "./steering.js";
import { board, pointAt, preview, redraw, setUpTable, turnBoard } from "./table.js";
import { t } from "./words.js";

const MODES = /** @type {const} */ (["play", "analyse", "review", "puzzles", "edit", "library"]);
const RESULTS = { "1-0": "result_red", "0-1": "result_black", "1/2-1/2": "result_draw" };
let version = "";

setUpOptions(drawAll);
setUpTable();
setUpMoves();
setUpLines(preview);
setUpMate();
setUpEngines();
setUpBook(preview);
setUpGraph();
setUpReferee(pointAt);
setUpEdit();
setUpPlay();
setUpReview();
setUpLearn();
setUpPuzzles();
setUpFiles();
setUpLibrary();
setUpSteering();
setUpKeys();
setUpNotice();
setUpAbout();
setUpShare();

for (const mode of MODES) get(`mode-${mode}`).addEventListener("click", () => setMode(mode));
get("flip").addEventListener("click", () => turnBoard());
get("review-mine").addEventListener("click", () => beginReview());
get("help").addEventListener("click", () => get("help-dialog").showModal());
for (const id of ["rules-play", "rules-set"]) {
  get(id).addEventListener("change", (event) => {
    change("rules", event.target.value);
    drawRules([...ruleSets.keys()], settings.rules);
    if (!match.active || game.mode !== "play") setRules(settings.rules);
  });
}
on("mode", drawMode);
on("set-up", (mode) => (mode === "play" ? begin(game.node) : toggle(true)));
for (const name of /** @type {const} */ (["look", "new", "kept"])) on(name, () => get("game-title").replaceChildren(title()));

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
  setLibrary(answer.library);
  setEngines(answer.engines ?? []);
  drawSeats();
  drawRules([...ruleSets.keys()], settings.rules);
  drawAbout();
  // What was asked before the connection was lost is asked again.
  kept
    .then(takeLink)
    .then(() => look(game.node))
    .then(() => {
      setPuzzles();
      startAnalysis(true);
      wake();
    });
};

function drawMode() {
  document.body.dataset.mode = game.mode;
  for (const mode of MODES) {
    if (mode === game.mode) get(`mode-${mode}`).setAttribute("aria-current", "page");
    else get(`mode-${mode}`).removeAttribute("aria-current");
  }
  showNodes(game.mode === "play", get("play-panel"));
  showNodes(game.mode === "review", get("review-panel"));
  showNodes(game.mode === "analyse" || game.mode === "review", get("lines-panel"));
  showNodes(game.mode === "puzzles", get("puzzles-panel"));
  showNodes(game.mode === "edit", get("edit-panel"));
  showNodes(game.mode === "library", get("library-panel"));
  showNodes(game.mode !== "edit" && game.mode !== "library", get("moves-panel"));
  showNodes(["play", "analyse", "review"].includes(game.mode), get("graph-panel"));
  if (game.mode === "analyse" && !analysis.on && !isTaking()) toggle(true);
  drawLines();
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
  drawEngines();
  drawLibrary();
  drawSeats();
  drawPlay();
  drawReview();
  drawLearn();
  drawPuzzles();
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
drawMode();
const kept = setUpKeeping().then(drawReview);
