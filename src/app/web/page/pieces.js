// The pieces, drawn from the engine's strokes, so that no font is needed. Red has a double ring and Black a
// single one, so that colour-blind users can distinguish them.

import { s } from "./dom.js";

/** @type {Map<string, string>} paths on a grid of 100 × 100 by character; pictograms by the letter of a kind */
const STROKES = new Map(await (await fetch("strokes.json")).json());

const FACES = {
  traditional: "帥仕相傌俥炮兵將士象馬車砲卒",
  simplified: "帅仕相马车炮兵将士象马车砲卒",
  pictograms: "KABNRCPKABNRCP",
};
const LETTERS = "KABNRCPkabnrcp";

/** Radius of a piece if lines are 100 apart. */
const RADIUS = 44;

/**
 * @param {string} face @param {number} size @param {string} name
 * @returns {SVGElement} strokes centred on the origin
 */
export function strokes(face, size, name) {
  const scale = size / 100;
  const half = (-50 * scale).toFixed(2);
  return s("path", { class: name, d: STROKES.get(face), transform: `translate(${half} ${half}) scale(${scale})` });
}

/**
 * Draws a piece centred on the origin.
 * @param {string} piece its letter @param {keyof FACES} set @returns {SVGGElement}
 */
export function draw(piece, set) {
  const red = piece === piece.toUpperCase();
  const rings = red ? [40.5, 36.5] : [38.5];
  return s(
    "g",
    { class: `piece ${red ? "red" : "black"}` },
    s("circle", { class: "shade", r: RADIUS, cx: 1.5, cy: 3 }),
    s("circle", { class: "disc", r: RADIUS }),
    ...rings.map((r) => s("circle", { class: red ? "ring" : "ring wide", r })),
    strokes(FACES[set][LETTERS.indexOf(piece)], set === "pictograms" ? 47 : 51, "face"),
  );
}

/** Returns a piece as a small picture. @param {string} piece @param {keyof FACES} set */
export const picture = (piece, set) =>
  s(
    "svg",
    { class: "small-piece", viewBox: "-48 -48 96 98", "aria-hidden": "true", focusable: "false" },
    draw(piece, set),
  );

/** @param {keyof FACES} set */
export const river = (set) => (set === "simplified" ? ["楚", "河", "汉", "界"] : ["楚", "河", "漢", "界"]);
