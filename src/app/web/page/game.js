// The game on the board: its tree, the position that is shown, and what the engine says of it. Everything else listens here.

import { ask } from "./desk.js";
import { nameOf, pointOf } from "./position.js";
import { settings } from "./settings.js";
import { movesTo, Tree } from "./tree.js";

/** @typedef {import("./tree.js").Node} Node */

/** What the page is for at the moment. */
export const MODES = /** @type {const} */ (["play", "analyse", "review", "puzzles", "edit", "library"]);
/** @typedef {typeof MODES[number]} Mode */

/**
 * What can be heard, each with what is told of it.
 * @typedef {object} Events
 * @property {{slide?: boolean, sound?: boolean, by?: string}} shown another position is shown, and how
 * @property {void} look the engine has said how the shown position stands
 * @property {any} refused it will not say, and why
 * @property {void} tree moves, comments or glyphs have changed
 * @property {void} leaving another game is about to be on the board
 * @property {void} new another game is on the board
 * @property {void} noted what is wrong with its record has changed
 * @property {{node: Node, by: string}} played a move was made on the board, by whom
 * @property {void} rules another rule set holds
 * @property {Mode | ""} mode another mode, and the one that was left
 * @property {"play" | "analyse"} set-up a position was set up for this
 * @property {void} edited the editor's board has changed
 * @property {void} kept something of the match or the board that is kept has changed
 * @property {void} clock a clock has moved
 * @property {void} analysis it was switched on or off
 * @property {void} analysts other engines analyse, or with other options
 * @property {void} value the value of a position is known better
 * @property {void} arrows other arrows are on the board
 * @property {void} secret a lesson begins or ends to hide what is best
 * @property {string} try the board shows this move, which is not played
 * @property {"red" | "black"} turn-board this side sits below
 * @property {void} library games were added to the library
 * @property {void} redraw everything that has words or pieces is to be drawn again, as after a change of language
 * @property {string} said something that a listener should hear
 * @property {string} trouble something that failed
 */

/** @type {Map<keyof Events, Set<(detail: any) => void>>} */
const hearers = new Map();

/** Hears of something. @template {keyof Events} Name @param {Name} name @param {(detail: Events[Name]) => void} hearer */
export function on(name, hearer) {
  if (!hearers.has(name)) hearers.set(name, new Set());
  hearers.get(name)?.add(hearer);
}

/**
 * Tells of something.
 * @template {keyof Events} Name @param {Name} name @param {Events[Name] extends void ? [] : [Events[Name]]} detail
 */
export const emit = (name, ...detail) => hearers.get(name)?.forEach((hearer) => hearer(detail[0]));

export const game = {
  tree: new Tree(),
  /** @type {Node} */
  node: /** @type {any} */ (null),
  rules: settings.rules,
  /** @type {Mode} */
  mode: "play",
  /** Whether a lesson asks, so that nothing may tell the answer. */
  secret: false,
  /** Whether a review runs, which another search would end. */
  reviewing: false,
  /** What is wrong with the record that the game was read from; empty if nothing is. */
  note: "",
};
game.node = game.tree.root;

/** The fields of a message that tell a game. @param {Node} [node] */
export const told = (node = game.node) => ({ start: game.tree.start, moves: movesTo(node), rules: game.rules });

/** Whose turn it is at the shown position. */
export const turn = () => game.tree.turn(game.node);

/** Where a piece on a point may go; empty while the engine has not said. @param {number} point */
export function targets(point) {
  const from = nameOf(point);
  const legal = game.node.look?.legal ?? [];
  return legal.filter((move) => move.startsWith(from)).map((move) => pointOf(move.slice(2)));
}

/** Whether the shown position ends the game by the rules. @param {Node} [node] */
export const isOver = (node = game.node) => node.look !== null && node.look.verdict.result !== "open";

/** Whether the engine can look for a move at the shown position: a game that is over by the rules of repetition is analysed as if it began there. */
export const hasMoves = () => game.node.look?.legal.length > 0;

/** Shows a position. @param {Node} node @param {{slide?: boolean, sound?: boolean, by?: string}} [how] */
export function show(node, how = {}) {
  game.node = node;
  emit("shown", how);
  look(node);
}

/** Puts another game on the board. @param {Tree} tree @param {Node} [node] */
export function open(tree, node = tree.root) {
  emit("leaving");
  game.tree = tree;
  game.node = node;
  emit("new");
  emit("tree");
  show(node, { slide: false });
}

/** Asks how a position stands, once. @param {Node} node @returns {Promise<any>} */
export async function look(node) {
  const { rules, tree } = game;
  const { language } = settings;
  if (node.look?.rules === rules && node.look?.language === language) {
    if (game.node === node) emit("look");
    return node.look;
  }
  const answer = await ask({ do: "look", ...told(node) });
  if (game.tree !== tree || game.rules !== rules) return node.look;
  if (answer.is !== "position") {
    if (game.node === node) emit("refused", answer);
    return node.look;
  }
  node.look = { ...answer, rules, language };
  if (answer.last) {
    const unnamed = node.names === null;
    node.names = answer.last.names;
    if (unnamed) emit("tree");
  }
  if (game.node === node) emit("look");
  return node.look;
}

/**
 * Plays a legal move from the shown position.
 * @param {string} move @param {{slide?: boolean, names?: any, by?: string}} [how]
 */
export function play(move, how = {}) {
  const node = game.tree.add(game.node, move, how.names ?? null);
  emit("tree");
  show(node, { sound: true, ...how });
  emit("played", { node, by: how.by ?? "user" });
  return node;
}

/** Adds a line behind a node without showing it. @param {Node} from @param {string[]} moves @param {any} names */
export function addLine(from, moves, names) {
  let node = from;
  moves.forEach((move, index) => {
    const all = names && { iccs: names.iccs[index], wxf: names.wxf[index], chinese: names.chinese[index] };
    node = game.tree.add(node, move, all);
  });
  emit("tree");
  return node;
}

/** Adds a packed tree behind a node. @param {Node} from @param {any[]} nodes as `Tree.pack` makes them */
export function addTree(from, nodes) {
  const made = [from];
  for (const { parent, move, names } of nodes) made.push(game.tree.add(made[parent], move, names ?? null));
  emit("tree");
}

/** Steps along the line that is shown. @param {"back" | "next" | "first" | "last" | "up" | "down"} where */
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

/** Another rule set. @param {string} rules */
export function setRules(rules) {
  game.rules = rules;
  emit("rules");
  look(game.node);
}

/** @param {Mode} mode */
export function setMode(mode) {
  if (game.mode === mode) return;
  const left = game.mode;
  game.mode = mode;
  emit("mode", left);
}
