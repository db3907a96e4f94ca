// What the page says above the board: for a while, or until it no longer holds.

import { connected } from "./desk.js";
import { get, show } from "./dom.js";
import { on } from "./game.js";
import { announce } from "./table.js";
import { t } from "./words.js";

export function setUpNotice() {
  for (const name of /** @type {const} */ (["trouble", "said"])) on(name, (text) => notice(text, true));
  // An answer that lacks something fails somewhere in the page: that too ends in a sentence, which no dialog hides.
  for (const failed of ["error", "unhandledrejection"]) {
    addEventListener(failed, () => {
      document.querySelectorAll("dialog[open]").forEach((dialog) => /** @type {HTMLDialogElement} */ (dialog).close());
      notice(t("notUnderstood"), true);
    });
  }
}

let fading = 0;
/** Says something above the board; for a while, or until it is taken back. @param {string} text @param {boolean} brief */
export function notice(text, brief) {
  clearTimeout(fading);
  const box = get("notice");
  box.textContent = text;
  box.classList.toggle("brief", brief);
  show(text !== "", box);
  if (brief) fading = window.setTimeout(() => (connected() ? show(false, box) : notice(t("noServer"), false)), 3500);
  if (text && !brief) announce(text);
}
