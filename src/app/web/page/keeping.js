// The game outlives the page: it is kept a moment after each change, and taken up again when the page is loaded.

import { get, show as showNodes } from "./dom.js";
import { emit, game, on, show, told } from "./game.js";
import { analysis } from "./lines.js";
import { charge, match } from "./match.js";
import { resume } from "./play.js";
import { puzzle } from "./puzzles.js";
import { resumeReview, review } from "./review.js";
import { settings } from "./settings.js";
import { keep, restore } from "./store.js";
import { board, turnBoard } from "./table.js";
import { Tree } from "./tree.js";

/** Whether the kept game is on the board, so that it may be saved again. */
let restored = false;
/** Whether it is just being put there: then nothing begins by itself. */
let taking = false;
let later = 0;
/** A tree with more moves fills the browser's store. */
const LARGEST = 20_000;
/** The game that was on the board before, as it would be kept. @type {any} */
let before = null;

/** Whether the kept game is just being put on the board. */
export const isTaking = () => taking;

/** Puts the kept game on the board, or the first one; from then on keeps what changes. */
export async function setUpKeeping() {
  for (const name of /** @type {const} */ (["tree", "shown", "kept", "mode", "rules", "value", "noted"])) on(name, keepSoon);
  addEventListener("pagehide", keepNow);
  on("leaving", () => {
    if (taking || puzzle.onBoard || game.tree.nodes.size <= 1) return;
    before = state();
    drawBefore();
  });
  get("game-before").addEventListener("click", goBack);
  // A game that was interrupted by puzzles goes on.
  on("mode", (left) => left === "puzzles" && game.mode === "play" && puzzle.onBoard && before?.match && goBack());
  const kept = await restore();
  before = kept?.before ?? null;
  drawBefore();
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

function drawBefore() {
  showNodes(before !== null, get("game-before"));
}

/** Takes up a kept game, or begins the first one. @param {any} kept */
function take(kept) {
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
  game.node = tree.root;
  game.rules = kept.rules;
  emit("new");
  puzzle.onBoard = kept.puzzle === true;
  const node = follow(kept.at_moves);
  if (kept.flipped !== board.flipped) turnBoard(kept.flipped === true);
  if (kept.review) resumeReview(kept.review);
  analysis.on = kept.analysis === true;
  game.note = kept.note ?? "";
  emit("noted");
  if (kept.match) resume(kept.match, follow(kept.match_moves));
  // A game that was left for puzzles comes back where it is played.
  const other = kept.mode === "puzzles" && !kept.puzzle ? "play" : kept.mode;
  game.mode = other === "edit" ? "analyse" : other;
  game.node = node;
  emit("mode", "");
  emit("tree");
  show(node, { slide: false });
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
  keep({ ...state(), before });
}

/** All that is kept of a game. */
function state() {
  charge();
  const { active, seats, kind, base, increment, clock, used, result, paused } = match;
  return {
    tree: game.tree.pack(),
    at_moves: told().moves,
    rules: game.rules,
    note: game.note,
    mode: game.mode,
    puzzle: puzzle.onBoard,
    flipped: board.flipped,
    analysis: analysis.on,
    review: review.found && isMainLine(review.nodes) ? review.found : null,
    ...(active && match.node && { match: { active, seats, kind, base, increment, clock, used, result, paused }, match_moves: told(match.node).moves }),
  };
}

/** Whether the main line still begins with these nodes. */
function isMainLine(nodes) {
  const line = game.tree.mainline();
  return nodes.every((node, place) => line[place] === node);
}
