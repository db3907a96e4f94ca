// Opening games: files of every format that the engine supports, pasted text, dropped files and text; the
// dialog for saving.

import { ask } from "./desk.js";
import { get, h, openDialog, setOptions, show as showNodes, toBase64 } from "./dom.js";
import { emit, game, on, open, setMode, show, told } from "./game.js";
import { RESULTS } from "./moves.js";
import { notation, watch } from "./settings.js";
import { Tree } from "./tree.js";
import { hasWords, t } from "./words.js";

/** Formats reported by the engine. @type {{name: string, suffix: string, text: boolean, notation: boolean}[]} */
let formats = [];

/** Requests the error of the game on the board again, in another language. @type {(() => Promise<string>) | null} */
let retell = null;

export const LARGEST = 20 * 1024 * 1024;

/** Handler of dropped files, called before they are opened; returns true if it has taken them. */
export const elsewhere = { take: (/** @type {File[]} */ _files) => false };

export function setUpFiles() {
  on("greeted", (greeting) => (formats = greeting.formats));
  get("open").addEventListener("click", showOpen);
  get("save").addEventListener("click", showSave);
  get("open-file").addEventListener("change", (event) => readFiles([...event.target.files]));
  get("open-take").addEventListener("click", () => {
    const [text, first] = [get("open-text").value, get("open-games").querySelector("button")];
    if (text.trim()) readText(text);
    else if (first) first.click();
    else fault(t("nothingToOpen"));
  });
  get("open-choose").addEventListener("click", () => get("open-file").click());
  get("save-form").addEventListener("change", drawSave);
  on("shown", () => get("open-dialog").open || showNodes(false, get("open-list")));
  get("open-filter").addEventListener("input", drawGames);
  on("new", () => {
    retell = null;
    note("");
  });
  on("noted", drawNote);
  watch(async (name) => {
    const tree = game.tree;
    if (name !== "language" || !game.note) return;
    const text = retell ? await retell() : "";
    if (game.tree !== tree) return;
    if (text) note(text);
    checkLength(tree);
  });
  const drop = get("drop");
  const files = (event) =>
    [...(event.dataTransfer?.types ?? [])].some((type) => type === "Files" || type === "text/plain");
  addEventListener("dragover", (event) => {
    if (!files(event)) return;
    event.preventDefault();
    showNodes(true, drop);
  });
  addEventListener("dragleave", (event) => event.relatedTarget === null && showNodes(false, drop));
  addEventListener("drop", (event) => {
    event.preventDefault();
    showNodes(false, drop);
    const dropped = [...(event.dataTransfer?.files ?? [])];
    if (dropped.length > 0 && elsewhere.take(dropped)) return;
    if (dropped.length > 0) readFiles(dropped);
    else readText(event.dataTransfer?.getData("text/plain") ?? "");
  });
  addEventListener("paste", (event) => {
    const target = /** @type {HTMLElement} */ (event.target);
    if (target.closest("input, textarea, dialog")) return;
    const files = [...(event.clipboardData?.files ?? [])];
    if (files.length > 0) readFiles(files);
    else readText(event.clipboardData?.getData("text/plain") ?? "");
  });
}

function showOpen() {
  get("open-fault").textContent = "";
  get("open-text").value = "";
  get("open-file").value = "";
  get("open-games").replaceChildren();
  showNodes(false, get("open-list"));
  openDialog("open-dialog");
}

/** @param {File[]} files */
async function readFiles(files) {
  const found = [];
  const faults = [];
  let more = false;
  for (const file of files) {
    const base64 = file.size > LARGEST ? "" : toBase64(await file.arrayBuffer());
    const answer = file.size > LARGEST ? { text: t("tooLarge") } : await ask({ do: "open", base64 });
    const named = (text) => (files.length > 1 ? t("ofFile", { file: file.name, text }) : text);
    if (answer.is !== "games") {
      faults.push(named(answer.text || t("noEngine")));
      continue;
    }
    more ||= answer.more;
    faults.push(...answer.faults.slice(0, 1).map(({ text }) => named(text)));
    for (const game of answer.games)
      found.push({
        game,
        file: files.length > 1 ? file.name : "",
        again: () => ask({ do: "open", base64, game: game.number }),
      });
  }
  if (found.length === 1) takeFrom(found[0], faults[0]);
  else {
    if (found.length > 0) choose(found, more);
    if (faults.length > 0) fault(faults.join(" "));
  }
}

/** @param {string} text */
export const readText = (text) => void (text.trim() && readFiles([new File([text], "")]));

function fault(text) {
  if (get("open-dialog").open) get("open-fault").textContent = text;
  else emit("trouble", text);
}

/**
 * Listed games, each with its file and a function that requests its moves if they were omitted.
 * @type {{game: any, file: string, again: () => Promise<any>}[]}
 */
let listed = [];
let isCut = false;
/** Maximum number of games drawn at once; the filter finds the others. */
const MOST_ROWS = 500;

/** @param {typeof listed} games @param {boolean} more whether the files contain more games than are listed */
function choose(games, more) {
  [listed, isCut] = [games, more];
  get("open-filter").value = get("open-text").value = "";
  showNodes(true, get("open-list"));
  drawGames();
  openDialog("open-dialog");
}

function label({ game, file }) {
  const players = game.players.filter((name) => name && name !== "?").join(" – ");
  const result = RESULTS[game.result];
  const parts = [file, players, game.event, game.date, result && t(result)].filter(
    (part) => part && !/^[*?.]+$/.test(part),
  );
  return parts.length > 0 ? `${game.number}. ${parts.join(" · ")}` : t("gameNumber", { number: game.number });
}

function drawGames() {
  const wanted = get("open-filter").value.trim().toLowerCase();
  const fitting = listed.filter((one) => label(one).toLowerCase().includes(wanted));
  const rows = fitting.slice(0, MOST_ROWS);
  get("open-count").textContent = t(isCut ? "openCountMore" : "openCount", {
    shown: rows.length,
    count: listed.length,
  });
  get("open-games").replaceChildren(
    ...rows.map((one) =>
      h("li", {}, h("button", { type: "button", class: "move", onclick: () => pick(one) }, label(one))),
    ),
  );
}

async function pick({ game, again }) {
  const whole = game.tree ? game : (await again()).games?.find((other) => other.number === game.number);
  if (whole?.tree) takeFrom({ game: whole, again });
  else fault(t("notUnderstood"));
}

/** @param {{game: any, again: () => Promise<any>}} one @param {string} [other] another error of the file */
function takeFrom({ game, again }, other) {
  take(game, other);
  retell = async () => {
    const { games, faults } = await again();
    const same = games?.find(({ number }) => number === game.number);
    return same ? wrong(same, other && faults[0]?.text) : "";
  };
}

/** Returns the error of a game that was read. @param {any} found @param {string} [other] */
function wrong(found, other = "") {
  if (found.fault) return found.plies > 0 ? t("readUpTo", { count: found.plies, fault: found.fault }) : found.fault;
  return [found.note, other].filter(Boolean).join(" ");
}

/** @param {any} found @param {string} [other] another error @param {number} [ply] the ply to show */
export function take(found, other = "", ply = 0) {
  get("open-dialog").close();
  // The focus leaves the button that opened the dialog, because Space would press it again.
  get("moves").focus({ preventScroll: true });
  if (game.mode !== "analyse" && game.mode !== "review") setMode("analyse");
  const tree = Tree.unpack(found.tree);
  open(tree);
  if (ply > 0) show(tree.mainline()[ply - 1]);
  emit("trouble", "");
  const count = tree.mainline().length;
  const trouble = wrong(found, other);
  if (trouble) note(trouble);
  else emit("said", count > 0 ? t("opened", { count }) : t("openedPosition"));
  checkLength(tree);
}

/** Shows the error of the game above the moves, as long as the game is on the board. @param {string} text */
function note(text) {
  game.note = text;
  emit("noted");
}

function drawNote() {
  get("game-note").textContent = game.note;
  showNodes(game.note !== "", get("game-note"));
}

/** Requests the state of the last position, to detect a game that is too long for the engine. @param {Tree} tree */
async function checkLength(tree) {
  const last = tree.mainline().at(-1);
  if (!last) return;
  const answer = await ask({ do: "look", ...told(last) });
  if (answer.code === "too_long" && game.tree === tree && !game.note.includes(answer.text))
    note([game.note, answer.text].filter(Boolean).join(" "));
}

function showSave() {
  get("save-fault").textContent = "";
  showNodes(false, get("share-said"));
  const label = ({ name, text }) => (text && hasWords(`format_${name}`) ? t(`format_${name}`) : name.toUpperCase());
  setOptions(get("save-form"), formats.map((format) => [format.name, `${label(format)} (.${format.suffix})`]));
  get("save-notation").value = notation();
  get("save-fen").value = game.node.report?.fen ?? game.tree.fen;
  drawSave();
  openDialog("save-dialog");
}

function drawSave() {
  const format = formats.find(({ name }) => name === get("save-form").value);
  get("save-notation").disabled = !format?.notation;
  get("save-copy").disabled = !format?.text;
}
