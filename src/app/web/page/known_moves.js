// Known moves of the displayed position: tablebase values, and one table of the moves of the opening book, of
// the library and of the host's position database, in which the page's analyses can be stored.

import { ask } from "./desk.js";
import { get, h, onHover, show as showNodes, table } from "./dom.js";
import { emit, game, on, play, told, turn } from "./game.js";
import { hasPlayed } from "./library.js";
import { analysis } from "./lines.js";
import { scoreText, turned } from "./score.js";
import { notation, settings } from "./settings.js";
import { preview } from "./table.js";
import { t } from "./words.js";

/** Maximum number of moves of the position database in the table. */
const EXPLORED = 12;
/** Loss in hundredths of a pawn from which a move has no arrow. */
const LOSS = 50;

/** The host's position database. @type {{positions: number, may_add: boolean} | null} */
let database = null;
const hasExplored = () => database !== null;

/**
 * Sources of moves: the request, which is also the kind of the response; whether the source is available; and
 * the responses by node, as long as its game is on the board.
 */
const SOURCES = {
  book: { exists: () => true, answers: new WeakMap() },
  played: { exists: hasPlayed, answers: new WeakMap() },
  explored: { exists: hasExplored, answers: new WeakMap() },
  endings: { exists: () => true, answers: new WeakMap() },
};

export function setUpKnownMoves() {
  const moveOf = (target) => target.closest("button[data-move]")?.dataset.move;
  const hover = (target) => preview(moveOf(target) ? [moveOf(target)] : null);
  for (const name of ["known", "endings"]) {
    const place = get(name);
    onHover(place, hover, () => preview(null));
    place.addEventListener("click", ({ target }) => {
      const found = [...merged().values(), ...movesOf("endings")].find((entry) => entry.move === moveOf(target));
      if (!found) return;
      preview(null);
      play(found.move, { names: found.names });
    });
  }
  on("greeted", ({ explored }) => {
    database = explored ?? null;
    showNodes(database?.may_add === true, get("remember-option"));
  });
  const requestAll = () => Object.keys(SOURCES).forEach(requestMoves);
  for (const name of /** @type {const} */ (["shown", "mode", "secret", "redraw"])) on(name, drawKnownMoves);
  for (const name of /** @type {const} */ (["reported", "mode"])) on(name, requestAll);
  on("arrows", drawScores);
  const requestAgain = (...names) => {
    for (const name of names) SOURCES[name].answers = new WeakMap();
    names.forEach(requestMoves);
  };
  // The sentence about the ending is in the previous language.
  on("redraw", () => requestAgain("endings"));
  on("explored", () => requestAgain("explored"));
  on("library", () => requestAgain(...Object.keys(SOURCES)));
}

/** Moves are shown only during analysis; in a game or an exercise the user must find them. */
const wanted = () => game.mode === "analyse" && !game.secret;

/** Returns the moves of a source for the displayed position. @param {string} name @returns {any[]} */
const movesOf = (name) => (wanted() ? (SOURCES[name].answers.get(game.node)?.moves ?? []) : []);

/** Sends the request, once. @param {string} name */
async function requestMoves(name) {
  const { node } = game;
  const { answers, exists } = SOURCES[name];
  if (!wanted() || !exists() || !node.report || answers.has(node)) return;
  answers.set(node, {});
  const answer = await ask({ do: name, ...told() });
  if (answer.is === name) answers.set(node, answer);
  else answers.delete(node);
  if (game.node !== node) return;
  drawKnownMoves();
  emit("arrows");
}

/**
 * Merges the moves of the library and of the book with their data; without a library, the book's games are
 * used.
 * @returns {Map<string, any>}
 */
function merged() {
  const moves = new Map(movesOf("played").map((entry) => [entry.move, entry]));
  for (const { move, names, share, games, score } of movesOf("book")) {
    const [won, drawn, lost] = games ?? [];
    const own = games && !hasPlayed() ? { games: won + drawn + lost, won, drawn, lost } : {};
    moves.set(move, { move, names, ...own, ...moves.get(move), share, booked: score });
  }
  for (const { move, names, value, below } of movesOf("explored").slice(0, EXPLORED)) {
    moves.set(move, { move, names, ...moves.get(move), value, below });
  }
  return moves;
}

/**
 * Adds the value of each good move of the position database: to its arrow among `others`, or with an arrow of
 * its own.
 * @param {{move: string, kind: string, width?: number}[]} others
 */
export function withValues(others) {
  const moves = settings.arrows ? movesOf("explored").filter(({ value }) => Number.isFinite(value?.cp)) : [];
  const good = moves.filter(({ value }) => value.cp > moves[0].value.cp - LOSS).slice(0, 5);
  const labels = new Map(good.map(({ move, value }) => [move, scoreText(value, turn())]));
  const shown = others.map((arrow) => ({ ...arrow, label: labels.get(arrow.move) }));
  for (const { move } of others) labels.delete(move);
  return [...[...labels].map(([move, label]) => ({ move, kind: "explored", width: 9, label })), ...shown];
}

function drawKnownMoves() {
  const moves = [...merged().values()];
  showNodes(moves.length > 0, get("known"));
  get("known").replaceChildren(...(moves.length > 0 ? [moveTable(moves)] : []));
  drawScores();
  const said = wanted() ? SOURCES.endings.answers.get(game.node)?.text : "";
  showNodes(Boolean(said), get("endings"));
  get("endings").replaceChildren(...(said ? [h("p", {}, said), ...fillEndings(movesOf("endings"))] : []));
}

/**
 * Returns one row for each move: the engine's score, its probability in the book, its frequency, and the
 * results of its games.
 * @param {any[]} moves
 */
function moveTable(moves) {
  const played = moves.some(({ games }) => games > 0);
  const heads = [
    "moveColumn",
    "scoreColumn",
    "bookColumn",
    ...(hasExplored() ? ["valueColumn", "belowColumn"] : []),
    ...(played ? ["gamesColumn", "result_red", "drawColumn", "result_black"] : []),
    ...(hasPlayed() ? ["lastColumn", "byColumn"] : []),
  ];
  const row = (entry) => {
    const [red, black] = turn() === "red" ? [entry.won, entry.lost] : [entry.lost, entry.won];
    const numbers = played ? [entry.games, red, entry.drawn, black] : [];
    const valued = hasExplored() ? [scoreText(entry.value, turn()), String(entry.below ?? "")] : [];
    const share = entry.share === undefined ? "" : `${Math.round(100 * entry.share)} %`;
    return h(
      "tr",
      { "data-row": entry.move },
      h(
        "th",
        { scope: "row" },
        h("button", { type: "button", class: "move", "data-move": entry.move }, entry.names[notation()]),
      ),
      h("td", { class: "value" }),
      h("td", {}, share),
      ...valued.map((text) => h("td", {}, text)),
      ...numbers.map((number) => h("td", {}, String(number ?? ""))),
      ...(hasPlayed()
        ? [h("td", {}, String(entry.last ?? "")), h("td", { class: "by" }, entry.players?.join(t("comma")) ?? "")]
        : []),
    );
  };
  const count = moves.reduce((sum, { games }) => sum + (games ?? 0), 0);
  return table(heads, moves.map(row), played ? t("playedHere", { count }) : t("book"));
}

/** Updates the engine's scores during the search: from its lines, from searched positions, or from the book. */
function drawScores() {
  if (get("known").hidden) return;
  const moves = merged();
  for (const row of get("known").querySelectorAll("[data-row]")) {
    const { row: move } = row.dataset;
    const found = analysis.on ? analysis.lines.find((line) => line?.pv[0] === move)?.score : null;
    const booked = moves.get(move)?.booked;
    const score =
      found ??
      turned(game.node.children.find((child) => child.move === move)?.value?.score) ??
      (Number.isFinite(booked) ? { cp: booked } : null);
    row.querySelector(".value").textContent = scoreText(score, turn());
  }
}

/**
 * Creates one group each for wins, draws, losses and unknown values, best first. A move is followed by the
 * distance to mate or, if unknown, to the next capture, in moves.
 */
function fillEndings(moves) {
  const plies = ({ mate, capture }) => mate ?? capture;
  const distance = (entry) => (plies(entry) ? h("span", { class: "quiet" }, ` ${Math.ceil(plies(entry) / 2)}`) : "");
  const button = (entry) =>
    h("button", { type: "button", class: "move", "data-move": entry.move }, entry.names[notation()], distance(entry));
  return ["win", "draw", "loss", null].flatMap((value) => {
    const group = moves.filter((entry) => entry.value === value);
    if (group.length === 0) return [];
    return [
      h(
        "div",
        { class: `row ${value ?? "unknown"}` },
        h("span", { class: "quiet" }, t(`ending_${value ?? "unknown"}`)),
        ...group.map(button),
      ),
    ];
  });
}

// The position database

/** Minimum depth of a stored analysis, in plies. */
const DEPTH = 10;

/**
 * Stores an analysis that has ended, if the user wants this.
 * @param {any} request @param {any[]} lines those of its last complete iteration
 */
export async function remember({ start, moves, rules, engine }, lines) {
  if (!settings.remember || database?.may_add !== true || !(lines[0]?.depth >= DEPTH)) return;
  const { depth, nodes } = lines[lines.length - 1];
  const answer = await ask({
    do: "remember",
    start,
    moves,
    rules,
    by: engine,
    nodes,
    depth,
    lines: lines.map(({ pv, score }) => ({ move: pv[0], score })),
  });
  if (answer.is === "remembered") emit("explored");
  else if (answer.code !== "connection_lost") emit("trouble", answer.text);
}
