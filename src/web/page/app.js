// Starts the page: sets up each of its parts once, shows the panels of the chosen view, and passes on what the engine tells at every new connection.

import { setUpAbout } from "./about.js";
import { drawBook, setUpBook } from "./book.js";
import { kind, listeners } from "./desk.js";
import { get, show as showNodes } from "./dom.js";
import { changed as askEditor, setUpEdit } from "./edit.js";
import { drawEngines, setEngines, setUpEngines } from "./engines.js";
import { formats, setUpFiles } from "./files.js";
import { game, look, on, setMode, setRules } from "./game.js";
import { setUpGraph } from "./graph.js";
import { isTaking, setUpKeeping } from "./keeping.js";
import { drawKeys, setUpKeys } from "./keys.js";
import { drawLearn, setUpLearn } from "./learn.js";
import { drawLibrary, setLibrary, setUpLibrary } from "./library.js";
import { analysis, drawLines, setUpLines, start as startAnalysis, toggle } from "./lines.js";
import { setUpMate } from "./mate.js";
import { drawMoves, drawTitle, setUpMoves } from "./moves.js";
import { notice, setUpNotice } from "./notice.js";
import { drawRules, setThreads, setUpOptions } from "./options.js";
import { beginMatch, drawPlay, drawSeats, levels, match, setUpPlay, sleep, wake } from "./play.js";
import { drawPuzzles, setPuzzles, setUpPuzzles } from "./puzzles.js";
import { drawReferee, ruleSets, setUpReferee } from "./referee.js";
import { beginReview, drawReview, setUpReview } from "./review.js";
import { change, settings } from "./settings.js";
import { setUpShare, takeLink } from "./share.js";
import { setUpSteering } from "./steering.js";
import { board, pointAt, preview, redraw, setUpTable, turnBoard } from "./table.js";
import { t } from "./words.js";

const MODES = /** @type {const} */ (["play", "analyse", "review", "puzzles", "edit", "library"]);

/** The modes that show a panel. @type {Record<string, string[]>} */
const PANELS = {
  "play-panel": ["play"],
  "review-panel": ["review"],
  "puzzles-panel": ["puzzles"],
  "lines-panel": ["analyse", "review"],
  "library-panel": ["library"],
  "edit-panel": ["edit"],
  "moves-panel": ["play", "analyse", "review", "puzzles"],
  "graph-panel": ["play", "analyse", "review"],
};

/** The engine's version; empty until it has answered. */
let version = "";

// The settings come first: everything else is drawn in their language and colours. The order of the others does not matter.
setUpOptions(redrawAll);
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
for (const id of ["rules-play", "rules-set"]) get(id).addEventListener("change", ({ target }) => chooseRules(target.value));
on("mode", showMode);
on("set-up", (mode) => (mode === "play" ? beginMatch(game.node) : toggle(true)));

redrawAll();
showMode();
/** Resolves when the game that the browser kept is on the board. */
const kept = setUpKeeping().then(drawReview);
/** Counts the connections: what was begun for an older one goes no further. */
let connection = 0;

listeners.onstate = (open, answer) => {
  connection++;
  document.body.classList.toggle("offline", !open);
  if (open) connected(answer);
  else disconnected(answer);
};

/** @param {any} greeting what the engine says of itself */
async function connected(greeting) {
  const mine = connection;
  notice("", false);
  version = greeting.version;
  // Other modules hold these lists: they are filled, not replaced.
  levels.splice(0, levels.length, ...greeting.levels);
  formats.splice(0, formats.length, ...greeting.formats);
  for (const rules of greeting.rules) ruleSets.set(rules.name, rules);
  setThreads(greeting.threads);
  setLibrary(greeting.library);
  setEngines(greeting.engines ?? []);
  drawSeats();
  drawRules([...ruleSets.keys()], settings.rules);
  drawVersion();
  // What was asked before the connection was lost is asked again, about the game that was kept or that the address holds.
  await kept;
  await takeLink();
  await look(game.node);
  if (connection !== mine) return;
  setPuzzles();
  startAnalysis(true);
  wake();
}

/** @param {any} refusal why the engine would not speak with this page, if it said so */
function disconnected(refusal) {
  notice(refusal?.text || t(kind === "server" ? "noServer" : "noEngine"), false);
  sleep();
  drawLines();
}

/** A match that is being played keeps the rules that it began with. @param {string} rules */
function chooseRules(rules) {
  change("rules", rules);
  drawRules([...ruleSets.keys()], rules);
  if (!match.active || game.mode !== "play") setRules(rules);
}

function showMode() {
  document.body.dataset.mode = game.mode;
  for (const mode of MODES) {
    if (mode === game.mode) get(`mode-${mode}`).setAttribute("aria-current", "page");
    else get(`mode-${mode}`).removeAttribute("aria-current");
  }
  for (const [panel, modes] of Object.entries(PANELS)) showNodes(modes.includes(game.mode), get(panel));
  // A player who chooses this view wants lines; the game that the browser kept says itself whether it was analysed.
  if (game.mode === "analyse" && !analysis.on && !isTaking()) toggle(true);
  drawLines();
}

function drawVersion() {
  get("about").textContent = version ? t("about", { version }) : "";
}

/** Redraws everything that has words or pieces, as after a change of language. */
function redrawAll() {
  // The settings are set up before there is a board.
  if (!board) return;
  redraw();
  drawTitle();
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
  drawVersion();
  get("live").textContent = "";
  if (game.mode === "edit") askEditor();
  look(game.node);
}
