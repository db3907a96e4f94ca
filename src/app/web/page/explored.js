// The host's position database: whether there is one, and storing the page's analyses in it.

import { ask } from "./desk.js";
import { get, show as showNodes } from "./dom.js";
import { emit } from "./game.js";
import { settings } from "./settings.js";

/** Minimum depth of a stored analysis, in plies. */
const DEPTH = 10;

/** @type {{positions: number, may_add: boolean} | null} */
let database = null;

export const hasExplored = () => database !== null;

/** @param {{positions: number, may_add: boolean} | undefined} given */
export function setExplored(given) {
  database = given ?? null;
  showNodes(database?.may_add === true, get("remember-option"));
}

/** Stores an analysis that has ended, if the user wants this. @param {any} request @param {any[]} lines those of its last complete iteration */
export async function remember({ start, moves, rules, engine }, lines) {
  if (!settings.remember || database?.may_add !== true || !(lines[0]?.depth >= DEPTH)) return;
  const { depth, nodes } = lines[lines.length - 1];
  const answer = await ask({ do: "remember", start, moves, rules, by: engine, nodes, depth, lines: lines.map(({ pv, score }) => ({ move: pv[0], score })) });
  if (answer.is === "remembered") emit("explored");
  else if (answer.code !== "connection_lost") emit("trouble", answer.text);
}
