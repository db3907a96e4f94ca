// Puzzles: a position is shown, the solver finds the moves, the answers are played by the page. Progress and a rating are kept in the browser.

import { ask } from "./desk.js";
import { get, h, show as showNodes } from "./dom.js";
import { addLine, emit, game, on, open, play, setMode, told } from "./game.js";
import { nameOf, pointsOf, turnOf } from "./position.js";
import { notation, settings } from "./settings.js";
import { sound } from "./sound.js";
import { Tree } from "./tree.js";
import { t } from "./words.js";

const KEY = "chuhe.puzzles";
/** The rating of someone who has solved nothing yet, and how fast it changes at first and later. */
const FIRST_RATING = 1000;
const SWAYS = { least: 20, first: 60, later: 24 };
/** Ratings of easy puzzles are below the first, of hard ones above the second. */
const BOUNDS = [1000, 1500];
/** An answer comes after so many milliseconds. */
const PACE = 450;

/** @typedef {{start: string, line: string[], rating: number, themes: string[]}} Puzzle */

export const puzzle = {
  /** Whether the board shows one, solved or not. */
  onBoard: false,
  /** @type {"off" | "asking" | "checking" | "answering" | "done"} */
  state: "off",
  /** @type {{move: string, kind: string}[]} */
  arrows: [],
};

/** @type {Puzzle[]} */
let puzzles = [];
/** @type {{name: string, title: string}[]} */
let themes = [];
/** The language of their titles. */
let language = "";
/** @type {Puzzle | null} */
let current = null;
/** The place in the solution. */
let ply = 0;
/** How many hints were given, and whether it can no longer be solved at the first try. */
let hints = 0;
let missed = false;
let opening = false;
let later = 0;

/** What is kept: by puzzle, whether it was solved without help. */
const progress = { rating: FIRST_RATING, played: 0, done: /** @type {Record<string, boolean>} */ ({}), at: "", theme: "", level: "near" };
try {
  Object.assign(progress, JSON.parse(localStorage.getItem(KEY) ?? "{}"));
} catch {
  // What is damaged is forgotten.
}

function keep() {
  try {
    localStorage.setItem(KEY, JSON.stringify(progress));
  } catch {
    // A browser that keeps nothing still asks.
  }
}

export function setUpPuzzles() {
  get("puzzle-hint").addEventListener("click", hint);
  get("puzzle-show").addEventListener("click", reveal);
  get("puzzle-again").addEventListener("click", () => current && present(current, true));
  get("puzzle-analyse").addEventListener("click", () => setMode("analyse"));
  get("puzzle-next").addEventListener("click", () => next());
  for (const name of /** @type {const} */ (["theme", "level"])) {
    get(`puzzle-${name}`).addEventListener("change", (event) => {
      progress[name] = event.target.value;
      keep();
      next();
    });
  }
  on("redraw", drawPuzzles);
  on("new", () => (puzzle.onBoard = opening));
  on("mode", (left) => {
    if (game.mode === "puzzles") enter();
    else if (left === "puzzles") leave();
  });
}

/** Whether the board waits for the solver or for the answer, so that nothing else moves. */
export const solving = () => game.mode === "puzzles" && puzzle.state !== "done";

/** The engine is there: the puzzles are, too. */
export function setPuzzles() {
  if (game.mode === "puzzles") enter();
}

async function enter() {
  if (language !== settings.language || puzzles.length === 0) {
    const answer = await ask({ do: "puzzles" });
    if (answer.is !== "puzzles") return;
    [{ themes, puzzles }, language] = [answer, settings.language];
  }
  if (game.mode !== "puzzles") return;
  if (puzzle.state !== "off") {
    if (puzzle.state === "asking" && ply === 0 && hints === 0) say(task(), "");
    else drawPuzzles();
    return;
  }
  current ??= puzzles.find((one) => keyOf(one) === progress.at) ?? null;
  if (current) present(current);
  else next();
}

function leave() {
  clearTimeout(later);
  puzzle.state = "off";
  puzzle.arrows = [];
}

const keyOf = (/** @type {Puzzle} */ { start }) => start.split(" ").slice(0, 2).join(" ");

/** The puzzles that fit what is chosen. */
function fitting() {
  const inLevel = { near: () => true, easy: (rating) => rating < BOUNDS[0], middle: (rating) => rating >= BOUNDS[0] && rating <= BOUNDS[1], hard: (rating) => rating > BOUNDS[1] };
  return puzzles.filter((one) => (!progress.theme || one.themes.includes(progress.theme)) && (inLevel[progress.level] ?? inLevel.near)(one.rating));
}

/** The one nearest to the solver's rating that was not tried yet; then one that was missed; then any other. */
function next() {
  const far = (/** @type {Puzzle} */ one) => Math.abs(one.rating - progress.rating);
  const found = fitting().filter((one) => one !== current).sort((a, b) => far(a) - far(b));
  const fresh = found.find((one) => progress.done[keyOf(one)] === undefined) ?? found.find((one) => !progress.done[keyOf(one)]);
  const chosen = fresh ?? found[Math.floor(Math.random() * found.length)];
  if (chosen) present(chosen);
  else say(t("puzzleNone"), "");
}

/** @param {Puzzle} one @param {boolean} [again] it was solved or shown a moment ago, so that it does not count */
function present(one, again = false) {
  clearTimeout(later);
  current = one;
  [ply, hints, missed] = [0, 0, again];
  puzzle.state = "asking";
  puzzle.arrows = [];
  progress.at = keyOf(one);
  keep();
  const tree = new Tree(one.start);
  tree.tags.set("Event", t("puzzleNumber", { number: puzzles.indexOf(one) + 1 }));
  opening = true;
  open(tree);
  opening = false;
  emit("turn-board", turnOf(one.start));
  say(task(), "");
}

/** What is asked for. */
const task = () => (current ? t(`puzzle_${current.themes[0]}`, { side: t(turnOf(current.start)) }) : "");

/** The solver has moved. @param {string} move */
export async function solve(move) {
  if (puzzle.state !== "asking" || !current) return;
  const [asked, best] = [current, current.line[ply]];
  if (move === best) {
    right(move);
    return;
  }
  puzzle.state = "checking";
  say(t("learnChecking"), "");
  emit("try", move);
  const moves = current.line.slice(0, ply);
  const tried = await ask({ do: "try", start: current.start, moves, answer: move, best });
  if (puzzle.state !== "checking" || current !== asked) return;
  puzzle.state = "asking";
  // Another way to the same aim is as good: any mate where a mate is asked for.
  const isMate = asked.themes[0] === "mate";
  if (tried.is === "tried" && (isMate ? tried.score.mate > 0 : tried.right)) {
    play(move);
    solved(t("puzzleOther"));
    return;
  }
  miss();
  sound("wrong");
  emit("shown", { slide: true });
  const line = tried.is === "tried" ? tried.names[notation()].slice(0, 4).join(" ") : "";
  say(line ? t("learnWrong", { line }) : t("puzzleWrong"), "wrong");
}

function right(move) {
  if (!current) return;
  puzzle.arrows = [];
  play(move);
  if (ply + 1 >= current.line.length) {
    solved(t("puzzleSolved"));
    return;
  }
  puzzle.state = "answering";
  say(t("puzzleGoOn"), "right");
  const [asked, answer] = [current, current.line[ply + 1]];
  later = window.setTimeout(() => {
    if (current !== asked || puzzle.state !== "answering") return;
    ply += 2;
    puzzle.state = "asking";
    play(answer, { by: "engine" });
    say(t("puzzleGoOn"), "right");
  }, PACE);
}

/** @param {string} text */
function solved(text) {
  sound("right");
  const change = rate(!missed);
  finish(`${text} ${change} ${about()}`, "right");
}

async function reveal() {
  if (!current || puzzle.state === "done") return;
  miss();
  const { node, tree } = game;
  const rest = current.line.slice(ply);
  finish(`${t("puzzleShown")} ${about()}`, "");
  const { plies } = await ask({ do: "line", ...told(node), line: rest });
  if (game.tree !== tree) return;
  const named = (form) => plies?.map((ply) => ply.names[form]);
  addLine(node, rest, plies && { iccs: named("iccs"), wxf: named("wxf"), chinese: named("chinese") });
  if (puzzle.state === "off") return;
  puzzle.arrows = [{ move: rest[0], kind: "best" }];
  emit("arrows");
}

function finish(text, name) {
  clearTimeout(later);
  puzzle.state = "done";
  say(text, name);
}

/** Hints come by stages: what it is about, which piece, which move. */
function hint() {
  if (!current || puzzle.state !== "asking") return;
  miss();
  const move = current.line[ply];
  const what = about();
  hints += hints === 0 && !what ? 2 : 1;
  if (hints >= 3) {
    puzzle.arrows = [{ move, kind: "best" }];
    emit("arrows");
  }
  say(hints === 1 ? what : hints === 2 ? t("learnHint", { square: nameOf(pointsOf(move)[0]) }) : t("puzzleArrow"), "");
}

/** What it is about, as far as there is more to say than the aim. */
function about() {
  const names = current?.themes.slice(1) ?? [];
  const titles = names.map((name) => themes.find((theme) => theme.name === name)?.title ?? name);
  return titles.length > 0 ? t("puzzleAbout", { themes: titles.join(t("comma")) }) : "";
}

function miss() {
  if (missed) return;
  missed = true;
  rate(false);
}

/** Counts a puzzle the first time that it is tried, as a game against its rating. @param {boolean} won @returns {string} what that changed */
function rate(won) {
  if (!current) return "";
  const key = keyOf(current);
  const before = progress.done[key];
  if (before === undefined) {
    const expected = 1 / (1 + 10 ** ((current.rating - progress.rating) / 400));
    const sway = progress.played < SWAYS.least ? SWAYS.first : SWAYS.later;
    const change = Math.round(sway * (Number(won) - expected));
    progress.rating += change;
    progress.played += 1;
    progress.done[key] = won;
    keep();
    return won ? t("puzzleGain", { change, rating: progress.rating }) : "";
  }
  if (won) progress.done[key] = true;
  keep();
  return "";
}

function say(text, name) {
  const box = get("puzzle-text");
  box.textContent = text.trim();
  box.dataset.state = name;
  drawPuzzles();
}

function drawPuzzles() {
  if (game.mode !== "puzzles") return;
  if (language && language !== settings.language) {
    enter();
    return;
  }
  const { state } = puzzle;
  const list = get("puzzle-theme");
  const option = (value, name, some) => h("option", { value }, t("puzzleCount", { name, count: some.length }));
  list.replaceChildren(
    option("", t("puzzleAll"), puzzles),
    ...themes.flatMap(({ name, title }) => {
      const some = puzzles.filter((one) => one.themes.includes(name));
      return some.length > 0 ? [option(name, title, some)] : [];
    }),
  );
  list.value = progress.theme;
  get("puzzle-level").value = progress.level;
  showNodes(state !== "done", get("puzzle-hint"), get("puzzle-show"));
  showNodes(state === "done", get("puzzle-again"), get("puzzle-analyse"));
  get("puzzle-hint").toggleAttribute("disabled", hints >= 3);
  get("puzzle-next").textContent = t(state === "done" ? "learnNext" : "learnSkip");
  const fit = fitting();
  const [tried, first] = [fit.filter((one) => keyOf(one) in progress.done), fit.filter((one) => progress.done[keyOf(one)])];
  get("puzzle-progress").textContent = t("puzzleProgress", { rating: progress.rating, solved: first.length, tried: tried.length, count: fit.length });
}
