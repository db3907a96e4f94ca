// What the opening book knows of the shown position: its moves, and how often it chooses each.

import { ask } from "./desk.js";
import { get, h, show as showNodes } from "./dom.js";
import { game, on, play, told } from "./game.js";
import { notation } from "./settings.js";
import { t } from "./words.js";

/** More would push the moves of the game away. */
const MOST = 6;

/** What is known: by node, as long as its game is on the board. @type {WeakMap<import("./tree.js").Node, any[]>} */
const known = new WeakMap();

/** @param {(moves: string[] | null) => void} preview shows the position after moves, or the real one again */
export function setUpBook(preview) {
  const row = get("book");
  const moveOf = (event) => event.target.closest("button[data-move]")?.dataset.move;
  const hover = (event) => preview(moveOf(event) ? [moveOf(event)] : null);
  row.addEventListener("pointerover", hover);
  row.addEventListener("pointerleave", () => preview(null));
  row.addEventListener("focusin", hover);
  row.addEventListener("focusout", () => preview(null));
  row.addEventListener("click", (event) => {
    const move = moveOf(event);
    const found = known.get(game.node)?.find((entry) => entry.move === move);
    if (!found) return;
    preview(null);
    play(move, { names: found.names });
  });
  for (const name of /** @type {const} */ (["shown", "mode", "secret"])) on(name, draw);
  for (const name of /** @type {const} */ (["look", "mode"])) on(name, look);
}

/** The book helps those who analyse; a player and a learner must find the moves themselves. */
const wanted = () => game.mode === "analyse" && !game.secret;

/** Asks, once. */
async function look() {
  const { node } = game;
  if (!wanted() || !node.look || known.has(node)) return;
  known.set(node, []);
  const answer = await ask({ do: "book", ...told() });
  if (answer.is === "book") known.set(node, answer.moves);
  else known.delete(node);
  if (game.node === node) draw();
}

export function draw() {
  const moves = wanted() ? (known.get(game.node) ?? []).slice(0, MOST) : [];
  const row = get("book");
  showNodes(moves.length > 0, row);
  row.replaceChildren(
    h("span", { class: "quiet" }, t("book")),
    ...moves.map(({ move, names, share }) =>
      h("button", { type: "button", class: "move", "data-move": move }, names[notation()], h("span", { class: "quiet" }, ` ${Math.round(100 * share)} %`)),
    ),
  );
}
