// Storage of the game: it is stored shortly after each change, and restored when the page is loaded.

import { get, onClick, show as showNodes } from "./dom.js";
import { editedPosition, restoreEdited } from "./edit.js";
import { emit, game, on, setMode, show, told } from "./game.js";
import { begin as beginLesson, lessonState } from "./learn.js";
import { analysis } from "./lines.js";
import { charge, identify, isPlayed, match } from "./match.js";
import { beginMatch, resume } from "./play.js";
import { puzzle } from "./puzzles.js";
import { resumeReview, review } from "./review.js";
import { settings } from "./settings.js";
import { keep, restore } from "./store.js";
import { board, turnBoard } from "./table.js";
import { Tree } from "./tree.js";

/** True if the stored game has been restored, so that it may be stored again. */
let restored = false;
/** True if the board had been turned before the puzzles began. */
let usual = false;
/** True while it is being restored; nothing starts automatically during this time. */
let taking = false;
let later = 0;
/** Maximum number of moves of a stored tree; a larger one exceeds the browser's storage. */
const LARGEST = 20_000;
/** The previous game on the board, in its stored form. @type {any} */
let before = null;

export const isTaking = () => taking;

/** Restores the stored game, or starts the first one; then stores all changes. */
export async function setUpKeeping() {
  for (const name of /** @type {const} */ (["tree", "shown", "kept", "mode", "rules", "value", "noted", "edited"])) on(name, keepSoon);
  addEventListener("pagehide", keepNow);
  let wasPuzzle = false;
  on("leaving", () => {
    wasPuzzle = puzzle.onBoard && game.mode === "puzzles";
    if (!wasPuzzle) usual = board.flipped;
    if (taking || puzzle.onBoard || game.tree.nodes.size <= 1) return;
    // A record that was opened does not replace an unfinished game.
    if (!match.active && isUnfinished()) return;
    before = state();
    drawBefore();
  });
  on("new", () => wasPuzzle && !puzzle.onBoard && turnBoard(usual));
  for (const name of /** @type {const} */ (["new", "mode", "kept"])) on(name, drawBefore);
  on("mode", (left) => left === "puzzles" && puzzle.onBoard && turnBoard(usual));
  onClick("game-before", goBack);
  onClick("play-continue", () => {
    goBack();
    setMode("play");
  });
  // A game that was interrupted by puzzles is resumed; without one, the next puzzle begins.
  on("mode", (left) => left === "puzzles" && game.mode === "play" && puzzle.onBoard && (before?.match ? goBack() : beginMatch()));
  const kept = await restore();
  before = kept?.before ?? null;
  drawBefore();
  if (kept?.edited) restoreEdited(kept.edited);
  taking = true;
  try {
    take(kept);
  } catch {
    take(null);
  }
  taking = false;
  restored = true;
}

function goBack() {
  const kept = before;
  before = puzzle.onBoard ? null : state();
  drawBefore();
  taking = true;
  take(kept);
  taking = false;
  keepSoon();
}

const isUnfinished = () => Boolean(before?.match && !before.match.result);

function drawBefore() {
  // The game on the board may be a later version of the stored one.
  const isOther = before !== null && !(match.active && match.id && match.id === before.match?.id);
  showNodes(isOther, get("game-before"));
  showNodes(isOther && isUnfinished() && !isPlayed(), get("play-continue"));
}

/** Restores a stored game, or starts the first one. @param {any} kept */
function take(kept) {
  if (!kept?.tree) {
    match.active = true;
    identify(0);
    match.seats = { red: settings.red, black: settings.black };
    game.tree = new Tree();
    match.node = game.node = game.tree.root;
    emit("tree");
    show(game.node);
    get("new-game").open = matchMedia("(min-width: 1200px)").matches;
    return;
  }
  const tree = Tree.unpack(kept.tree);
  const follow = (moves) => moves.reduce((node, move) => node.children.find((child) => child.move === move) ?? node, tree.root);
  game.tree = tree;
  game.node = tree.root;
  game.rules = kept.rules;
  emit("new");
  puzzle.onBoard = kept.puzzle === true;
  const node = follow(kept.at_moves);
  usual = kept.usual === true;
  if (kept.flipped !== board.flipped) turnBoard(kept.flipped === true);
  if (kept.review) resumeReview(kept.review);
  analysis.on = kept.analysis === true;
  game.note = kept.note ?? "";
  emit("noted");
  if (kept.match) resume(kept.match, follow(kept.match_moves));
  // A game that was left for puzzles is restored in the mode for playing.
  game.mode = kept.mode === "puzzles" && !kept.puzzle ? "play" : kept.mode;
  game.node = node;
  emit("mode", "");
  emit("tree");
  show(node, { slide: false });
  if (kept.lesson) beginLesson(kept.lesson.side, kept.lesson);
}

function keepSoon() {
  if (!restored || later) return;
  later = window.setTimeout(keepNow, 200);
}

function keepNow() {
  clearTimeout(later);
  later = 0;
  if (!restored) return;
  if (game.tree.nodes.size > LARGEST) return;
  keep({ ...state(), before, edited: editedPosition() });
}

function state() {
  charge();
  const { node, ...played } = match;
  return {
    tree: game.tree.pack(),
    at_moves: told().moves,
    rules: game.rules,
    note: game.note,
    mode: game.mode,
    puzzle: puzzle.onBoard,
    flipped: board.flipped,
    usual,
    lesson: lessonState(),
    analysis: analysis.on,
    review: review.found && isMainLine(review.nodes) ? review.found : null,
    ...(match.active && node && { match: played, match_moves: told(node).moves }),
  };
}

/** Returns true if the main line still begins with these nodes. */
function isMainLine(nodes) {
  const line = game.tree.mainline();
  return nodes.every((node, place) => line[place] === node);
}
