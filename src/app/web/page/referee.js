// The referee's messages below the board: when a position repeats, they give the consequence and, on request,
// the reasons.

import { ask } from "./desk.js";
import { get, h, show as showNodes, table } from "./dom.js";
import { game, isOver, on, told } from "./game.js";
import { ruleSets } from "./options.js";
import { piecesOf, nameOf, other } from "./position.js";
import { notation, watch } from "./settings.js";
import { pointAt } from "./table.js";
import { placeName, t } from "./words.js";

/** The ruling to be explained in the open table. @type {object | null} */
let question = null;
let asked = 0;

export function setUpReferee() {
  for (const name of /** @type {const} */ (["reported", "redraw"])) on(name, drawReferee);
  on("shown", () => {
    close();
    if (!game.node.report) say();
  });
  // The ruling under the new rules has not arrived yet.
  on("rules", close);
  on("mode", () => {
    close();
    drawReferee();
  });
  get("why").addEventListener("click", () => (get("reasons").hidden ? explain() : close()));
  watch((name) => {
    if (["language", "notation"].includes(name) && !get("reasons").hidden) explain();
  });
}

/** Shows a message, or none. */
function say(text = "", name = "", why = /** @type {object | null} */ (null)) {
  const strip = get("referee");
  strip.dataset.state = name;
  if (get("ruling").textContent !== text) get("ruling").textContent = text;
  question = why;
  showNodes(why !== null, get("why"));
}

/** Returns the most important warning: a losing move, the earliest loss first. @param {any} report */
function gravest(report) {
  const rank = { loss: 0, draw: 1, win: 2, open: 3 };
  const found = Object.entries(report.warnings ?? {}).map(([move, warning]) => ({ move, ...warning }));
  found.sort((a, b) => rank[a.result] - rank[b.result] || a.returns_left - b.returns_left);
  return found[0] ?? null;
}

/** Returns true if a move would lose by the rules, at once or if the repetition continues. @param {string} move */
export const warned = (move) => game.node.report?.warnings?.[move]?.result === "loss";

function drawReferee() {
  const { report } = game.node;
  if (!report || game.mode === "edit" || game.secret) return say();
  const { verdict } = report;
  const repeated = report.occurrences > 1;
  if (isOver()) {
    say(verdict.text, "over", repeated || verdict.code?.startsWith("perpetual") ? { ...told() } : null);
    return;
  }
  const warning = gravest(report);
  if (warning) {
    const folds = ruleSets.get(game.rules)?.folds ?? 3;
    const fold = Math.max(2, folds - warning.returns_left);
    const why = { ...told(), moves: [...told().moves, warning.move], fold };
    say(warning.text, warning.result === "loss" ? "warning" : "notice", why);
  } else if (repeated) {
    say(verdict.text, "notice", { ...told(), fold: report.occurrences });
  } else if (report.quiet >= report.natural_limit - 40) {
    say(t("quietPlies", { count: report.quiet, limit: report.natural_limit }), "notice");
  } else {
    say();
  }
}

function close() {
  asked += 1;
  showNodes(false, get("reasons"));
  get("why").setAttribute("aria-expanded", "false");
  pointAt([]);
}

async function explain() {
  if (!question) return;
  asked += 1;
  const now = asked;
  const about = question;
  const answer = await ask({ do: "judge", notation: notation(), ...about });
  const checks = await Promise.all((answer.cycle?.plies ?? []).map((ply) => checkArrows(ply, about)));
  if (now !== asked) return;
  const box = get("reasons");
  if (answer.is !== "judgement") {
    box.replaceChildren(h("p", {}, answer.text ?? ""));
  } else {
    const plies = (answer.cycle?.plies ?? []).map((ply, index) => ({
      ...ply,
      arrows: [...checks[index], ...attackArrows(ply)],
    }));
    const rows = plies.map(row);
    box.replaceChildren(
      h("p", { class: "reason" }, answer.text),
      ...(rows.length === 0 ? [] : [table(["plyColumn", "moveColumn", "deedColumn"], rows)]),
    );
    pointAt(plies.flatMap((ply) => ply.arrows));
  }
  showNodes(true, box);
  get("why").setAttribute("aria-expanded", "true");
}

const arrow = (move) => ({ move, kind: "attack", width: 11 });

function attackArrows(ply) {
  const found = ply.deeds
    .filter((deed) => deed.attacker && deed.victim)
    .map((deed) => deed.attacker.square + deed.victim.square);
  return [...new Set(found)].map(arrow);
}

/** Returns arrows from the checking pieces to the king, if the ply gives check. */
async function checkArrows(ply, about) {
  if (!ply.deeds.some((deed) => deed.kind === "check")) return [];
  const report = await ask({ do: "look", ...about, moves: about.moves.slice(0, ply.ply) });
  if (report.is !== "position") return [];
  const king = nameOf(piecesOf(report.fen).indexOf(report.side === "red" ? "K" : "k"));
  return report.checkers.map((from) => arrow(from + king));
}

/**
 * Returns the text of an effect with the places of the pieces as players name them; the Chinese text has them
 * already.
 */
const placed = ({ text, kind, victim }, side) =>
  text.replace(/\b[a-i]\d\b/g, (square) =>
    placeName(square, kind !== "block" && square === victim?.square ? other(side) : side),
  );

function row(ply) {
  const name = ply.names?.[notation()] ?? ply.move;
  const point = () => pointAt([{ move: ply.move, kind: "good", width: 9 }, ...ply.arrows]);
  return h(
    "tr",
    { class: ply.side, onpointerenter: point },
    h("td", {}, String(ply.ply)),
    h("td", {}, h("button", { type: "button", class: "move", onclick: point, onfocus: point }, name)),
    h("td", {}, ply.deeds.map((deed) => placed(deed, ply.side)).join(t("semicolon"))),
  );
}
