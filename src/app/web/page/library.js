// The game libraries of the server, its own and that of the user's games: searches them and lists their
// games. The list may have any length: only the visible rows are in the page, and only these are requested.

import { ask } from "./desk.js";
import { get, h, oncePerFrame, show as showNodes, toBase64 } from "./dom.js";
import { elsewhere, LARGEST } from "./files.js";
import { emit, game, on, setMode, told, turn } from "./game.js";
import { openGame } from "./manage.js";
import { RESULTS } from "./moves.js";
import { t } from "./words.js";

/** @typedef {{games: number, may_add: boolean, may_edit: boolean} | null} Library */

/** The engine's information about its library and that of the user's games. @type {{given: Library, mine: Library}} */
export const libraries = { given: null, mine: null };
/** True if the list shows the user's own games. */
let isMine = false;
export const mine = () => isMine;
export const library = () => libraries[isMine ? "mine" : "given"];
export const hasLibrary = () => libraries.given !== null || libraries.mine !== null;
/** Returns true if the moves played in a library can be requested. */
export const hasPlayed = () => libraries.given !== null;

/** Height of a row in pixels, as in the style sheet. */
const ROW = 44;
/** Number of games per request. */
const PAGE = 100;
/** Time without input after which a search begins, in milliseconds. */
const PAUSE = 250;

const FIELDS = ["player", "colour", "event", "opening", "since", "until", "result"];

/** @type {object} */
let asked = {};
/** Position of the search; empty for any position, null before the first search. @type {string | null} */
let about = null;
/** @type {{total: number, games: Map<number, any>}} by index in the list, as far as they have been received */
let found = { total: 0, games: new Map() };
/** Index of the game that Enter opens. */
let chosen = 0;
/** Error of the search; empty if it succeeded. */
let trouble = "";
/** Number of the current search, to which responses must belong. */
let search = 0;
let waiting = 0;
/** The page of the list that has been requested. @type {number | null} */
let asking = null;
/** @returns {any} the chosen entry of the list, if it has been received */
export const chosenGame = () => found.games.get(chosen);
const later = oncePerFrame(draw);

export function setUpLibrary() {
  on("greeted", ({ library: given, mine: own }) => {
    Object.assign(libraries, { given, mine: own });
    showNodes(hasLibrary(), get("mode-library"));
    showNodes(given !== null && own !== null, get("library-which"));
    if (!library()) isMine = own !== null;
    about = null;
    which(isMine);
    if (game.mode === "library" && !hasLibrary()) setMode("analyse");
  });
  const list = get("library-list");
  list.addEventListener("scroll", later);
  list.addEventListener("keydown", keyed);
  list.addEventListener("click", (event) => {
    const row = event.target.closest("[data-place]");
    if (!row) return;
    const place = Number(row.dataset.place);
    // If there are several actions, the first click only chooses the game.
    const opens = place === chosen || (!isMine && !library()?.may_edit);
    choose(place);
    if (opens) openGame();
  });
  get("library-which").addEventListener("change", ({ target }) => which(target.value === "mine"));
  new ResizeObserver(later).observe(list);
  for (const name of FIELDS) get(`library-${name}`).addEventListener("input", () => soon());
  get("library-here").addEventListener("change", () => begin());
  get("library-form").addEventListener("submit", (event) => {
    event.preventDefault();
    if (waiting) begin();
    list.focus();
  });
  get("library-add").addEventListener("click", () => get("library-file").click());
  get("library-file").addEventListener("change", (event) => {
    add([...event.target.files]);
    event.target.value = "";
  });
  elsewhere.take = (files) => {
    if (game.mode !== "library" || isMine || !library()?.may_add) return false;
    add(files);
    return true;
  };
  on("redraw", drawWords);
  on("library", () => {
    about = null;
    if (game.mode === "library") begin(true);
  });
  for (const name of /** @type {const} */ (["mode", "shown"]))
    on(name, () => game.mode === "library" && about !== position() && begin());
}

/** Shows one of the libraries. @param {boolean} own */
function which(own) {
  isMine = own;
  get("library-which").value = own ? "mine" : "given";
  showNodes(!own && library()?.may_add === true, get("library-add"));
  if (game.mode === "library" && library()) begin();
}

function soon() {
  clearTimeout(waiting);
  waiting = window.setTimeout(begin, PAUSE);
}

/** Searches for an opening; returns false if the form contains it already. @param {string | undefined} name */
export function setOpening(name) {
  const field = get("library-opening");
  if (name === undefined || name === field.value) return false;
  field.value = name;
  begin();
  return true;
}

/** Returns the position that the games must contain, if the form requires it. */
const position = () => (get("library-here").checked ? `${game.node.pieces} ${turn()}` : "");

/** Searches again. @param {boolean} [staying] keeps the place in the list */
export function begin(staying = false) {
  clearTimeout(waiting);
  waiting = 0;
  about = position();
  asked = request();
  search += 1;
  fetchPage(0, true, staying);
}

/** Returns the conditions of the form, except that of the position. */
export function filters() {
  const text = (name) => get(`library-${name}`).value.trim();
  const year = (name) => Number.parseInt(text(name), 10) || undefined;
  const [player, colour, event, opening, result] = ["player", "colour", "event", "opening", "result"].map(text);
  return {
    mine: isMine,
    [colour || "player"]: player,
    person: isMine && colour && !player ? colour : undefined,
    event,
    opening,
    result,
    since: year("since"),
    until: year("until"),
  };
}

function request() {
  const here = get("library-here").checked;
  return { do: "find", ...(here ? told() : {}), position: here, ...filters(), count: PAGE };
}

/** Requests the games from an index on; one request at a time. @param {number} from */
async function fetchPage(from, first = false, staying = false) {
  const mine = search;
  asking = from;
  const answer = await ask({ ...asked, from });
  if (mine !== search) return;
  asking = null;
  if (first) {
    found = { total: 0, games: new Map() };
    if (!staying) {
      chosen = 0;
      get("library-list").scrollTop = 0;
    }
  }
  trouble = answer.is === "found" ? "" : answer.text || t("noEngine");
  if (answer.is === "found") {
    found.total = answer.total;
    Object.assign(library() ?? {}, { games: answer.all });
    chosen = Math.max(0, Math.min(found.total - 1, chosen));
    answer.games.forEach((row, place) => found.games.set(answer.from + place, row));
  }
  drawCount();
  later();
  emit(first ? "found" : "chosen");
}

/** @param {KeyboardEvent} event */
function keyed(event) {
  const screen = Math.max(1, Math.floor(get("library-list").clientHeight / ROW) - 1);
  const ways = {
    ArrowDown: chosen + 1,
    ArrowUp: chosen - 1,
    PageDown: chosen + screen,
    PageUp: chosen - screen,
    Home: 0,
    End: found.total - 1,
  };
  if (event.key === "Enter") openGame();
  else if (event.key in ways) choose(ways[event.key]);
  else return;
  event.preventDefault();
}

/** @param {number} place */
function choose(place) {
  chosen = Math.max(0, Math.min(found.total - 1, place));
  const list = get("library-list");
  const top = chosen * ROW;
  if (top < list.scrollTop) list.scrollTop = top;
  else if (top + ROW > list.scrollTop + list.clientHeight) list.scrollTop = top + ROW - list.clientHeight;
  later();
  emit("chosen");
}

/** @param {File[]} files */
async function add(files) {
  const sums = { added: 0, duplicates: 0, refused: 0, annotated: 0, different: 0 };
  for (const file of files) {
    const answer =
      file.size > LARGEST
        ? { text: t("tooLarge") }
        : await ask({ do: "add", base64: toBase64(await file.arrayBuffer()) });
    if (answer.is !== "added") {
      emit("trouble", `${file.name}: ${answer.text || t("noEngine")}`);
      continue;
    }
    for (const name of Object.keys(sums)) sums[name] += answer[name];
  }
  const notes = ["annotated", "different"].filter((name) => sums[name] > 0);
  emit("said", ["libraryAdded", ...notes].map((name) => t(name, sums)).join(" "));
  emit("library");
}

function drawCount() {
  const all = library()?.games ?? found.total;
  get("library-count").textContent =
    trouble || (isMine && all === 0 ? t("noOwnGames") : t("libraryCount", { count: found.total, all }));
}

/** Redraws all text; the engine returns names of openings in the new language. */
function drawWords() {
  if (about === null) return;
  found.games.clear();
  drawCount();
  later();
}

function draw() {
  const list = get("library-list");
  const rows = get("library-rows");
  rows.style.height = `${found.total * ROW}px`;
  const first = Math.max(0, Math.floor(list.scrollTop / ROW) - 3);
  const last = Math.min(found.total, Math.ceil((list.scrollTop + list.clientHeight) / ROW) + 3);
  rows.replaceChildren(...Array.from({ length: Math.max(0, last - first) }, (_, index) => row(first + index)));
  if (found.total > 0 && chosen >= first && chosen < last)
    list.setAttribute("aria-activedescendant", `library-game-${chosen}`);
  else list.removeAttribute("aria-activedescendant");
  const missing = Array.from({ length: Math.max(0, last - first) }, (_, index) => first + index).find(
    (place) => !found.games.has(place),
  );
  if (missing !== undefined && asking === null && trouble === "") fetchPage(missing - (missing % PAGE));
}

/** @param {number} place */
function row(place) {
  const entry = found.games.get(place);
  const properties = {
    id: `library-game-${place}`,
    role: "option",
    class: "game",
    "data-place": place,
    "aria-selected": String(place === chosen),
    "aria-setsize": found.total,
    "aria-posinset": place + 1,
  };
  const element = h("div", properties, ...(entry ? cells(entry) : ["…"]));
  element.style.top = `${place * ROW}px`;
  return element;
}

function cells({ players, event, date, result, opening, opening_name, plies }) {
  const [red, black] = players.map((name) => name || "?");
  const second = [event, opening && `${opening} ${opening_name ?? ""}`, t("libraryPlies", { count: plies })]
    .filter(Boolean)
    .join(" · ");
  return [
    h("span", { class: "names" }, `${red} – ${black}`),
    h(
      "span",
      { class: "result" },
      isMine && result === "*" ? t("unfinished") : RESULTS[result] ? t(RESULTS[result]) : result,
    ),
    h("span", { class: "quiet" }, second),
    h("span", { class: "quiet date" }, date),
  ];
}
