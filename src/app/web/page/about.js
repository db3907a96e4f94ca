// Players, event, date and result: fields that are stored and saved with the game.

import { get } from "./dom.js";
import { emit, game, on } from "./game.js";

const TAGS = ["Red", "Black", "Event", "Date"];

export function setUpAbout() {
  for (const name of TAGS) {
    get(`tag-${name}`).addEventListener("input", ({ target }) => {
      const text = target.value.trim();
      if (text) game.tree.tags.set(name, text);
      else game.tree.tags.delete(name);
      emit("kept");
    });
  }
  get("tag-result").addEventListener("change", ({ target }) => {
    game.tree.result = target.value;
    emit("kept");
  });
  for (const name of /** @type {const} */ (["new", "kept", "tree"])) on(name, fill);
}

function fill() {
  for (const name of TAGS) {
    const field = get(`tag-${name}`);
    if (document.activeElement !== field) field.value = game.tree.tags.get(name)?.replace(/^[?.]+$/, "") ?? "";
  }
  get("tag-result").value = game.tree.result;
}
