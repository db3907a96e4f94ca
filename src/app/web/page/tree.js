// A game as a tree: moves, variations, comments and glyphs. A node's first child continues the main line.

import { after, other, piecesOf, START, turnOf } from "./position.js";

/**
 * @typedef {{iccs: string, wxf: string, chinese: string}} Names
 * @typedef {object} Node
 * @property {number} id
 * @property {Node | null} parent
 * @property {number} ply number of moves from the root
 * @property {string} move such as `h2e2`; empty at the root
 * @property {Names | null} names
 * @property {string} comment
 * @property {number[]} glyphs as in PGN: 1 `!`, 2 `?`, 3 `!!`, 4 `??`, 5 `!?`, 6 `?!`
 * @property {Node[]} children
 * @property {string[]} pieces the board after the move
 * @property {any} report the engine's report on the position
 * @property {{red: number, black: number}} [clock] milliseconds left after the move, in a game with clocks
 * @property {{points: number, score: any, depth: number} | null} value the engine's evaluation; the points are Red's
 */

/**
 * Properties of all nodes. The board is computed on first use, because a tree may have hundreds of thousands
 * of nodes.
 */
const NODE = {
  /** @type {string[] | null} */
  board: null,
  parent: /** @type {any} */ (null),
  move: "",
  get pieces() {
    if (!this.board) {
      // Not recursive, since a line may have thousands of moves.
      const moves = [];
      let shown = /** @type {any} */ (this);
      for (; !shown.board; shown = shown.parent) moves.push(shown.move);
      this.board = after(shown.board, moves.reverse());
    }
    return this.board;
  },
};

export class Tree {
  /** @param {string} start a FEN, or `startpos` */
  constructor(start = "startpos") {
    this.start = start;
    this.fen = start === "startpos" ? START : start;
    this.next = 1;
    /** Tags such as the players and the event, in order. @type {Map<string, string>} */
    this.tags = new Map();
    this.result = "*";
    /**
     * Its game in a library of the server, and the text of that game.
     * @type {{mine: boolean, game: number, text: string} | null}
     */
    this.stored = null;
    /** @type {Map<number, Node>} */
    this.nodes = new Map();
    /** @type {Node} */
    this.root = this.make(null, "", null);
  }

  /** @returns {Node} */
  make(parent, move, names) {
    /** @type {any} */
    const node = Object.assign(Object.create(NODE), {
      id: this.next,
      parent,
      ply: parent ? parent.ply + 1 : 0,
      move,
      names,
      comment: "",
      glyphs: [],
      children: [],
      board: parent ? null : piecesOf(this.fen),
      report: null,
      value: null,
    });
    this.next += 1;
    this.nodes.set(node.id, node);
    return node;
  }

  /**
   * Returns the child with this move, and creates it if necessary.
   * @param {Node} node @param {string} move @param {Names | null} names @returns {Node}
   */
  add(node, move, names = null) {
    const known = node.children.find((child) => child.move === move);
    if (known) {
      known.names ??= names;
      return known;
    }
    const child = this.make(node, move, names);
    node.children.push(child);
    return child;
  }

  /** @param {Node} node */
  remove(node) {
    if (!node.parent) return;
    node.parent.children = node.parent.children.filter((child) => child !== node);
    for (const gone of walk(node)) this.nodes.delete(gone.id);
  }

  /**
   * Returns a function that restores the moves to a node, in their order, and the moves after it.
   * @param {Node} node
   */
  restorer(node) {
    const line = path(node);
    const lists = /** @type {{ parent: Node }[]} */ (line).map(({ parent }) => ({ parent, children: parent.children }));
    return () => {
      for (const { parent, children } of lists) {
        // Moves that have been removed since for another reason are not restored.
        const back = children.filter((child) => line.includes(child) || this.nodes.has(child.id));
        parent.children = [...back, ...parent.children.filter((child) => !back.includes(child))];
      }
      for (const back of [...path(node), ...walk(node)]) this.nodes.set(back.id, back);
    };
  }

  /** Returns the moves, variations, comments and glyphs as text, for comparisons. */
  get text() {
    const { comment, nodes } = this.pack();
    return JSON.stringify([comment, nodes.map(({ parent, move, comment, glyphs }) => [parent, move, comment, glyphs])]);
  }

  /** Makes the line to a node the main line. @param {Node} node */
  promote(node) {
    for (let at = node; at.parent; at = at.parent) {
      const { children } = at.parent;
      if (children[0] !== at) at.parent.children = [at, ...children.filter((child) => child !== at)];
    }
  }

  /** @param {Node} node @returns {"red" | "black"} */
  turn(node) {
    const first = turnOf(this.fen);
    return node.ply % 2 === 0 ? first : other(first);
  }

  /** Returns the number of plies before the first move, from the FEN's move number; odd if Black moves first. */
  get offset() {
    const number = Math.max(1, Number(this.fen.split(/\s+/)[5]) || 1);
    return 2 * (number - 1) + (turnOf(this.fen) === "black" ? 1 : 0);
  }

  /** @param {Node} [from] @returns {Node[]} without `from` itself */
  mainline(from = this.root) {
    const line = [];
    for (let node = from; node.children.length > 0; node = node.children[0]) line.push(node.children[0]);
    return line;
  }

  /**
   * Returns the tree as a flat list, the engine's format: each node contains the number of its parent, 0 for
   * the start.
   */
  pack() {
    const numbers = new Map([[this.root, 0]]);
    const nodes = [];
    for (const node of walk(this.root)) {
      if (!node.parent) continue;
      const { names, move, comment, glyphs, value } = node;
      nodes.push({ parent: numbers.get(node.parent), move, ...filled({ names, comment, glyphs, value }) });
      numbers.set(node, nodes.length);
    }
    const { comment, value } = this.root;
    return {
      start: this.start,
      tags: [...this.tags],
      result: this.result,
      ...filled({ stored: this.stored, comment, value }),
      nodes,
    };
  }

  /** @param {any} packed @returns {Tree} */
  static unpack(packed) {
    const tree = new Tree(packed.start ?? "startpos");
    tree.tags = new Map(packed.tags ?? []);
    tree.result = packed.result ?? "*";
    tree.stored = packed.stored ?? null;
    tree.root.comment = packed.comment ?? "";
    tree.root.value = packed.value ?? null;
    const nodes = [tree.root];
    for (const kept of packed.nodes ?? []) {
      const node = tree.add(nodes[kept.parent], kept.move, kept.names ?? null);
      node.comment = kept.comment ?? "";
      node.glyphs = kept.glyphs ?? [];
      node.value = kept.value ?? null;
      nodes.push(node);
    }
    return tree;
  }
}

/** Returns the fields that are not empty. @param {Record<string, any>} fields @returns {any} */
export const filled = (fields) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value && value.length !== 0));

/** @param {Node} node @returns {Node[]} */
export function path(node) {
  const nodes = [];
  for (let at = node; at.parent; at = at.parent) nodes.push(at);
  return nodes.reverse();
}

/** @param {Node} node */
export const movesTo = (node) => path(node).map((step) => step.move);

/** @param {Node} node @returns {Generator<Node>} */
function* walk(node) {
  const stack = [node];
  while (stack.length > 0) {
    const at = /** @type {Node} */ (stack.pop());
    yield at;
    // The main line precedes the variations.
    stack.push(...at.children.slice().reverse());
  }
}
