// The board for keyboards and screen readers: a grid of 90 named points over the picture, one of which is
// reachable by Tab.

import { h } from "./dom.js";
import { nameOf, sideOf } from "./position.js";
import { pieceName, t } from "./words.js";

export class Grid {
  /** @param {HTMLElement} root @param {import("./board.js").Board} board */
  constructor(root, board) {
    this.root = root;
    this.board = board;
    /** The point that is reachable by Tab. */
    this.here = 85;
    /** @type {HTMLElement[]} */
    this.cells = Array.from({ length: 90 }, () => h("div", { role: "gridcell", tabindex: -1 }));
    for (let row = 0; row < 10; row += 1)
      root.append(h("div", { role: "row" }, ...this.cells.slice(9 * row, 9 * row + 9)));
    root.addEventListener("keydown", (event) => this.key(event));
    root.addEventListener("focusin", (event) => {
      const place = this.cells.indexOf(/** @type {HTMLElement} */ (event.target));
      if (place >= 0) this.here = this.pointAt(place);
    });
    root.addEventListener("click", (event) => {
      // Screen readers click the point that they read.
      const place = this.cells.indexOf(/** @type {HTMLElement} */ (event.target));
      if (place >= 0) this.choose(this.pointAt(place));
    });
  }

  pointAt(place) {
    return this.board.flipped ? 89 - place : place;
  }

  /** Updates the name of every point. */
  update() {
    const targets =
      this.board.selected === null || this.board.free ? [] : this.board.watcher.targets(this.board.selected);
    this.cells.forEach((cell, place) => {
      const point = this.pointAt(place);
      const piece = this.board.pieces[point];
      const parts = [nameOf(point), piece ? `${t(sideOf(piece))} ${pieceName(piece)}` : t("empty")];
      if (point === this.board.selected) parts.push(t("chosen"));
      if (targets.includes(point)) parts.push(t(piece ? "canTake" : "canGo"));
      const label = parts.join(t("comma"));
      if (cell.getAttribute("aria-label") !== label) cell.setAttribute("aria-label", label);
      cell.setAttribute("tabindex", point === this.here ? "0" : "-1");
      cell.ariaSelected = point === this.board.selected ? "true" : null;
    });
    this.root.setAttribute("aria-label", t("boardGrid"));
  }

  /** @param {number} point */
  focus(point) {
    this.here = point;
    this.update();
    this.cells[this.board.flipped ? 89 - point : point].focus();
  }

  choose(point) {
    this.here = point;
    this.board.press(point);
    this.update();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const place = this.board.flipped ? 89 - this.here : this.here;
    const [column, row] = [place % 9, Math.floor(place / 9)];
    const to = {
      ArrowLeft: column > 0 ? place - 1 : place,
      ArrowRight: column < 8 ? place + 1 : place,
      ArrowUp: row > 0 ? place - 9 : place,
      ArrowDown: row < 9 ? place + 9 : place,
      Home: 9 * row,
      End: 9 * row + 8,
    }[event.key];
    if (to !== undefined) this.focus(this.pointAt(to));
    else if (event.key === "Enter" || event.key === " ") this.choose(this.here);
    else if (event.key === "Escape" && this.board.selected !== null) {
      this.board.select(null);
      this.update();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
