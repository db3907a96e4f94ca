// Lines of UCI and UCCI, as far as a session has to understand them.

export const firstWord = (/** @type {string | undefined} */ line) => line?.trim().split(/\s+/, 1)[0] ?? "";

/** @param {string | undefined} line */
export const isGo = (line) => firstWord(line) === "go";

/** Returns true for a search, which the engine ends with a best move. @param {string | undefined} line */
export const isSearch = (line) => isGo(line) && !/\bperft\b/.test(line ?? "");

/** Limits of a search. `mate` is not one of them, since the mate may not exist. */
const LIMIT =
  /\b(?:depth|nodes|movetime|movestogo|increment|[wbr]inc|[wbr]?time)\s+-?\d|\boppo?(?:time|increment|movestogo)\b/;

/** Returns true for a search that may end only after a further line. @param {string | undefined} line */
export const isEndless = (line) =>
  isSearch(line) && (/\b(?:infinite|ponder)\b/.test(line ?? "") || !LIMIT.test(line ?? ""));

/** Returns true for a line that concerns the current search. @param {string} line */
export const concernsSearch = (line) => ["stop", "ponderhit"].includes(firstWord(line));

/** Returns true for the reply to a search. @param {string} line */
export const isSearchReply = (line) => /^(?:no)?bestmove\b/.test(line);

/** Returns the reply to a search that ends after this line of output, if the line contains the best moves. */
export function replyAfter(/** @type {string} */ line) {
  const info = /^info\b(?!.*\b(?:upper|lower)bound\b)(?!.* multipv (?!1\b)).* pv (\S+)(?: (\S+))?/.exec(line);
  return info ? `bestmove ${info[1]}${info[2] ? ` ponder ${info[2]}` : ""}` : undefined;
}

/** The lines that bring a new engine into the state of the previous one. */
export class EngineState {
  #handshake = "";
  /** @type {string[]} */
  #options = [];
  /** @type {string[]} */
  #position = [];

  /** Adds a line that the engine has executed. @param {string} line */
  add(line) {
    const word = firstWord(line);
    if (word === "uci" || word === "ucci") this.#handshake = line;
    else if (word === "setoption") this.#options.push(line);
    else if (word === "position") this.#position = [line];
    else if (word === "banmoves") this.#position.push(line);
  }

  /** The protocol, `uci` or `ucci`; empty before the handshake. */
  get protocol() {
    return firstWord(this.#handshake);
  }

  /** Reply to a search that ends before it has found a move. */
  get noMove() {
    return this.protocol === "ucci" ? "nobestmove" : "bestmove (none)";
  }

  get lines() {
    return [this.#handshake, ...this.#options, ...this.#position].filter(Boolean);
  }
}
