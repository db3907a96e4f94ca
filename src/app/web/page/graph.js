// Graph of Red's expected points over the game: a click selects a move, the arrow keys step.

import { get, oncePerFrame, s } from "./dom.js";
import { game, on, show } from "./game.js";
import { BAD, CLASSES } from "./moves.js";
import { path } from "./tree.js";
import { t } from "./words.js";

const WIDTH = 600;
const HEIGHT = 120;
const later = oncePerFrame(draw);

/** Returns the displayed line: the path to the displayed position and the main line after it. */
const line = () => [game.tree.root, ...path(game.node), ...game.tree.mainline(game.node)];

export function setUpGraph() {
  const svg = get("graph");
  svg.setAttribute("viewBox", `0 0 ${WIDTH} ${HEIGHT}`);
  svg.setAttribute("preserveAspectRatio", "none");
  for (const name of /** @type {const} */ (["tree", "shown", "value", "new", "look"])) on(name, later);
  svg.addEventListener("click", (event) => {
    const box = svg.getBoundingClientRect();
    const nodes = line();
    const place = Math.round(((event.clientX - box.left) / box.width) * (nodes.length - 1));
    show(nodes[Math.max(0, Math.min(nodes.length - 1, place))]);
  });
}

function draw() {
  const svg = get("graph");
  const nodes = line();
  const last = Math.max(1, nodes.length - 1);
  const known = game.secret ? [] : nodes.map((node, place) => ({ node, place, value: valueOf(node) })).filter(({ value }) => value !== null);
  get("graph-panel").classList.toggle("empty", known.length < 2);
  const x = (place) => ((WIDTH * place) / last).toFixed(1);
  const y = (value) => (HEIGHT * (1 - value)).toFixed(1);
  const here = nodes.indexOf(game.node);
  const parts = [s("line", { class: "level", x1: 0, x2: WIDTH, y1: HEIGHT / 2, y2: HEIGHT / 2 })];
  for (const run of runs(known)) {
    const [first, end] = [run[0].place, run[run.length - 1].place];
    const points = run.map(({ place, value }) => `${x(place)},${y(value)}`).join(" ");
    parts.unshift(s("polygon", { class: "area", points: `${x(first)},${HEIGHT} ${points} ${x(end)},${HEIGHT}` }));
    // A single ply is drawn as a dot.
    parts.push(first < end ? s("polyline", { class: "curve", points }) : s("path", { class: "curve alone", d: `M${x(first)} ${y(run[0].value)}h.01` }));
  }
  for (const { node, place, value } of known) {
    const bad = node.glyphs.find((glyph) => BAD.includes(glyph));
    // A line of zero length with round ends remains a circle when the picture is stretched.
    if (bad) parts.push(s("path", { class: `spot ${CLASSES[bad]}`, d: `M${x(place)} ${y(value)}h.01` }));
  }
  if (nodes.length > 1) parts.push(s("line", { class: "here", x1: x(here), x2: x(here), y1: 0, y2: HEIGHT }));
  svg.replaceChildren(...parts);
  svg.setAttribute("aria-label", t("graphSays"));
}

/** Returns runs of consecutive plies that have been searched. @template {{place: number}} P @param {P[]} known @returns {P[][]} */
function runs(known) {
  const found = [];
  known.forEach((ply, index) => (index > 0 && known[index - 1].place === ply.place - 1 ? found[found.length - 1].push(ply) : found.push([ply])));
  return found;
}

/** Returns Red's expected points by the rules or the known value; null if there is none. @param {import("./tree.js").Node} node @returns {number | null} */
export function valueOf({ look, value }) {
  const { result, winner } = look?.rules === game.rules ? look.verdict : {};
  if (result === "draw") return 0.5;
  return winner ? Number(winner === "red") : value?.points ?? null;
}
