// "Is there a mate?": the solver's result below the lines, and the solution as variations of the game.

import { ask, forget } from "./desk.js";
import { get, show as showNodes } from "./dom.js";
import { addTree, emit, game, hasMoves, isOver, on, told } from "./game.js";
import { start } from "./lines.js";
import { t } from "./words.js";

/** Maximum number of moves of a complete solution; of a larger one only the main line is added. */
const MOST = 300;

/** The number of the solver's request. @type {number | null} */
let solving = null;

export function setUpMate() {
  get("mate").addEventListener("click", findMate);
  for (const name of /** @type {const} */ (["shown", "rules", "mode"])) {
    on(name, () => {
      if (solving !== null) {
        forget(solving);
        ask({ do: "stop" });
        game.busy = false;
      }
      solving = null;
      get("mate-said").textContent = "";
      drawMate();
    });
  }
  for (const name of /** @type {const} */ (["reported", "secret"])) on(name, drawMate);
}

async function findMate() {
  const { node } = game;
  const asked = ask({ do: "mate", ...told() });
  solving = asked.id;
  game.busy = true;
  get("mate-said").textContent = t("mateAsked");
  drawMate();
  const answer = await asked;
  if (solving !== asked.id) return;
  solving = null;
  game.busy = false;
  get("mate-said").textContent = answer.text;
  if (answer.is !== "mate") emit("trouble", answer.text);
  else if (answer.mates)
    addTree(node, answer.tree.nodes.length > MOST ? mainline(answer.tree.nodes) : answer.tree.nodes);
  // The request has ended the analysis, so it is restarted.
  start(true);
  drawMate();
}

/** Returns the nodes of a packed tree that belong to its main line. @param {{parent: number}[]} nodes */
function mainline(nodes) {
  const line = [];
  let parent = 0;
  nodes.forEach((node, index) => {
    if (node.parent !== parent) return;
    line.push({ ...node, parent: line.length });
    parent = index + 1;
  });
  return line;
}

function drawMate() {
  showNodes(game.mode === "analyse" && !game.secret && hasMoves() && !isOver(), get("mate-row"));
  get("mate").disabled = solving !== null;
}
