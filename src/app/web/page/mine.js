// The user's own games: the server stores a game after every move.
// Its tags contain what is needed to continue it.

import { ask, connected } from "./desk.js";
import { get, show as showNodes } from "./dom.js";
import { emit, game, on, open, setMode, setRules, show } from "./game.js";
import { freshId, identify, isHuman, match, people, timed } from "./match.js";
import { resume } from "./play.js";
import { settings } from "./settings.js";
import { filled, movesTo, path, Tree } from "./tree.js";
import { t } from "./words.js";

/** Tags that only this module and the server use. */
const OWN = ["GameId", "RedSeat", "BlackSeat", "Rules", "Clock", "EditedTags"];
/** Minimum number of plies of a stored game. */
const LEAST = 2;

let offered = false;
/** The request that has stored the game most recently. */
let last = "";

export function setUpMine() {
  on("leaving", keepGame);
  on("kept", keepGame);
  document.addEventListener("visibilitychange", () => document.hidden && keepGame());
}

/** @param {boolean} yes whether the server stores games */
export async function setMine(yes) {
  offered = yes;
  showNodes(yes, get("mine-option"));
  // The connection may have been lost when the match ended, and the page has no number for a game that it stored when it was closed.
  const { id } = match;
  const answer = await keepGame();
  if (answer?.conflict !== "longer") return;
  // The server has moves that the browser had not stored when it ended.
  const found = (await ask({ do: "show", mine: true, game: answer.game })).games?.[0];
  if (found?.result === "*" && match.active && match.id === id) continueGame(found.tree, answer.game);
}

/** Stores the match, unless this has been done or it has hardly begun. @returns {Promise<any>} the response, if it was sent */
export async function keepGame() {
  const { node, id, first, known } = match;
  if (!offered || !settings.mine || !connected() || !match.active || !node || !id) return;
  const line = path(node);
  if (line.length - first < LEAST || (match.done && match.result && last === "")) return;
  const tree = { start: game.tree.start, tags: [...tags()], result: match.result ? game.tree.result : "*", nodes: line.map(stored) };
  const request = JSON.stringify(tree);
  if (request === last) return;
  last = request;
  match.known = [...line.map(({ move }) => move), tree.result];
  const answer = await ask({ do: "keep", tree, ...(match.stored && { game: match.stored }), ...(known && { known }) });
  if (answer.is !== "kept") {
    last = "";
    if (match.id === id) match.known = known;
    if (answer.code !== "connection_lost") emit("trouble", answer.text);
  } else if (answer.conflict === "other") {
    // Another window has continued the game differently.
    emit("trouble", t("storedApart"));
    if (match.id === id) {
      identify(first);
      emit("kept");
    } else {
      // Another game has begun since the request.
      const tags = tree.tags.map(([name, value]) => [name, name === "GameId" ? freshId() : value]);
      await ask({ do: "keep", tree: { ...tree, tags } });
      emit("library");
    }
  } else {
    // A game that was removed is not stored again.
    if (match.id === id) Object.assign(match, answer.game ? { stored: answer.game, done: match.result !== null } : { id: "" });
    emit("library");
  }
  return answer;
}

/** @param {import("./tree.js").Node} node @param {number} parent */
const stored = ({ move, comment, glyphs }, parent) => ({ parent, move, ...filled({ comment, glyphs }) });

function tags() {
  const now = new Date();
  const today = [now.getFullYear(), now.getMonth() + 1, now.getDate()].map((part) => String(part).padStart(2, "0")).join(".");
  // A game that begins in the middle of another one does not inherit its event.
  const tags = new Map([...game.tree.tags].filter(([name]) => match.first === 0 || name === "Red" || name === "Black"));
  if (!tags.has("Date")) tags.set("Date", today);
  tags.set("GameId", match.id).set("RedSeat", match.seats.red).set("BlackSeat", match.seats.black).set("Rules", game.rules);
  const { kind, base, increment, clock } = match;
  if (timed()) tags.set("Clock", [kind, base.red, base.black, increment, ...[clock.red, clock.black].map(Math.round)].join(" "));
  return tags;
}

/** Separates the tags that only this module uses from those of a game. @param {any} packed @returns {Map<string, string>} */
export function takeTags(packed) {
  const own = new Map(packed.tags.filter(([name]) => OWN.includes(name)));
  packed.tags = packed.tags.filter(([name]) => !OWN.includes(name));
  return own;
}

/** Continues a game of the library. @param {any} packed @param {number} id its number */
export function continueGame(packed, id) {
  const own = takeTags(packed);
  const tree = Tree.unpack(packed);
  const node = tree.mainline().at(-1) ?? tree.root;
  const known = [...movesTo(node), "*"];
  // The game on the board may have more moves than the list.
  if (match.active && match.node && match.id === own.get("GameId") && path(match.node).length >= path(node).length) {
    setMode("play");
    show(match.node);
    return;
  }
  open(tree, node);
  setRules(own.get("Rules") ?? settings.rules);
  const [kind, ...times] = (own.get("Clock") ?? "increment 0 0 0 0 0").split(" ");
  const [red, black, increment, redLeft, blackLeft] = times.map(Number);
  const seats = { red: own.get("RedSeat") ?? "human", black: own.get("BlackSeat") ?? "human" };
  const clock = { red: redLeft, black: blackLeft };
  resume({ active: true, seats, kind, base: { red, black }, increment, clock, result: null, paused: false, id: own.get("GameId") ?? "", first: 0, stored: id, known }, node);
  if (people() === 1) emit("turn-board", isHuman("red") ? "red" : "black");
  setMode("play");
  show(node);
}
