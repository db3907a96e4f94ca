// The game on the board: its tree, the displayed position, and the engine's information about it. All other
// modules listen to its events.

import { ask } from "./desk.js";
import { nameOf, pointOf } from "./position.js";
import { settings } from "./settings.js";
import { movesTo, Tree } from "./tree.js";

/** @typedef {import("./tree.js").Node} Node */

export const MODES = /** @type {const} */ (["play", "analyse", "review", "puzzles", "edit", "library"]);
/** @typedef {typeof MODES[number]} Mode */

/**
 * Events, each with its detail.
 * @typedef {object} Events
 * @property {{slide?: boolean, sound?: boolean, by?: string}} shown another position is displayed, with the
 *   way in which it is shown
 * @property {void} reported the engine has reported the state of the displayed position
 * @property {any} refused the engine has refused to do so, with the reason
 * @property {void} tree moves, comments or glyphs have changed
 * @property {void} leaving another game is about to replace this one
 * @property {void} new another game is on the board
 * @property {void} noted the error of its record has changed
 * @property {{node: Node, by: string}} played a move was made on the board, with its origin
 * @property {void} rules the rule set has changed
 * @property {Mode | ""} mode the mode has changed; the previous mode
 * @property {"play" | "analyse"} set-up a position was set up for this mode
 * @property {void} edited the editor's board has changed
 * @property {void} kept stored data of the match or the board has changed
 * @property {void} clock a clock has changed
 * @property {void} analysis analysis was switched on or off
 * @property {void} engines engines were added or removed
 * @property {void} analysts the engines used for analysis or their options have changed
 * @property {void} value the value of a position has changed
 * @property {void} arrows the arrows on the board have changed
 * @property {void} secret an exercise has hidden or revealed the best move
 * @property {string} try the board shows this move without playing it
 * @property {"red" | "black"} turn-board this side is at the bottom
 * @property {void} library games of a library were added or changed
 * @property {void} explored analyses were added to the position database
 * @property {void} found games of a library were found
 * @property {void} chosen another game of the list was chosen
 * @property {any} greeted the engine has accepted the page, with its greeting; `library` and `mine` are null
 *   without a library
 * @property {void} redraw all text and pieces must be redrawn, as after a change of language
 * @property {string} said text for screen readers
 * @property {string} trouble an error
 */

/** @type {Map<keyof Events, Set<(detail: any) => void>>} */
const hearers = new Map();

/** @template {keyof Events} Name @param {Name} name @param {(detail: Events[Name]) => void} hearer */
export function on(name, hearer) {
  if (!hearers.has(name)) hearers.set(name, new Set());
  hearers.get(name)?.add(hearer);
}

/**
 * Emits an event.
 * @template {keyof Events} Name @param {Name} name
 * @param {Events[Name] extends void ? [] : [Events[Name]]} detail
 */
export const emit = (name, ...detail) => hearers.get(name)?.forEach((hearer) => hearer(detail[0]));

export const game = {
  tree: new Tree(),
  /** @type {Node} */
  node: /** @type {any} */ (null),
  rules: settings.rules,
  /** @type {Mode} */
  mode: "play",
  /** True while an exercise waits for an answer, which must not be revealed. */
  secret: false,
  /** True while a review or the mate solver runs, which another search would end. */
  busy: false,
  /** Error of the record from which the game was read; empty if there is none. */
  note: "",
};
game.node = game.tree.root;

/** Returns the fields of a message that describe the game. @param {Node} [node] */
export const told = (node = game.node) => ({ start: game.tree.start, moves: movesTo(node), rules: game.rules });

/** Returns the side to move in the displayed position. */
export const turn = () => game.tree.turn(game.node);

/** Returns the targets of the piece on a point; empty until the engine has reported them. @param {number} point */
export function targets(point) {
  const from = nameOf(point);
  const legal = game.node.report?.legal ?? [];
  return legal.filter((move) => move.startsWith(from)).map((move) => pointOf(move.slice(2)));
}

/** Returns true if the displayed position ends the game by the rules. @param {Node} [node] */
export const isOver = (node = game.node) => node.report !== null && node.report.verdict.result !== "open";

/**
 * Returns true if the engine can search the displayed position: a game that is over by the rules of
 * repetition is analysed as if it began there.
 */
export const hasMoves = () => game.node.report?.legal.length > 0;

/** Displays a position. @param {Node} node @param {{slide?: boolean, sound?: boolean, by?: string}} [how] */
export function show(node, how = {}) {
  game.node = node;
  emit("shown", how);
  requestReport(node);
}

/** @param {Tree} tree @param {Node} [node] */
export function open(tree, node = tree.root) {
  emit("leaving");
  game.tree = tree;
  game.node = node;
  emit("new");
  emit("tree");
  show(node, { slide: false });
}

/** @param {Node} node @returns {Promise<any>} */
export async function requestReport(node) {
  const { rules, tree } = game;
  const { language } = settings;
  if (node.report?.rules === rules && node.report?.language === language) {
    if (game.node === node) emit("reported");
    return node.report;
  }
  const answer = await ask({ do: "look", ...told(node) });
  if (game.tree !== tree || game.rules !== rules) return node.report;
  if (answer.is !== "position") {
    if (game.node === node) emit("refused", answer);
    return node.report;
  }
  node.report = { ...answer, rules, language };
  if (answer.last) {
    const unnamed = node.names === null;
    node.names = answer.last.names;
    if (unnamed) emit("tree");
  }
  if (game.node === node) emit("reported");
  return node.report;
}

/**
 * Plays a legal move in the displayed position.
 * @param {string} move @param {{slide?: boolean, names?: any, by?: string}} [how]
 */
export function play(move, how = {}) {
  const node = game.tree.add(game.node, move, how.names ?? null);
  emit("tree");
  show(node, { sound: true, ...how });
  emit("played", { node, by: how.by ?? "user" });
  return node;
}

/** Adds a line after a node without displaying it. @param {Node} from @param {string[]} moves @param {any} names */
export function addLine(from, moves, names) {
  let node = from;
  moves.forEach((move, index) => {
    const all = names && { iccs: names.iccs[index], wxf: names.wxf[index], chinese: names.chinese[index] };
    node = game.tree.add(node, move, all);
  });
  emit("tree");
  return node;
}

/** @param {Node} from @param {any[]} nodes from `Tree.pack` */
export function addTree(from, nodes) {
  const made = [from];
  for (const { parent, move, names } of nodes) made.push(game.tree.add(made[parent], move, names ?? null));
  emit("tree");
}

/** @param {"back" | "next" | "first" | "last" | "up" | "down"} where */
export function step(where) {
  const { node, tree } = game;
  const siblings = node.parent?.children ?? [node];
  const place = siblings.indexOf(node);
  const to = {
    back: () => node.parent,
    next: () => node.children[0],
    first: () => tree.root,
    last: () => tree.mainline(node).at(-1),
    up: () => siblings[place - 1],
    down: () => siblings[place + 1],
  }[where]();
  if (to) show(to, { sound: where === "next" });
}

/** @param {string} rules */
export function setRules(rules) {
  game.rules = rules;
  emit("rules");
  requestReport(game.node);
}

/** @param {Mode} mode */
export function setMode(mode) {
  if (game.mode === mode) return;
  const left = game.mode;
  game.mode = mode;
  emit("mode", left);
}
