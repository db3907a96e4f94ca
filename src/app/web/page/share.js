// Saving and sharing: files, pictures, and a link that contains the game as compressed PGN after the # of the
// address, which is not sent to any server.

import { Board } from "./board.js";
import { ask, kind } from "./desk.js";
import { download, fromBase64, get, h, s, show as showNodes, toBase64 } from "./dom.js";
import { readText } from "./files.js";
import { emit, game, on } from "./game.js";
import { encode } from "./gif.js";
import { notation } from "./settings.js";
import { board } from "./table.js";
import { t } from "./words.js";

/** URL of a hosted page to which links lead; empty if the server has none. */
let publicUrl = "";

const LINK = /(?:^#|&)game=([^&]*)/;
/** Maximum length of a link, and of the game in it, in bytes. */
const LONGEST_LINK = 200_000;
const LONGEST_GAME = 1_000_000;

export function setUpShare() {
  on("greeted", ({ public_url }) => (publicUrl = public_url ?? ""));
  const button = (id, work) =>
    get(id).addEventListener("click", async () => {
      get("save-fault").textContent = "";
      try {
        await work();
      } catch (error) {
        get("save-fault").textContent = error instanceof Refused ? error.message : t("noPicture");
      }
    });
  button("share-link", async () => {
    const link = await linkOf((await record("pgn")).text);
    // The link is useless on other machines, so the dialog stays open for the other formats.
    const isLocal = kind === "server" && !publicUrl;
    showNodes(isLocal, get("share-said"));
    get("share-said").textContent = t("linkIsLocal");
    await copy(link, "linkCopied", !isLocal);
  });
  const chosen = () => record(get("save-form").value, get("save-notation").value);
  button("save-take", async () => {
    const { name, text, base64, losses } = await chosen();
    save(name, text ?? fromBase64(base64), "application/octet-stream");
    if (losses) emit("trouble", losses.join(" "));
  });
  button("save-copy", async () => {
    const { text, losses } = await chosen();
    await copy(text, "copied");
    if (losses) emit("trouble", losses.join(" "));
  });
  button("share-page", async () => {
    const { name, text } = await record("html", notation());
    save(name, text, "text/html");
  });
  button("share-forum", async () => copy((await record("dhtmlxq")).text, "copied"));
  button("share-fen", () => copy(get("save-fen").value, "copied"));
  const named = async (suffix) => (await record("pgn")).name.replace(/pgn$/, suffix);
  button("share-svg", async () => save(await named("svg"), picture(board.svg), "image/svg+xml"));
  button("share-png", async () => save(await named("png"), await toPng(picture(board.svg)), "image/png"));
  button("share-gif", async () => save(await named("gif"), await animate(board, game.tree.mainline()), "image/gif"));
  button("share-print", () => {
    get("save-dialog").close();
    print();
  });
  addEventListener("hashchange", takeLink);
}

/** Error whose message is shown to the user. */
class Refused extends Error {}

/** Returns the game as a file with its name. @param {string} form @param {string} [wanted] the notation of its moves */
async function record(form, wanted = "iccs") {
  const answer = await ask({ do: "save", form, notation: wanted, tree: game.tree.pack() });
  if (answer.is !== "file") throw new Refused(answer.text || t("noEngine"));
  return answer;
}

async function copy(text, said, closes = true) {
  await navigator.clipboard.writeText(text).catch(() => {
    throw new Refused(t("noClipboard"));
  });
  if (closes) get("save-dialog").close();
  emit("said", t(said));
}

function save(name, content, type) {
  download(name, content, type);
  get("save-dialog").close();
  emit("said", t("savedAs", { name }));
}

/** Returns the address that opens this text, on this or any other host of the page. @param {string} text */
export async function linkOf(text) {
  const packed = toBase64(await through(new TextEncoder().encode(text), new CompressionStream("deflate-raw")));
  if (packed.length > LONGEST_LINK) throw new Refused(t("linkTooLong"));
  const safe = packed.replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
  return `${publicUrl || location.origin + location.pathname}#game=${safe}`;
}

/** @param {string} link the part of the address from the # on @returns {Promise<string>} */
export async function textOf(link) {
  const packed = LINK.exec(link)?.[1] ?? "";
  if (packed.length > LONGEST_LINK) throw new RangeError("too long");
  const bytes = fromBase64(packed.replace(/-/g, "+").replace(/_/g, "/"));
  return new TextDecoder("utf-8", { fatal: true }).decode(await through(bytes, new DecompressionStream("deflate-raw")));
}

/**
 * Returns the bytes after a stream conversion, up to the maximum length of a game.
 * @param {Uint8Array} bytes @param {any} stream
 */
async function through(bytes, stream) {
  const parts = [];
  let length = 0;
  for (const reader = new Blob([/** @type {any} */ (bytes)]).stream().pipeThrough(stream).getReader(); ; ) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.length;
    if (length > LONGEST_GAME) {
      await reader.cancel();
      throw new RangeError("too long");
    }
    parts.push(value);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

/** Opens the game after the # of the address, and removes it from the address. */
export async function takeLink() {
  if (!LINK.test(location.hash)) return;
  const link = location.hash;
  history.replaceState({ mode: game.mode, dialog: true }, "", location.pathname + location.search);
  try {
    const text = await textOf(link);
    if (!text.trim()) throw new RangeError("empty");
    readText(text);
  } catch {
    emit("trouble", t("badLink"));
  }
}

// Pictures of the board as SVG without a style sheet and as PNG, and a whole game as GIF

/** Style properties that are copied to an element. */
const LOOKS = [
  "fill",
  "stroke",
  "stroke-width",
  "stroke-linecap",
  "stroke-linejoin",
  "stroke-dasharray",
  "opacity",
  "font-size",
  "font-weight",
  "text-anchor",
  "dominant-baseline",
];
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

/**
 * Returns a game as an animated GIF in the style of the board.
 * @param {Board} like @param {import("./tree.js").Node[]} line @returns {Promise<Uint8Array>}
 */
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
