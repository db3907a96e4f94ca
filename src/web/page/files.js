// Opening and saving: files of every format that the engine knows, pasted text, and what is dropped on the page.

import { ask } from "./desk.js";
import { download, fromBase64, get, h, show as showNodes, toBase64 } from "./dom.js";
import { emit, game, on, open, setMode, show, told } from "./game.js";
import { notation } from "./settings.js";
import { Tree } from "./tree.js";
import { hasWords, t } from "./words.js";

/** As the engine tells them. @type {{name: string, suffix: string, text: boolean, notation: boolean}[]} */
export const formats = [];

export const LARGEST = 20 * 1024 * 1024;

/** Who may take files that are dropped, before they are opened. */
export const elsewhere = { take: (/** @type {File[]} */ _files) => false };

export function setUpFiles() {
  get("open").addEventListener("click", showOpen);
  get("save").addEventListener("click", showSave);
  get("open-file").addEventListener("change", (event) => event.target.files[0] && readFile(event.target.files[0]));
  get("open-take").addEventListener("click", () => (get("open-text").value.trim() ? readText(get("open-text").value) : fault(t("nothingToOpen"))));
  get("open-choose").addEventListener("click", () => get("open-file").click());
  get("save-take").addEventListener("click", () => save("file"));
  get("save-copy").addEventListener("click", () => save("clipboard"));
  get("save-form").addEventListener("change", drawSave);
  on("shown", () => get("open-dialog").open || showNodes(false, get("open-games")));
  on("new", () => note(""));
  on("noted", drawNote);
  const drop = get("drop");
  const files = (event) => [...(event.dataTransfer?.types ?? [])].some((type) => type === "Files" || type === "text/plain");
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
    if (dropped.length > 0) readFile(dropped[0]);
    else readText(event.dataTransfer?.getData("text/plain") ?? "");
  });
  addEventListener("paste", (event) => {
    const target = /** @type {HTMLElement} */ (event.target);
    if (target.closest("input, textarea, dialog")) return;
    const file = event.clipboardData?.files[0];
    if (file) readFile(file);
    else readText(event.clipboardData?.getData("text/plain") ?? "");
  });
}

function showOpen() {
  get("open-fault").textContent = "";
  get("open-text").value = "";
  get("open-file").value = "";
  showNodes(false, get("open-games"));
  get("open-dialog").showModal();
}

/** @param {File} file */
async function readFile(file) {
  if (file.size > LARGEST) fault(t("tooLarge"));
  else read(file.name, toBase64(await file.arrayBuffer()));
}

/** @param {string} text */
function readText(text) {
  const bytes = new TextEncoder().encode(text);
  if (bytes.length > LARGEST) fault(t("tooLarge"));
  else if (text.trim()) read("", toBase64(bytes));
}

function fault(text) {
  if (get("open-dialog").open) get("open-fault").textContent = text;
  else emit("trouble", text);
}

async function read(name, base64) {
  const answer = await ask({ do: "open", name, base64 });
  if (answer.is !== "games") {
    fault(answer.text || t("noEngine"));
    return;
  }
  const { games, faults } = answer;
  if (games.length === 1) {
    take(games[0], faults[0]?.text);
    return;
  }
  choose(games, (number) => ask({ do: "open", name, base64, game: number }));
  if (faults.length > 0) fault(faults[0].text);
}

/** @param {any[]} games @param {(number: number) => Promise<any>} again asks for a game whose moves were left out */
function choose(games, again) {
  const list = get("open-games");
  const label = (found) => {
    const players = found.players.filter((name) => name && name !== "?").join(" – ");
    const parts = [players, found.event, found.date, found.result].filter((part) => part && !/^[*?.]+$/.test(part));
    return parts.join(" · ") || t("gameNumber", { number: found.number });
  };
  const pick = async (found) => {
    const tree = found.tree ? found : (await again(found.number)).games?.find((other) => other.number === found.number);
    if (tree?.tree) take(tree);
    else fault(t("notUnderstood"));
  };
  list.replaceChildren(
    ...games.slice(0, 1000).map((found) => h("li", {}, h("button", { type: "button", class: "move", onclick: () => pick(found) }, label(found)))),
  );
  showNodes(true, list);
  if (!get("open-dialog").open) get("open-dialog").showModal();
}

/** Puts a game that was read on the board. @param {any} found @param {string} [other] what else is wrong @param {number} [ply] that is shown */
export function take(found, other = "", ply = 0) {
  get("open-dialog").close();
  if (game.mode !== "analyse" && game.mode !== "review") setMode("analyse");
  const tree = Tree.unpack(found.tree);
  open(tree);
  if (ply > 0) show(tree.mainline()[ply - 1]);
  emit("trouble", "");
  const count = tree.mainline().length;
  if (found.fault) note(t("readUpTo", { count, fault: found.fault }));
  else if (found.note || other) note([found.note, other].filter(Boolean).join(" "));
  else emit("said", count > 0 ? t("opened", { count }) : t("openedPosition"));
  checkLength(tree);
}

/** Says over the moves, as long as the game is on the board, what is wrong with it. @param {string} text */
function note(text) {
  game.note = text;
  emit("noted");
}

function drawNote() {
  get("game-note").textContent = game.note;
  showNodes(game.note !== "", get("game-note"));
}

/** The engine takes games up to a length only: it says so when it is asked about the last position. @param {Tree} tree */
async function checkLength(tree) {
  const last = tree.mainline().at(-1);
  if (!last) return;
  const answer = await ask({ do: "look", ...told(last) });
  if (answer.code === "too_long" && game.tree === tree) note([game.note, answer.text].filter(Boolean).join(" "));
}

function showSave() {
  get("save-fault").textContent = "";
  const list = get("save-form");
  const chosen = list.value || "pgn";
  list.replaceChildren(...formats.map(({ name, suffix, text }) => h("option", { value: name }, `${text && hasWords(`format_${name}`) ? t(`format_${name}`) : name.toUpperCase()} (.${suffix})`)));
  list.value = formats.some(({ name }) => name === chosen) ? chosen : formats[0]?.name;
  get("save-notation").value = notation();
  get("save-fen").value = game.node.look?.fen ?? game.tree.fen;
  drawSave();
  get("save-dialog").showModal();
}

function drawSave() {
  const format = formats.find(({ name }) => name === get("save-form").value);
  get("save-notation").disabled = !format?.notation;
  get("save-copy").disabled = !format?.text;
}

/** @param {"file" | "clipboard"} to */
async function save(to) {
  const request = { do: "save", form: get("save-form").value, notation: get("save-notation").value, tree: game.tree.pack() };
  const answer = await ask(request);
  if (answer.is !== "file") {
    get("save-fault").textContent = answer.text || t("noEngine");
    return;
  }
  if (to === "file") {
    download(answer.name, answer.text ?? fromBase64(answer.base64), "application/octet-stream");
  } else {
    try {
      await navigator.clipboard.writeText(answer.text);
    } catch {
      get("save-fault").textContent = t("noClipboard");
      return;
    }
  }
  get("save-dialog").close();
  emit("said", t(to === "file" ? "savedAs" : "copied", { name: answer.name }));
}
