"use strict";
// Steps through the game by buttons, arrow keys, the move list and the graph. Without this script, the report
// shows everything except the board.
{
  const moves = [...document.querySelectorAll("ol.moves [data-places]")];
  /** For each move the number of the previous one: 0 for the start, otherwise from 1. */
  const parents = moves.map((move, index) => Number(move.dataset.parent ?? index));
  const after = (ply) => parents.indexOf(ply) + 1;
  const start = document.querySelector("#board");
  const boards = [start.dataset.places, ...moves.map((move) => move.dataset.places)];
  const pieces = document.querySelector("#pieces");
  const said = document.querySelector("#said");
  const now = document.querySelector("#now");
  // Centre of a square, with the dimensions of `src/engine/picture/svg.rs`.
  const centre = (square) => [66 + 60 * (square % 9), 66 + 60 * Math.floor(square / 9)];
  /** Plies of the judged moves. */
  const judged = moves.flatMap((move, index) => (move.dataset.judged ? [index + 1] : []));
  let ply = 0;
  let flipped = false;

  const turned = (square) => (flipped ? 89 - square : square);
  const put = (name, attributes) => {
    const node = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
    pieces.append(node);
  };

  const show = (wanted) => {
    ply = Math.max(0, Math.min(moves.length, wanted));
    pieces.replaceChildren();
    const move = moves[ply - 1];
    if (move) {
      for (const [name, square] of [["from", move.dataset.from], ["to", move.dataset.to]]) {
        const [x, y] = centre(turned(Number(square)));
        put("rect", { class: name, x: x - 29, y: y - 29, width: 58, height: 58, rx: 6 });
      }
    }
    [...boards[ply]].forEach((piece, square) => {
      if (piece === ".") return;
      const [x, y] = centre(turned(square));
      put("use", { href: `#piece-${piece}`, x, y });
    });
    moves.forEach((other) => other.classList.toggle("here", other === move));
    if (move) {
      const list = move.closest("ol");
      list.scrollTop = move.offsetTop - list.offsetTop - list.clientHeight / 2;
    }
    said.textContent = move ? `${[move.textContent.trim(), move.dataset.said].filter(Boolean).join(" · ")}` : said.dataset.start;
    now?.setAttribute("x1", ply);
    now?.setAttribute("x2", ply);
  };

  const steps = {
    first: () => show(0),
    back: () => show(parents[ply - 1] ?? 0),
    next: () => show(after(ply) || ply),
    last: () => {
      while (after(ply)) ply = after(ply);
      show(ply);
    },
    judged: () => show(judged.find((later) => later > ply) ?? judged[0] ?? ply),
    flip: () => {
      flipped = !flipped;
      show(ply);
    },
  };
  const keys = { ArrowLeft: "back", ArrowRight: "next", Home: "first", End: "last", f: "flip", n: "judged" };

  document.documentElement.classList.add("js");
  for (const button of document.querySelectorAll("button[data-step]")) button.addEventListener("click", steps[button.dataset.step]);
  document.addEventListener("keydown", (event) => {
    const step = keys[event.key];
    if (!step || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    steps[step]();
  });
  document.addEventListener("click", (event) => {
    const link = event.target.closest("[data-ply]");
    if (!link) return;
    event.preventDefault();
    show(Number(link.dataset.ply));
  });
  show(judged[0] ?? 0);
}
