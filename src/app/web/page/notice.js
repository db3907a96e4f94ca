// Notices above the board, shown for some seconds or until they no longer apply.

import { connected } from "./desk.js";
import { get, show } from "./dom.js";
import { on } from "./game.js";
import { announce } from "./table.js";
import { t } from "./words.js";

export function setUpNotice() {
  for (const name of /** @type {const} */ (["trouble", "said"])) on(name, (text) => notice(text, true));
  // A response with missing fields can cause an exception anywhere in the page; it is also reported by a notice, which no dialog covers.
  for (const failed of ["error", "unhandledrejection"]) {
    addEventListener(failed, () => {
      document.querySelectorAll("dialog[open]").forEach((dialog) => /** @type {HTMLDialogElement} */ (dialog).close());
      notice(t("notUnderstood"), true);
    });
  }
}

let fading = 0;
/** Shows a notice above the board, for some seconds or until it is removed. @param {string} text @param {boolean} brief */
export function notice(text, brief) {
  clearTimeout(fading);
  const box = get("notice");
  box.textContent = text;
  box.classList.toggle("brief", brief);
  show(text !== "", box);
  if (brief) fading = window.setTimeout(() => (connected() ? show(false, box) : notice(t("noServer"), false)), 3500);
  if (text && !brief) announce(text);
}
