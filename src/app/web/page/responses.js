// Kinds of responses to requests. Also used by the page's engine without a server.

/** Responses that are followed by others. */
export const NOT_FINAL = new Set(["line", "progress"]);

/** Fields of each kind of response that the page relies on. @type {Record<string, string>} */
const FIELDS = {
  error: "code text",
  hello: "rules levels formats",
  position: "fen side legal verdict warnings",
  plies: "plies",
  judgement: "result text",
  setup: "possible faults",
  line: "multipv score pv",
  done: "best",
  stopped: "",
  move: "move",
  resigns: "",
  offer: "takes",
  hint: "move",
  read: "move",
  book: "moves",
  endings: "moves",
  mate: "mates text tree",
  progress: "done of",
  review: "moves",
  tried: "right line",
  puzzles: "themes puzzles",
  games: "games",
  file: "name",
  found: "total all from games",
  played: "moves",
  explored: "below moves",
  remembered: "changed positions",
  added: "added duplicates refused total",
  kept: "game",
  changed: "total",
  results: "opponents openings",
  names: "names merged proposed",
  options: "identity options",
  talk: "text",
  folder: "path folders programs",
  program: "path name",
  engines: "engines",
};

/** Returns true if a response has the fields of its kind. */
export const isWhole = (response) =>
  FIELDS[response.is]?.split(" ").every((name) => name === "" || name in response) ?? false;
