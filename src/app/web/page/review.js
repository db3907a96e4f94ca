// The review of a game: the judgement of every move with its reason, the accuracy of both sides, and the
// critical moments.

import { ask, forget } from "./desk.js";
import { get, h, show as showNodes, table } from "./dom.js";
import { emit, game, on, setMode, show } from "./game.js";
import { toggle } from "./lines.js";
import { BAD, CLASSES, nameLine, nameOfMove, SIGNS } from "./moves.js";
import { collect } from "./puzzles.js";
import { turned } from "./score.js";
import { notation } from "./settings.js";
import { t } from "./words.js";

/** Returns the number of the glyph of a judgement. @param {string} judgement */
const glyphOf = (judgement) => CLASSES.indexOf(judgement);

export const review = {
  /** @type {any} */
  found: null,
  /** @type {import("./tree.js").Node[]} */
  nodes: [],
};

/** @type {number | null} */
let running = null;

export function setUpReview() {
  get("review-start").addEventListener("click", () => beginReview());
  get("review-stop").addEventListener("click", stop);
  get("review-puzzles").addEventListener("click", async () => {
    const isNone = review.found.moves.every(({ judgement }) => !judgement || judgement === "inaccuracy");
    emit("said", isNone ? t("makePuzzlesAbout") : t("puzzlesMade", { count: await collect(review.found) }));
  });
  on("new", () => {
    stop();
    review.found = null;
    review.nodes = [];
    drawReview();
  });
  on("mode", (left) => left === "review" && game.mode !== "review" && running !== null && stop());
  on("shown", say);
  on("redraw", drawReview);
  on("tree", () => get("review-start").toggleAttribute("disabled", game.tree.root.children.length === 0));
}

export async function beginReview() {
  stop();
  setMode("review");
  const { tree } = game;
  const nodes = tree.mainline();
  if (nodes.length === 0) return;
  // Only one search can run at a time, so the analysis ends before the review begins.
  game.busy = true;
  toggle(false);
  const bar = get("review-progress");
  bar.value = 0;
  const request = {
    do: "review",
    start: tree.start,
    moves: nodes.map((node) => node.move),
    rules: game.rules,
    notation: notation(),
    nodes: Number(get("review-nodes").value),
  };
  const asked = ask(request, (event) => {
    if (event.is !== "progress" || running !== asked.id) return;
    bar.max = event.of;
    bar.value = event.done;
    // The position before the first move is counted too. The reasons are computed after the last position.
    const isOver = event.done === event.of;
    if (isOver) bar.removeAttribute("value");
    get("review-state").textContent = isOver ? t("explaining") : t("reviewed", { ply: event.done, of: event.of - 1 });
  });
  running = asked.id;
  drawReview();
  const answer = await asked;
  if (running !== asked.id) return;
  running = null;
  game.busy = false;
  if (answer.is === "review" && game.tree === tree) take(answer, nodes);
  else if (answer.code !== "connection_lost" && answer.code !== "stopped") emit("trouble", answer.text);
  drawReview();
}

function stop() {
  if (running === null) return;
  forget(running);
  running = null;
  game.busy = false;
  ask({ do: "stop" });
  drawReview();
}

/** Restores a review of the main line that was stored with the game. @param {any} found */
export function resumeReview(found) {
  review.found = found;
  review.nodes = game.tree.mainline().slice(0, found.moves.length);
  drawReview();
}

function take(answer, nodes) {
  const { tree } = game;
  forgetReview();
  review.found = answer;
  review.nodes = nodes;
  const points = answer.points;
  tree.root.value = { points: points[0], score: answer.moves[0]?.best_score ?? null, depth: 0 };
  answer.moves.forEach((move, index) => {
    const node = nodes[index];
    node.comment ||= remark(move, answer);
    node.value = { points: points[index + 1], score: turned(move.score), depth: 0 };
    node.glyphs = node.glyphs.filter((glyph) => !BAD.includes(glyph));
    if (!move.judgement) return;
    node.glyphs.unshift(glyphOf(move.judgement));
    let at = node.parent;
    for (const step of shown(move)) at = tree.add(/** @type {any} */ (at), step);
  });
  emit("tree");
  emit("value");
  emit("kept");
  const first = answer.moves.find((move) => move.judgement);
  emit("said", t("reviewDone", { count: answer.moves.filter((move) => move.judgement).length }));
  show(first ? nodes[first.ply - 1] : nodes[nodes.length - 1]);
  nameVariations(nodes);
}

/** The moves of a better line that become a variation. */
const shown = ({ best_line }) => best_line.slice(0, 9);

/** Returns the comment of a review about a move, possibly empty. */
const remark = ({ ply, judgement, text }, { leaves_explored }) =>
  [judgement && text, ply === leaves_explored && t("leavesExplored")].filter(Boolean).join(" ");

/** Removes the remarks and the better lines of the previous review, unless the user has changed them. */
function forgetReview() {
  review.found?.moves.forEach((move, index) => {
    const node = review.nodes[index];
    if (!node?.parent) return;
    if (node.comment === remark(move, review.found)) node.comment = "";
    if (!move.judgement) return;
    const [first, ...rest] = shown(move);
    const line = node.parent.children.slice(1).find(({ move }) => move === first);
    const nodes = line ? [line, ...game.tree.mainline(line)] : [];
    const isSame =
      nodes
        .slice(1)
        .map(({ move }) => move)
        .join() === rest.join() &&
      nodes.every(({ comment, glyphs, children }) => !comment && !glyphs.length && children.length < 2);
    if (line && isSame) game.tree.remove(line);
  });
}

/** Adds the names of the moves in the better lines. */
async function nameVariations(nodes) {
  const { tree } = game;
  for (const first of nodes.flatMap((node) => node.parent.children.slice(1))) {
    await nameLine([first, ...tree.mainline(first)]);
    if (game.tree !== tree) return;
  }
  emit("tree");
}

/** @param {import("./tree.js").Node} node */
function entryOf(node) {
  const place = review.nodes.indexOf(node);
  return place >= 0 ? review.found?.moves[place] : null;
}

/** Returns the arrow of the better move at a bad move. */
export function arrows() {
  if (game.mode !== "review" || game.secret) return [];
  const entry = entryOf(game.node);
  if (!entry?.judgement || !entry.best) return [];
  return [{ move: entry.best, kind: "good", width: 13 }];
}

function say() {
  const entry = entryOf(game.node);
  const text = get("review-text");
  text.replaceChildren();
  if (!entry || game.secret) return;
  const sign = entry.judgement
    ? h("b", { class: `sign ${entry.judgement}` }, `${SIGNS[glyphOf(entry.judgement)]} `)
    : "";
  const plain = entry.only
    ? t("onlyMove")
    : entry.book
      ? t("bookMove")
      : entry.move === entry.best
        ? t("bestMove")
        : "";
  text.append(
    h("b", {}, `${nameOfMove(game.node)}${plain && !entry.text ? ":" : ""} `),
    sign,
    entry.text || plain,
    entry.ply === review.found.leaves_explored ? ` ${t("leavesExplored")}` : "",
  );
}

function drawReview() {
  showNodes(running !== null, get("review-running"));
  showNodes(running === null, get("review-ready"));
  const { found } = review;
  showNodes(found !== null, get("review-found"));
  if (!found) return;
  const count = (side, judgement) =>
    found.moves.filter((move) => move.side === side && move.judgement === judgement).length;
  const kinds = ["inaccuracy", "mistake", "blunder"];
  const row = (side, index) =>
    h(
      "tr",
      {},
      h("th", { scope: "row" }, t(side)),
      h("td", { class: "accuracy" }, found.accuracy[index] === null ? "–" : found.accuracy[index].toFixed(0)),
      ...kinds.map((kind) => h("td", { class: kind }, String(count(side, kind)))),
    );
  get("review-table").replaceChildren(
    ...table(["", "accuracy", "inaccuracies", "mistakes", "blunders"], ["red", "black"].map(row)).childNodes,
  );
  const moments = found.moves.filter((move) => move.judgement);
  get("moments").replaceChildren(
    ...moments.map((move) => {
      const node = review.nodes[move.ply - 1];
      const number = `${Math.ceil((game.tree.offset + move.ply) / 2)}${move.side === "red" ? "." : "…"}`;
      const content = [
        h("span", { class: `dot ${move.side}`, "aria-hidden": "true" }),
        h("span", { class: "number" }, number),
        h("span", {}, nameOfMove(node)),
        h("b", { class: `sign ${move.judgement}` }, SIGNS[glyphOf(move.judgement)]),
        h("span", { class: "quiet", title: t("lossAbout") }, `−${(100 * move.loss).toFixed(move.loss < 0.01 ? 1 : 0)}`),
      ];
      return h(
        "li",
        {},
        h("button", { type: "button", class: "moment", "data-ply": move.ply, onclick: () => show(node) }, ...content),
      );
    }),
    ...(moments.length === 0 ? [h("li", { class: "quiet" }, t("nothingToBlame"))] : []),
  );
  for (const name of ["red", "black"]) get(`learn-${name}`).disabled = moments.every(({ side }) => side !== name);
  say();
}
