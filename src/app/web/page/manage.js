// Actions on the games of a library: open, review, continue, edit and remove a game; export; results; names
// of players.

import { ask } from "./desk.js";
import { askOnce, download, get, h, onClick, openDialog, show as showNodes, table } from "./dom.js";
import { take } from "./files.js";
import { emit, game, on } from "./game.js";
import { chosenGame, filters, libraries, library, mine, setOpening } from "./library.js";
import { continueGame, takeTags } from "./keeping.js";
import { TAGS } from "./moves.js";
import { beginReview } from "./review.js";
import { notation } from "./settings.js";
import { Tree } from "./tree.js";
import { t } from "./words.js";

export function setUpManage() {
  onClick("library-open", () => openGame());
  onClick("library-review", async () => (await openGame()) && beginReview());
  onClick("library-continue", async () => {
    const id = chosenGame()?.id;
    const found = await fetchGame();
    if (found) continueGame(found.tree, id);
  });
  onClick("library-edit", editTags);
  askOnce(get("library-remove"), "reallyRemove", "removeGame", remove);
  onClick("library-export", exportGames);
  onClick("library-names", async () => drawNames(await request({ do: "names" })));
  onClick("names-merge", () => merge(get("names-name").value, get("names-spelling").value));
  onClick("tags-save", saveTags);
  get("library-results").addEventListener("toggle", drawResults);
  for (const name of /** @type {const} */ (["found", "redraw"])) on(name, drawResults);
  on("chosen", drawActions);
  get("store-back").addEventListener("click", storeBack);
  for (const name of /** @type {const} */ (["tree", "reported"])) on(name, drawStoreBack);
}

/**
 * Sends a request about the library; errors are shown.
 * @param {object} asked @returns {Promise<any>} null after an error
 */
async function request(asked) {
  const answer = await ask({ mine: mine(), ...asked });
  if (answer.is !== "error") return answer;
  emit("trouble", answer.text || t("noEngine"));
  return null;
}

/** @returns {Promise<any>} the chosen game of the list with its tree, or null */
async function fetchGame() {
  const { id } = chosenGame() ?? {};
  const [found] = (id && (await request({ do: "show", game: id }))?.games) || [null];
  return found && { ...found, id };
}

export async function openGame() {
  const ply = chosenGame()?.ply ?? 0;
  const found = await fetchGame();
  if (!found) return false;
  takeTags(found.tree);
  take(found, "", ply);
  game.tree.stored = { mine: mine(), game: found.id, text: game.tree.text };
  emit("tree");
  return true;
}

function drawStoreBack() {
  const { stored } = game.tree;
  showNodes(stored !== null && libraries[stored.mine ? "mine" : "given"]?.may_edit === true, get("store-back"));
}

/** Replaces a game of a library with the game on the board, unless its number now belongs to another game. */
async function storeBack() {
  const { tree } = game;
  const { stored } = tree;
  if (!stored) return;
  const about = { mine: stored.mine, game: stored.game };
  const [found] = (await request({ do: "show", ...about }))?.games ?? [];
  if (!found) return;
  if (Tree.unpack(found.tree).text !== stored.text) emit("trouble", t("storedChanged"));
  else if (await request({ do: "edit", ...about, tree: tree.pack() })) {
    stored.text = tree.text;
    emit("library");
    emit("kept");
    emit("said", t("storedBack"));
  }
}

function drawActions() {
  const row = chosenGame();
  const mayEdit = library()?.may_edit === true;
  showNodes(Boolean(row) && (mayEdit || mine()), get("library-actions"));
  showNodes(mine(), get("library-review"), get("library-continue"));
  showNodes(mayEdit, get("library-edit"), get("library-remove"), get("library-names"));
  showNodes((library()?.games ?? 0) > 0, get("library-export"), get("library-results"));
  get("library-continue").disabled = row?.result !== "*";
}

async function remove() {
  const row = chosenGame();
  if (row && (await request({ do: "remove", game: row.id }))) emit("library");
}

let edited = 0;

async function editTags() {
  const found = await fetchGame();
  if (!found) return;
  edited = chosenGame().id;
  const tags = new Map(found.tree.tags);
  for (const name of TAGS) get(`tags-${name}`).value = tags.get(name) ?? "";
  get("tags-result").value = found.result;
  openDialog("tags-dialog");
}

async function saveTags() {
  const tags = Object.fromEntries(TAGS.map((name) => [name, get(`tags-${name}`).value]));
  if (!(await request({ do: "edit", game: edited, tags, result: get("tags-result").value }))) return;
  get("tags-dialog").close();
  emit("library");
}

async function exportGames() {
  const answer = await request({ do: "export", ...filters(), notation: notation() });
  if (!answer) return;
  download(answer.name, answer.text, "application/octet-stream");
  emit("said", t("savedAs", { name: answer.name }));
}

// Results

async function drawResults() {
  drawActions();
  if (game.mode !== "library" || !get("library-results").open) return;
  const answer = await request({ do: "results", ...filters() });
  if (!answer) return;
  const { player, red, black, person } = filters();
  const colour = red || person === "red" ? "asRed" : black || person ? "asBlack" : "";
  const hasBoth = !colour && (mine() || Boolean(player));
  const whose = [player || red || black || t(mine() ? "you" : "red"), ...(colour ? [t(colour)] : [])];
  const tables = [
    resultTable("opponent", answer.opponents.map((row) => ({ ...row, name: opponentName(row.name) })), hasBoth),
    resultTable("opening", answer.openings.map((row) => ({ ...row, name: openingButton(row) })), hasBoth),
  ];
  get("library-tables").replaceChildren(
    h("p", { class: "quiet" }, [...whose, t("resultOrder")].join(" · ")),
    ...tables.filter((one) => one !== null),
  );
}

/** @param {string} seat */
const opponentName = (seat) => (/^\d+$/.test(seat) ? t("engineAt", { level: seat }) : seat.replace(/^engine:/, ""));

/** Creates a button that shows the games of an opening. @param {{name: string, opening_name: string | null}} row */
function openingButton({ name, opening_name }) {
  const list = () => {
    history.replaceState({ ...history.state, opening: get("library-opening").value }, "");
    if (setOpening(name)) history.pushState({ mode: game.mode, opening: name }, "");
  };
  return name
    ? h("button", { type: "button", class: "move", onclick: list }, `${name} ${opening_name ?? ""}`)
    : t("otherOpening");
}

/**
 * @param {string} head @param {any[]} rows
 * @param {boolean} hasBoth whether the results with both colours are counted
 */
function resultTable(head, rows, hasBoth) {
  if (rows.length === 0) return null;
  const columns = hasBoth ? ["asRed", "asBlack", "together"] : ["together"];
  const line = ({ name, red, black }) => {
    const all = red.map((count, place) => count + black[place]);
    return h(
      "tr",
      {},
      h("th", { scope: "row" }, name),
      ...(hasBoth ? [red, black, all] : [all]).map((counts) => h("td", {}, resultText(counts))),
    );
  };
  const sum = (side) =>
    rows.reduce((total, row) => total.map((count, place) => count + row[side][place]), [0, 0, 0, 0]);
  const total = rows.length > 1 ? [{ name: t("together"), red: sum("red"), black: sum("black") }] : [];
  return table([head, ...columns], [...total, ...rows].map(line));
}

/** @param {number[]} counts won, drawn, lost and unknown */
function resultText([won, drawn, lost, unknown]) {
  const ended = won + drawn + lost;
  const score = ended > 0 ? ` ·\u00a0${Math.round((100 * (won + drawn / 2)) / ended)}\u00a0%` : "";
  return ended + unknown > 0 ? `${won}–${drawn}–${lost}${unknown > 0 ? ` (+${unknown})` : ""}${score}` : "";
}

// Names

async function merge(name, spelling) {
  const answer = await ask({ do: "merge", mine: mine(), name, spelling });
  get("names-fault").textContent = answer.is === "names" ? "" : answer.text || t("noEngine");
  if (answer.is !== "names") return;
  drawNames(answer);
  emit("library");
}

/** @param {any} answer */
function drawNames(answer) {
  if (!answer) return;
  const [name, spelling] = ["names-name", "names-spelling"].map(get);
  name.value = spelling.value = "";
  get("names-known").replaceChildren(...answer.names.map((known) => h("option", { value: known })));
  const row = ([first, ...rest], word, work) =>
    h(
      "li",
      { class: "row" },
      h("span", {}, `${first} = ${rest.join(" = ")}`),
      h("button", { type: "button", onclick: work }, t(word)),
    );
  const all = async ([first, ...rest]) => {
    for (const one of rest) await merge(first, one);
  };
  get("names-merged").replaceChildren(
    ...answer.merged.map((group) => row(group, "separate", () => merge(group[0], undefined))),
  );
  get("names-proposed").replaceChildren(...answer.proposed.map((group) => row(group, "merge", () => all(group))));
  showNodes(answer.proposed.length > 0, get("names-proposals"));
  if (!get("names-dialog").open) {
    get("names-fault").textContent = "";
    openDialog("names-dialog");
  }
}
