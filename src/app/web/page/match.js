// The match that is played: who sits where, how time is given, what the clocks show.

import { engineOf } from "./engines.js";
import { game } from "./game.js";
import { t } from "./words.js";

export const match = {
  active: false,
  /** Who plays: `human`, Chuhe's level, or the seat of another engine. @type {{red: string, black: string}} */
  seats: { red: "human", black: "3" },
  /** How time is given: `increment` after each move; `delay`, which each move has for free; `byoyomi` for each move when the time is up; `move`: only that. */
  kind: "increment",
  /** Milliseconds for the whole game, and for each move. */
  base: { red: 0, black: 0 },
  increment: 0,
  clock: { red: 0, black: 0 },
  /** What the side to move had spent on its move when its clock was last read. */
  used: 0,
  /** The position that is played on. @type {import("./tree.js").Node | null} */
  node: null,
  /** @type {{winner: "red" | "black" | null, key: string, text: string} | null} */
  result: null,
  paused: false,
};

/** When the clock of the side to move was last read; null while no clock runs. @type {number | null} */
let since = null;

export const isHuman = (side) => match.seats[side] === "human";
/** What the one in a seat is called. @param {"red" | "black"} side */
export const seatName = (side) => (isHuman(side) ? t("you") : engineOf(match.seats[side]) || t("engineAt", { level: match.seats[side] }));
/** How many people play. */
export const people = () => ["red", "black"].filter(isHuman).length;
/** Whether the match goes on. */
export const running = () => match.active && !match.result && !match.paused;
/** Whether a match has had its first move and is not over. */
export const isPlayed = () => match.active && !match.result && Boolean(match.node?.parent);

/** Starts the clock of the side to move, unless it runs. */
export function startClock() {
  since ??= performance.now();
}

export function stopClock() {
  since = null;
}

/** Whether a clock runs. */
export const runs = () => running() && since !== null;

/** Whether there are clocks. */
export const timed = () => (match.kind === "move" || match.kind === "byoyomi" ? match.increment > 0 : match.base.red > 0);

/** What a side has spent on the move that it is thinking about, in milliseconds. @param {"red" | "black"} side */
function spent(side) {
  if (!match.node || game.tree.turn(match.node) !== side) return 0;
  return match.used + (since !== null && running() ? performance.now() - since : 0);
}

/** What a side keeps of its time after a move that took so long. @param {"red" | "black"} side @param {number} time */
export function keeps(side, time) {
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
