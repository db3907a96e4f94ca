// Navigation through a game, and typed moves.

import { ask } from "./desk.js";
import { get } from "./dom.js";
import { game, on, play, show, step, told } from "./game.js";
import { asking } from "./learn.js";
import { analysis } from "./lines.js";
import { BAD } from "./moves.js";
import { notice } from "./notice.js";
import { mayMove } from "./play.js";
import { pointsOf } from "./position.js";
import { solving } from "./puzzles.js";
import { board } from "./table.js";
import { t } from "./words.js";

export function setUpSteering() {
  for (const where of /** @type {const} */ (["first", "back", "next", "last"])) {
    get(`go-${where}`).addEventListener("click", () => go(where));
  }
  get("board-box").addEventListener("wheel", wheel, { passive: false });
  get("type-form").addEventListener("submit", (event) => {
    event.preventDefault();
    typed(get("typed").value);
  });
  get("typed").addEventListener("input", () => get("typed").removeAttribute("aria-invalid"));
  for (const name of /** @type {const} */ (["shown", "said"])) on(name, forgetTyped);
}

/** @param {"back" | "next" | "first" | "last" | "up" | "down"} where */
export function go(where) {
  if (game.mode === "edit" || asking() || solving()) return;
  step(where);
}

let turned = 0;
/** One notch of a wheel is a step; touchpads send many small movements. */
function wheel(event) {
  if (game.mode === "edit" || event.ctrlKey) return;
  event.preventDefault();
  turned = Math.sign(turned) === Math.sign(event.deltaY) ? turned + event.deltaY : event.deltaY;
  if (Math.abs(turned) < 50) return;
  turned = 0;
  go(event.deltaY > 0 ? "next" : "back");
}

/** @param {string} text */
async function typed(text) {
  const field = get("typed");
  if (!text.trim() || game.mode === "edit") return;
  if (game.mode === "play" && !mayMove()) {
    notice(t("notYourTurn"), true);
    return;
  }
  const { node } = game;
  const answer = await ask({ do: "read", ...told(), text: text.trim() });
  if (game.node !== node) return;
  if (answer.is !== "read") {
    field.setAttribute("aria-invalid", "true");
    notice(answer.text || t("noEngine"), true);
    return;
  }
  field.removeAttribute("aria-invalid");
  field.value = "";
  const { move, names } = answer;
  if (asking() || solving()) board.watcher.move(...pointsOf(move), false);
  else play(move, { names });
}

/** Removes a rejected move from its field after the next event. */
function forgetTyped() {
  const field = get("typed");
  if (!field.hasAttribute("aria-invalid")) return;
  field.removeAttribute("aria-invalid");
  field.value = "";
}

export function playBest() {
  const best = analysis.lines[0];
  if (best && analysis.on && !game.secret && game.mode !== "play" && game.mode !== "puzzles") play(best.pv[0]);
}

export function nextMistake() {
  if (game.secret) return;
  const bad = [...game.tree.mainline()].filter((node) => node.glyphs.some((glyph) => BAD.includes(glyph)));
  const ply = told().moves.length;
  const found = bad.find((node) => told(node).moves.length > ply) ?? bad[0];
  if (found) show(found);
}
