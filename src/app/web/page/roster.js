// Adding, testing and removing other engines. A program is started only after the user has confirmed its path.

import { ask } from "./desk.js";
import { askOnce, get, h, onClick, show } from "./dom.js";
import { openEngines, setEngines, thinker } from "./engines.js";
import { notation } from "./settings.js";
import { t } from "./words.js";

/** The path of the program that the user is asked about. */
let confirmed = "";

export function setUpRoster() {
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
}

/** @param {boolean} may whether the server lets the page add engines */
export const setMayAdd = (may) => show(may, get("set-engines"), get("engine-add"), get("engine-remove"));

/** Shows the question about a program, or none. @param {{path: string, name: string} | null} [program] @param {string} [fault] */
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
  get("engine-identity").textContent = answer.is === "move" ? t("enginePlays", { move: answer.names[notation()], time }) : answer.text || t("noMoveOfIt");
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
