//! Sentences of analyses, games in the terminal, practice and the board application.

use super::key::{Key, words};

words! {
    // Analyses
    ColumnScoreOfLine: "score", "评分";
    ColumnDepth: "depth", "深度";
    ColumnLine: "moves", "变化";
    IsOver: "the game is over: {ruling}", "对局已经结束：{ruling}";
    SearchedOn: "searched as if the game began here", "以下分析以此局面为初始局面";
    BestMove: "Best move: {move}", "最佳着法：{move}";
    Score: "Score:     {score}", "评分：    {score}";
    Effort: "Search:    depth {depth}/{seldepth}, {nodes} nodes, {speed} nodes/s, {seconds} s",
        "搜索：    深度 {depth}/{seldepth}，{nodes} 节点，每秒 {speed}节点，{seconds} 秒";
    Solved: "solved", "解出";
    NotSolved: "not solved", "未解出";
    SolvedOf: "{solved} of {tasks} solved", "共 {tasks} 题，解出 {solved} 题";

    // Games in the terminal
    PlayWelcome: "type a move (h2e2, C2=5 or in Chinese), or help", "输入着法（炮二平五、C2=5 或 h2e2），或输入“帮助”";
    PlayHelp: "A move in any notation, or:\n  hint        the best move\n  analyze     the three best lines\n  undo        take back your last move\n  draw        offer a draw\n  resign      give up\n  moves       the moves so far\n  board       draw the board again\n  flip        flip the board\n  level N     the engine's level, 1 to 10\n  save FILE   write the game to a file\n  quit        leave",
        "输入着法（任何记法均可），或：\n  提示（hint）        最佳着法\n  分析（analyze）     三条最佳变化\n  悔棋（undo）        收回上一着\n  求和（draw）        提和\n  认输（resign）      认输\n  着法（moves）       已走的着法\n  棋盘（board）       重新显示棋盘\n  翻转（flip）        翻转棋盘\n  等级（level）N      引擎等级，1 至 10\n  保存（save）文件    保存对局\n  退出（quit）        离开";
    GameLeft: "the game was left unfinished", "对局未完，已退出";
    SidePlays: "{side} plays {move}", "{side}走{move}";
    Check: "check", "将军";
    WarningLosesNow: "warning: {move} ends the game. {ruling}", "注意：走{move}，对局立即结束。{ruling}";
    WarningOnceMore: "warning: after {move}, one more repetition of this position ends the game. {ruling}", "注意：走{move}后，局面若再重复一次，对局即结束。{ruling}";
    LevelIsNow: "the engine now plays at level {level}", "引擎等级现为 {level}";
    NoEnginePlays: "no engine plays in this game", "这盘棋没有引擎参加";
    LevelsAre: "levels are 1 to 10", "等级为 1 至 10";
    SavedTo: "saved to {file}", "对局已保存到 {file}";
    NameTellsFormat: "the suffix of the file name determines the format: one of {suffixes}", "格式由文件名后缀决定，可用：{suffixes}";
    SaveNeedsFile: "give a file name: save game.pgn", "请给出文件名：保存 game.pgn";
    NothingToTakeBack: "there is no move to take back", "没有可悔的着法";
    DrawAgreed: "draw by agreement", "双方同意和棋";
    DrawRefused: "draw declined", "引擎不同意和棋";
    RedResigns: "Red resigns", "红方认输";
    BlackResigns: "Black resigns", "黑方认输";
    RedLosesOnTime: "Red loses on time", "红方超时判负";
    BlackLosesOnTime: "Black loses on time", "黑方超时判负";
    Human: "you", "您";
    EngineAtLevel: "Chuhe, level {level}", "楚河 {level} 级";

    // Practice
    ColumnTheme: "theme", "题型";
    ColumnPuzzles: "puzzles", "题数";
    ColumnMedianRating: "median rating", "难度中位数";
    AllPuzzles: "all", "全部";
    PuzzlesFound: "{puzzles} {puzzles?puzzle:puzzles} from {games} {games?game:games}", "从 {games} 局棋中找到 {puzzles} 道习题";
    NothingToPractise: "these games have no mistakes to learn from", "这些对局没有可供练习的错着";
    QuestionOf: "Question {number} of {count}", "第 {number} 题（共 {count} 题）";
    QuestionNumber: "Question {number}", "第 {number} 题";
    FindBetterThan: "{side} to move: {move} was played; find a better move", "{side}走棋，实战走了{move}，请找出更好的着法";
    FindBest: "{side} to move: find the best move", "{side}走棋，请找出最佳着法";
    RightAnswer: "right; the main line is {line}", "正确。主要变化：{line}";
    WrongAnswer: "not good enough; try again, or type hint, show or skip", "还有更好的着法。请再试，或输入：提示、答案、跳过";
    HintFrom: "move the {piece} on {square}", "请动{square}{piece}";
    RightOf: "{right} of {asked} solved at the first try", "共 {asked} 题，一次答对 {right} 题";

    // Errors of the board application
    NotJson: "this is not JSON: {reason}", "不是 JSON：{reason}";
    NoId: "a message needs an id: a whole number", "消息缺少编号 id（整数）";
    UnknownRequest: "unknown request '{name}'", "没有名为“{name}”的请求";
    BadRequest: "invalid request: {reason}", "请求有误：{reason}";
    BadStart: "not a legal position: {reason}", "不是合法局面：{reason}";
    MoveIsIllegal: "ply {number} ({move}) is not legal", "第 {number} 着（{move}）不合法";
    GameTooLong: "a game can have at most {plies} plies here", "此处一局棋最多 {plies} 着";
    TextIsIllegal: "the move '{move}' is not legal here", "此处不能走“{move}”";
    TextIsAmbiguous: "'{move}' is ambiguous here", "“{move}”有歧义";
    TextIsUnreadable: "'{move}' is not a move in a known notation", "“{move}”不是可识别的着法";
    NoPassInCheck: "a side in check can't pass", "被将军时不能停着";
    SearchStopped: "the search was stopped before it had an answer", "搜索在得出结果前已被中止";
    WorstMoments: "worst moments", "最差着法";
    NoLibrary: "there is no library of games here", "没有打开棋谱库";
    LibraryReadOnly: "this file can't be changed: chuhe serve --games-add, --games-edit or --explored-add allows it",
        "此文件不能改动；chuhe serve --games-add 允许添加，--games-edit 允许修改，--explored-add 允许存入分析";
    SpellingTaken: "{spelling} is already a spelling of {name}", "{spelling} 已经归到 {name} 名下";
    TooManyGames: "a file can contain at most {count} games; narrow the search", "对局太多，一个文件最多 {count} 局，请缩小查找范围";
    GamesTooLarge: "a file can contain at most {megabytes} MB; narrow the search", "对局太大，一个文件最多 {megabytes} MB，请缩小查找范围";
    FileRefused: "this file can't be used: {reason}", "此文件无法使用：{reason}";
    EngineFailed: "the engine can't do this: {reason}", "引擎无法执行：{reason}";
    NoEngine: "no engine is named {name}", "没有名为 {name} 的引擎";
    EngineNoStart: "{name} does not start: {what}", "{name} 无法启动：{what}";
    ProgramMissing: "there is no program {what}", "找不到程序 {what}";
    ProgramForbidden: "{what} may not be run", "没有权限运行 {what}";
    ProgramUnsafe: "other users of this computer can change or replace {what}", "这台电脑上的其他用户可以改动或替换 {what}";
    EngineTaken: "an engine named {name} already exists", "已有名为 {name} 的引擎";
    EnginesFixed: "this engine was given on the command line, or the page may not change engines", "此引擎由命令行指定，或页面不得增减引擎";
    ProgramRefused: "the system can't run {what}", "系统无法运行 {what}";
    NoHandshake: "it does not respond", "引擎没有响应";
    OptionRefused: "its option {name} can't be {value}", "选项 {name} 不能设为 {value}";
    EngineSays: "it reports '{what}'", "引擎提示“{what}”";
    EngineOffersNo: "it has no option {what}", "引擎没有选项 {what}";
    EngineExited: "{name} has crashed (exit status {what})", "{name} 已崩溃（退出码 {what}）";
    EngineKilled: "{name} has crashed or was killed", "{name} 已崩溃或被终止";
    EngineEnded: "{name} has ended", "{name} 已退出";
    EngineSilent: "{name} does not respond", "{name} 没有响应";
    EngineFloods: "{name} sends too much output", "{name} 输出过多";
    EngineGarbage: "{name} answers {what}, which is not a move", "{name} 返回的 {what} 不是着法";
    EngineIllegal: "{name} plays {what}, which is not legal", "{name} 走了 {what}，不合规则";
    EngineBusy: "the server is busy: close another window, or wait for a task to end", "服务器正忙：请关闭其他窗口，或等其他任务结束";
    WrongToken: "this address has expired: open the one that chuhe serve printed last", "此地址已失效：请打开 chuhe serve 最后显示的地址";
}
