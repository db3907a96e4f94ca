// Analysis: the best lines of one or two engines, their arrows, and the bar beside the board.

import { ask, connected, forget, refusal } from "./desk.js";
import { get, h, oncePerFrame, onHover, show as showNodes } from "./dom.js";
import { analystName, thinker } from "./engines.js";
import { remember } from "./known_moves.js";
import { setUpMate } from "./mate.js";
import { valueOf } from "./moves.js";
import { addLine, emit, game, hasMoves, isOver, on, show, told, turn } from "./game.js";
import { threads } from "./options.js";
import { longText, scoreText, shortText } from "./score.js";
import { change, notation, settings } from "./settings.js";
import { preview } from "./table.js";
import { t } from "./words.js";

/**
 * @typedef {object} Analyst an engine used for analysis
 * @property {"first" | "second"} place
 * @property {any[]} lines the lines found, best first
 * @property {any[]} coming the lines of the current iteration received so far
 * @property {number | null} running the number of its request
 * @property {{request: any, lines: any[]} | null} task its request, with the lines of the last complete iteration
 * @property {string} trouble the reason why it reports nothing about the displayed position
 * @property {string} dead the reason why another engine has ended; it is not used until the user requests it
 */

/** @param {"first" | "second"} place @returns {Analyst} */
const analyst = (place) => ({ place, lines: [], coming: [], running: null, task: null, trouble: "", dead: "" });

export const analysis = {
  /** True if the displayed position is analysed. */
  on: false,
  analysts: [analyst("first"), analyst("second")],
  /** The lines of the first engine. */
  get lines() {
    return this.analysts[0].lines;
  },
  /** @type {any} the opponent's threat, if requested */
  threat: null,
};

/** Identifies the current analysis, so that no request is sent twice. */
let about = "";
const later = oncePerFrame(drawLines);

/** Returns the engines in use; the second one only if it is selected. */
const chosen = () => analysis.analysts.filter(({ place }) => analystName(place) !== null);
const forgetTrouble = () => analysis.analysts.forEach((one) => (one.trouble = ""));

export function setUpLines() {
  // A search for a mate must be cancelled before the analysis starts, so its handlers are added first.
  setUpMate();
  get("engine").addEventListener("click", () => toggle());
  get("lines-fewer").addEventListener("click", () => setLines(settings.lines - 1));
  get("lines-more").addEventListener("click", () => setLines(settings.lines + 1));
  for (const one of analysis.analysts) {
    const list = get(one.place === "first" ? "lines" : "lines-second");
    onHover(list, (target) => hover(one, target), () => preview(null));
    list.addEventListener("click", (event) => {
      const button = event.target.closest("button[data-upto]");
      if (!button) return;
      const line = one.lines[Number(button.dataset.line)];
      preview(null);
      show(addLine(game.node, line.pv.slice(0, Number(button.dataset.upto)), line.names), { sound: true });
    });
    get(`revive-${one.place}`).addEventListener("click", () => {
      one.dead = "";
      restart();
    });
  }
  on("analysts", () => {
    analysis.analysts.forEach((one) => Object.assign(one, { lines: [], dead: "", trouble: "" }));
    restart();
  });
  on("shown", () => {
    analysis.analysts.forEach((one) => (one.lines = []));
    analysis.threat = null;
    forgetTrouble();
    preview(null);
    start();
    later();
  });
  on("reported", () => {
    forgetTrouble();
    start();
    later();
  });
  on("refused", (answer) => {
    analysis.analysts[0].trouble = answer.code === "connection_lost" ? "" : answer.text;
    later();
  });
  on("mode", (left) => {
    start(left !== "");
    drawLines();
  });
  on("redraw", drawLines);
  on("rules", () => start(true));
}

function restart() {
  start(true);
  later();
}

export function toggle(wanted = !analysis.on) {
  analysis.on = wanted;
  if (!wanted) analysis.analysts.forEach((one) => (one.lines = []));
  start(true);
  emit("analysis");
  later();
}

/** @param {number} count */
export function setLines(count) {
  change("lines", Math.min(5, Math.max(1, count)));
  for (const { lines } of analysis.analysts) lines.length = Math.min(lines.length, settings.lines);
  restart();
}

/** Starts the analysis of the displayed position if it is enabled, and ends any other analysis. */
export function start(again = false) {
  const allowed = (game.mode === "analyse" || game.mode === "review") && !game.secret && !game.busy && connected();
  const wanted = analysis.on && allowed && hasMoves();
  const now = wanted ? `${game.node.id} ${game.tree.next} ${game.rules} ${settings.lines} ${game.tree.start}` : "";
  const same = wanted && about.split(" ")[0] === String(game.node.id);
  if (!again && (now === about || (same && analysis.analysts.some(({ running }) => running !== null)))) return;
  about = now;
  stop();
  if (!wanted) return;
  forgetTrouble();
  for (const one of chosen()) if (!one.dead) think(one);
}

/** @param {Analyst} one */
function think(one) {
  const { node } = game;
  const name = analystName(one.place);
  const request = { do: "think", ...told(), lines: settings.lines, threads: threads(), ...thinker(name) };
  const asked = ask(request, (event) => {
    if (event.is === "line" && game.node === node && one.running === asked.id) hear(one, node, event);
  });
  one.running = asked.id;
  one.task = { request, lines: [] };
  asked.then((event) => {
    const shown = one.running === asked.id;
    if (shown) end(one);
    if (event.is === "error" && !["stopped", "connection_lost", "game_over"].includes(event.code)) {
      if (name) one.dead = event.text;
      else if (shown) one.trouble = event.text;
      emit("trouble", event.text);
    } else if (event.is === "done" && shown && one.lines.length === 0) {
      one.trouble = event.best ? t("onlyItsMove", { move: event.names[notation()] }) : t("noMoveOfIt");
    }
    later();
  });
}

export function stop() {
  const asked = analysis.analysts.filter(({ running }) => running !== null);
  for (const one of asked) {
    forget(/** @type {number} */ (one.running));
    end(one);
  }
  if (asked.length > 0) ask({ do: "stop" });
}

/** Ends an analysis, which was complete or is no longer needed. @param {Analyst} one */
function end(one) {
  if (one.task) remember(one.task.request, one.task.lines);
  Object.assign(one, { running: null, task: null });
}

/** @param {Analyst} one */
function hear(one, node, event) {
  // Lines are shown when those of an iteration are complete: lines of different iterations may begin with the
  // same move.
  if (event.multipv === 1) one.coming = [];
  one.coming.push(event);
  if (event.multipv === event.of) {
    one.lines = one.coming.slice(0, settings.lines);
    if (one.task) one.task.lines = one.coming;
  }
  if (
    one.place === "first" &&
    event.multipv === 1 &&
    !isOver(node) &&
    (!node.value || event.depth >= node.value.depth)
  ) {
    node.value = { points: event.red, score: event.score, depth: event.depth };
    emit("value");
  }
  later();
}

/** Requests the opponent's best move if the side to move passed. */
export async function threat() {
  const { node } = game;
  const answer = await ask({ do: "think", ...told(), pass: true, lines: 1, limit: { time_ms: 1000 } }, (event) => {
    if (event.is === "line" && game.node === node) analysis.threat = event;
  });
  if (answer.is === "error") emit("trouble", answer.text);
  else if (game.node === node && answer.best) {
    analysis.threat = { pv: [answer.best], names: null, ...analysis.threat };
    emit("said", t("threatens", { move: answer.names[notation()] }));
  }
  // The request has ended the analysis, so it is restarted.
  restart();
}

/** @param {Analyst} one */
function hover(one, target) {
  const { line, upto } = target.closest("button[data-upto]")?.dataset ?? {};
  preview(one.lines[line]?.pv.slice(0, Number(upto)) ?? null);
}

export function drawLines() {
  const engine = get("engine");
  engine.setAttribute("aria-pressed", String(analysis.on));
  get("lines-count").textContent = t("linesCount", { count: settings.lines });
  get("lines-fewer").disabled = settings.lines <= 1;
  get("lines-more").disabled = settings.lines >= 5;
  const over = () => (isOver() ? t(hasMoves() ? "searchedOn" : "gameIsOver") : "");
  const said = analysis.on && !game.secret ? refusal() || analysis.analysts[0].trouble || over() : "";
  get("lines-said").textContent = said;
  showNodes(said !== "", get("lines-said"));
  const all = chosen();
  for (const one of analysis.analysts) drawAnalyst(one, all.includes(one));
  get("analyses").classList.toggle("two", all.length > 1);
  drawBar();
  emit("arrows");
}

/** @param {Analyst} one @param {boolean} shown */
function drawAnalyst(one, shown) {
  const first = one.place === "first";
  const best = one.lines[0];
  const words = best?.score.mate
    ? t("mateDepth", { mate: longText(best.score, turn()), depth: best.depth })
    : best && t("depthSpeed", { depth: best.depth, speed: speed(best.nps) });
  const depth = (analysis.on && words) || "";
  if (first) get("engine-depth").textContent = depth;
  else get("second-depth").textContent = depth || one.trouble;
  const list = get(first ? "lines" : "lines-second");
  const open = shown && analysis.on && !game.secret;
  showNodes(open, list);
  showNodes(open && one.dead !== "", get(`dead-${one.place}`));
  get(`dead-text-${one.place}`).textContent = one.dead;
  if (!first) showNodes(open, get("second-head"));
  // Existing buttons are kept, so that a line under the pointer can be clicked while it is updated.
  const rows = open && best ? one.lines.filter(Boolean) : [];
  while (list.children.length > rows.length) list.lastElementChild.remove();
  rows.forEach((line, index) => {
    const row =
      list.children[index] ??
      list.appendChild(
        h("li", {}, h("span", { class: "score" }), h("span", { class: "depth" }), h("span", { class: "pv" })),
      );
    const [score, depth, pv] = row.children;
    score.textContent = scoreText(line.score, turn());
    score.classList.toggle("for-red", line.score.cp !== 0 && line.red >= 0.5);
    score.classList.toggle("for-black", line.score.cp !== 0 && line.red < 0.5);
    score.title = t("chances", {
      win: Math.round(line.wdl[0] / 10),
      draw: Math.round(line.wdl[1] / 10),
      loss: Math.round(line.wdl[2] / 10),
      side: t(turn()),
    });
    depth.textContent = String(line.depth);
    const names = line.names[notation()].slice(0, 24);
    while (pv.children.length > names.length) pv.lastElementChild.remove();
    names.forEach((name, place) => {
      const button =
        pv.children[place] ??
        pv.appendChild(h("button", { type: "button", class: "move", "data-line": index, "data-upto": place + 1 }));
      if (button.textContent !== name) button.textContent = name;
    });
  });
}

export function arrows() {
  if (game.secret) return [];
  const found = analysis.threat ? [{ move: analysis.threat.pv[0], kind: "threat", width: 15 }] : [];
  const best = analysis.lines[0];
  if (
    !settings.arrows ||
    !analysis.on ||
    !(best || analysis.analysts[1].lines[0]) ||
    (game.mode !== "analyse" && game.mode !== "review")
  )
    return found;
  const lines = analysis.lines.filter((line) => line && line.pv.length > 0).slice(0, 5);
  const mover = turn() === "red" ? 1 : -1;
  // The arrow of the second engine's best move is drawn below those of the first.
  const other = chosen()[1]?.lines[0];
  if (other) found.push({ move: other.pv[0], kind: "second", width: 24 });
  for (const line of lines.reverse()) {
    const worse = Math.max(0, mover * (best.red - line.red));
    if (line === best) found.push({ move: line.pv[0], kind: "best", width: 16 });
    else if (worse < 0.2) found.push({ move: line.pv[0], kind: "good", width: Math.max(5, 12 - 40 * worse) });
  }
  return found;
}

/** Updates the bar: Red's expected points according to the known value of the position. */
function drawBar() {
  const bar = get("bar");
  const hidden =
    game.secret || game.mode === "edit" || game.mode === "play" || game.mode === "puzzles" || !settings.bar;
  bar.classList.toggle("off", hidden);
  const { report, value } = game.node;
  const points = valueOf(game.node) ?? 0.5;
  get("bar-red").style.height = `${(100 * points).toFixed(1)}%`;
  const text = value && report?.verdict.result === "open" ? longText(value.score, turn()) : "";
  get("bar-text").textContent = hidden || !value || !text ? "" : shortText(value.score, turn());
  bar.setAttribute("aria-label", t("barSays", { points: points.toFixed(2), score: text }));
}

function speed(nps) {
  if (settings.language === "zh") return `${(nps / 1e4).toFixed(1)}\u00a0万节点`;
  if (nps >= 1e6) return `${(nps / 1e6).toFixed(1)}\u00a0M`;
  return `${Math.round(nps / 1e3)}\u00a0k`;
}
