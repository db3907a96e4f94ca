// Every word of the page, in Chinese and in English. What the engine says comes in the right language from there.

let language = 0;

/** @type {Record<string, [string, string]>} */
export const WORDS = {
  // The header
  modes: ["功能", "Views"],
  play: ["对弈", "Play"],
  analyse: ["分析", "Analyse"],
  review: ["复盘", "Review"],
  edit: ["摆棋", "Edit"],
  library: ["棋谱库", "Library"],
  open: ["打开", "Open"],
  save: ["保存", "Save"],
  otherLanguage: ["EN（切换为英文）", "中文 (switch to Chinese)"],
  theme: ["外观", "Light or dark"],
  settings: ["设置", "Settings"],
  help: ["帮助与快捷键", "Help and keys"],

  // The table
  board: ["棋盘", "Board"],
  boardGrid: ["棋盘，九路十行，用方向键移动，回车选择", "Board of nine files and ten ranks; arrow keys move, Enter chooses"],
  red: ["红方", "Red"],
  black: ["黑方", "Black"],
  empty: ["空", "empty"],
  chosen: ["已选中", "selected"],
  canGo: ["可走", "can go here"],
  canTake: ["可吃", "can be taken"],
  goesTo: ["到 {square}", "to {square}"],
  takesOn: ["吃 {square} 的{piece}", "takes the {piece} on {square}"],
  check: ["将军", "check"],
  toMove: ["走棋", "to move"],
  hasTaken: ["已吃：{pieces}", "Captured: {pieces}"],
  hasTakenNothing: ["尚未吃子", "No captures"],
  stepping: ["前后翻看", "Move through the game"],
  toStart: ["回到开头 (Home)", "Go to the start (Home)"],
  stepBack: ["后退 (←)", "Back (←)"],
  stepNext: ["前进 (→)", "Forward (→)"],
  toEnd: ["到末尾 (End)", "Go to the end (End)"],
  flip: ["翻转棋盘 (f)", "Flip the board (f)"],
  typeMove: ["输入着法 (/)", "Type a move (/)"],
  moveHere: ["着法 (/)", "Move (/)"],
  barSays: ["红方期望得分 {points}，{score}", "Red's expected points: {points}, {score}"],
  why: ["为什么？", "Why?"],
  plyColumn: ["序号", "Ply"],
  moveColumn: ["着法", "Move"],
  deedColumn: ["性质", "What it does"],
  quietPlies: ["已有 {count} 着没有吃子，满 {limit} 着判和。", "{count} plies without a capture; at {limit} the game is drawn."],

  // Playing
  you: ["您", "You"],
  engineAt: ["楚河 {level} 级", "Chuhe, level {level}"],
  takeBack: ["悔棋", "Take back"],
  hint: ["提示", "Hint"],
  offerDraw: ["提和", "Offer a draw"],
  drawRefused: ["对方拒绝和棋。", "Draw declined."],
  drawAgreed: ["双方同意和棋。", "Draw by agreement."],
  resign: ["认输", "Resign"],
  redResigns: ["红方认输。", "Red resigns."],
  blackResigns: ["黑方认输。", "Black resigns."],
  redOnTime: ["红方超时。", "Red ran out of time."],
  blackOnTime: ["黑方超时。", "Black ran out of time."],
  winsToo: ["{side}胜。", " {side} wins."],
  pause: ["暂停", "Pause"],
  goOn: ["继续", "Resume"],
  pausedNow: ["已暂停。", "Paused."],
  thinking: ["楚河正在思考…", "Chuhe is thinking…"],
  yourTurn: ["轮到您走（{side}）。", "Your move ({side})."],
  notYourTurn: ["还没有轮到您走。", "It's not your turn."],
  lookingBack: ["您在看前面的局面；当前着法是 {move}，按 End 返回。", "You are looking at an earlier position. The last move was {move}; press End to return."],
  reviewMine: ["复盘本局", "Review my game"],
  rematch: ["再来一局", "Play again"],
  newGame: ["新对局", "New game"],
  minutes: ["每方时间（分）", "Minutes per side"],
  seconds: ["每着加秒", "Increment (seconds)"],
  noClock: ["时间为 0 即不计时。两方都选引擎即可观战。", "0 minutes: no clock. Choose the engine for both sides to watch it play itself."],
  timeBounds: ["{what}：0 至 {most}。", "{what}: 0 to {most}."],
  rules: ["规则", "Rules"],
  rules_draw: ["循环作和", "Every repetition is a draw"],
  rules_asian: ["亚洲规则", "Asian"],
  rules_chinese: ["中国规则", "Chinese"],
  rules_computer: ["电脑规则", "Computer"],
  rules_league: ["联赛规则", "League"],
  rules_simple: ["只禁长将", "Only perpetual check forbidden"],
  start: ["开始", "Start"],
  playHere: ["从当前局面开始", "Play from here"],
  hintSays: ["提示：{move}", "Hint: {move}"],

  result_red: ["红胜", "1-0"],
  result_black: ["黑胜", "0-1"],
  result_draw: ["和棋", "1/2-1/2"],

  // Analysis
  analysis: ["分析", "Analysis"],
  engine: ["引擎", "Engine"],
  linesCount: ["{count} 条变化", "{count} {count?line:lines}"],
  fewerLines: ["减少变化", "Fewer lines"],
  moreLines: ["增加变化", "More lines"],
  depthSpeed: ["深度 {depth}，每秒 {speed}", "depth {depth}, {speed} nodes/s"],
  gameIsOver: ["对局已结束。", "The game is over."],
  searchedOn: ["对局已结束；以下按从此局面重新开始分析。", "The game is over; analysed as if it began here."],
  ruleRed: ["红方判胜", "Red by rule"],
  ruleBlack: ["黑方判胜", "Black by rule"],
  chances: ["{side}：胜 {win}%，和 {draw}%，负 {loss}%", "{side}: wins {win} %, draws {draw} %, loses {loss} %"],
  book: ["开局库", "Opening book"],
  endings: ["残局库", "Table of endings"],
  ending_win: ["胜", "wins"],
  ending_draw: ["和", "draws"],
  ending_loss: ["负", "loses"],
  ending_unknown: ["不明", "not known"],
  threatens: ["威胁：{move}", "Threat: {move}"],

  // Moves
  moves: ["着法", "Moves"],
  noMoves: ["尚无着法。走一步棋，或打开一局棋。", "No moves yet. Make one, or open a game."],
  annotate: ["注解", "Annotate"],
  glyphs: ["着法评价", "Move marks"],
  comment: ["注解 (c)", "Comment (c)"],
  promote: ["设为主变", "Make main line"],
  remove: ["删除此着及以后", "Delete this move and the rest"],
  graph: ["局势图", "Graph"],
  graphSays: ["红方期望得分曲线，下为 0，上为 1。点击可跳到该着。", "Red's expected points over the game, 0 at the bottom, 1 at the top. Click to go to a move."],

  // The review
  reviewExplains: ["逐着判断整局棋，指出错着及原因。", "Judges every move of the main line: what went wrong, and why."],
  care: ["分析深度", "Depth"],
  quick: ["快速", "Quick"],
  thorough: ["标准", "Standard"],
  deep: ["深入", "Deep"],
  reviewGame: ["开始复盘", "Review this game"],
  progress: ["进度", "Progress"],
  reviewed: ["{ply} / {of} 着", "{ply} of {of} plies"],
  stop: ["停止", "Stop"],
  reviewDone: ["复盘完成，有 {count} 着可以改进。", "Review done: {count} {count?move:moves} could be better."],
  accuracy: ["准确率", "Accuracy"],
  inaccuracies: ["欠准", "Inaccuracies"],
  mistakes: ["错着", "Mistakes"],
  blunders: ["败着", "Blunders"],
  moments: ["关键着法", "Key moments"],
  nothingToBlame: ["没有欠准、错着或败着。", "No inaccuracies, mistakes or blunders."],
  onlyMove: ["唯一好着。", "the only good move."],
  bookMove: ["开局库着法。", "a book move."],
  bestMove: ["最佳着法。", "the best move."],

  // Learning
  learn: ["从错着中学习", "Learn from your mistakes"],
  learnRed: ["改正红方错着", "Learn from Red's mistakes"],
  learnBlack: ["改正黑方错着", "Learn from Black's mistakes"],
  learnAsk: ["第 {number} 题（共 {count} 题）：{side}走棋，实战走了 {move}，请找出更好的着法。", "Question {number} of {count}. {side} to move: {move} was played. Find a better move."],
  learnHint: ["看看 {square} 上的子。", "Look at the piece on {square}."],
  learnRight: ["正确！", "Right!"],
  learnAlso: ["这着也很好！", "That is a good move too!"],
  learnSame: ["这正是实战的着法，请再试。", "That is the move that was played. Try again."],
  learnWrong: ["还不够好：{line}。请再试。", "Not good enough: {line}. Try again."],
  learnChecking: ["正在检查…", "Checking…"],
  learn_inaccuracy: ["实战的 {move} 欠准", "The game's {move} was an inaccuracy"],
  learn_mistake: ["实战的 {move} 是错着", "The game's {move} was a mistake"],
  learn_blunder: ["实战的 {move} 是败着", "The game's {move} was a blunder"],
  learnNext: ["下一题", "Next"],
  learnSkip: ["跳过", "Skip"],
  learnFinish: ["完成", "Finish"],
  learnDone: ["{count} 题中首次答对 {right} 题。", "{right} of {count} solved at the first try."],
  showAnswer: ["看答案", "Show the answer"],
  leave: ["退出", "Leave"],

  // The editor
  palette: ["棋子", "Pieces"],
  piecesLeft: ["{piece}，剩 {count}", "{piece}, {count} left"],
  wipe: ["擦除", "Erase"],
  sideToMove: ["走子方", "Side to move"],
  startPosition: ["初始局面", "Start position"],
  clear: ["只留将帅", "Clear (keep kings)"],
  mirror: ["左右镜像", "Mirror"],
  swap: ["红黑互换", "Swap colours"],
  undo: ["撤销", "Undo"],
  setupPossible: ["此局面合法。", "This position is legal."],
  analyseThis: ["分析此局面", "Analyse this position"],
  playThis: ["从此对弈", "Play from here"],

  // Files
  openGame: ["打开棋谱", "Open a game"],
  openExplains: ["支持 PGN、XQF、CBR、CBL、CBF、UBB（DhtmlXQ）、WXF 和 FEN，也可拖到页面上，或粘贴文本。", "PGN, XQF, CBR, CBL, CBF, UBB (DhtmlXQ), WXF or a FEN. You can also drop a file on the page, or paste text."],
  chooseFile: ["选择文件", "Choose a file"],
  orPaste: ["或粘贴文本", "Or paste text"],
  dropHere: ["松开即打开", "Drop to open"],
  opened: ["已打开，共 {count} 着。", "Opened: {count} {count?ply:plies}."],
  readUpTo: ["读到第 {count} 着为止：{fault}", "Read up to ply {count}: {fault}"],
  openedPosition: ["已打开局面。", "The position is on the board."],
  gameNumber: ["第 {number} 局", "Game {number}"],
  nothingToOpen: ["请选择文件或粘贴文本。", "Choose a file or paste text."],
  format_dhtmlxq: ["DhtmlXQ 文本 (UBB)", "DhtmlXQ text (UBB)"],
  format_wxf: ["WXF 文本 (PlayOK)", "WXF text (PlayOK)"],
  format_position: ["局面 FEN", "Position (FEN)"],
  format_moves: ["着法文本", "List of moves"],
  tooLarge: ["内容超过 20 MB。", "This is larger than 20 MB."],
  saveGame: ["保存棋谱", "Save the game"],
  format: ["格式", "Format"],
  positionFen: ["当前局面 FEN", "FEN of this position"],
  copy: ["复制", "Copy"],
  copied: ["已复制。", "Copied."],
  savedAs: ["已保存为 {name}。", "Saved as {name}."],
  noClipboard: ["浏览器不允许复制。", "The browser does not allow copying."],
  cancel: ["取消", "Cancel"],

  // The library
  player: ["棋手", "Player"],
  event: ["赛事", "Event"],
  opening: ["开局", "Opening"],
  openingHint: ["屏风马，C4", "screen horses, C4"],
  years: ["年份", "Years"],
  until: ["截止年份", "Last year"],
  result: ["结果", "Result"],
  anyResult: ["任何结果", "Any result"],
  withPosition: ["出现过棋盘上的局面（含左右镜像）", "Had the position on the board, or its mirror image"],
  find: ["查找", "Search"],
  games: ["棋谱", "Games"],
  libraryCount: ["找到 {count} 局", "{count} {count?game:games} found"],
  libraryPlies: ["{count} 着", "{count} {count?ply:plies}"],
  libraryAdded: ["新增 {added} 局，已有 {duplicates} 局，{refused} 局无法读取。", "{added} added, {duplicates} already there, {refused} not readable."],
  addGames: ["添加棋谱", "Add games"],
  playedHere: ["棋谱库：此局面之后的着法，共 {count} 局", "Library: played here in {count} {count?game:games}"],
  gamesColumn: ["局数", "Games"],
  lastColumn: ["最近", "Last"],
  byColumn: ["棋手", "Players"],

  // Settings
  language: ["语言", "Language"],
  themeAuto: ["跟随系统", "Follow system"],
  themeLight: ["浅色", "Light"],
  themeDark: ["深色", "Dark"],
  pieces: ["棋子", "Pieces"],
  traditional: ["繁体", "Traditional"],
  simplified: ["简体", "Simplified"],
  pictograms: ["图形", "Pictograms"],
  notation: ["记法", "Notation"],
  byLanguage: ["随语言", "Same as language"],
  threads: ["线程", "Threads"],
  automatic: ["自动", "Automatic"],
  sounds: ["声音", "Sounds"],
  coordinates: ["坐标 a–i、0–9", "Coordinates a–i and 0–9"],
  arrows: ["箭头", "Arrows"],
  bar: ["局势条", "Evaluation bar"],
  done: ["完成", "Done"],
  about: ["楚河 {version}。一切都在您的电脑上运行。", "Chuhe {version}. Everything runs on your own computer."],

  // Keys
  keyStep: ["后退、前进", "Back, forward"],
  keyVariation: ["上一变化、下一变化", "Previous, next variation"],
  keyEnds: ["回到开头、到末尾", "Go to the start, to the end"],
  keyFlip: ["翻转棋盘", "Flip the board"],
  keyLanguage: ["中文或英文", "English or 中文"],
  keyAnalyse: ["分析；再按开关引擎", "Analyse; press again to switch the engine on or off"],
  keyBest: ["走引擎的最佳着法", "Play the engine's best move"],
  keyThreat: ["显示威胁", "Show the threat"],
  keyLines: ["变化数", "Number of lines"],
  keyPlay: ["对弈", "Play"],
  keyReview: ["复盘", "Review"],
  keyNext: ["下一个错着", "Next mistake"],
  keyEdit: ["摆棋", "Edit"],
  keyLibrary: ["棋谱库", "Library"],
  keyComment: ["写注解", "Write a comment"],
  keyType: ["输入着法，任何记法", "Type a move in any notation"],
  keyBoard: ["到棋盘：方向键和回车走棋", "Go to the board: arrow keys and Enter make moves"],
  keyWhy: ["裁判的理由", "The referee's reasons"],

  // The connection
  noServer: ["与 chuhe serve 的连接已断开，正在重连。棋局不会丢失。", "Lost the connection to chuhe serve; reconnecting. Your game is safe."],
  notUnderstood: ["页面无法理解引擎的回答。", "The page does not understand what the engine has answered."],
  noEngine: ["引擎没有回答。", "The engine is not responding."],

  // Pieces
  piece_K: ["帅", "king"],
  piece_A: ["仕", "advisor"],
  piece_B: ["相", "elephant"],
  piece_N: ["马", "horse"],
  piece_R: ["车", "rook"],
  piece_C: ["炮", "cannon"],
  piece_P: ["兵", "pawn"],
  piece_k: ["将", "king"],
  piece_a: ["士", "advisor"],
  piece_b: ["象", "elephant"],
  piece_n: ["马", "horse"],
  piece_r: ["车", "rook"],
  piece_c: ["炮", "cannon"],
  piece_p: ["卒", "pawn"],
};

/** @param {string} name `zh` or `en` */
export function setLanguage(name) {
  language = name === "zh" ? 0 : 1;
}

/** A word or a sentence, in which each argument takes the place of its name in braces; `{count?ply:plies}` is a word for one and for more. @param {string} key @param {Record<string, any>} [values] */
export function t(key, values = {}) {
  const texts = WORDS[key];
  if (!texts) throw new Error(`no words for ${key}`);
  const text = texts[language].replace(/\{(\w+)\?(\w+):(\w+)\}/g, (_, name, one, many) => (values[name] === 1 ? one : many));
  return text.replace(/\{(\w+)\}/g, (_, name) => String(values[name]));
}

/** @param {string} key */
export const hasWords = (key) => key in WORDS;

/** @param {string} piece its letter */
export const pieceName = (piece) => t(`piece_${piece}`);

/** Puts words into the page: `data-t` is a text, `data-t-label` an accessible name and a tooltip, `data-t-placeholder` a grey hint. */
export function apply() {
  /** @param {string} name @returns {NodeListOf<HTMLElement>} */
  const all = (name) => document.querySelectorAll(name);
  for (const node of all("[data-t]")) node.textContent = t(node.dataset.t ?? "");
  for (const node of all("[data-t-label]")) {
    node.setAttribute("aria-label", t(node.dataset.tLabel ?? ""));
    if (node.tagName === "BUTTON") node.setAttribute("title", t(node.dataset.tLabel ?? ""));
  }
  for (const node of all("[data-t-placeholder]")) node.setAttribute("placeholder", t(node.dataset.tPlaceholder ?? ""));
}
