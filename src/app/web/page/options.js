// The settings: language, theme, pieces and others.

import { change, setServerLanguage, settings, watch } from "./settings.js";
import { get, onClick, openDialog, setOptions } from "./dom.js";
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
  onClick("language", otherLanguage);
  onClick("theme", otherTheme);
  onClick("options", () => openDialog("options-dialog"));
  for (const control of controls()) {
    control.addEventListener(control.type === "range" ? "input" : "change", () =>
      change(control.dataset.setting, valueOf(control)),
    );
    fill(control);
  }
  for (const dialog of document.querySelectorAll("dialog")) {
    for (const button of dialog.querySelectorAll(".close")) button.addEventListener("click", () => dialog.close());
    dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  }
  watch((name) => {
    for (const control of controls()) if (control.dataset.setting === name) fill(control);
    if (["theme", "board", "size"].includes(name)) paint();
    if (name === "language") speak();
    if (["language", "pieces", "notation", "coordinates", "arrows", "bar"].includes(name)) emit("redraw");
    if (name === "rules") drawRules();
  });
  on("redraw", drawRules);
  on("greeted", (greeting) => {
    ruleSets = new Map(greeting.rules.map((rules) => [rules.name, rules]));
    room = greeting.threads;
    drawRules();
    drawThreads();
    if (greeting.language) setServerLanguage(greeting.language);
  });
  paint();
  speak();
}

export const otherLanguage = () => change("language", settings.language === "zh" ? "en" : "zh");
export const otherTheme = () => change("theme", document.documentElement.dataset.theme === "dark" ? "light" : "dark");

/** Controls of settings; `data-setting` is the name of the setting. @returns {NodeListOf<any>} */
const controls = () => document.querySelectorAll("[data-setting]");

/** Shows the value of a setting in its control. */
function fill(control) {
  const value = settings[control.dataset.setting];
  if (control.type === "checkbox") control.checked = value;
  else control.value = String(value);
}

/** Returns the value of a control; a number is limited to its bounds, which are reported. */
function valueOf(control) {
  if (control.type === "checkbox") return control.checked;
  const { setting } = control.dataset;
  if (typeof settings[setting] !== "number") return control.value;
  const { min, max } = control;
  const asked = Number(control.value);
  const value = Math.min(Number(max || Infinity), Math.max(Number(min || 0), asked));
  if (asked !== value) emit("trouble", t("timeBounds", { what: t(setting), least: min, most: max }));
  return value;
}

function drawNotations() {
  const names = { chinese: "炮二平五", wxf: "C2=5 (WXF)", iccs: "H2-E2 (ICCS)" };
  for (const list of /** @type {NodeListOf<HTMLSelectElement>} */ (document.querySelectorAll("select.notations"))) {
    setOptions(
      list,
      [...(list.id === "set-notation" ? [["auto", t("byLanguage")]] : []), ...Object.entries(names)],
      list.dataset.setting && settings.notation,
    );
  }
}

let room = 1;

/** Returns the number of threads of an analysis: the configured number, or half of those available. */
export const threads = () => settings.threads || Math.max(1, Math.floor(room / 2));

function drawThreads() {
  const counts = [];
  for (let count = 1; count <= room; count *= 2) counts.push(count);
  if (counts[counts.length - 1] !== room && room > 1) counts.push(room);
  setOptions(get("set-threads"), [["0", t("automatic")], ...counts.map((count) => [count])], String(settings.threads));
}

function drawRules() {
  for (const list of /** @type {NodeListOf<HTMLSelectElement>} */ (document.querySelectorAll("select.rules"))) {
    setOptions(list, [...ruleSets.keys()].map((name) => [name, t(`rules_${name}`)]), settings.rules);
  }
}
