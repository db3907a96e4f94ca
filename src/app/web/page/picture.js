// Pictures of the board as SVG without a style sheet and as PNG, and a whole game as GIF.

import { Board } from "./board.js";
import { h, s } from "./dom.js";
import { encode } from "./gif.js";

/** Style properties that are copied to an element. */
const LOOKS = ["fill", "stroke", "stroke-width", "stroke-linecap", "stroke-linejoin", "stroke-dasharray", "opacity", "font-size", "font-weight", "text-anchor", "dominant-baseline"];
/** Width of a GIF in pixels, and duration of a move in milliseconds. */
const FRAME = 450;
const PACE = 1000;
/** Maximum number of positions; a longer game is truncated. */
const MOST_FRAMES = 300;

/** @param {SVGSVGElement} svg */
export function picture(svg) {
  const copy = /** @type {any} */ (svg.cloneNode(true));
  const [shown, copied] = [svg, copy].map((root) => [root, ...root.querySelectorAll("*")]);
  shown.forEach((node, place) => {
    const look = getComputedStyle(node);
    for (const name of LOOKS) copied[place].setAttribute(name, look.getPropertyValue(name));
    const moved = /translate\(([-\d.]+)px, ([-\d.]+)px\)/.exec(node.style?.transform ?? "");
    if (moved) copied[place].setAttribute("transform", `translate(${moved[1]} ${moved[2]})`);
    if (node.tagName === "text") copied[place].setAttribute("font-family", "sans-serif");
    copied[place].removeAttribute("style");
  });
  // The engine's arrows would reveal the solution; those of the user are in another group.
  copy.querySelector(".arrows").remove();
  for (const name of ["id", "aria-hidden", "focusable", "class", "data-pieces", "data-fen"]) copy.removeAttribute(name);
  const { width, height } = svg.viewBox.baseVal;
  copy.setAttribute("width", String(width));
  copy.setAttribute("height", String(height));
  return new XMLSerializer().serializeToString(copy);
}

/** @param {string} svg @param {number} [width] pixels @returns {Promise<CanvasRenderingContext2D>} */
async function paint(svg, width = 0) {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = h("canvas");
  canvas.width = width || image.naturalWidth;
  canvas.height = Math.round((canvas.width * image.naturalHeight) / image.naturalWidth);
  const context = canvas.getContext("2d", { willReadFrequently: true });
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  return context;
}

/** @param {string} svg @returns {Promise<Uint8Array>} */
export async function toPng(svg) {
  const { canvas } = await paint(svg);
  const blob = await new Promise((done) => /** @type {any} */ (canvas).toBlob(done, "image/png"));
  return new Uint8Array(await blob.arrayBuffer());
}

/** Returns a game as an animated GIF in the style of the board. @param {Board} like @param {import("./tree.js").Node[]} line @returns {Promise<Uint8Array>} */
export async function animate(like, line) {
  const svg = s("svg", { id: "board" });
  const stage = h("div", { class: "unseen", "aria-hidden": "true" }, svg);
  document.body.append(stage);
  try {
    const copy = new Board(svg, { targets: () => [], move: () => {} });
    Object.assign(copy, { set: like.set, flipped: like.flipped, coordinates: like.coordinates });
    copy.redraw();
    const frames = [];
    const from = line[0]?.parent;
    for (const node of [...(from ? [from] : []), ...line].slice(0, MOST_FRAMES)) {
      copy.setPieces(node.pieces, { slide: false });
      copy.setMarks({ last: node.move || null });
      const context = await paint(picture(svg), FRAME);
      frames.push(context.getImageData(0, 0, context.canvas.width, context.canvas.height));
    }
    return encode(frames, PACE);
  } finally {
    stage.remove();
  }
}
