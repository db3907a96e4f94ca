// Exercises from mistakes: shows the position before each bad move and asks for a better one. Until it is
// answered, everything that would reveal the answer is hidden: lines, arrows, bar, graph, marks, comments and
// the moves that followed.

import { ask } from "./desk.js";
import { get, onClick, show as showNodes } from "./dom.js";
import { emit, game, on, show, told, turn } from "./game.js";
import { CLASSES, nameOfMove, SIGNS } from "./moves.js";
import { pointOf } from "./position.js";
import { review } from "./review.js";
import { notation } from "./settings.js";
import { sound } from "./sound.js";
import { pieceName, placeName, t } from "./words.js";

export const lesson = {
  /** @type {any[]} */
  questions: [],
  at: 0,
  /**
   * The side whose mistakes are asked about, and the side at the bottom before the exercises.
   * @type {"red" | "black"}
   */
  side: "red",
  /** @type {"red" | "black"} */
  usual: "red",
  /** @type {"off" | "asking" | "checking" | "answered"} */
  state: "off",
  right: 0,
  missed: false,
  /** @type {{move: string, kind: string}[]} */
  arrows: [],
};

export function setUpLearn() {
  for (const side of /** @type {const} */ (["red", "black"])) onClick(`learn-${side}`, () => begin(side));
  onClick("learn-hint", () => {
    lesson.missed = true;
    const from = lesson.questions[lesson.at].best.slice(0, 2);
    lesson.arrows = [{ move: from + from, kind: "best" }];
    emit("arrows");
    say(hintAt(from), "");
  });
  onClick("learn-show", () => {
    lesson.missed = true;
    reveal("");
  });
  onClick("learn-next", next);
  onClick("learn-leave", leave);
  on("new", leave);
  on("redraw", drawLearn);
  on("mode", () => game.mode !== "review" && leave());
}

/** Returns a hint that names a piece of the side to move. @param {string} square */
export const hintAt = (square) =>
  t("learnHint", { piece: pieceName(game.node.pieces[pointOf(square)]), place: placeName(square, turn()) });

export const asking = () => lesson.state === "asking" && game.node === before();
const before = () => review.nodes[lesson.questions[lesson.at].ply - 1].parent;

/**
 * Returns the exercises in their stored form; null if there are none. A question that has been answered is
 * not asked again.
 */
export function lessonState() {
  const { side, at, right, missed, usual, state } = lesson;
  if (state === "off") return null;
  return state === "answered" ? { side, at: at + 1, right, missed: false, usual } : { side, at, right, missed, usual };
}

/** Begins the exercises, or continues those that were stored. @param {"red" | "black"} side @param {object} [kept] */
export function begin(side, kept) {
  const usual = document.body.classList.contains("flipped") ? "black" : "red";
  const questions = (review.found?.moves ?? []).filter(
    (move) => move.side === side && move.judgement && move.best && move.best !== move.move,
  );
  Object.assign(lesson, { side, questions, at: 0, right: 0, missed: false, usual, ...kept });
  if (lesson.at >= questions.length) return emit("turn-board", lesson.usual);
  emit("turn-board", side);
  question();
}

function question() {
  lesson.state = "asking";
  lesson.arrows = [];
  game.secret = true;
  const { ply, side } = lesson.questions[lesson.at];
  show(/** @type {any} */ (before()));
  emit("tree");
  emit("secret");
  say(
    t("learnAsk", {
      number: lesson.at + 1,
      count: lesson.questions.length,
      side: t(side),
      move: nameOfMove(review.nodes[ply - 1]),
    }),
    "",
  );
}

/** @param {string} move */
export async function answer(move) {
  const asked = lesson.questions[lesson.at];
  const node = game.node;
  if (move === asked.best) {
    lesson.right += lesson.missed ? 0 : 1;
    reveal(t("learnRight"), "right");
    return;
  }
  if (move === asked.move) return wrong(t("learnSame"));
  lesson.state = "checking";
  say(t("learnChecking"), "");
  emit("try", move);
  const tried = await ask({ do: "try", ...told(node), answer: move, best: asked.best });
  if (lesson.state !== "checking" || lesson.questions[lesson.at] !== asked) return;
  if (tried.is !== "tried") {
    lesson.state = "asking";
    wrong(tried.text || t("noEngine"));
  } else if (tried.right) {
    lesson.right += lesson.missed ? 0 : 1;
    reveal(t("learnAlso"), "right");
  } else {
    lesson.state = "asking";
    wrong(t("learnWrong", { line: tried.names[notation()].slice(0, 4).join(" ") }));
  }
}

function wrong(text) {
  lesson.missed = true;
  sound("wrong");
  say(text, "wrong");
  emit("shown", { slide: true });
}

/** @param {string} text @param {string} [name] */
function reveal(text, name = "") {
  const asked = lesson.questions[lesson.at];
  lesson.state = "answered";
  game.secret = false;
  lesson.arrows = [{ move: asked.best, kind: "best" }];
  if (name) sound("right");
  show(game.node);
  emit("tree");
  emit("secret");
  const blame = `${nameOfMove(review.nodes[asked.ply - 1])}${SIGNS[CLASSES.indexOf(asked.judgement)]} ${asked.text}`;
  say(`${text} ${blame}`.trim(), name);
}

function next() {
  lesson.at += 1;
  lesson.missed = false;
  if (lesson.at < lesson.questions.length) return question();
  const { right, questions } = lesson;
  leave();
  emit("said", t("learnDone", { right, count: questions.length }));
}

export function leave() {
  if (lesson.state === "off") return;
  lesson.state = "off";
  lesson.arrows = [];
  game.secret = false;
  emit("tree");
  emit("secret");
  emit("shown", {});
  emit("turn-board", lesson.usual);
  drawLearn();
}

function say(text, name) {
  const box = get("learn-text");
  box.textContent = text;
  box.dataset.state = name;
  drawLearn();
}

function drawLearn() {
  const { state } = lesson;
  showNodes(state !== "off", get("learn"));
  showNodes(state === "off", get("review-main"));
  showNodes(state === "asking" || state === "checking", get("learn-hint"), get("learn-show"));
  get("learn-next").textContent = t(
    lesson.at + 1 < lesson.questions.length ? (state === "answered" ? "learnNext" : "learnSkip") : "done",
  );
}
