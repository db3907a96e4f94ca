// The lists of players and handicaps, and the names of the players in the record.

import { get, setOptions, show as showNodes } from "./dom.js";
import { engineSeats } from "./engines.js";
import { on } from "./game.js";
import { people, seatName } from "./match.js";
import { HANDICAPS } from "./position.js";
import { settings, watch } from "./settings.js";
import { t } from "./words.js";

/**
 * @typedef {import("./tree.js").Tree} Tree
 */

/** @type {{level: number, elo: number}[]} */
let levels = [];

export function setUpSeats() {
  watch((name) => ["red", "black", "handicap", "clock", "unequal"].includes(name) && drawSeats());
  for (const name of /** @type {const} */ (["redraw", "engines"])) on(name, drawSeats);
  on("greeted", (greeting) => {
    levels = greeting.levels;
    drawSeats();
  });
}

/**
 * Returns the side that gives a handicap: the engine's; between two users or two engines, Red.
 * @param {{red: string, black: string}} seats
 */
export const giver = ({ red, black }) => (red === "human" && black !== "human" ? "black" : "red");

/** @param {string} name @param {{red: string, black: string}} seats */
export const handicapText = (name, seats) => t("handicapGiven", { side: t(giver(seats)), name: t(`handicap_${name}`) });

/**
 * Names of players that were set by this module, and their tree.
 * @type {{ tree?: Tree, names: Map<string, string> }}
 */
const named = { names: new Map() };

/** @param {Tree} tree */
export function namePlayers(tree) {
  named.tree = tree;
  for (const side of /** @type {const} */ (["red", "black"])) {
    // No names are set for two human players.
    const name = people() === 2 ? "" : seatName(side);
    const tag = side === "red" ? "Red" : "Black";
    if (name) tree.tags.set(tag, name);
    named.names.set(tag, name);
  }
}

/** Translates the names that were set by this module; names typed by the user are unchanged. */
function renamePlayers() {
  const { tree, names } = named;
  if (tree && [...names].every(([tag, name]) => tree.tags.get(tag) === name)) namePlayers(tree);
}

/** Fills the lists of players, after the hello response and after a change of language. */
function drawSeats() {
  for (const side of /** @type {const} */ (["red", "black"])) {
    const list = get(`seat-${side}`);
    const others = engineSeats().map(({ seat, name }) => [seat, name]);
    setOptions(
      list,
      [["human", t("you")], ...levels.map(({ level, elo }) => [level, levelText(level, elo)]), ...others],
      settings[side],
    );
    if (!list.value) list.value = side === "red" ? "human" : "3";
  }
  const handicaps = Object.keys(HANDICAPS).map((name) => [
    name,
    name === "none" ? t("noHandicap") : handicapText(name, settings),
  ]);
  setOptions(get("handicap"), handicaps, settings.handicap);
  const whole = settings.clock !== "move";
  showNodes(whole, ...document.querySelectorAll("[data-for=whole]"));
  showNodes(whole && settings.unequal, ...document.querySelectorAll("[data-for=unequal]"));
  renamePlayers();
}

const levelText = (level, elo) =>
  t("levelSays", { level, elo, like: t("levelsAre").split("/")[Math.ceil(level / 2) - 1] });
