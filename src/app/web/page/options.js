// The settings: language, theme, pieces and others.

import { change, settings, watch } from "./settings.js";
import { get, setOptions } from "./dom.js";
import { emit, on } from "./game.js";
import { apply, setLanguage, t } from "./words.js";

/** Rule sets reported by the engine, with the occurrence at which each judges a position. @type {Map<string, any>} */
export let ruleSets = new Map();

export function setUpOptions() {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const paint = () => {
    const theme = settings.theme === "auto" ? (dark.matches ? "dark" : "light") : settings.theme;
    Object.assign(document.documentElement.dataset, { theme, board: settings.board });
    document.documentElement.style.setProperty("--size", String(settings.size / 100));
  };
  const speak = () => {
    setLanguage(settings.language);
    document.documentElement.lang = settings.language === "zh" ? "zh-Hans" : "en";
    get("language").textContent = settings.language === "zh" ? "EN" : "中";
    apply();
    drawNotations();
    drawThreads();
  };
  dark.addEventListener("change", paint);
  get("language").addEventListener("click", otherLanguage);
  get("theme").addEventListener("click", otherTheme);
  get("options").addEventListener("click", () => {
    fill();
    get("options-dialog").showModal();
  });
  for (const name of /** @type {const} */ (["language", "theme", "board", "pieces", "notation"])) {
    get(`set-${name}`).addEventListener("change", (event) => change(name, event.target.value));
  }
  get("set-size").addEventListener("input", (event) => change("size", event.target.valueAsNumber));
  get("set-threads").addEventListener("change", (event) => change("threads", Number(event.target.value)));
  for (const name of /** @type {const} */ (["sound", "coordinates", "arrows", "bar", "turning", "keys", "ponder", "mine", "remember"])) {
    get(`set-${name}`).addEventListener("change", (event) => change(name, event.target.checked));
  }
  for (const dialog of document.querySelectorAll("dialog")) {
    for (const button of dialog.querySelectorAll(".close")) button.addEventListener("click", () => dialog.close());
    dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  }
  watch((name) => {
    if (["theme", "board", "size"].includes(name)) paint();
    if (name === "language") speak();
    if (["language", "pieces", "notation", "coordinates", "arrows", "bar"].includes(name)) emit("redraw");
    if (name === "rules") drawRules();
  });
  on("redraw", drawRules);
  paint();
  speak();
}

export const otherLanguage = () => change("language", settings.language === "zh" ? "en" : "zh");
export const otherTheme = () => change("theme", document.documentElement.dataset.theme === "dark" ? "light" : "dark");

function fill() {
  for (const name of ["language", "theme", "board", "size", "pieces", "notation", "threads"]) get(`set-${name}`).value = String(settings[name]);
  for (const name of ["sound", "coordinates", "arrows", "bar", "turning", "keys", "ponder", "mine", "remember"]) get(`set-${name}`).checked = settings[name];
}

function drawNotations() {
  const names = { chinese: "炮二平五", wxf: "C2=5 (WXF)", iccs: "H2-E2 (ICCS)" };
  for (const list of /** @type {NodeListOf<HTMLSelectElement>} */ (document.querySelectorAll("select.notations"))) {
    setOptions(list, [...(list.id === "set-notation" ? [["auto", t("byLanguage")]] : []), ...Object.entries(names)]);
  }
}

let room = 1;

/** Returns the number of threads of an analysis: the configured number, or half of those available. */
export const threads = () => settings.threads || Math.max(1, Math.floor(room / 2));

/** @param {number} most */
export function setThreads(most) {
  room = most;
  drawThreads();
}

function drawThreads() {
  const counts = [];
  for (let count = 1; count <= room; count *= 2) counts.push(count);
  if (counts[counts.length - 1] !== room && room > 1) counts.push(room);
  setOptions(get("set-threads"), [["0", t("automatic")], ...counts.map((count) => [count])], String(settings.threads));
}

/** @param {any[]} told */
export function setRuleSets(told) {
  ruleSets = new Map(told.map((rules) => [rules.name, rules]));
  drawRules();
}

function drawRules() {
  for (const list of /** @type {NodeListOf<HTMLSelectElement>} */ (document.querySelectorAll("select.rules"))) {
    setOptions(list, [...ruleSets.keys()].map((name) => [name, t(`rules_${name}`)]), settings.rules);
  }
}
