// Storage of the game: in the browser shortly after each change, to restore it when the page is loaded; and
// in the user's own games on the server after every move, with tags that contain what is needed to continue
// it.

import { ask, connected } from "./desk.js";
import { get, onClick, show as showNodes } from "./dom.js";
import { editedPosition, restoreEdited } from "./edit.js";
import { emit, game, on, open, setMode, setRules, show, told } from "./game.js";
import { begin as beginLesson, lessonState } from "./learn.js";
import { analysis } from "./lines.js";
import { charge, freshId, identify, isHuman, isPlayed, match, people, timed } from "./match.js";
import { beginMatch, resume } from "./play.js";
import { puzzle } from "./puzzles.js";
import { resumeReview, review } from "./review.js";
import { settings } from "./settings.js";
import { keep, restore } from "./store.js";
import { board, turnBoard } from "./table.js";
import { filled, movesTo, path, Tree } from "./tree.js";
import { t } from "./words.js";

/** True if the stored game has been restored, so that it may be stored again. */
let restored = false;
/** True if the board was flipped before the puzzles began; and true while it is turned for a puzzle. */
let usual = false;
let isTurned = false;
/** True while the stored game is being restored; nothing starts automatically during this time. */
let taking = false;
let later = 0;
/** Maximum number of moves of a stored tree; a larger one exceeds the browser's storage. */
const LARGEST = 20_000;
/** The previous game on the board, in its stored form. @type {any} */
let before = null;

export const isTaking = () => taking;

/** Restores the stored game, or starts the first one; then stores all changes. */
export async function setUpKeeping() {
  for (const name of /** @type {const} */ (["leaving", "kept"])) on(name, keepGame);
  document.addEventListener("visibilitychange", () => document.hidden && keepGame());
  for (const name of /** @type {const} */ (["tree", "shown", "kept", "mode", "rules", "value", "noted", "edited"]))
    on(name, keepSoon);
  addEventListener("pagehide", keepNow);
  on("leaving", () => {
    if (!isTurned) usual = board.flipped;
    if (taking || puzzle.onBoard || game.tree.nodes.size <= 1) return;
    // A record that was opened does not replace an unfinished game.
    if (!match.active && isUnfinished()) return;
    before = state();
    drawBefore();
  });
  on("new", () => {
    if (isTurned && !puzzle.onBoard) turnBoard(usual);
    isTurned = puzzle.onBoard;
  });
  for (const name of /** @type {const} */ (["new", "mode", "kept"])) on(name, drawBefore);
  on("mode", (left) => {
    if (left === "puzzles" && isTurned) turnBoard(usual);
    isTurned &&= left !== "puzzles";
  });
  onClick("game-before", goBack);
  onClick("play-continue", () => {
    goBack();
    setMode("play");
  });
  // A game that was interrupted by puzzles is resumed; without one, the next puzzle begins.
  on(
    "mode",
    (left) => left === "puzzles" && game.mode === "play" && puzzle.onBoard && (before?.match ? goBack() : beginMatch()),
  );
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
  const follow = (moves) =>
    moves.reduce((node, move) => node.children.find((child) => child.move === move) ?? node, tree.root);
  game.tree = tree;
  game.node = tree.root;
  game.rules = kept.rules;
  emit("new");
  puzzle.onBoard = kept.puzzle === true;
  const node = follow(kept.at_moves);
  usual = kept.usual === true;
  isTurned = puzzle.onBoard && kept.mode === "puzzles";
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

// The user's own games

/** Tags that only this module and the server use. */
const OWN = ["GameId", "RedSeat", "BlackSeat", "Rules", "Clock", "EditedTags"];
/** Minimum number of plies of a stored game. */
const LEAST = 2;

let offered = false;
/** The request that has stored the game most recently. */
let last = "";

/** @param {boolean} yes whether the server stores games */
export async function setMine(yes) {
  offered = yes;
  showNodes(yes, get("mine-option"));
  // The match is stored again: the connection may have been lost when it ended, and a game that was stored
  // while the page was being closed has no number yet.
  const { id } = match;
  const answer = await keepGame();
  if (answer?.conflict !== "longer") return;
  // The server has moves that the browser had not stored when the page was closed.
  const found = (await ask({ do: "show", mine: true, game: answer.game })).games?.[0];
  if (found?.result === "*" && match.active && match.id === id) continueGame(found.tree, answer.game);
}

/**
 * Stores the match, unless this has been done or it has hardly begun.
 * @returns {Promise<any>} the response, if it was sent
 */
export async function keepGame() {
  const { node, id, first, known } = match;
  if (!offered || !settings.mine || !connected() || !match.active || !node || !id) return;
  const line = path(node);
  if (line.length - first < LEAST || (match.done && match.result && last === "")) return;
  const tree = {
    start: game.tree.start,
    tags: [...tags()],
    result: match.result ? game.tree.result : "*",
    nodes: line.map(stored),
  };
  const request = JSON.stringify(tree);
  if (request === last) return;
  last = request;
  match.known = [...line.map(({ move }) => move), tree.result];
  const answer = await ask({ do: "keep", tree, ...(match.stored && { game: match.stored }), ...(known && { known }) });
  if (answer.is !== "kept") {
    last = "";
    if (match.id === id) match.known = known;
    if (answer.code !== "connection_lost") emit("trouble", answer.text);
  } else if (answer.conflict === "other") {
    // Another window has continued the game differently.
    emit("trouble", t("storedApart"));
    if (match.id === id) {
      identify(first);
      emit("kept");
    } else {
      // Another game has begun since the request.
      const tags = tree.tags.map(([name, value]) => [name, name === "GameId" ? freshId() : value]);
      await ask({ do: "keep", tree: { ...tree, tags } });
      emit("library");
    }
  } else {
    // A game that was removed is not stored again.
    if (match.id === id)
      Object.assign(match, answer.game ? { stored: answer.game, done: match.result !== null } : { id: "" });
    emit("library");
  }
  return answer;
}

/** @param {import("./tree.js").Node} node @param {number} parent */
const stored = ({ move, comment, glyphs }, parent) => ({ parent, move, ...filled({ comment, glyphs }) });

function tags() {
  const now = new Date();
  const today = [now.getFullYear(), now.getMonth() + 1, now.getDate()]
    .map((part) => String(part).padStart(2, "0"))
    .join(".");
  // A game that begins in the middle of another one does not inherit its event.
  const tags = new Map([...game.tree.tags].filter(([name]) => match.first === 0 || name === "Red" || name === "Black"));
  if (!tags.has("Date")) tags.set("Date", today);
  tags
    .set("GameId", match.id)
    .set("RedSeat", match.seats.red)
    .set("BlackSeat", match.seats.black)
    .set("Rules", game.rules);
  const { kind, base, increment, clock } = match;
  if (timed())
    tags.set("Clock", [kind, base.red, base.black, increment, ...[clock.red, clock.black].map(Math.round)].join(" "));
  return tags;
}

/**
 * Separates the tags that only this module uses from those of a game.
 * @param {any} packed @returns {Map<string, string>}
 */
export function takeTags(packed) {
  const own = new Map(packed.tags.filter(([name]) => OWN.includes(name)));
  packed.tags = packed.tags.filter(([name]) => !OWN.includes(name));
  return own;
}

/** Continues a game of the library. @param {any} packed @param {number} id its number */
export function continueGame(packed, id) {
  const own = takeTags(packed);
  const tree = Tree.unpack(packed);
  const node = tree.mainline().at(-1) ?? tree.root;
  const known = [...movesTo(node), "*"];
  // The game on the board may have more moves than the one in the list.
  if (match.active && match.node && match.id === own.get("GameId") && match.node.ply >= node.ply) {
    setMode("play");
    show(match.node);
    return;
  }
  open(tree, node);
  setRules(own.get("Rules") ?? settings.rules);
  const [kind, ...times] = (own.get("Clock") ?? "increment 0 0 0 0 0").split(" ");
  const [red, black, increment, redLeft, blackLeft] = times.map(Number);
  const seats = { red: own.get("RedSeat") ?? "human", black: own.get("BlackSeat") ?? "human" };
  const clock = { red: redLeft, black: blackLeft };
  const time = { kind, base: { red, black }, increment, clock };
  const identity = { id: own.get("GameId") ?? "", first: 0, stored: id, known };
  resume({ active: true, seats, ...time, result: null, paused: false, ...identity }, node);
  if (people() === 1) emit("turn-board", isHuman("red") ? "red" : "black");
  setMode("play");
  show(node);
}
