// What is known of the shown position: the moves of the opening book, those of tablebases, and those that were played in the games of the library.

import { ask } from "./desk.js";
import { get, h, onHover, show as showNodes } from "./dom.js";
import { fillEndings } from "./endings.js";
import { game, on, play, told, turn } from "./game.js";
import { hasLibrary } from "./library.js";
import { notation } from "./settings.js";
import { t } from "./words.js";

/** More moves of the book would push those of the game away; the table of the library scrolls. */
const MOST = 6;

/** Where moves come from: the question that is asked, which is also the answer's kind and the element's name; whether there is anyone to ask; how moves are
 * drawn; and what is known: by node, as long as its game is on the board. */
const SOURCES = [
  { name: "book", exists: () => true, fill: fillBook, known: newMap() },
  { name: "endings", exists: () => true, fill: fillEndings, known: newMap() },
  { name: "played", exists: hasLibrary, fill: fillPlayed, known: newMap() },
];

/** @returns {WeakMap<import("./tree.js").Node, any[]>} */
function newMap() {
  return new WeakMap();
}

/** @param {(moves: string[] | null) => void} preview shows the position after moves, or the real one again */
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

/** This helps those who analyse; a player and a learner must find the moves themselves. */
const wanted = () => game.mode === "analyse" && !game.secret;

/** Asks, once. @param {typeof SOURCES[number]} source */
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

/** A table: how often each move was played, and how the games ended. */
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
