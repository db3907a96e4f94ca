// Tablebase values of the displayed position and of every move.

import { h } from "./dom.js";
import { notation } from "./settings.js";
import { t } from "./words.js";

/** Creates one group each for wins, draws and losses, best first. A move is followed by the distance to mate or, if unknown, to the next capture, in moves. */
export function fillEndings(moves) {
  const plies = ({ mate, capture }) => mate ?? capture;
  const distance = (entry) => (plies(entry) ? h("span", { class: "quiet" }, ` ${Math.ceil(plies(entry) / 2)}`) : "");
  const button = (entry) => h("button", { type: "button", class: "move", "data-move": entry.move }, entry.names[notation()], distance(entry));
  return ["win", "draw", "loss", null].flatMap((value) => {
    const group = moves.filter((entry) => entry.value === value);
    if (group.length === 0) return [];
    return [h("div", { class: `row ${value ?? "unknown"}` }, h("span", { class: "quiet" }, t(`ending_${value ?? "unknown"}`)), ...group.map(button))];
  });
}
