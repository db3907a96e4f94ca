// Starts the page: sets up each of its parts once, shows the panels of the mode, and passes on what the engine tells at every new connection.

import { setUpAbout } from "./about.js";
import { setUpBook } from "./book.js";
import { kind as linkKind, listeners } from "./desk.js";
import { get, show as showNodes } from "./dom.js";
import { setUpEdit } from "./edit.js";
import { setEngines, setUpEngines } from "./engines.js";
import { setFormats, setUpFiles } from "./files.js";
import { emit, game, look, MODES, on, setMode, setRules } from "./game.js";
import { setUpGraph } from "./graph.js";
import { isTaking, setUpKeeping } from "./keeping.js";
import { setUpKeys } from "./keys.js";
import { setUpLearn } from "./learn.js";
import { setLibrary, setUpLibrary } from "./library.js";
import { analysis, drawLines, setUpLines, start as startAnalysis, toggle as toggleAnalysis } from "./lines.js";
import { isPlayed } from "./match.js";
import { setUpMate } from "./mate.js";
import { setUpMoves } from "./moves.js";
import { notice, setUpNotice } from "./notice.js";
import { setRuleSets, setThreads, setUpOptions } from "./options.js";
import { beginMatch, setLevels, setUpPlay, sleep as sleepMatch, wake as wakeMatch } from "./play.js";
import { setPuzzles, setUpPuzzles } from "./puzzles.js";
import { setUpReferee } from "./referee.js";
import { beginReview, setUpReview } from "./review.js";
import { change } from "./settings.js";
import { setUpShare, takeLink } from "./share.js";
import { setUpSteering } from "./steering.js";
import { pointAt, preview, setUpTable, turnBoard } from "./table.js";
import { t } from "./words.js";

/** The modes that show a panel. @type {Record<string, import("./game.js").Mode[]>} */
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
/** Counts the connections, to tell what was begun for an older one. */
let connection = 0;

// The settings come first: everything else is drawn in their language and colours. The order of the others does not matter.
setUpOptions();
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
// The editor's board becomes a game, or is analysed.
on("set-up", (mode) => (mode === "play" ? beginMatch(game.node) : toggleAnalysis(true)));
on("redraw", () => {
  drawVersion();
  // What the engine said is in the old language.
  look(game.node);
});

// Keeping puts a game on parts that must be set up. The listener must be there before this script first waits.
emit("redraw");
showMode();
/** Resolves when the game that the browser kept is on the board. */
const kept = setUpKeeping();

listeners.onstate = (open, answer) => {
  connection++;
  document.body.classList.toggle("offline", !open);
  if (open) connected(answer);
  else disconnected(answer);
};

/** @param {any} greeting what the engine says of itself: the fields that are read here; `library` is null without one */
async function connected(greeting) {
  const begun = connection;
  notice("", false);
  version = greeting.version;
  drawVersion();
  setEngines(greeting.engines);
  setLevels(greeting.levels);
  setFormats(greeting.formats);
  setRuleSets(greeting.rules);
  setThreads(greeting.threads);
  setLibrary(greeting.library);
  // What was asked before the connection was lost is asked again, about the game that was kept or that the address holds.
  // Before what begins something: a newer connection does it then.
  await kept;
  if (connection !== begun) return;
  await takeLink();
  await look(game.node);
  if (connection !== begun) return;
  setPuzzles();
  startAnalysis(true);
  wakeMatch();
}

/** @param {any} refusal why the engine would not speak with this page, if it said so */
function disconnected(refusal) {
  notice(refusal?.text || t(linkKind === "server" ? "noServer" : "noEngine"), false);
  sleepMatch();
  drawLines();
}

/** A match keeps the rules of its first move until it is over. @param {string} rules */
function chooseRules(rules) {
  change("rules", rules);
  if (!isPlayed()) setRules(rules);
}

function showMode() {
  document.body.dataset.mode = game.mode;
  for (const mode of MODES) {
    if (mode === game.mode) get(`mode-${mode}`).setAttribute("aria-current", "page");
    else get(`mode-${mode}`).removeAttribute("aria-current");
  }
  for (const [panel, modes] of Object.entries(PANELS)) showNodes(modes.includes(game.mode), get(panel));
  // A player who chooses this mode wants lines; the game that the browser kept says itself whether it was analysed.
  if (game.mode === "analyse" && !analysis.on && !isTaking()) toggleAnalysis(true);
}

function drawVersion() {
  get("about").textContent = version ? t("about", { version }) : "";
}
