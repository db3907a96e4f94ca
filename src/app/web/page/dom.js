// Creation of elements: text is always inserted as text, never as markup.

import { hasWords, t } from "./words.js";

const SVG = "http://www.w3.org/2000/svg";

/**
 * Creates an HTML element. A property that begins with `on` is a listener; all others, including `class`, are
 * attributes. False and null are omitted.
 * @param {string} tag @param {Record<string, any>} [properties]
 * @param {...(Node | string | null | false | undefined)} children
 * @returns {any}
 */
export const h = (tag, properties = {}, ...children) => fill(document.createElement(tag), properties, children);

/**
 * Creates an SVG element.
 * @param {string} tag @param {Record<string, any>} [attributes] @param {...(Node | string)} children
 * @returns {any}
 */
export const s = (tag, attributes = {}, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);

function fill(node, properties, children) {
  for (const [name, value] of Object.entries(properties)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name === "value" && "value" in node) node.value = value;
    else node.setAttribute(name, value === true ? "" : String(value));
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

/**
 * Fills a list with options and selects one, by default the one that was selected.
 * @param {any} list @param {any[][]} options values and texts @param {string} [chosen]
 */
export function setOptions(list, options, chosen = list.value) {
  list.replaceChildren(...options.map(([value, text = value]) => h("option", { value }, String(text))));
  if (chosen) list.value = chosen;
}

/**
 * Creates a table.
 * @param {string[]} heads keys of the headings, followed by `About` for their explanations; an empty one is an
 *   empty cell
 * @param {any[]} rows @param {string} [caption] @returns {HTMLElement}
 */
export function table(heads, rows, caption) {
  const cells = heads.map((key) =>
    key ? h("th", { scope: "col", title: hasWords(`${key}About`) && t(`${key}About`) }, t(key)) : h("td"),
  );
  return h(
    "table",
    {},
    caption && h("caption", { class: "quiet" }, caption),
    h("thead", {}, h("tr", {}, ...cells)),
    h("tbody", {}, ...rows),
  );
}

/** @param {string} id @returns {any} the page's element with this id */
export function get(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no #${id}`);
  return found;
}

/**
 * Opens a dialog, which the browser's Back closes. The entry in the browser's history remains for the next
 * dialog.
 * @param {string} id
 */
export function openDialog(id) {
  if (get(id).open) return;
  get(id).showModal();
  if (!history.state?.dialog) history.pushState({ ...history.state, dialog: true }, "");
}

/** @param {string} id @param {(event: any) => void} work */
export const onClick = (id, work) => get(id).addEventListener("click", work);

/** Returns a function that runs `work` at the next frame, once even if called repeatedly. @param {() => void} work */
export function oncePerFrame(work) {
  let asked = false;
  return () => {
    if (asked) return;
    asked = true;
    requestAnimationFrame(() => {
      asked = false;
      work();
    });
  };
}

/**
 * Calls `enter` with the part of a list that has the pointer or the focus, and `leave` when neither is in the list.
 * @param {any} list @param {(target: any) => void} enter @param {() => void} leave
 */
export function onHover(list, enter, leave) {
  for (const name of ["pointerover", "focusin"]) list.addEventListener(name, ({ target }) => enter(target));
  for (const name of ["pointerleave", "focusout"]) list.addEventListener(name, leave);
}

/** @param {boolean} yes @param {...Element} nodes */
export const show = (yes, ...nodes) => nodes.forEach((node) => node.toggleAttribute("hidden", !yes));

/**
 * Makes a button ask for confirmation: `work` runs if it is pressed again within five seconds.
 * @param {any} button @param {string} question the key of its text while it asks
 * @param {string} usual the key of its usual text @param {() => void} work
 */
export function askOnce(button, question, usual, work) {
  let asking = 0;
  const calm = () => {
    clearTimeout(asking);
    asking = 0;
    button.textContent = t(usual);
  };
  button.addEventListener("click", () => {
    const sure = asking !== 0;
    calm();
    if (sure) return work();
    button.textContent = t(question);
    asking = window.setTimeout(calm, 5000);
  });
  button.addEventListener("blur", calm);
}

/** @param {string} name @param {Uint8Array | string} content @param {string} type */
export function download(name, content, type) {
  const address = URL.createObjectURL(new Blob([/** @type {any} */ (content)], { type }));
  h("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** @param {ArrayBuffer | Uint8Array} bytes */
export function toBase64(bytes) {
  const array = new Uint8Array(bytes);
  let text = "";
  for (let at = 0; at < array.length; at += 0x8000) text += String.fromCharCode(...array.subarray(at, at + 0x8000));
  return btoa(text);
}

/** @param {string} text */
export const fromBase64 = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
