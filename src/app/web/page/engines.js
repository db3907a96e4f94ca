// Other engines: those used for analysis, their options, the log of their communication, and adding and removing them.

import { ask } from "./desk.js";
import { askOnce, get, h, onClick, openDialog, setOptions, show } from "./dom.js";
import { emit, on } from "./game.js";
import { change, notation, settings, watch } from "./settings.js";
import { t } from "./words.js";

/** Names reported by the server. @type {string[]} */
let engines = [];
/** Prefix of the name of another engine as a player. */
const SEAT = "engine:";

/** Returns the name of the other engine in a seat; empty for any other player. @param {string} seat */
export const engineOf = (seat) => (seat.startsWith(SEAT) ? seat.slice(SEAT.length) : "");
export const engineSeats = () => engines.map((name) => ({ seat: SEAT + name, name }));
/** Returns the engine used for analysis: a name, empty for Chuhe, null for none. @param {"first" | "second"} place */
export function analystName(place) {
  const name = place === "first" ? settings.analyst : settings.second;
  if (place === "first") return engines.includes(name) ? name : "";
  return name === OWN && engines.length > 0 ? "" : engines.includes(name) ? name : null;
}
/** Value of `second` that selects Chuhe; names of engines do not begin with a space. */
const OWN = " chuhe";

/** Returns the fields of a request that select the engine. @param {string | null} name */
export const thinker = (name) => (name ? { engine: name, options: settings.engines[name] ?? {} } : {});

/** @param {string[]} names */
export function setEngines(names) {
  engines = names;
  show(names.length > 0, get("analysts"), get("engine-one"));
  drawEngines();
  emit("engines");
}

export function setUpEngines() {
  on("greeted", ({ may_add_engines }) =>
    show(may_add_engines, get("set-engines"), get("engine-add"), get("engine-remove")),
  );
  onClick("set-engines", () => {
    get("options-dialog").close();
    openEngines();
  });
  get("engine-form").addEventListener("submit", (event) => {
    event.preventDefault();
    check(get("engine-path").value);
  });
  onClick("engine-browse", () => browse());
  onClick("engine-start", add);
  onClick("engine-not", () => draw());
  onClick("engine-test", test);
  askOnce(get("engine-remove"), "reallyRemoveEngine", "removeEngine", remove);
  get("engine-dialog").addEventListener("close", () => draw());
  on("greeted", (greeting) => setEngines(greeting.engines));
  watch((name) => ["analyst", "second"].includes(name) && emit("analysts"));
  get("engine-options").addEventListener("click", () => openEngines());
  get("engine-name").addEventListener("change", fill);
  get("engine-defaults").addEventListener("click", () => {
    keep({});
    fill();
  });
  get("engine-dialog").addEventListener("close", () => {
    clearInterval(listening);
    emit("analysts");
  });
  for (const name of /** @type {const} */ (["mode", "redraw"])) on(name, drawEngines);
}

function drawEngines() {
  const others = engines.map((name) => [name]);
  setOptions(get("analyst"), [["", t("chuhe")], ...others], /** @type {string} */ (analystName("first")));
  setOptions(
    get("second"),
    [["", t("noSecond")], [OWN, t("chuhe")], ...others],
    analystName("second") === null ? "" : analystName("second") || OWN,
  );
}

// The dialog

let listening = 0;

/** Opens the dialog, or updates its list of engines. @param {string} [chosen] the engine to show */
export function openEngines(chosen) {
  const shown = [chosen, settings.analyst, settings.second].find((name) => name && engines.includes(name));
  setOptions(get("engine-name"), engines.map((name) => [name]), shown);
  if (!get("engine-dialog").open) {
    openDialog("engine-dialog");
    listening = window.setInterval(listen, 1000);
  }
  if (engines.length > 0) fill();
}

/** @param {Record<string, string>} options */
const keep = (options) => change("engines", { ...settings.engines, [get("engine-name").value]: options });

/** Requests the engine's options and shows them; this starts the engine. */
async function fill() {
  const name = get("engine-name").value;
  get("engine-identity").textContent = t("engineStarts");
  get("engine-fields").replaceChildren();
  const answer = await ask({ do: "options", ...thinker(name) });
  if (get("engine-name").value !== name) return;
  listen();
  if (answer.is !== "options") {
    get("engine-identity").textContent = answer.text || t("noEngine");
    return;
  }
  get("engine-identity").textContent = [`${answer.identity} (${answer.protocol})`, ...answer.warnings].join(" ");
  get("engine-fields").replaceChildren(
    ...answer.options.flatMap((option, place) => field(name, option, `engine-option-${place}`)),
  );
}

function field(name, option, id) {
  const set = (value) => {
    keep({ ...settings.engines[name], [option.name]: value });
    ask({ do: "options", ...thinker(name) }).then(listen);
  };
  const value = settings.engines[name]?.[option.name] ?? option.default;
  const label = h("label", { for: id }, option.name);
  if (option.kind === "button") {
    const press = () =>
      ask({ do: "options", engine: name, options: { ...settings.engines[name], [option.name]: "" } }).then(listen);
    return [label, h("button", { type: "button", id, onclick: press }, t("press"))];
  }
  if (option.kind === "switch")
    return [
      label,
      h("input", {
        type: "checkbox",
        id,
        checked: value === "true",
        onchange: ({ target }) => set(String(target.checked)),
      }),
    ];
  if (option.kind === "choice") {
    const list = h("select", { id, onchange: ({ target }) => set(target.value) });
    setOptions(list, option.choices.map((choice) => [choice]), value);
    return [label, list];
  }
  const number = h("input", { type: "number", id, value, min: option.least, max: option.most, step: 1 });
  number.addEventListener("change", () =>
    number.reportValidity() && number.value !== "" ? set(number.value) : (number.value = value),
  );
  return [label, number];
}

async function listen() {
  const name = get("engine-name").value;
  if (!name) return;
  const answer = await ask({ do: "talk", engine: name });
  if (answer.is !== "talk" || get("engine-name").value !== name) return;
  const log = get("engine-talk");
  if (log.textContent === answer.text) return;
  const below = log.scrollTop + log.clientHeight >= log.scrollHeight - 4;
  log.textContent = answer.text;
  if (below) log.scrollTop = log.scrollHeight;
}

// Adding, testing and removing: a program is started only after the user has confirmed its path

/** Path of the program that the user is asked to confirm. */
let confirmed = "";

/**
 * Shows the question about a program, or none.
 * @param {{path: string, name: string} | null} [program] @param {string} [fault]
 */
function draw(program = null, fault = "") {
  confirmed = program?.path ?? "";
  show(program !== null, get("engine-confirm"));
  if (program) {
    show(false, get("engine-files"));
    get("engine-asks").textContent = t("engineAsks", { path: program.path });
    get("engine-label").value = program.name;
    get("engine-start").focus();
  }
  get("engine-fault").textContent = fault;
}

/** @param {string} path */
async function check(path) {
  const answer = await ask({ do: "program", path });
  if (answer.is === "program") draw(answer);
  else draw(null, answer.text || t("noEngine"));
}

/** Lists a folder of the server's machine. @param {string} [path] */
async function browse(path) {
  const answer = await ask({ do: "folder", path });
  draw(null, answer.is === "folder" ? "" : answer.text || t("noEngine"));
  if (answer.is !== "folder") return;
  const inside = (name) => `${answer.path.replace(/[/\\]$/, "")}${answer.path.includes("\\") ? "\\" : "/"}${name}`;
  const row = (text, work) => h("li", {}, h("button", { type: "button", onclick: work }, text));
  const choose = (name) => {
    get("engine-path").value = inside(name);
    check(inside(name));
  };
  get("engine-path").value = answer.path;
  get("engine-files").replaceChildren(
    ...(answer.parent ? [row(`↑ ${t("parentFolder")}`, () => browse(answer.parent))] : []),
    ...answer.folders.map((name) => row(`${name}/`, () => browse(inside(name)))),
    ...answer.programs.map((name) => row(name, () => choose(name))),
  );
  show(true, get("engine-files"));
}

async function add() {
  if (!confirmed) return;
  get("engine-asks").textContent = t("engineStarts");
  get("engine-start").disabled = true;
  const answer = await ask({ do: "add_engine", path: confirmed, name: get("engine-label").value });
  get("engine-start").disabled = false;
  if (answer.is !== "engines") return draw(null, answer.text || t("noEngine"));
  draw();
  get("engine-path").value = "";
  get("engine-add").open = false;
  setEngines(answer.engines);
  openEngines(answer.engines.at(-1));
}

async function test() {
  const name = get("engine-name").value;
  get("engine-identity").textContent = t("engineStarts");
  const answer = await ask({ do: "play", moves: [], ...thinker(name) });
  const time = ((answer.time_ms ?? 0) / 1000).toFixed(1);
  get("engine-identity").textContent =
    answer.is === "move" ? t("enginePlays", { move: answer.names[notation()], time }) : answer.text || t("noMoveOfIt");
}

async function remove() {
  const answer = await ask({ do: "remove_engine", name: get("engine-name").value });
  if (answer.is !== "engines") {
    get("engine-identity").textContent = answer.text || t("noEngine");
    return;
  }
  setEngines(answer.engines);
  openEngines();
}
