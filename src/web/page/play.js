// Playing: who plays which side, clocks, takeback, hint, draw, resignation, and the end of the game. Two engines may play each other.

import { ask, connected, forget, refusal } from "./desk.js";
import { askOnce, get, h, show as showNodes } from "./dom.js";
import { engineOf, engineSeats, thinker } from "./engines.js";
import { emit, game, look, on, open, play as playMove, setMode, setRules, show, told, turn } from "./game.js";
import { nameOfMove } from "./moves.js";
import { other } from "./position.js";
import { change, notation, settings, watch } from "./settings.js";
import { sound } from "./sound.js";
import { Tree } from "./tree.js";
import { t } from "./words.js";

/** Between two engines a move is shown for at least so many milliseconds. */
const PACE = 500;

export const match = {
  active: false,
  /** Who plays: `human`, Chuhe's level, or the seat of another engine. @type {{red: string, black: string}} */
  seats: { red: "human", black: "3" },
  /** How time is given: `increment` after each move; `delay`, which each move has for free; `byoyomi` for each move when the time is up; `move`: only that. */
  kind: "increment",
  /** Milliseconds for the whole game, and for each move. */
  base: { red: 0, black: 0 }, increment: 0,
  clock: { red: 0, black: 0 },
  /** What the side to move had spent on its move when its clock was last read. */
  used: 0,
  /** The position that is played on. @type {import("./tree.js").Node | null} */
  node: null,
  /** @type {{winner: "red" | "black" | null, key: string, text: string} | null} */
  result: null,
  paused: false,
};

/** Levels as the engine tells them. @type {{level: number, elo: number}[]} */
let levels = [];

/** When the clock of the side to move was last read. @type {number | null} */
let since = null;
/** @type {number | null} */
let thinking = null;
/** @type {{move: string, kind: string}[]} */
let hinted = [];
/** What stopped the engine of another maker in mid-game. */
let trouble = "";

export const hint = () => (match.node === game.node ? hinted : []);
export const isHuman = (side) => match.seats[side] === "human";
/** What the one in a seat is called. @param {"red" | "black"} side */
export const seatName = (side) => (isHuman(side) ? t("you") : engineOf(match.seats[side]) || t("engineAt", { level: match.seats[side] }));
const people = () => ["red", "black"].filter(isHuman).length;
const running = () => match.active && !match.result && !match.paused;
/** Whether a match has had its first move and is not over. */
export const isPlayed = () => match.active && !match.result && Boolean(match.node?.parent);

export function setUpPlay() {
  const button = (id, work) => get(id).addEventListener("click", work);
  button("play-start", () => beginMatch());
  button("play-here", () => beginMatch(game.node));
  button("take-back", takeBack);
  button("hint", giveHint);
  button("offer-draw", offerDraw);
  askOnce(get("resign"), "reallyResign", "resign", resign);
  button("pause", () => pause(!match.paused));
  button("rematch", () => {
    if (people() === 1) match.seats = { red: match.seats.black, black: match.seats.red };
    beginMatch(null, match.seats);
  });
  for (const side of /** @type {const} */ (["red", "black"])) {
    get(`seat-${side}`).addEventListener("change", (event) => change(side, event.target.value));
  }
  for (const name of /** @type {const} */ (["minutes", "seconds", "minutesBlack"])) get(name).addEventListener("change", ({ target }) => setTime(name, target));
  get("clock-kind").addEventListener("change", (event) => change("clock", event.target.value));
  get("unequal").addEventListener("change", (event) => change("unequal", event.target.checked));
  watch((name) => ["clock", "unequal"].includes(name) && drawSeats());
  for (const draw of [drawSeats, drawPlay]) on("redraw", draw);
  on("played", ({ node }) => running() && game.mode === "play" && follow(node));
  on("look", () => {
    if (match.node === game.node) judge();
    drawPlay();
  });
  on("shown", () => {
    hinted = [];
    drawPlay();
  });
  on("mode", () => {
    // Back from an analysis: the game continues.
    if (game.mode === "play" && running() && match.node && game.node !== match.node) show(match.node);
    if (game.mode === "play") next();
    drawPlay();
  });
  // Another game is on the board, or the position that was played on has been deleted.
  const gone = () => match.node !== null && game.tree.nodes.get(match.node.id) !== match.node && leave();
  on("new", gone);
  on("tree", gone);
  setInterval(tick, 100);
}

/** Takes a time within its bounds, and says them if it was outside. @param {"minutes" | "seconds" | "minutesBlack"} name @param {HTMLInputElement} field */
function setTime(name, field) {
  const asked = field.valueAsNumber;
  change(name, Math.min(Number(field.max), Math.max(Number(field.min), asked || 0)));
  field.value = String(settings[name]);
  if (asked !== settings[name]) emit("trouble", t("timeBounds", { what: t(name), least: field.min, most: field.max }));
}

function leave() {
  stopThinking();
  Object.assign(match, { active: false, node: null, result: null });
  since = null;
  drawPlay();
}

/** A new game, from the start or from a node. @param {import("./tree.js").Node | null} [from] @param {{red: string, black: string}} [seats] */
export function beginMatch(from = null, seats = { red: settings.red, black: settings.black }) {
  stopThinking();
  if (!from) open(new Tree());
  match.seats = { ...seats };
  match.kind = settings.clock;
  match.increment = 1000 * settings.seconds;
  const red = match.kind === "move" ? 0 : 60_000 * settings.minutes;
  match.base = { red, black: settings.unequal && red > 0 ? 60_000 * settings.minutesBlack : red };
  Object.assign(match, { clock: { ...match.base }, used: 0, result: null, paused: false, active: true, node: null });
  since = null;
  namePlayers(game.tree);
  match.node = game.node;
  match.node.clock = { ...match.clock };
  setRules(settings.rules);
  if (people() === 1) emit("turn-board", isHuman("red") ? "red" : "black");
  setMode("play");
  get("new-game").open = false;
  scrollTo(0, 0); // on a phone the button lies below the board
  emit("kept");
  drawPlay();
  judge();
}

/** Whose names were given here, and which. @type {{ tree?: Tree, names: Map<string, string> }} */
const named = { names: new Map() };

/** @param {Tree} tree */
function namePlayers(tree) {
  named.tree = tree;
  for (const side of /** @type {const} */ (["red", "black"])) {
    // Two people at one board have names of their own.
    const name = people() === 2 ? "" : seatName(side);
    const tag = side === "red" ? "Red" : "Black";
    if (name) tree.tags.set(tag, name);
    named.names.set(tag, name);
  }
}

/** In another language the names that were given here have other words; those that someone has typed stay. */
function renamePlayers() {
  const { tree, names } = named;
  if (tree && [...names].every(([tag, name]) => tree.tags.get(tag) === name)) namePlayers(tree);
}

/** Takes up a game that was kept. @param {any} kept */
export function resume(kept, node) {
  Object.assign(match, { kind: "increment", used: 0 }, kept, { node });
  // Kept by an earlier version.
  if (typeof match.base === "number") match.base = { red: match.base, black: match.base };
  since = null;
  drawPlay();
  if (game.mode === "play") next();
}

/** Whether the user may move at the shown position. */
export function mayMove() {
  if (!match.active || match.result) return true;
  return game.node === match.node && isHuman(turn()) && !match.paused;
}

/** A move was made: clocks, then the other side. */
function follow(node) {
  if (node.parent !== match.node) return;
  charge();
  // The initial game begins with its first move.
  if (!game.tree.tags.has("Red")) namePlayers(game.tree);
  const mover = other(game.tree.turn(node));
  match.clock[mover] = keeps(mover, match.used) + (match.kind === "increment" ? match.increment : 0);
  match.used = 0;
  node.clock = { ...match.clock };
  match.node = node;
  hinted = [];
  since = null;
  emit("kept");
  drawPlay();
}

/** Once the engine has said how the game stands. */
function judge() {
  const { node } = match;
  if (!running() || !node?.look) return;
  const { verdict } = node.look;
  if (verdict.result !== "open") end(verdict.winner, "byRules", verdict.text);
  else next();
}

/** Starts the clock of the side to move, and the engine if it is its turn. */
async function next() {
  const { node } = match;
  if (!running() || !node || game.mode !== "play" || !connected()) return;
  since ??= performance.now();
  if (!node.look || thinking !== null) return;
  const side = game.tree.turn(node);
  if (isHuman(side)) return;
  const began = performance.now();
  // In byo-yomi the time is for this move alone, and comes again; before it, it is like an increment.
  const alone = match.kind === "move" || (match.kind === "byoyomi" && inByoyomi(side));
  const clock = timed() ? { red_ms: left("red"), black_ms: left("black"), ...(alone ? { moves: 1 } : { inc_ms: match.increment }) } : undefined;
  const engine = engineOf(match.seats[side]);
  const asked = ask({ do: "play", ...told(node), ...(engine ? thinker(engine) : { level: Number(match.seats[side]) }), clock });
  thinking = asked.id;
  drawPlay();
  const answer = await asked;
  if (thinking !== asked.id) return;
  const wait = (people() === 0 ? PACE : 150) - (performance.now() - began);
  if (wait > 0) await new Promise((done) => setTimeout(done, wait));
  if (thinking !== asked.id) return;
  thinking = null;
  if (!running() || match.node !== node) return;
  if (answer.is === "resigns") {
    end(other(side), side === "red" ? "redResigns" : "blackResigns");
    return;
  }
  if (answer.is !== "move") {
    if (engine && answer.code !== "connection_lost" && answer.code !== "stopped") {
      trouble = answer.text;
      pause(true);
      return;
    }
    if (!["connection_lost", "stopped", "game_over"].includes(answer.code)) emit("trouble", answer.text);
    drawPlay();
    return;
  }
  // The user may be looking at an earlier move: the view stays there.
  if (game.node === node) {
    playMove(answer.move, { names: answer.names, by: "engine" });
  } else {
    const child = game.tree.add(node, answer.move, answer.names);
    emit("tree");
    follow(child);
    await look(child);
    judge();
  }
}

function stopThinking() {
  if (thinking === null) return;
  forget(thinking);
  thinking = null;
  ask({ do: "stop" });
}

/** While there is no connection, clocks stop: no side can move. */
export function sleep() {
  charge();
  since = null;
  drawPlay();
}

/** After the connection is back. */
export function wake() {
  thinking = null;
  if (game.mode === "play") next();
}

// Clocks

/** Whether there are clocks. */
export const timed = () => (match.kind === "move" || match.kind === "byoyomi" ? match.increment > 0 : match.base.red > 0);

/** What a side has spent on the move that it is thinking about, in milliseconds. @param {"red" | "black"} side */
function spent(side) {
  if (!match.node || game.tree.turn(match.node) !== side) return 0;
  return match.used + (since !== null && running() ? performance.now() - since : 0);
}

/** What a side keeps of its time after a move that took so long. @param {"red" | "black"} side @param {number} time */
function keeps(side, time) {
  if (match.kind === "move") return 0;
  return Math.max(0, match.clock[side] - Math.max(0, time - (match.kind === "delay" ? match.increment : 0)));
}

/** Whether a side has only the time for its move left. @param {"red" | "black"} side */
export const inByoyomi = (side) => match.kind === "byoyomi" && spent(side) >= match.clock[side];

/** @param {"red" | "black"} side @returns {number} milliseconds */
export function left(side) {
  const time = spent(side);
  if (match.kind === "move" || inByoyomi(side)) return Math.max(0, Math.round(match.clock[side] + match.increment - time));
  return Math.round(keeps(side, time));
}

/** Takes note of the time that was spent. */
export function charge() {
  if (!match.node || since === null) return;
  match.used = spent(game.tree.turn(match.node));
  since = performance.now();
}

function tick() {
  if (!running() || !timed() || since === null || !match.node) return;
  const side = game.tree.turn(match.node);
  if (left(side) === 0) {
    end(other(side), side === "red" ? "redOnTime" : "blackOnTime");
  }
  emit("clock");
}

// What the players may do

function takeBack() {
  if (!match.active || !match.node?.parent) return;
  stopThinking();
  let to = match.node.parent;
  // Against the engine two plies are taken back, so that it is the user's turn again.
  if (people() === 1 && !isHuman(game.tree.turn(to)) && to.parent) to = to.parent;
  const gone = to.children.find((child) => [match.node, match.node?.parent].includes(child));
  if (gone) game.tree.remove(gone);
  match.result = null;
  game.tree.result = "*";
  match.node = to;
  match.clock = { ...(to.clock ?? match.clock) };
  match.used = 0;
  since = null;
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
  emit("said", t("hintSays", { move: answer.names[notation()] }));
}

async function offerDraw() {
  const { node } = match;
  if (!running() || !node) return;
  if (people() === 2) {
    end(null, "drawAgreed");
    return;
  }
  const answer = await ask({ do: "offer", ...told(node) });
  if (match.node !== node || !running()) return;
  if (answer.takes) end(null, "drawAgreed");
  else emit("trouble", answer.is === "error" ? answer.text : t("drawRefused"));
}

function resign() {
  if (!running() || !match.node) return;
  const side = people() === 1 ? (isHuman("red") ? "red" : "black") : game.tree.turn(match.node);
  end(other(side), side === "red" ? "redResigns" : "blackResigns");
}

function pause(wanted) {
  if (!match.active || match.result) return;
  if (wanted) {
    charge();
    stopThinking();
    since = null;
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
  since = null;
  hinted = [];
  emit("arrows");
  game.tree.result = winner === "red" ? "1-0" : winner === "black" ? "0-1" : "1/2-1/2";
  sound("end");
  emit("said", resultText());
  emit("kept");
  drawPlay();
}

/** How the game ended, as a sentence. */
function resultText() {
  if (!match.result) return "";
  const { winner, key, text } = match.result;
  return key === "byRules" ? text : `${t(key)}${winner ? t("winsToo", { side: t(winner) }) : ""}`;
}

// Drawing

/** @param {typeof levels} told */
export function setLevels(told) {
  levels = told;
  drawSeats();
}

/** Fills the seats' lists; after the greeting, and after a change of language. */
function drawSeats() {
  for (const side of /** @type {const} */ (["red", "black"])) {
    const list = get(`seat-${side}`);
    const options = levels.map(({ level, elo }) => h("option", { value: String(level) }, levelText(level, elo)));
    const others = engineSeats().map(({ seat, name }) => h("option", { value: seat }, name));
    list.replaceChildren(h("option", { value: "human" }, t("you")), ...options, ...others);
    list.value = settings[side];
    if (!list.value) list.value = side === "red" ? "human" : "3";
  }
  for (const name of ["minutes", "seconds", "minutesBlack"]) get(name).value = settings[name];
  get("clock-kind").value = settings.clock;
  get("unequal").checked = settings.unequal;
  const whole = settings.clock !== "move";
  showNodes(whole, ...document.querySelectorAll("[data-for=whole]"));
  showNodes(whole && settings.unequal, ...document.querySelectorAll("[data-for=unequal]"));
  renamePlayers();
}

/** A level with its Elo and what it is like. */
const levelText = (level, elo) => t("levelSays", { name: t("engineAt", { level }), elo, like: t(`level_${Math.ceil(level / 2)}`) });

function drawPlay() {
  const { result } = match;
  const live = running();
  showNodes(match.active && !result, get("play-live"));
  showNodes(result !== null && match.active, get("play-end"));
  get("result").textContent = resultText();
  const status = () => {
    if (refusal()) return refusal();
    if (!live || !match.node) return match.paused && match.active && !result ? (trouble ? t("enginePaused", { text: trouble }) : t("pausedNow")) : "";
    if (game.node !== match.node) return t("lookingBack", { move: nameOfMove(match.node) });
    if (thinking !== null) return t("thinking", { name: engineOf(match.seats[turn()]) || t("chuhe") });
    return isHuman(turn()) ? t("yourTurn", { side: t(turn()) }) : "";
  };
  get("play-status").textContent = status();
  get("take-back").disabled = !match.node?.parent;
  const mine = live && game.node === match.node && isHuman(turn());
  get("hint").disabled = !mine;
  // Other makers' engines can't be asked.
  get("offer-draw").disabled = !mine || ["red", "black"].some((side) => engineOf(match.seats[side]));
  showNodes(people() > 0, get("take-back"), get("hint"), get("offer-draw"), get("resign"));
  get("pause").textContent = t(match.paused ? "goOn" : "pause");
  emit("clock");
}
