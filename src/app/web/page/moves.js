// The list of moves: the main line in two columns, variations indented, with comments and glyphs; above it
// the players, the event, the date and the result, which are saved with the game; and the graph of Red's
// expected points.

import { ask } from "./desk.js";
import { get, h, oncePerFrame, s, show as showNodes } from "./dom.js";
import { emit, game, on, show, told } from "./game.js";
import { match } from "./match.js";
import { notation } from "./settings.js";
import { path } from "./tree.js";
import { t } from "./words.js";

/** Marks by the number of the glyph in PGN, from 1. */
export const SIGNS = ["", "!", "?", "!!", "??", "!?", "?!"];
export const CLASSES = ["", "good", "mistake", "good", "blunder", "good", "inaccuracy"];
/** Tags that can be edited. */
export const TAGS = /** @type {const} */ (["Red", "Black", "Event", "Date"]);
/** @type {Record<string, string>} */
export const RESULTS = { "1-0": "result_red", "0-1": "result_black", "1/2-1/2": "result_draw" };
/** Numbers of the glyphs of bad moves. */
export const BAD = [2, 4, 6];

/** @param {import("./tree.js").Node} node */
export const nameOfMove = (node) => node.names?.[notation()] ?? node.move;

const later = oncePerFrame(drawMoves);
/** Functions that undo the last changes of the tree, latest last. @type {(() => void)[]} */
let undos = [];

/** Changes the moves up to the displayed one; the user can undo the change. @param {() => void} work */
function change(work) {
  const { node, tree } = game;
  const restore = tree.restorer(node);
  work();
  undos.push(() => {
    restore();
    emit("tree");
    show(node);
  });
  emit("tree");
}

export function setUpMoves() {
  const svg = get("graph");
  svg.setAttribute("viewBox", `0 0 ${WIDTH} ${HEIGHT}`);
  svg.setAttribute("preserveAspectRatio", "none");
  for (const name of /** @type {const} */ (["tree", "shown", "value", "new", "reported"])) on(name, graphLater);
  svg.addEventListener("click", (event) => {
    const box = svg.getBoundingClientRect();
    const nodes = line();
    const place = Math.round(((event.clientX - box.left) / box.width) * (nodes.length - 1));
    show(nodes[Math.max(0, Math.min(nodes.length - 1, place))]);
  });
  for (const name of TAGS) {
    get(`tag-${name}`).addEventListener("input", ({ target }) => {
      const text = target.value.trim();
      if (text) game.tree.tags.set(name, text);
      else game.tree.tags.delete(name);
      emit("kept");
    });
  }
  get("tag-result").addEventListener("change", ({ target }) => {
    game.tree.result = target.value;
    emit("kept");
  });
  on("tree", later);
  on("redraw", drawMoves);
  on("mode", later);
  for (const name of /** @type {const} */ (["reported", "new", "kept", "tree", "redraw", "mode"])) on(name, drawTitle);
  on("shown", () => (isLarge() ? later() : mark()));
  get("moves").addEventListener("click", (event) => {
    const button = event.target.closest("button[data-node]");
    const node = button && game.tree.nodes.get(Number(button.dataset.node));
    if (!node) return;
    show(node, { slide: true });
    // After a mouse click, Space plays the engine's move instead of selecting this move again.
    if (event.detail > 0) get("moves").focus({ preventScroll: true });
  });
  // A move that is played may be one that was deleted, so the deletion can no longer be undone.
  for (const name of /** @type {const} */ (["new", "played"])) on(name, () => (undos = []));
  get("undo").addEventListener("click", () => !game.secret && undos.pop()?.());
  get("promote").addEventListener("click", () => change(() => game.tree.promote(game.node)));
  // Elements that appear above the list reduce its height.
  new ResizeObserver(() => keepInView()).observe(get("moves"));
  get("remove").addEventListener("click", () => {
    const { node } = game;
    if (!node.parent || isOfMatch(node)) return;
    change(() => game.tree.remove(node));
    show(node.parent);
    emit("said", t("removed"));
  });
  const comment = get("comment");
  comment.addEventListener("input", () => {
    game.node.comment = comment.value;
    later();
    emit("kept");
  });
  const glyphs = get("glyphs");
  glyphs.append(
    ...[3, 1, 5, 6, 2, 4].map((glyph) =>
      h("button", { type: "button", class: "glyph", "data-glyph": glyph, onclick: () => toggle(glyph) }, SIGNS[glyph]),
    ),
  );
}

/**
 * Returns true if a move belongs to the running game, whose moves can only be taken back.
 * @param {import("./tree.js").Node} node
 */
const isOfMatch = (node) => match.active && !match.result && match.node !== null && path(match.node).includes(node);

function toggle(glyph) {
  const { node } = game;
  if (!node.parent) return;
  const others = node.glyphs.filter((other) => other > 6);
  node.glyphs = node.glyphs.includes(glyph) ? others : [glyph, ...others];
  emit("tree");
  mark();
}

/**
 * Number of moves above which only variations that branch off the displayed line are shown; a variation is
 * shown completely once it is entered.
 */
const LARGE = 3000;
const MOST_VARIATIONS = 30;
const isLarge = () => game.tree.nodes.size > LARGE;
/** In a large tree, the nodes of the displayed line. @type {Set<import("./tree.js").Node>} */
let entered = new Set();

/** Returns a tag; empty if it is unknown. @param {string} name */
export const tag = (name) => game.tree.tags.get(name)?.replace(/^[?.]+$/, "") ?? "";

/** Shows the players or, if unknown, the event, the result and the opening. */
function drawTitle() {
  const { report, parent } = game.node;
  // Until the engine has reported the state of a position, the name of the previous one remains.
  if (report || !parent)
    get("opening-name").textContent = report?.opening ? `${report.opening.code} ${report.opening.name}` : "";
  showNodes(get("opening-name").textContent !== "" && game.mode !== "puzzles", get("opening-name"));
  for (const name of TAGS) {
    const field = get(`tag-${name}`);
    if (document.activeElement !== field) field.value = tag(name);
  }
  get("tag-result").value = game.tree.result;
  const [red, black, event] = TAGS.map(tag);
  const players = red || black ? `${red || "?"} – ${black || "?"}` : "";
  const words = RESULTS[game.tree.result];
  get("game-title").title = get("game-title").textContent = [
    players || event || t("moves"),
    ...(words ? [t(words)] : []),
  ].join(" · ");
}

/** Requests the names of the moves of a line. @param {import("./tree.js").Node[]} nodes */
export async function nameLine(nodes) {
  const first = nodes.findIndex((node) => !node.names);
  if (first < 0) return;
  const { tree } = game;
  const line = nodes.slice(first);
  const answer = await ask({ do: "line", ...told(line[0].parent ?? tree.root), line: line.map(({ move }) => move) });
  if (answer.is !== "plies" || game.tree !== tree) return;
  line.forEach((node, place) => (node.names = answer.plies[place].names));
  later();
}

function drawMoves() {
  entered = new Set(isLarge() ? path(game.node) : []);
  if (isLarge()) {
    nameLine(game.tree.mainline());
    nameLine(path(game.node));
  }
  const list = get("moves");
  const rows = [];
  const said = (text) => h("p", { class: "said", dir: "auto" }, text);
  const start = game.tree.offset;
  if (game.tree.root.comment && !game.secret) rows.push(said(game.tree.root.comment));
  let row = /** @type {any} */ (null);
  const hideFrom = game.secret ? game.node.ply : Infinity;
  let ply = 0;
  for (let node = game.tree.root; node.children.length > 0; node = node.children[0]) {
    const [child, ...others] = node.children;
    ply += 1;
    if (ply > hideFrom) break;
    const black = (start + ply) % 2 === 0;
    if (!row || !black) {
      row = h("div", { class: "pair" }, h("span", { class: "number" }, `${Math.ceil((start + ply) / 2)}.`));
      if (black) row.append(h("span", { class: "gap" }, "…"));
      rows.push(row);
    }
    row.append(button(child));
    const lines = game.secret ? [] : shownOf(others, entered.has(node)).map((other) => variation(other, start + ply));
    if (!game.secret && lines.length < others.length) lines.push(rest(others.length - lines.length));
    if ((child.comment && !game.secret) || lines.length > 0) {
      if (child.comment && !game.secret) rows.push(said(child.comment));
      rows.push(...lines);
      row = null;
    }
  }
  if (rows.length === 0 && game.mode !== "puzzles") rows.push(h("p", { class: "quiet" }, t("noMoves")));
  list.replaceChildren(...rows);
  mark();
}

/** Returns the displayed variations; in a large tree, only those that branch off the displayed line. */
const shownOf = (others, isHere) =>
  isLarge() ? others.filter((other, place) => entered.has(other) || (isHere && place < MOST_VARIATIONS)) : others;

const rest = (count) => h("p", { class: "quiet variation" }, t("moreVariations", { count }));

function button(node) {
  const glyphs = game.secret ? [] : node.glyphs;
  // The list is one stop of the Tab key; the arrow keys move within it.
  const properties = { type: "button", class: "move", "data-node": node.id, title: node.move, tabindex: -1 };
  const name = h("button", properties, nameOfMove(node));
  for (const glyph of glyphs) if (SIGNS[glyph]) name.append(h("b", { class: `sign ${CLASSES[glyph]}` }, SIGNS[glyph]));
  return name;
}

/** Formats a variation as running text, with nested variations in brackets. */
function variation(first, ply) {
  const block = h("div", { class: "variation" });
  const put = (node, at, begins, others = []) => {
    for (;;) {
      const black = at % 2 === 0;
      if (!black || begins) block.append(h("span", { class: "number" }, `${Math.ceil(at / 2)}.${black ? ".." : ""}`));
      block.append(button(node));
      begins = false;
      if (node.comment) {
        block.append(h("bdi", { class: "said" }, node.comment));
        begins = true;
      }
      for (const other of others) {
        block.append(h("span", { class: "bracket" }, "("));
        put(other, at, true);
        block.append(h("span", { class: "bracket" }, ")"));
        begins = true;
      }
      const [next, ...rest] = node.children;
      if (!next) return;
      if (isLarge() && !entered.has(node)) return block.append(" …");
      others = shownOf(rest, true);
      node = next;
      at += 1;
    }
  };
  put(first, ply, true);
  return block;
}

/** Scrolls the list if the displayed move is not visible. */
function keepInView() {
  const list = get("moves");
  const row = list.querySelector("[aria-current]")?.closest(".pair, .variation");
  if (!row) return;
  const [top, height] = [row.offsetTop - list.offsetTop, row.offsetHeight];
  if (top < list.scrollTop || top + height > list.scrollTop + list.clientHeight)
    list.scrollTop = top - list.clientHeight / 2;
}

/** Marks the displayed move, and shows its comment and its marks. */
function mark() {
  const list = get("moves");
  list.querySelector("[aria-current]")?.removeAttribute("aria-current");
  const { node } = game;
  const here = list.querySelector(`[data-node="${node.id}"]`);
  if (here) {
    here.setAttribute("aria-current", "true");
    keepInView();
  } else if (!node.parent) list.scrollTop = 0;
  const comment = get("comment");
  if (document.activeElement !== comment) comment.value = game.secret ? "" : node.comment;
  const inner = node.parent !== null;
  for (const glyph of get("glyphs").children) {
    glyph.setAttribute("aria-pressed", String(!game.secret && node.glyphs.includes(Number(glyph.dataset.glyph))));
    glyph.disabled = !inner;
  }
  get("promote").disabled = !path(node).some((step) => step.parent?.children[0] !== step);
  get("remove").disabled = !inner || isOfMatch(node);
  showNodes(undos.length > 0, get("undo"));
  showNodes(!game.secret, get("annotate"));
}

// The graph: a click selects a move

const WIDTH = 600;
const HEIGHT = 120;
const graphLater = oncePerFrame(drawGraph);

/** Returns the displayed line: the path to the displayed position and the main line after it. */
const line = () => [game.tree.root, ...path(game.node), ...game.tree.mainline(game.node)];

function drawGraph() {
  const svg = get("graph");
  const nodes = line();
  const last = Math.max(1, nodes.length - 1);
  const known = game.secret
    ? []
    : nodes.map((node, place) => ({ node, place, value: valueOf(node) })).filter(({ value }) => value !== null);
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
    parts.push(
      first < end
        ? s("polyline", { class: "curve", points })
        : s("path", { class: "curve alone", d: `M${x(first)} ${y(run[0].value)}h.01` }),
    );
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

/**
 * Returns runs of consecutive plies that have been searched.
 * @template {{place: number}} P @param {P[]} known @returns {P[][]}
 */
function runs(known) {
  const found = [];
  known.forEach((ply, index) =>
    index > 0 && known[index - 1].place === ply.place - 1 ? found[found.length - 1].push(ply) : found.push([ply]),
  );
  return found;
}

/**
 * Returns Red's expected points by the rules or the known value; null if there is none.
 * @param {import("./tree.js").Node} node @returns {number | null}
 */
export function valueOf({ report, value }) {
  const { result, winner } = report?.rules === game.rules ? report.verdict : {};
  if (result === "draw") return 0.5;
  return winner ? Number(winner === "red") : value?.points ?? null;
}
