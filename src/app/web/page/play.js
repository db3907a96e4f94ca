// Playing: moves in turn, takeback, hint, draw, resignation, and the end of the game; also between two
// engines. `match.js` contains the players and the clocks.

import { ask, connected, forget, refusal } from "./desk.js";
import { askOnce, get, onClick, show as showNodes } from "./dom.js";
import { engineOf, thinker } from "./engines.js";
import { emit, game, on, open, play as playMove, requestReport, setMode, setRules, show, told, turn } from "./game.js";
import {
  charge, identify, inByoyomi, isHuman, keeps, left, match, people, running, runs,
  startClock, stopClock, timed,
} from "./match.js";
import { keepGame } from "./keeping.js";
import { nameOfMove } from "./moves.js";
import { other, startWith } from "./position.js";
import { giver, handicapText, namePlayers, setUpSeats } from "./seats.js";
import { change, notation, settings } from "./settings.js";
import { sound } from "./sound.js";
import { path, Tree } from "./tree.js";
import { t } from "./words.js";

/** Minimum duration of a move between two engines, in milliseconds. */
const PACE = 500;
/** Seat of the strongest level. */
const STRONGEST = "10";

/** @type {number | null} */
let thinking = null;
/** Number of the search on the user's time. @type {number | null} */
let pondering = null;
/** @type {{move: string, kind: string}[]} */
let hinted = [];
/** Reason why another engine ended during the game. */
let trouble = "";

export const hint = () => (match.node === game.node ? hinted : []);

export function setUpPlay() {
  onClick("play-start", () => beginMatch());
  onClick("play-here", () => beginMatch(game.node));
  onClick("take-back", takeBack);
  onClick("hint", giveHint);
  onClick("offer-draw", offerDraw);
  askOnce(get("resign"), "reallyResign", "resign", resign);
  onClick("pause", () => pause(!match.paused));
  onClick("rematch", () => {
    const { red, black } = match.seats;
    const isSwapped = people() === 1;
    change("red", isSwapped ? black : red);
    change("black", isSwapped ? red : black);
    beginMatch(null, match.handicap);
  });
  onClick("play-return", () => match.node && show(match.node));
  setUpSeats();
  on("redraw", drawPlay);
  on("played", ({ node }) => running() && game.mode === "play" && follow(node));
  on("reported", () => {
    if (match.node === game.node) endOrContinue();
    drawPlay();
  });
  on("shown", () => {
    hinted = [];
    drawPlay();
  });
  on("mode", () => {
    // The game continues after an analysis.
    if (game.mode === "play" && running() && match.node && game.node !== match.node) show(match.node);
    if (game.mode === "play") next();
    else if (game.mode === "analyse" || game.mode === "review") interrupt();
    else if (thinking === null) stopThinking();
    drawPlay();
  });
  // Another game is on the board, or the current position of the match has been deleted.
  const gone = () => match.node !== null && game.tree.nodes.get(match.node.id) !== match.node && leave();
  for (const name of /** @type {const} */ (["new", "tree"])) on(name, gone);
  setInterval(tick, 100);
}

/**
 * Handles the beginning of an analysis, which has already replaced the engine's search. The search for the
 * engine's move begins again when the game continues; until then, the engine's clock is stopped.
 */
function interrupt() {
  if (thinking !== null) {
    forget(thinking);
    charge();
    stopClock();
  }
  thinking = pondering = null;
}

function leave() {
  stopThinking();
  Object.assign(match, { active: false, node: null, result: null });
  stopClock();
  drawPlay();
}

/** Starts a new game, from the initial position or from a node. @param {import("./tree.js").Node | null} [from] */
export function beginMatch(from = null, handicap = from ? "none" : settings.handicap) {
  const seats = { red: settings.red, black: settings.black };
  stopThinking();
  keepGame();
  if (!from) open(new Tree(startWith(handicap, giver(seats))));
  const kind = settings.clock;
  const red = kind === "move" ? 0 : 60_000 * settings.minutes;
  const base = { red, black: settings.unequal && red > 0 ? 60_000 * settings.minutesBlack : red };
  const increment = 1000 * settings.seconds;
  Object.assign(match, { seats, handicap, kind, increment, base, clock: { ...base }, used: 0 });
  const isContinued = from !== null && from.children.length > 0;
  Object.assign(match, { result: null, paused: false, active: true, node: null, isContinued });
  identify(game.node.ply);
  stopClock();
  namePlayers(game.tree);
  if (handicap !== "none") game.tree.tags.set("Event", handicapText(handicap, seats));
  // The next game has no handicap, unless it is selected again.
  if (!from) change("handicap", "none");
  match.node = game.node;
  match.node.clock = { ...match.clock };
  setRules(settings.rules);
  if (people() === 1) emit("turn-board", isHuman("red") ? "red" : "black");
  setMode("play");
  get("new-game").open = false;
  scrollTo(0, 0); // on a phone the button is below the board
  emit("kept");
  drawPlay();
  endOrContinue();
}

/** @param {any} kept */
export function resume(kept, node) {
  Object.assign(
    match,
    { kind: "increment", used: 0, id: "", first: 0, stored: 0, done: false, known: null, handicap: "none" },
    { isContinued: false },
    kept,
    { node },
  );
  // This form was stored by earlier versions.
  if (typeof match.base === "number") match.base = { red: match.base, black: match.base };
  stopClock();
  drawPlay();
  if (game.mode === "play") next();
}

/** Returns true if the user may move in the displayed position. */
export function mayMove() {
  if (!match.active || match.result) return true;
  return game.node === match.node && isHuman(turn()) && !match.paused;
}

/** Returns true if the user is looking at an earlier position of the running game. */
export const isBehind = () => running() && game.mode === "play" && game.node !== match.node;

/** Handles a move: updates the clocks and changes the side to move. */
function follow(node) {
  if (node.parent !== match.node) return;
  charge();
  // The first game begins with its first move.
  if (!game.tree.tags.has("Red")) namePlayers(game.tree);
  const mover = other(game.tree.turn(node));
  match.clock[mover] = keeps(mover, match.used) + (match.kind === "increment" ? match.increment : 0);
  match.used = 0;
  node.clock = { ...match.clock };
  match.node = node;
  // Moves that were tried in an analysis remain as variations.
  game.tree.promote(node);
  emit("tree");
  hinted = [];
  stopClock();
  emit("kept");
  drawPlay();
}

/** Ends the game if the rules end it, and otherwise continues; called after the engine has reported its state. */
function endOrContinue() {
  const { node } = match;
  if (!running() || !node?.report) return;
  const { verdict } = node.report;
  if (verdict.result !== "open") end(verdict.winner, "byRules", verdict.text);
  else next();
}

/** Starts the clock of the side to move, and the engine if it is to move. */
async function next() {
  const { node } = match;
  if (!running() || !node || game.mode !== "play" || !connected()) return;
  startClock();
  if (!node.report || thinking !== null) return;
  const side = game.tree.turn(node);
  if (isHuman(side)) return ponder(node, match.seats[other(side)]);
  pondering = null;
  const answer = await requestMove(node, side);
  if (!answer || !running() || match.node !== node) return;
  if (answer.is === "move") playAnswer(node, answer);
  else if (answer.is === "resigns") end(other(side), `${side}Resigns`);
  else pauseOrReport(answer, engineOf(match.seats[side]));
}

/** Requests the engine's move. Resolves to null if the move is no longer needed. */
async function requestMove(node, side) {
  const began = performance.now();
  const engine = engineOf(match.seats[side]);
  // In byo-yomi the time applies to this move only and is renewed; during the main time it has the effect of
  // an increment.
  const alone = match.kind === "move" || (match.kind === "byoyomi" && inByoyomi(side));
  const increment = alone ? { moves: 1 } : { inc_ms: match.increment };
  const clock = timed() ? { red_ms: left("red"), black_ms: left("black"), ...increment } : undefined;
  const player = engine ? thinker(engine) : { level: Number(match.seats[side]) };
  const asked = ask({ do: "play", ...told(node), ...player, clock });
  thinking = asked.id;
  drawPlay();
  const answer = await asked;
  const wait = (people() === 0 ? PACE : 150) - (performance.now() - began);
  if (thinking === asked.id && wait > 0) await new Promise((done) => setTimeout(done, wait));
  if (thinking !== asked.id) return null;
  thinking = null;
  return answer;
}

/** Plays the engine's move. If the user is viewing an earlier move, the view does not change. */
async function playAnswer(node, { move, names }) {
  if (game.node === node) return playMove(move, { names, by: "engine" });
  const child = game.tree.add(node, move, names);
  follow(child);
  await requestReport(child);
  endOrContinue();
}

/** Handles a response without a move: the match pauses if another engine has failed. */
function pauseOrReport({ code, text }, engine) {
  if (engine && code !== "connection_lost" && code !== "stopped") {
    trouble = text;
    return pause(true);
  }
  if (!["connection_lost", "stopped", "game_over"].includes(code)) emit("trouble", text);
  drawPlay();
}

function stopThinking() {
  const running = thinking ?? pondering;
  if (running === null) return;
  forget(running);
  thinking = pondering = null;
  ask({ do: "stop" });
}

/**
 * Searches while the user thinks, so that the engine's next search finds results in its hash table. Weaker
 * levels don't search enough to benefit.
 * @param {import("./tree.js").Node} node @param {string} seat
 */
function ponder(node, seat) {
  const engine = engineOf(seat);
  if (!settings.ponder || pondering !== null || (!engine && seat !== STRONGEST)) return;
  pondering = ask({ do: "think", ...told(node), ...thinker(engine) }).id;
}

/** Stops the clocks while there is no connection, since neither side can move. */
export function sleep() {
  charge();
  stopClock();
  drawPlay();
}

export function wake() {
  thinking = null;
  if (game.mode === "play") next();
}

function tick() {
  if (!match.node || !runs() || !timed()) return;
  const side = game.tree.turn(match.node);
  if (left(side) === 0) end(other(side), `${side}OnTime`);
  emit("clock");
}

// Actions of the players

function takeBack() {
  if (!match.active || !match.node?.parent) return;
  stopThinking();
  let to = match.node.parent;
  // Against the engine two plies are taken back, so that the user is to move again.
  if (people() === 1 && !isHuman(game.tree.turn(to)) && to.parent) to = to.parent;
  const gone = to.children.find((child) => [match.node, match.node?.parent].includes(child));
  if (gone) game.tree.remove(gone);
  Object.assign(match, { result: null, done: false, node: to, clock: { ...(to.clock ?? match.clock) }, used: 0 });
  game.tree.result = "*";
  stopClock();
  emit("tree");
  show(to);
  emit("kept");
}

async function giveHint() {
  const { node } = match;
  if (!running() || !node || game.node !== node) return;
  const answer = await ask({ do: "hint", ...told(node) });
  if (game.node !== node || answer.is !== "hint") return;
  hinted = [{ move: answer.move, kind: "best" }];
  emit("arrows");
  emit("said", t("ofFile", { file: t("hint"), text: answer.names[notation()] }));
}

async function offerDraw() {
  const { node } = match;
  if (!running() || !node) return;
  if (people() === 2) return end(null, "drawAgreed");
  const answer = await ask({ do: "offer", ...told(node) });
  if (match.node !== node || !running()) return;
  if (answer.takes) end(null, "drawAgreed");
  else emit("trouble", answer.is === "error" ? answer.text : t("drawRefused"));
}

function resign() {
  if (!running() || !match.node) return;
  const side = people() === 1 ? (isHuman("red") ? "red" : "black") : game.tree.turn(match.node);
  end(other(side), `${side}Resigns`);
}

function pause(wanted) {
  if (!match.active || match.result) return;
  if (wanted) {
    charge();
    stopThinking();
    stopClock();
  }
  match.paused = wanted;
  if (!wanted) trouble = "";
  drawPlay();
  if (!wanted) next();
}

/** @param {"red" | "black" | null} winner @param {string} key @param {string} [text] */
function end(winner, key, text = "") {
  charge();
  stopThinking();
  match.result = { winner, key, text };
  stopClock();
  removeTries();
  hinted = [];
  emit("arrows");
  game.tree.result = winner === "red" ? "1-0" : winner === "black" ? "0-1" : "1/2-1/2";
  sound("end");
  emit("said", resultText());
  emit("kept");
  drawPlay();
}

/**
 * Removes the moves that were tried after the last one, which the record would contain as moves of the game. The
 * moves of a record from which the game began remain.
 */
function removeTries() {
  const { node } = match;
  if (!node || match.isContinued || node.children.length === 0) return;
  const isShown = game.node !== node && path(game.node).includes(node);
  for (const child of node.children) game.tree.remove(child);
  emit("tree");
  if (isShown) show(node);
}

function resultText() {
  if (!match.result) return "";
  const { winner, key, text } = match.result;
  return key === "byRules" ? text : `${t(key)}${winner ? t("winsToo", { side: t(winner) }) : ""}`;
}

// Drawing

function drawPlay() {
  const { result } = match;
  const live = running();
  showNodes(match.active && !result, get("play-live"));
  showNodes(result !== null && match.active, get("play-end"));
  get("result").textContent = resultText();
  const status = () => {
    if (refusal()) return refusal();
    if (!live || !match.node)
      return match.paused && match.active && !result
        ? trouble
          ? t("enginePaused", { text: trouble })
          : t("pausedNow")
        : "";
    if (isBehind()) return t("lookingBack", { move: nameOfMove(match.node) });
    if (thinking !== null) return t("thinking", { name: engineOf(match.seats[turn()]) || t("chuhe") });
    return isHuman(turn()) ? t("yourTurn", { side: t(turn()) }) : "";
  };
  get("play-status").textContent = status();
  showNodes(isBehind(), get("play-return"));
  get("take-back").disabled = !match.node?.parent;
  const mine = live && game.node === match.node && isHuman(turn());
  get("hint").disabled = !mine;
  // Other engines do not support draw offers.
  get("offer-draw").disabled = !mine || ["red", "black"].some((side) => engineOf(match.seats[side]));
  showNodes(people() > 0, get("take-back"), get("hint"), get("offer-draw"), get("resign"));
  get("pause").textContent = t(match.paused ? "goOn" : "pause");
  get("rematch").textContent = t(people() === 1 ? "rematchSwapped" : "rematch");
  emit("clock");
}
