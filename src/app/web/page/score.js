// Scores of the engine, and their texts.

import { t } from "./words.js";

/** Converts a score to the other side's point of view. */
export const turned = (score) =>
  score && Object.fromEntries(Object.entries(score).map(([name, value]) => [name, -value]));

/** Hundredths of a pawn above which a score is a tablebase win. */
const TABLE_WIN = 20_000;

/**
 * Formats a score in pawns from Red's point of view, or the number of moves to mate.
 * @param {any} score the mover's @param {"red" | "black"} side
 */
export function scoreText(score, side) {
  if (!score) return "";
  const sign = side === "red" ? 1 : -1;
  if (score.mate !== undefined) {
    const moves = sign * score.mate;
    return t(moves < 0 || Object.is(moves, -0) ? "mateBlack" : "mateRed", { count: Math.abs(moves) });
  }
  if (score.rule !== undefined) return sign * score.rule > 0 ? t("ruleRed") : t("ruleBlack");
  if (Math.abs(score.cp) > TABLE_WIN) return t("winsByTable", { side: t(sign * score.cp > 0 ? "red" : "black") });
  const pawns = (sign * score.cp) / 100;
  return `${pawns < 0 ? "−" : pawns > 0 ? "+" : ""}${Math.abs(pawns).toFixed(2)}`;
}

/** Formats a score for newcomers: a mate is a sentence. @param {any} score @param {"red" | "black"} side */
export const longText = (score, side) =>
  score?.mate
    ? t("matesIn", { side: t((score.mate > 0) === (side === "red") ? "red" : "black"), count: Math.abs(score.mate) })
    : scoreText(score, side);

/** Formats a score in a few characters, for the bar. @param {any} score @param {"red" | "black"} side */
export function shortText(score, side) {
  const points = (side === "red" ? 1 : -1) * (score.cp ?? score.rule ?? 0);
  if (score.rule !== undefined || Math.abs(points) > TABLE_WIN) return t(points > 0 ? "result_red" : "result_black");
  if (score.mate !== undefined) return t("mateShort", { count: Math.abs(score.mate) });
  return scoreText(score, side).replace(/(\.\d)\d$/, "$1");
}
