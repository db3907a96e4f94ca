// Starts the page: sets up each part once, shows the panels of the mode, and distributes the engine's hello
// response after every connection.

import { setUpAbout } from "./about.js";
import { setUpBook } from "./book.js";
import { kind as linkKind, listeners } from "./desk.js";
import { get, show as showNodes } from "./dom.js";
import { setUpEdit } from "./edit.js";
import { setEngines, setUpEngines } from "./engines.js";
import { setExplored } from "./explored.js";
import { setFormats, setUpFiles } from "./files.js";
import { emit, game, look, MODES, on, setMode, setRules } from "./game.js";
import { setUpGraph } from "./graph.js";
import { isTaking, setUpKeeping } from "./keeping.js";
import { setUpKeys } from "./keys.js";
import { setUpLearn } from "./learn.js";
import { setLibrary, setUpLibrary } from "./library.js";
import { analysis, drawLines, setUpLines, start as startAnalysis, toggle as toggleAnalysis } from "./lines.js";
import { isPlayed } from "./match.js";
import { setUpManage } from "./manage.js";
import { setUpMate } from "./mate.js";
import { setMine, setUpMine } from "./mine.js";
import { setUpMoves } from "./moves.js";
import { notice, setUpNotice } from "./notice.js";
import { setRuleSets, setThreads, setUpOptions } from "./options.js";
import { beginMatch, setLevels, setUpPlay, sleep as sleepMatch, wake as wakeMatch } from "./play.js";
import { setPuzzles, setUpPuzzles } from "./puzzles.js";
import { setUpReferee } from "./referee.js";
import { beginReview, setUpReview } from "./review.js";
import { change } from "./settings.js";
import { setMayAdd, setUpRoster } from "./roster.js";
import { setPublicUrl, setUpShare, takeLink } from "./share.js";
import { setUpSteering } from "./steering.js";
import { pointAt, preview, setUpTable, turnBoard } from "./table.js";
import { t } from "./words.js";

/** Modes that show a panel. @type {Record<string, import("./game.js").Mode[]>} */
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

/** Version of the engine; empty until the hello response has arrived. */
let version = "";
/** Number of connections, which identifies work begun for an older one. */
let connection = 0;

// The settings are set up first, because their language and colours apply to all other parts, and the search for a mate before the
// analysis, which starts when that search has been cancelled. The order of the other parts is irrelevant.
setUpOptions();
setUpTable();
setUpMoves();
setUpMate();
setUpLines(preview);
setUpEngines();
setUpRoster();
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
setUpManage();
setUpMine();
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
// Starts a game or an analysis from the editor's board.
on("set-up", (mode) => (mode === "play" ? beginMatch(game.node) : toggleAnalysis(true)));
on("redraw", () => {
  drawVersion();
  // Requests the engine's texts again, since they are still in the previous language.
  look(game.node);
});

// The stored game is restored after all parts have been set up. The listener must be added before this script first waits.
emit("redraw");
showMode();
/** Resolves when the stored game has been restored. */
const kept = setUpKeeping();

listeners.onstate = (open, answer) => {
  connection++;
  document.body.classList.toggle("offline", !open);
  if (open) connected(answer);
  else disconnected(answer);
};

/** @param {any} greeting the engine's greeting; only these fields are used; `library` and `mine` are null without a library */
async function connected(greeting) {
  const begun = connection;
  notice("", false);
  version = greeting.version;
  drawVersion();
  setEngines(greeting.engines);
  setMayAdd(greeting.may_add_engines);
  setLevels(greeting.levels);
  setFormats(greeting.formats);
  setRuleSets(greeting.rules);
  setThreads(greeting.threads);
  setPublicUrl(greeting.public_url);
  setLibrary(greeting.library, greeting.mine);
  setExplored(greeting.explored);
  // Requests that were pending when the connection was lost are sent again, for the stored game or the game in the address.
  // Return before starting anything if a newer connection will do so.
  await kept;
  if (connection !== begun) return;
  setMine(greeting.mine !== null);
  await takeLink();
  await look(game.node);
  if (connection !== begun) return;
  setPuzzles();
  startAnalysis(true);
  wakeMatch();
}

/** @param {any} refusal the engine's reason for rejecting this page, if any */
function disconnected(refusal) {
  notice(refusal?.text || t(linkKind === "server" ? "noServer" : "noEngine"), false);
  sleepMatch();
  drawLines();
}

/** Sets the rules; a running match keeps those of its first move. @param {string} rules */
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
  // Selecting this mode starts the analysis; a restored game records whether it was being analysed.
  if (game.mode === "analyse" && !analysis.on && !isTaking()) toggleAnalysis(true);
}

function drawVersion() {
  get("about").textContent = version ? t("about", { version }) : "";
}
