// Puzzles: the page shows a position, the user finds the moves, and the page plays the replies. The browser
// stores progress and a rating.

import { ask } from "./desk.js";
import { get, setOptions, show as showNodes } from "./dom.js";
import { addLine, emit, game, on, open, play, requestReport, setMode, told } from "./game.js";
import { hintAt } from "./learn.js";
import { nameLine } from "./moves.js";
import { turnOf } from "./position.js";
import { notation, settings } from "./settings.js";
import { sound } from "./sound.js";
import { store, stored } from "./store.js";
import { Tree } from "./tree.js";
import { t } from "./words.js";

const KEY = "chuhe.puzzles";
/** Storage key and maximum number of the puzzles from the user's own games. */
const MINE = "chuhe.puzzles.mine";
const MOST_MINE = 500;
/** Initial rating of the user, and maximum change per puzzle, at first and later. */
const FIRST_RATING = 1000;
const SWAYS = { least: 20, first: 60, later: 24 };
/** Upper bound of the ratings of easy puzzles, and lower bound of hard ones. */
const BOUNDS = [1000, 1500];
/** Delay of a reply in milliseconds. */
const PACE = 450;
/** Number of moves after which a draw counts as held. */
const HELD = 8;
/** Number of nodes per move of the defender in an ending. */
const DEFENCE = 100_000;

/**
 * A lesson without a line is an ending that is played out.
 * @typedef {{title: string, text: string}} Lesson
 * @typedef {{start: string, line: string[], rating: number, themes: string[], lesson?: Lesson}} Puzzle
 */

export const puzzle = {
  /** True while the board shows a puzzle, solved or not. */
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
let language = "";
/** @type {Puzzle | null} */
let current = null;
let ply = 0;
/** Number of hints given, and whether the puzzle can no longer be solved at the first attempt. */
let hints = 0;
/** Puzzles that were left, latest last; they come after all others. @type {string[]} */
let skipped = [];
let missed = false;
let opening = false;
let later = 0;

/** Stored data: whether each puzzle was solved without help. */
const progress = {
  rating: FIRST_RATING,
  played: 0,
  done: /** @type {Record<string, boolean>} */ ({}),
  at: "",
  theme: "",
  level: "near",
  ...stored(KEY, {}),
};
const keep = () => store(KEY, progress);

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

/** Returns the puzzles from the user's own games. @returns {Puzzle[]} */
const mine = () =>
  [stored(MINE, [])].flat().filter((one) => typeof one?.start === "string" && typeof one.line?.[0] === "string");

/**
 * Stores every mistake and blunder of a review as a puzzle.
 * @param {any} found @returns {Promise<number>} number of new puzzles
 */
export async function collect(found) {
  const { plies } = await ask({ do: "line", start: found.start, line: found.moves.map(({ move }) => move) });
  const bad = found.moves.filter(
    (move) => plies && ["mistake", "blunder"].includes(move.judgement) && move.best && move.best !== move.move,
  );
  const made = bad.map(({ ply, best }) => ({
    start: ply > 1 ? plies[ply - 2].fen : found.start,
    line: [best],
    rating: progress.rating,
    themes: ["mine"],
  }));
  const known = mine();
  const fresh = made.filter((one) => known.every((other) => keyOf(other) !== keyOf(one)));
  if (!store(MINE, [...fresh, ...known].slice(0, MOST_MINE))) return 0;
  language = ""; // forces another request, which adds them
  return fresh.length;
}

/** Returns true if the board is waiting for the user or for a reply, so that no other moves are possible. */
export const solving = () => game.mode === "puzzles" && puzzle.state !== "done";

/** Loads the puzzles when the engine is connected. */
export const setPuzzles = () => void (game.mode === "puzzles" && enter());

async function enter() {
  if (language !== settings.language || puzzles.length === 0) {
    const answer = await ask({ do: "puzzles" });
    if (answer.is !== "puzzles") return;
    themes = [{ name: "lesson", title: t("lessons") }, { name: "mine", title: t("puzzleMine") }, ...answer.themes];
    puzzles = [
      ...answer.puzzles.map((one) => (one.lesson ? { ...one, themes: [...one.themes, "lesson"] } : one)),
      ...mine(),
    ];
    language = settings.language;
    // Selects the same puzzle in the other language.
    current = puzzles.find((one) => current && keyOf(one) === keyOf(current)) ?? current;
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

function fitting() {
  const inLevel = {
    near: () => true,
    easy: (rating) => rating < BOUNDS[0],
    middle: (rating) => rating >= BOUNDS[0] && rating <= BOUNDS[1],
    hard: (rating) => rating > BOUNDS[1],
  };
  if (progress.theme === "lesson") return puzzles.filter(({ lesson }) => lesson);
  return puzzles.filter(
    (one) =>
      !one.lesson &&
      (!progress.theme || one.themes.includes(progress.theme)) &&
      (inLevel[progress.level] ?? inLevel.near)(one.rating),
  );
}

/** Returns the new puzzle nearest to the user's rating; without new puzzles, one that was missed, or any other. */
function next() {
  const far = (/** @type {Puzzle} */ one) => Math.abs(one.rating - progress.rating);
  const fit = fitting();
  if (current) skipped = [...skipped.filter((key) => key !== progress.at), progress.at];
  const turn = (/** @type {Puzzle} */ one) => skipped.indexOf(keyOf(one));
  // Lessons are presented in order, starting after the current one.
  const place = fit.indexOf(/** @type {Puzzle} */ (current)) + 1;
  const found =
    progress.theme === "lesson"
      ? [...fit.slice(place), ...fit.slice(0, Math.max(0, place - 1))]
      : fit.filter((one) => one !== current).sort((a, b) => turn(a) - turn(b) || far(a) - far(b));
  const fresh =
    found.find((one) => progress.done[keyOf(one)] === undefined) ?? found.find((one) => !progress.done[keyOf(one)]);
  const chosen = fresh ?? found[Math.floor(Math.random() * found.length)] ?? fit[0];
  if (chosen) present(chosen);
  else say(t("puzzleNone"), "");
}

/** @param {Puzzle} one @param {boolean} [again] it has just been solved or shown, so it does not count */
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

/** Returns the task as a sentence. */
function task() {
  if (!current) return "";
  const aim = t(`puzzle_${current.themes[0]}${current.line.length > 0 ? "" : "Ending"}`, {
    side: t(turnOf(current.start)),
  });
  return current.lesson ? t("lessonSays", { ...current.lesson, aim }) : aim;
}

/** @param {string} move */
export async function solve(move) {
  if (puzzle.state !== "asking" || !current) return;
  const [asked, best] = [current, current.line[ply]];
  if (asked.line.length === 0) return playOut(asked, move);
  if (move === best) return right(move);
  puzzle.state = "checking";
  say(t("learnChecking"), "");
  emit("try", move);
  const moves = current.line.slice(0, ply);
  const tried = await ask({ do: "try", start: current.start, moves, answer: move, best });
  if (puzzle.state !== "checking" || current !== asked) return;
  puzzle.state = "asking";
  // An alternative that reaches the same aim is accepted, such as another mate, unless it takes longer than
  // the solution.
  const isMate = asked.themes[0] === "mate";
  const isSlow = isMate && tried.is === "tried" && 2 * tried.score.mate - 1 > asked.line.length - ply;
  if (isSlow) {
    emit("shown", { slide: true });
    say(t("puzzleSlower", { count: Math.ceil((asked.line.length - ply) / 2) }), "");
    return;
  }
  if (tried.is === "tried" && (isMate ? tried.score.mate > 0 : tried.right)) {
    play(move);
    solved(t("puzzleOther"));
    return;
  }
  const line = tried.is === "tried" ? tried.names[notation()].slice(0, 4).join(" ") : "";
  wrong(line ? t("learnWrong", { line }) : t("puzzleWrong"));
}

/** Takes the move on the board back. @param {string} text */
function wrong(text) {
  puzzle.state = "asking";
  miss();
  sound("wrong");
  emit("shown", { slide: true });
  say(text, "wrong");
}

/**
 * Plays a move of an ending, which is right if it preserves the tablebase value; the engine defends.
 * @param {Puzzle} asked @param {string} move
 */
async function playOut(asked, move) {
  const stale = () => !current || keyOf(current) !== keyOf(asked) || game.mode !== "puzzles";
  const kept = asked.themes[0] === "win" ? "win" : "draw";
  puzzle.state = "checking";
  emit("try", move);
  const { moves } = await ask({ do: "endings", ...told() });
  if (stale()) return;
  const value = moves?.find((one) => one.move === move)?.value;
  if (value !== kept && value !== "win") {
    wrong(t("lessonSpoils", { value: t(`ending_${value ?? "unknown"}`) }));
    return;
  }
  puzzle.arrows = [];
  puzzle.state = "answering";
  ply += 1;
  const node = play(move);
  const { verdict } = await requestReport(node);
  if (stale()) return;
  if (verdict.result !== "open" || (kept === "draw" && ply >= HELD))
    return solved(t(kept === "draw" || verdict.winner ? "puzzleSolved" : "lessonDrawn"));
  const answer = await ask({ do: "play", ...told(node), limit: { nodes: DEFENCE }, book: false });
  if (stale() || game.node !== node) return;
  if (answer.is === "move") {
    const { verdict: now } = (await requestReport(play(answer.move, { names: answer.names, by: "engine" }))) ?? {};
    if (stale()) return;
    if (now && now.result !== "open") return solved(t(now.winner ? "puzzleSolved" : "lessonDrawn"));
  }
  puzzle.state = "asking";
  say(t("puzzleGoOn"), "right");
}

function right(move) {
  if (!current) return;
  puzzle.arrows = [];
  hints = Math.min(hints, 1);
  play(move);
  if (ply + 1 >= current.line.length) return solved(t("puzzleSolved"));
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
  finish(`${text} ${rate(!missed)} ${about()}`, "right");
}

async function reveal() {
  if (!current || puzzle.state === "done") return;
  miss();
  const { node, tree } = game;
  const rest = current.line.slice(ply);
  finish(`${t("puzzleShown")} ${about()}`, "");
  addLine(node, rest, null);
  await nameLine(tree.mainline(node));
  if (game.tree !== tree || puzzle.state === "off") return;
  point(rest[0]);
}

/** @param {string} move */
function point(move) {
  puzzle.arrows = [{ move, kind: "best" }];
  emit("arrows");
}

function finish(text, name) {
  clearTimeout(later);
  puzzle.state = "done";
  say(text, name);
}

/** Shows a hint; the stages are the themes, the piece and the move. */
function hint() {
  if (!current || puzzle.state !== "asking") return;
  miss();
  if (current.line.length === 0) return hintEnding(current);
  const move = current.line[ply];
  const what = about();
  hints += hints === 0 && !what ? 2 : 1;
  if (hints >= 2) point(hints > 2 ? move : move.slice(0, 2).repeat(2));
  say(hints === 1 ? what : hints === 2 ? hintAt(move.slice(0, 2)) : t("puzzleArrow"), "");
}

/** @param {Puzzle} asked */
async function hintEnding(asked) {
  const { node } = game;
  const answer = await ask({ do: "hint", ...told() });
  if (answer.is !== "hint" || current !== asked || game.node !== node || puzzle.state !== "asking") return;
  point(answer.move);
  say(t("puzzleArrow"), "");
}

/** Returns the themes other than the aim, if any. */
function about() {
  const names = (current?.themes.slice(1) ?? []).filter((name) => name !== "lesson");
  const titles = names.map((name) => themes.find((theme) => theme.name === name)?.title ?? name);
  return titles.length > 0 ? t("puzzleAbout", { themes: titles.join(t("comma")) }) : "";
}

function miss() {
  if (missed) return;
  missed = true;
  if (!current?.lesson) rate(false);
}

/**
 * Rates the first attempt at a puzzle as a game against its rating; lessons do not change the user's rating.
 * @param {boolean} won @returns {string} the change of the rating as text
 */
function rate(won) {
  if (!current) return "";
  const key = keyOf(current);
  if (progress.done[key] === undefined && !current.lesson) {
    const expected = 1 / (1 + 10 ** ((current.rating - progress.rating) / 400));
    const sway = progress.played < SWAYS.least ? SWAYS.first : SWAYS.later;
    const change = Math.round(sway * (Number(won) - expected));
    progress.rating += change;
    progress.played += 1;
    progress.done[key] = won;
    keep();
    return won ? t("puzzleGain", { change, rating: progress.rating }) : "";
  }
  if (won || current.lesson) progress.done[key] = won;
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
  if (language && language !== settings.language) return enter();
  const { state } = puzzle;
  const of = (name) =>
    puzzles.filter((one) => (!name || one.themes.includes(name)) && (name === "lesson" || !one.lesson)).length;
  const all = [{ name: "", title: t("puzzleAll") }, ...themes].filter(({ name }) => !name || of(name) > 0);
  setOptions(
    get("puzzle-theme"),
    all.map(({ name, title }) => [name, t("puzzleCount", { name: title, count: of(name) })]),
    progress.theme,
  );
  get("puzzle-level").value = progress.level;
  showNodes(state !== "done", get("puzzle-hint"));
  showNodes(state !== "done" && current?.line.length !== 0, get("puzzle-show"));
  showNodes(state === "done", get("puzzle-again"), get("puzzle-analyse"));
  get("puzzle-hint").toggleAttribute("disabled", hints >= 3);
  // The first hint lowers the rating.
  get("puzzle-hint").textContent = t(
    missed || current?.lesson || (current && keyOf(current) in progress.done) ? "hint" : "puzzleHint",
  );
  get("puzzle-next").textContent = t(state === "done" ? "learnNext" : "learnSkip");
  const fit = fitting();
  const [tried, first] = [
    fit.filter((one) => keyOf(one) in progress.done),
    fit.filter((one) => progress.done[keyOf(one)]),
  ];
  get("puzzle-progress").textContent = t("puzzleProgress", {
    rating: progress.rating,
    solved: first.length,
    tried: tried.length,
    count: fit.length,
  });
}
