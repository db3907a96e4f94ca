// The board: parses and writes the board part of a FEN, and moves pieces. This module contains no rules:
// legal moves, their names and their effects come from the engine.

/** Points are numbered from the top left: 0 is a9, 8 is i9, 81 is a0, 89 is i0. */
const FILES = "abcdefghi";

/**
 * Points of the pieces that Red removes for a handicap; nine pieces are the advisors, elephants and pawns.
 * @type {Record<string, string[]>}
 */
export const HANDICAPS = {
  none: [],
  horse: ["b0"],
  horses: ["b0", "h0"],
  rook: ["a0"],
  rookHorse: ["a0", "h0"],
  rooks: ["a0", "i0"],
  nine: ["c0", "d0", "f0", "g0", "a3", "c3", "e3", "g3", "i3"],
};

export const START = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";

export const FULL_SET = { K: 1, A: 2, B: 2, N: 2, R: 2, C: 2, P: 5, k: 1, a: 2, b: 2, n: 2, r: 2, c: 2, p: 5 };

/** @param {number} point @returns {string} its name, such as `e0` */
export const nameOf = (point) => FILES[point % 9] + (9 - Math.floor(point / 9));

/** @param {string} name @returns {number} */
export const pointOf = (name) => FILES.indexOf(name[0]) + 9 * (9 - Number(name[1]));

/** @param {string} move such as `h2e2` @returns {[number, number]} */
export const pointsOf = (move) => [pointOf(move.slice(0, 2)), pointOf(move.slice(2, 4))];

/** @param {string} piece @returns {"red" | "black"} */
export const sideOf = (piece) => (piece === piece.toUpperCase() ? "red" : "black");

/** @param {"red" | "black"} side */
export const other = (side) => (side === "red" ? "black" : "red");

/** Returns the pieces of a FEN: a letter for each point, or an empty string. @param {string} fen @returns {string[]} */
export function piecesOf(fen) {
  const pieces = [];
  for (const letter of fen.trim().split(/\s+/)[0]) {
    if (letter === "/") continue;
    const empty = Number(letter);
    if (empty > 0) pieces.push(...Array(empty).fill(""));
    else pieces.push(letter);
  }
  while (pieces.length < 90) pieces.push("");
  return pieces.slice(0, 90);
}

/** @param {string} fen @returns {"red" | "black"} */
export const turnOf = (fen) => (fen.trim().split(/\s+/)[1] === "b" ? "black" : "red");

/** Returns the FEN of a board and a side to move. @param {string[]} pieces @param {"red" | "black"} side */
export function fenOf(pieces, side) {
  const ranks = [];
  for (let rank = 0; rank < 10; rank += 1) {
    const letters = pieces.slice(9 * rank, 9 * rank + 9).map((piece) => piece || "1").join("");
    ranks.push(letters.replace(/1+/g, (empty) => String(empty.length)));
  }
  return `${ranks.join("/")} ${side === "red" ? "w" : "b"} - - 0 1`;
}

/** Returns the start of a game with a handicap. @param {string} kind @param {"red" | "black"} giver */
export function startWith(kind, giver) {
  if (!HANDICAPS[kind]?.length) return "startpos";
  const pieces = piecesOf(START);
  for (const point of HANDICAPS[kind].map(pointOf)) pieces[giver === "red" ? point : 89 - point] = "";
  return fenOf(pieces, "red");
}

/**
 * Returns the pieces after moves, which are made without checking legality.
 * @param {string[]} pieces @param {string[]} moves @returns {string[]}
 */
export function after(pieces, moves) {
  const next = pieces.slice();
  for (const move of moves) {
    const [from, to] = pointsOf(move);
    next[to] = next[from];
    next[from] = "";
  }
  return next;
}

/**
 * Returns the pieces that a side has lost compared with another board, most valuable first.
 * @param {string[]} before @param {string[]} now @param {"red" | "black"} side
 */
export function lost(before, now, side) {
  const letters = side === "red" ? "RCNBAPK" : "rcnbapk";
  const count = (pieces, letter) => pieces.filter((piece) => piece === letter).length;
  return [...letters].flatMap((letter) => Array(Math.max(0, count(before, letter) - count(now, letter))).fill(letter));
}
