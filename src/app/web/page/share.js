// Saving and sharing: files, pictures, and a link that contains the game as compressed PGN after the # of the address, which is not sent to any server.

import { ask, kind } from "./desk.js";
import { download, fromBase64, get, show as showNodes, toBase64 } from "./dom.js";
import { readText } from "./files.js";
import { emit, game } from "./game.js";
import { animate, picture, toPng } from "./picture.js";
import { notation } from "./settings.js";
import { board } from "./table.js";
import { t } from "./words.js";

/** URL of a hosted page to which links lead; empty if the server has none. */
let publicUrl = "";
/** @param {string | null} told */
export const setPublicUrl = (told) => void (publicUrl = told ?? "");

const LINK = /(?:^#|&)game=([^&]*)/;
/** Maximum length of a link, and of the game in it, in bytes. */
const LONGEST_LINK = 200_000;
const LONGEST_GAME = 1_000_000;

export function setUpShare() {
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
    const { name, text, base64 } = await chosen();
    save(name, text ?? fromBase64(base64), "application/octet-stream");
  });
  button("save-copy", async () => copy((await chosen()).text, "copied"));
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

/** Error as a message for the user. */
class Refused extends Error {}

/** The game as a file with its name. @param {string} form @param {string} [wanted] the notation of its moves */
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
  return `${publicUrl || location.origin + location.pathname}#game=${packed.replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "")}`;
}

/** @param {string} link the part of the address from the # on @returns {Promise<string>} */
export async function textOf(link) {
  const packed = LINK.exec(link)?.[1] ?? "";
  if (packed.length > LONGEST_LINK) throw new RangeError("too long");
  const bytes = fromBase64(packed.replace(/-/g, "+").replace(/_/g, "/"));
  return new TextDecoder("utf-8", { fatal: true }).decode(await through(bytes, new DecompressionStream("deflate-raw")));
}

/** Returns the bytes after a stream conversion, up to the maximum length of a game. @param {Uint8Array} bytes @param {any} stream */
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
  history.replaceState(history.state, "", location.pathname + location.search);
  try {
    const text = await textOf(link);
    if (!text.trim()) throw new RangeError("empty");
    readText(text);
  } catch {
    emit("trouble", t("badLink"));
  }
}
