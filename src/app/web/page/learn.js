// Exercises from mistakes: shows the position before each bad move and asks for a better one. Until it is
// answered, everything that would reveal the answer is hidden: lines, arrows, bar, graph, marks, comments and
// the moves that followed.

import { ask } from "./desk.js";
import { get, show as showNodes } from "./dom.js";
import { emit, game, on, show, told, turn } from "./game.js";
import { nameOfMove } from "./moves.js";
import { pointOf } from "./position.js";
import { review } from "./review.js";
import { notation } from "./settings.js";
import { sound } from "./sound.js";
import { pieceName, placeName, t } from "./words.js";

export const lesson = {
  /** @type {any[]} */
  questions: [],
  at: 0,
  /** @type {"off" | "asking" | "checking" | "answered"} */
  state: "off",
  right: 0,
  missed: false,
  /** @type {{move: string, kind: string}[]} */
  arrows: [],
};

/** The side at the bottom before the exercises. @type {"red" | "black"} */
let usual = "red";

export function setUpLearn() {
  for (const side of ["red", "black"]) get(`learn-${side}`).addEventListener("click", () => begin(side));
  get("learn-hint").addEventListener("click", () => {
    lesson.missed = true;
    const from = lesson.questions[lesson.at].best.slice(0, 2);
    lesson.arrows = [{ move: from + from, kind: "best" }];
    emit("arrows");
    say(hintAt(from), "");
  });
  get("learn-show").addEventListener("click", () => {
    lesson.missed = true;
    reveal("");
  });
  get("learn-next").addEventListener("click", next);
  get("learn-leave").addEventListener("click", leave);
  on("new", leave);
  on("redraw", drawLearn);
  on("mode", () => game.mode !== "review" && leave());
}

/** Returns a hint that names a piece of the side to move. @param {string} square */
export const hintAt = (square) => t("learnHint", { piece: pieceName(game.node.pieces[pointOf(square)]), place: placeName(square, turn()) });

export const asking = () => lesson.state === "asking" && game.node === before();
const before = () => review.nodes[lesson.questions[lesson.at].ply - 1].parent;

export function begin(side) {
  const moves = review.found?.moves ?? [];
  lesson.questions = moves.filter((move) => move.side === side && move.judgement && move.best && move.best !== move.move);
  lesson.at = 0;
  lesson.right = 0;
  if (lesson.questions.length === 0) return;
  usual = document.body.classList.contains("flipped") ? "black" : "red";
  emit("turn-board", side);
  question();
}

function question() {
  lesson.state = "asking";
  lesson.missed = false;
  lesson.arrows = [];
  game.secret = true;
  const { ply, side } = lesson.questions[lesson.at];
  show(/** @type {any} */ (before()));
  emit("tree");
  emit("secret");
  say(t("learnAsk", { number: lesson.at + 1, count: lesson.questions.length, side: t(side), move: nameOfMove(review.nodes[ply - 1]) }), "");
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
  if (move === asked.move) {
    wrong(t("learnSame"));
    return;
  }
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
  // The engine's text begins with the judgement of the game's move.
  const blame = asked.text.replace(/^[^:：.。]+/, t(`learn_${asked.judgement}`, { move: nameOfMove(review.nodes[asked.ply - 1]) }));
  say(`${text} ${blame}`.trim(), name);
}

function next() {
  lesson.at += 1;
  if (lesson.at < lesson.questions.length) {
    question();
    return;
  }
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
  emit("turn-board", usual);
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
  get("learn-next").textContent = t(lesson.at + 1 < lesson.questions.length ? (state === "answered" ? "learnNext" : "learnSkip") : "learnFinish");
}
