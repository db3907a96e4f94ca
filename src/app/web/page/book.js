// Known moves of the displayed position: from the opening book, from tablebases, and from the games of the library.

import { ask } from "./desk.js";
import { get, h, onHover, show as showNodes } from "./dom.js";
import { fillEndings } from "./endings.js";
import { game, on, play, told, turn } from "./game.js";
import { hasLibrary } from "./library.js";
import { notation } from "./settings.js";
import { t } from "./words.js";

/** Maximum number of book moves, so that they leave room for the game's; the table of the library scrolls. */
const MOST = 6;

/** Sources of moves: the request, which is also the kind of the response and the name of the element; whether the source is available; the function that
 * draws the moves; and the known moves by node, as long as its game is on the board. */
const SOURCES = [
  { name: "book", exists: () => true, fill: fillBook, known: newMap() },
  { name: "endings", exists: () => true, fill: fillEndings, known: newMap() },
  { name: "played", exists: hasLibrary, fill: fillPlayed, known: newMap() },
];

/** @returns {WeakMap<import("./tree.js").Node, any[]>} */
function newMap() {
  return new WeakMap();
}

/** @param {(moves: string[] | null) => void} preview shows the position after moves, or the actual position again */
export function setUpBook(preview) {
  const moveOf = (target) => target.closest("button[data-move]")?.dataset.move;
  const hover = (target) => preview(moveOf(target) ? [moveOf(target)] : null);
  for (const source of SOURCES) {
    const place = get(source.name);
    onHover(place, hover, () => preview(null));
    place.addEventListener("click", ({ target }) => {
      const found = source.known.get(game.node)?.find((entry) => entry.move === moveOf(target));
      if (!found) return;
      preview(null);
      play(found.move, { names: found.names });
    });
  }
  for (const name of /** @type {const} */ (["shown", "mode", "secret", "redraw"])) on(name, drawBook);
  for (const name of /** @type {const} */ (["look", "mode"])) on(name, () => SOURCES.forEach(look));
  on("library", () => {
    for (const source of SOURCES) source.known = newMap();
    SOURCES.forEach(look);
  });
}

/** Moves are shown only during analysis; in a game or an exercise the user must find them. */
const wanted = () => game.mode === "analyse" && !game.secret;

/** Sends the request, once. @param {typeof SOURCES[number]} source */
async function look(source) {
  const { node } = game;
  const { name, known } = source;
  if (!wanted() || !source.exists() || !node.look || known.has(node)) return;
  known.set(node, []);
  const answer = await ask({ do: name, ...told() });
  if (answer.is === name) known.set(node, answer.moves);
  else known.delete(node);
  if (game.node === node) drawBook();
}

function drawBook() {
  for (const { name, fill, known } of SOURCES) {
    const moves = wanted() ? (known.get(game.node) ?? []) : [];
    showNodes(moves.length > 0, get(name));
    get(name).replaceChildren(...(moves.length > 0 ? fill(moves) : []));
  }
}

const button = ({ move, names }, ...more) => h("button", { type: "button", class: "move", "data-move": move }, names[notation()], ...more);

function fillBook(moves) {
  const share = (entry) => h("span", { class: "quiet" }, ` ${Math.round(100 * entry.share)} %`);
  return [h("span", { class: "quiet" }, t("book")), ...moves.slice(0, MOST).map((entry) => button(entry, share(entry)))];
}

/** Returns a table with the frequency of each move and the results of its games. */
function fillPlayed(moves) {
  const count = moves.reduce((sum, { games }) => sum + games, 0);
  const heads = ["moveColumn", "gamesColumn", "result_red", "result_draw", "result_black", "lastColumn", "byColumn"];
  const row = (entry) => {
    const [red, black] = turn() === "red" ? [entry.won, entry.lost] : [entry.lost, entry.won];
    const numbers = [entry.games, red, entry.drawn, black, entry.last ?? ""];
    return h("tr", {}, h("th", { scope: "row" }, button(entry)), ...numbers.map((number) => h("td", {}, String(number))), h("td", { class: "by" }, entry.players.join(", ")));
  };
  return [
    h("table", {},
      h("caption", { class: "quiet" }, t("playedHere", { count })),
      h("thead", {}, h("tr", {}, ...heads.map((head) => h("th", { scope: "col" }, t(head))))),
      h("tbody", {}, ...moves.map(row)),
    ),
  ];
}
