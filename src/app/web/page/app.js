// Starts the page: sets up each part once, shows the panels of the mode, and distributes the engine's hello
// response after every connection.

import { kind as linkKind, listeners } from "./desk.js";
import { get, onClick, openDialog, show as showNodes } from "./dom.js";
import { setUpEdit } from "./edit.js";
import { setUpEngines } from "./engines.js";
import { setUpFiles } from "./files.js";
import { emit, game, MODES, on, requestReport, setMode, setRules } from "./game.js";
import { isTaking, setMine, setUpKeeping } from "./keeping.js";
import { setUpKeys } from "./keys.js";
import { setUpKnownMoves } from "./known_moves.js";
import { setUpLearn } from "./learn.js";
import { setOpening, setUpLibrary } from "./library.js";
import { analysis, drawLines, setUpLines, start as startAnalysis, toggle as toggleAnalysis } from "./lines.js";
import { isPlayed } from "./match.js";
import { setUpManage } from "./manage.js";
import { setUpMoves } from "./moves.js";
import { setUpOptions } from "./options.js";
import { beginMatch, setUpPlay, sleep as sleepMatch, wake as wakeMatch } from "./play.js";
import { setPuzzles, setUpPuzzles } from "./puzzles.js";
import { setUpReferee } from "./referee.js";
import { beginReview, setUpReview } from "./review.js";
import { settings, watch } from "./settings.js";
import { setUpShare, takeLink } from "./share.js";
import { notice, setUpTable, turnBoard } from "./table.js";
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
/** Number of connections so far; work begun for an older connection is abandoned. */
let connection = 0;

// The settings are set up first, because their language and colours apply to all other parts. The order of
// the others is irrelevant.
for (const setUp of [
  setUpOptions, setUpTable, setUpMoves, setUpLines, setUpEngines, setUpKnownMoves, setUpReferee, setUpEdit,
  setUpPlay, setUpReview, setUpLearn, setUpPuzzles, setUpFiles, setUpLibrary, setUpManage, setUpKeys, setUpShare,
]) setUp();

for (const mode of MODES) onClick(`mode-${mode}`, () => setMode(mode));
onClick("flip", () => turnBoard());
onClick("review-mine", () => beginReview());
onClick("help", () => openDialog("help-dialog"));
// A running match keeps the rules of its first move.
watch((name) => name === "rules" && !isPlayed() && setRules(settings.rules));
on("mode", showMode);
// The browser's Back closes a dialog or returns to the previous view.
let isReturning = false;
/** True until the stored game has been restored, and during a user's step, which may change the mode twice. */
let isStep = true;
on("mode", () => {
  if (isReturning) return;
  // A dialog that has been closed, or a link to a game, has left an entry in the history, which is replaced.
  const { mode, dialog } = history.state ?? {};
  history[isStep || dialog || mode === game.mode ? "replaceState" : "pushState"]({ mode: game.mode }, "");
  if (isStep) return;
  isStep = true;
  setTimeout(() => (isStep = false));
});
addEventListener("popstate", ({ state }) => {
  const dialog = document.querySelector("dialog[open]");
  if (dialog) /** @type {HTMLDialogElement} */ (dialog).close();
  else if (state?.mode === game.mode && !setOpening(state.opening)) history.back();
  else if (state?.mode && state.mode !== game.mode) {
    isReturning = true;
    setMode(state.mode);
    isReturning = false;
  }
});
history.replaceState({ mode: game.mode }, "");
// Starts a game or an analysis from the editor's board.
on("set-up", (mode) => (mode === "play" ? beginMatch(game.node) : toggleAnalysis(true)));
on("redraw", () => {
  drawVersion();
  // Requests the engine's texts again, since they are still in the previous language.
  requestReport(game.node);
});

// The stored game is restored after all parts have been set up. The listener must be added before this script
// first waits.
emit("redraw");
showMode();
/** Resolves when the stored game has been restored. */
const kept = setUpKeeping().then(() => void (isStep = false));

listeners.onstate = (open, answer) => {
  connection++;
  document.body.classList.toggle("offline", !open);
  if (open) connected(answer);
  else disconnected(answer);
};

/**
 * @param {any} greeting the engine's greeting; only these fields are used; `library` and `mine` are null without
 *   a library
 */
async function connected(greeting) {
  const begun = connection;
  notice("", false);
  version = greeting.version;
  drawVersion();
  emit("greeted", greeting);
  // Restarts the work that was pending when the connection was lost, for the stored game or the game in the address,
  // unless a newer connection has been opened in the meantime.
  await kept;
  if (connection !== begun) return;
  setMine(greeting.mine !== null);
  await takeLink();
  await requestReport(game.node);
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

function showMode() {
  document.body.dataset.mode = game.mode;
  for (const mode of MODES) get(`mode-${mode}`).ariaCurrent = mode === game.mode ? "page" : null;
  for (const [panel, modes] of Object.entries(PANELS)) showNodes(modes.includes(game.mode), get(panel));
  // Selecting this mode starts the analysis; a restored game records whether it was being analysed.
  if (game.mode === "analyse" && !analysis.on && !isTaking()) toggleAnalysis(true);
}

function drawVersion() {
  get("about").textContent = version ? t("about", { version }) : "";
}
