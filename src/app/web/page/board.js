// The board: lines, pieces, marks and arrows as SVG; pieces are moved by dragging, by two clicks or by touch.

import { s } from "./dom.js";
import { nameOf, pointsOf } from "./position.js";
import { draw, river, strokes } from "./pieces.js";

const STEP = 100;
const NEAR = 0.48 * STEP;
const FAR = 6; // minimum movement of a drag in pixels

/**
 * @typedef {object} Watcher
 * @property {(point: number) => number[]} targets targets of the piece on a point; empty if it must not be moved
 * @property {(from: number, to: number, dragged: boolean) => void} move
 * @property {(point: number) => void} [place] in the editor: a press on a point while no piece is being dragged
 * @property {() => boolean} [placing] in the editor: returns true if a press on any point places a piece
 * @property {(point: number) => void} [drop] in the editor: a piece was dragged off the board
 * @property {(point: number | null) => void} [selected]
 * @property {(from: number, to: number) => boolean} [warned] returns true if the referee warns of a move
 */

export class Board {
  /** @param {SVGSVGElement} svg @param {Watcher} watcher */
  constructor(svg, watcher) {
    this.svg = svg;
    this.watcher = watcher;
    this.pieces = Array(90).fill("");
    /** @type {(SVGGElement | null)[]} */
    this.nodes = Array(90).fill(null);
    this.flipped = false;
    /** @type {"traditional" | "simplified" | "pictograms"} */
    this.set = "traditional";
    this.coordinates = false;
    /** Allows any piece to move to any point, as in an editor. */
    this.free = false;
    /** @type {number | null} */
    this.selected = null;
    this.hand = null;
    /** Arrows and circles drawn by the user. @type {string[]} */
    this.drawn = [];
    this.layers = Object.fromEntries(
      ["ground", "labels", "marks", "pieces", "hints", "arrows", "own", "held"].map((name) => [
        name,
        s("g", { class: name }),
      ]),
    );
    svg.append(this.marker(), ...Object.values(this.layers));
    this.drawGround();
    svg.addEventListener("pointerdown", (event) => this.down(event));
    svg.addEventListener("pointermove", (event) => this.dragged(event));
    svg.addEventListener("pointerup", (event) => this.up(event));
    svg.addEventListener("pointercancel", () => this.release());
    svg.addEventListener("contextmenu", (event) => event.preventDefault());
  }

  /** @param {number} point @returns {[number, number]} */
  at(point) {
    const turned = this.flipped ? 89 - point : point;
    return [50 + STEP * (turned % 9), 50 + STEP * Math.floor(turned / 9)];
  }

  /** Returns the point under a pointer, or null. @param {{clientX: number, clientY: number}} event */
  under(event) {
    const [x, y] = this.place(event);
    const [file, rank] = [Math.round((x - 50) / STEP), Math.round((y - 50) / STEP)];
    if (file < 0 || file > 8 || rank < 0 || rank > 9) return null;
    if (Math.hypot(x - 50 - STEP * file, y - 50 - STEP * rank) > NEAR * 1.2) return null;
    return this.flipped ? 89 - (9 * rank + file) : 9 * rank + file;
  }

  /** @returns {[number, number]} the position of a pointer in the units of the picture */
  place(event) {
    const matrix = /** @type {DOMMatrix} */ (this.svg.getScreenCTM());
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
    return [point.x, point.y];
  }

  /**
   * Shows pieces. A moved piece slides to its point, unless it was dragged.
   * @param {string[]} pieces @param {{slide?: boolean}} [how]
   */
  setPieces(pieces, { slide = true } = {}) {
    // A response that changes no piece must not interrupt dragging.
    if (pieces.every((piece, point) => piece === this.pieces[point])) return;
    this.release();
    const gone = [];
    for (let point = 0; point < 90; point += 1) {
      if (this.nodes[point] && this.pieces[point] !== pieces[point]) gone.push(point);
    }
    const spare = gone.map((point) => ({ point, piece: this.pieces[point], node: this.nodes[point] }));
    gone.forEach((point) => (this.nodes[point] = null));
    for (let point = 0; point < 90; point += 1) {
      if (!pieces[point] || this.nodes[point]) continue;
      const index = spare.findIndex((old) => old.piece === pieces[point]);
      const node = /** @type {SVGGElement} */ (
        index >= 0 ? spare.splice(index, 1)[0].node : draw(pieces[point], this.set)
      );
      this.layers.pieces.append(node);
      this.put(node, point, slide && index >= 0);
      this.nodes[point] = node;
    }
    spare.forEach(({ node }) => node?.remove());
    this.pieces = pieces.slice();
    this.svg.dataset.pieces = pieces.map((piece) => piece || ".").join("");
  }

  /** Puts a piece on a point, to which it slides or jumps. */
  put(node, point, slide = true) {
    const [x, y] = this.at(point);
    node.classList.toggle("still", !slide);
    node.style.transform = `translate(${x}px, ${y}px)`;
    if (slide) return;
    // Applies the new place before the class that prevents sliding is removed.
    node.getBoundingClientRect();
    node.classList.remove("still");
  }

  /** Redraws everything, after the board was flipped or the pieces changed. */
  redraw() {
    const pieces = this.pieces;
    this.nodes.forEach((node) => node?.remove());
    this.nodes = Array(90).fill(null);
    this.pieces = Array(90).fill("");
    this.drawGround();
    this.setPieces(pieces, { slide: false });
    this.showOwn();
  }

  /** @param {{last?: string | null, check?: number | null, faults?: number[]}} marks */
  setMarks({ last = null, check = null, faults = [] }) {
    const corners = (point) => {
      const [x, y] = this.at(point);
      const path = [-1, 1].flatMap((right) =>
        [-1, 1].map((down) => `M${x + 47 * right} ${y + 30 * down}v${17 * down}h${-17 * right}`),
      );
      return s("path", { class: "corners", d: path.join("") });
    };
    const halo = (name) => (point) => {
      const [cx, cy] = this.at(point);
      return s("circle", { class: name, cx, cy, r: 49 });
    };
    this.layers.marks.replaceChildren(
      ...(last ? pointsOf(last).map(corners) : []),
      ...(check === null ? [] : [halo("check")(check)]),
      ...faults.map(halo("fault")),
    );
  }

  /** @param {number | null} point */
  select(point) {
    this.selected = point;
    const hints = [];
    if (point !== null) {
      const [cx, cy] = this.at(point);
      hints.push(s("circle", { class: "selected", cx, cy, r: 47 }));
      for (const target of this.free ? [] : this.watcher.targets(point)) {
        const [x, y] = this.at(target);
        const warned = this.watcher.warned?.(point, target) ? " warned" : "";
        hints.push(
          this.pieces[target]
            ? s("circle", { class: `takes${warned}`, cx: x, cy: y, r: 47 })
            : s("circle", { class: `dot${warned}`, cx: x, cy: y, r: 13 }),
        );
      }
    }
    this.layers.hints.replaceChildren(...hints);
    this.watcher.selected?.(point);
  }

  /** @param {number} point */
  press(point) {
    if (this.watcher.placing?.()) {
      this.select(null);
      this.watcher.place?.(point);
      return;
    }
    const from = this.selected;
    if (from !== null && from !== point && this.mayGo(from, point)) {
      this.select(null);
      this.watcher.move(from, point, false);
    } else if (from === point) {
      this.select(null);
    } else if (this.mayLift(point)) {
      this.select(point);
    } else {
      this.select(null);
      this.watcher.place?.(point);
    }
  }

  mayLift(point) {
    return this.pieces[point] !== "" && (this.free || this.watcher.targets(point).length > 0);
  }

  mayGo(from, to) {
    return this.free || this.watcher.targets(from).includes(to);
  }

  down(event) {
    const point = this.under(event);
    if (event.button === 2) {
      this.hand = { own: point };
      return;
    }
    if (event.button !== 0 || this.hand) return;
    this.wipeOwn();
    if (point === null) return this.select(null);
    event.preventDefault();
    const [x, y] = [event.clientX, event.clientY];
    if (
      this.mayLift(point) &&
      !(this.selected !== null && this.selected !== point && !this.free && this.mayGo(this.selected, point))
    ) {
      this.hand = { point, x, y, was: this.selected, lifted: false };
      this.svg.setPointerCapture?.(event.pointerId);
      if (this.selected !== point && !this.watcher.placing?.()) this.select(point);
    } else {
      this.press(point);
    }
  }

  dragged(event) {
    const hand = this.hand;
    if (!hand || hand.own !== undefined)
      return this.svg.classList.toggle("over", event.pointerType === "mouse" && this.mayLiftAt(event));
    const node = this.nodes[hand.point];
    if (!node) return;
    if (!hand.lifted && Math.hypot(event.clientX - hand.x, event.clientY - hand.y) < FAR) return;
    if (!hand.lifted) {
      hand.lifted = true;
      node.classList.add("lifted");
      this.layers.held.append(node);
    }
    const [x, y] = this.place(event);
    node.style.transform = `translate(${x}px, ${y}px)`;
  }

  mayLiftAt(event) {
    const point = this.under(event);
    return point !== null && (this.mayLift(point) || (this.selected !== null && this.mayGo(this.selected, point)));
  }

  up(event) {
    const hand = this.hand;
    this.hand = null;
    if (!hand) return;
    const point = this.under(event);
    if (hand.own !== undefined) {
      if (hand.own !== null && point !== null) this.drawOwn(hand.own, point);
      return;
    }
    const node = this.nodes[hand.point];
    if (!hand.lifted) {
      if (this.watcher.placing?.()) this.press(hand.point);
      else if (hand.was === hand.point) this.select(null);
      return;
    }
    node?.classList.remove("lifted");
    if (node) this.layers.pieces.append(node);
    if (point !== null && point !== hand.point && this.mayGo(hand.point, point)) {
      this.select(null);
      if (node) this.put(node, point, false);
      this.watcher.move(hand.point, point, true);
      return;
    }
    if (node) this.put(node, hand.point);
    if (point === hand.point) return;
    this.select(null);
    if (point === null) this.watcher.drop?.(hand.point);
  }

  /** Returns a dragged piece to its point. */
  release() {
    const hand = this.hand;
    this.hand = null;
    if (hand?.lifted) {
      const node = this.nodes[hand.point];
      node?.classList.remove("lifted");
      if (node) {
        this.layers.pieces.append(node);
        this.put(node, hand.point);
      }
    }
    if (this.selected !== null) this.select(null);
  }

  // Arrows

  marker() {
    const head = (name) =>
      s(
        "marker",
        {
          id: `head-${name}`,
          class: name,
          viewBox: "0 0 10 10",
          refX: 5,
          refY: 5,
          markerWidth: 3.1,
          markerHeight: 3.1,
          orient: "auto",
        },
        s("path", { d: "M0 0L10 5L0 10Z" }),
      );
    return s("defs", {}, ...["best", "good", "second", "own", "attack", "threat", "explored"].map(head));
  }

  /** @param {string} move @param {string} kind @param {number} [width] */
  arrow(move, kind, width = 15) {
    const [[x, y], [toX, toY]] = pointsOf(move).map((point) => this.at(point));
    const length = Math.hypot(toX - x, toY - y);
    if (length === 0) return s("circle", { class: `ring ${kind}`, cx: x, cy: y, r: 48 });
    const part = (length - 28) / length;
    const d = `M${x} ${y}L${x + (toX - x) * part} ${y + (toY - y) * part}`;
    return s("path", { class: `arrow ${kind}`, d, "stroke-width": width, "marker-end": `url(#head-${kind})` });
  }

  /** @param {{move: string, kind: string, width?: number, label?: string}[]} arrows */
  setArrows(arrows) {
    const labels = arrows.filter(({ label }) => label).map(({ move, label }) => this.label(move, label ?? ""));
    this.layers.arrows.replaceChildren(
      ...arrows.map(({ move, kind, width }) => this.arrow(move, kind, width)),
      ...labels,
    );
  }

  /** Returns a text at the end of a move, on the side it comes from. @param {string} move @param {string} text */
  label(move, text) {
    const [[x, y], [toX, toY]] = pointsOf(move).map((point) => this.at(point));
    const part = 1 - 34 / Math.max(34, Math.hypot(toX - x, toY - y));
    return s("text", { x: x + (toX - x) * part, y: y + (toY - y) * part + 8, class: "label" }, text);
  }

  drawOwn(from, to) {
    const mark = nameOf(from) + nameOf(to);
    this.drawn = this.drawn.includes(mark) ? this.drawn.filter((other) => other !== mark) : [...this.drawn, mark];
    this.showOwn();
  }

  wipeOwn() {
    this.drawn = [];
    this.showOwn();
  }

  showOwn() {
    this.layers.own.replaceChildren(...this.drawn.map((move) => this.arrow(move, "own")));
  }

  // The background

  drawGround() {
    const far = 850;
    let lines = "";
    for (let rank = 0; rank < 10; rank += 1) lines += `M50 ${50 + STEP * rank}H${far}`;
    for (let file = 1; file < 8; file += 1) lines += `M${50 + STEP * file} 50v400m0 100v400`;
    lines += "M50 50V950M850 50V950M350 50l200 200m0 -200l-200 200M350 750l200 200m0 -200l-200 200";
    let stars = "";
    const cannons = [[1, 2], [7, 2], [1, 7], [7, 7]];
    const pawns = [0, 2, 4, 6, 8].flatMap((file) => [[file, 3], [file, 6]]);
    for (const [file, rank] of [...cannons, ...pawns]) {
      for (const [right, down] of [[-1, -1], [-1, 1], [1, -1], [1, 1]]) {
        if ((file === 0 && right < 0) || (file === 8 && right > 0)) continue;
        stars += `M${50 + STEP * file + 8 * right} ${50 + STEP * rank + 24 * down}v${-16 * down}h${16 * right}`;
      }
    }
    const words = river(this.set).map((word, index) =>
      s("g", { transform: `translate(${[195, 305, 595, 705][index]} 500)` }, strokes(word, 52, "river")),
    );
    // Rank numbers have their own column beside the pieces.
    const edge = this.coordinates ? 36 : 0;
    this.svg.setAttribute("viewBox", `${-edge} -34 ${900 + edge} 1068`);
    this.svg.parentElement?.classList.toggle("with-ranks", this.coordinates);
    this.layers.ground.replaceChildren(
      s("rect", { class: "field", x: 2 - edge, y: -32, width: 896 + edge, height: 1064, rx: 14 }),
      s("rect", { class: "frame", x: 41, y: 41, width: 818, height: 918, rx: 3 }),
      s("path", { class: "lines", d: lines }),
      s("path", { class: "lines", d: stars }),
      ...words,
    );
    this.drawLabels();
  }

  drawLabels() {
    const labels = [];
    const text = (x, y, said) => labels.push(s("text", { x, y, class: "label" }, said));
    const chinese = "一二三四五六七八九";
    for (let column = 0; column < 9; column += 1) {
      const x = 50 + STEP * column;
      if (this.coordinates) {
        const letter = "abcdefghi"[this.flipped ? 8 - column : column];
        text(x, -13, letter);
        text(x, 1013, letter);
      } else {
        // Each side counts the files from its own right.
        const [near, far] = [8 - column, column];
        text(x, 1013, this.flipped ? String(near + 1) : chinese[near]);
        text(x, -13, this.flipped ? chinese[far] : String(far + 1));
      }
    }
    if (this.coordinates) {
      for (let row = 0; row < 10; row += 1) text(-14, 50 + STEP * row, String(this.flipped ? row : 9 - row));
    }
    this.layers.labels.replaceChildren(...labels);
  }
}
