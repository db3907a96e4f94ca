// The current match: players, time control and clocks.

import { engineOf } from "./engines.js";
import { game } from "./game.js";
import { t } from "./words.js";

export const match = {
  active: false,
  /** Players: `human`, Chuhe's level, or another engine. @type {{red: string, black: string}} */
  seats: { red: "human", black: "3" },
  /**
   * Time control: `increment` after each move; `delay`, a free time for each move; `byoyomi`, a time for each
   * move after the main time; `move`, only a time per move.
   */
  kind: "increment",
  /** Time for the whole game, and for each move, in milliseconds. */
  base: { red: 0, black: 0 },
  increment: 0,
  clock: { red: 0, black: 0 },
  /** Time spent by the side to move on its current move when its clock was last read. */
  used: 0,
  /** The position in which the next move will be played. @type {import("./tree.js").Node | null} */
  node: null,
  /** @type {{winner: "red" | "black" | null, key: string, text: string} | null} */
  result: null,
  paused: false,
  /** Identifies the match among the stored games; empty if it is not to be stored. */
  id: "",
  /** Number of plies before its first move. */
  first: 0,
  /** Its number in the library, and whether it was stored with its result. */
  stored: 0,
  done: false,
  /**
   * Moves and result of the version in the library that this page last stored or read; null if unknown.
   * @type {string[] | null}
   */
  known: [],
  /** True if it began at a position of a record with further moves. */
  isContinued: false,
  /** Name of the handicap. */
  handicap: "none",
};

export const freshId = () => [...crypto.getRandomValues(new Uint32Array(3))].map((part) => part.toString(36)).join("");

/** Gives the match a new identity. @param {number} first number of plies before its first move */
export function identify(first) {
  Object.assign(match, { id: freshId(), first, stored: 0, done: false, known: [] });
}

/** Time at which the clock of the side to move was last read; null while no clock is running. @type {number | null} */
let since = null;

export const isHuman = (side) => match.seats[side] === "human";
/** @param {"red" | "black"} side */
export const seatName = (side) =>
  isHuman(side) ? t("you") : engineOf(match.seats[side]) || t("engineAt", { level: match.seats[side] });
export const people = () => ["red", "black"].filter(isHuman).length;
export const running = () => match.active && !match.result && !match.paused;
/** Returns true if the match has begun and is not over. */
export const isPlayed = () => match.active && !match.result && Boolean(match.node?.parent);

/** Starts the clock of the side to move, unless it is running. */
export const startClock = () => void (since ??= performance.now());
export const stopClock = () => void (since = null);

export const runs = () => running() && since !== null;

export const timed = () =>
  match.kind === "move" || match.kind === "byoyomi" ? match.increment > 0 : match.base.red > 0;

/** Returns the time spent by a side on its current move, in milliseconds. @param {"red" | "black"} side */
function spent(side) {
  if (!match.node || game.tree.turn(match.node) !== side) return 0;
  return match.used + (since !== null && running() ? performance.now() - since : 0);
}

/**
 * Returns the remaining time of a side after a move that took `time`.
 * @param {"red" | "black"} side @param {number} time
 */
export function keeps(side, time) {
  if (match.kind === "move") return 0;
  return Math.max(0, match.clock[side] - Math.max(0, time - (match.kind === "delay" ? match.increment : 0)));
}

/** Returns true if a side has only the time for its current move left. @param {"red" | "black"} side */
export const inByoyomi = (side) => match.kind === "byoyomi" && spent(side) >= match.clock[side];

/** @param {"red" | "black"} side @returns {number} milliseconds */
export function left(side) {
  const time = spent(side);
  if (match.kind === "move" || inByoyomi(side))
    return Math.max(0, Math.round(match.clock[side] + match.increment - time));
  return Math.round(keeps(side, time));
}

/** Updates the clocks with the time spent. */
export function charge() {
  if (!match.node || since === null) return;
  match.used = spent(game.tree.turn(match.node));
  since = performance.now();
}
