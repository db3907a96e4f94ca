//! The table of sentences: each key with its English and Chinese text. Arguments are names in braces.

macro_rules! words {
    ($($key:ident: $english:literal, $chinese:literal;)*) => {
        /// Key of a sentence.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        #[allow(missing_docs)]
        pub enum Key {
            $($key,)*
        }

        impl Key {
            /// All keys.
            pub const ALL: &[Key] = &[$(Key::$key,)*];

            /// Returns the English and the Chinese text.
            pub(super) const fn texts(self) -> [&'static str; 2] {
                match self {
                    $(Key::$key => [$english, $chinese],)*
                }
            }
        }
    };
}

words! {
    // Sides and results
    Red: "Red", "红方";
    Black: "Black", "黑方";
    RedPiece: "Red's {piece}", "红{piece}";
    BlackPiece: "Black's {piece}", "黑{piece}";
    Wins: "{reason}. {side} wins", "{reason}，{side}胜";
    Draws: "{reason}. Draw", "{reason}，和棋";

    RedWon: "1-0", "红胜";
    BlackWon: "0-1", "黑胜";
    Drawn: "1/2-1/2", "和棋";

    // Reasons why a game is over
    GoesOn: "the game goes on", "对局继续";
    GoesOnRepeated: "the game goes on: {occurrence} occurrence of this position; the {rules} rules judge at the {judged}",
        "对局继续：此局面{occurrence} 次出现，{rules}在{judged} 次出现时裁决";
    Mated: "checkmate", "绝杀";
    LeavesNoMove: "{side} has no legal move", "{side}被困毙";
    NoCapture: "{plies} {plies?ply:plies} without a capture, checks not counted", "连续 {plies} 着没有吃子（将军不计）";
    NoCaptureFewChecks: "{plies} {plies?ply:plies} without a capture, counting at most {checks} {checks?check:checks} of each side",
        "连续 {plies} 着没有吃子（每方至多计 {checks} 次将军）";
    NoAttackers: "neither side has a piece that can cross the river", "双方都没有能过河的棋子";
    ChecksAlways: "{offender} gives check with every move, but {other} does not", "{offender}长将，{other}没有长将";
    ChasesAlways: "{offender} chases the {victim} with every move, but {other} breaks no rule",
        "{offender}长捉{victim}，{other}没有违例";
    ChasesSamePiece: "{offender} chases the same piece with every move, but {other} breaks no rule",
        "{offender}长捉同一子，{other}没有违例";
    ChasesTied: "{offender} chases the {victim} with every move while a horse pins it in place",
        "{offender}长捉被马牵制而不能动的{victim}";
    AttacksAlways: "{offender} checks, chases or threatens mate with every move, but {other} makes an idle move",
        "{offender}长打（步步将、杀或捉），{other}有闲着";
    BothCheck: "both sides give check with every move", "双方长将";
    BothAttack: "both sides attack with every move", "双方长打";
    NobodyOffends: "a repetition in which neither side breaks a rule", "局面重复，双方都没有违例";
    EveryRepetitionDraws: "every repetition is a draw", "局面重复一律判和";
    OverBeforeFirst: "the game was over before the first move", "第一着之前对局已经结束";
    OverAfter: "the game was over after ply {ended} of {plies}; the rest was played on", "对局在第 {ended} 着后已经结束（共 {plies} 着），其后为续走";
    CycleHead: "the {rules} rules judge at occurrence {folds}, on these plies", "按{rules}，局面第 {folds} 次出现时裁决，循环各着如下";

    // Endgame tablebases
    EndingDrawn: "tablebase: drawn", "残局库：和棋";
    EndingNotDecided: "tablebase: drawn, unless one side can hold only by perpetual chase", "残局库：和棋，除非一方只能靠长捉守和";
    EndingWon: "tablebase: {winner} wins", "残局库：{winner}胜";
    EndingAfter: "after {move}, {said}", "{move}之后，{said}";
    EndingMate: ", mate in {moves}", "，{moves}步成杀";
    EndingCapture: ", the next capture or mate within {moves}", "，{moves}步内吃子或成杀";
    EndingPerpetual: ", within {moves} {moves?move:moves} {loser} has only perpetual check left", "，{moves}步内{loser}只能长将";
    EndingLine: "to mate: {moves}", "杀法：{moves}";
    EndingUnknown: "there is no tablebase of {ending}", "没有 {ending} 的残局库";
    EndingTooLate: ", but not within the natural limit: a draw by rule", "，但超过自然限着，按规则作和";

    // Contribution of a ply to a repetition
    DeedCheck: "check", "将军";
    DeedKill: "kill: threatens mate", "杀：威胁成杀";
    DeedChase: "chase: {attack}", "捉：{attack}";
    DeedExchange: "exchange: {attack}", "兑：{attack}";
    DeedIdleAttack: "idle: {attack}", "闲：{attack}";
    DeedStanding: "idle: goes on attacking the {victim} {at}", "闲：继续攻击{at}{victim}";
    DeedBlock: "block: shields the {piece} {at}", "拦：掩护{at}{piece}";
    DeedIdle: "idle", "闲着";
    Chases: "{chaser} {from} chases the {victim} {at}", "{from}{chaser}捉{at}{victim}";
    OffersExchange: "{chaser} {from} offers to exchange the {victim} {at}", "{from}{chaser}邀兑{at}{victim}";
    Attacks: "{chaser} {from} attacks the {victim} {at}", "{from}{chaser}攻击{at}{victim}";
    NoGainBefore: " (unprofitable before this move)", "（此前吃子不合算）";
    Uncovered: " (discovered by this move)", "（闪开后形成）";
    WorthMore: ", which is protected but worth more than the {chaser}", "，有根但价值高于{chaser}";
    Unprotected: ", which is unprotected", "，无根";
    FalseRoot: ", whose protector can't legally recapture", "，假根：保护它的子不能反吃";
    Helpless: ", which can't capture its attacker: hobbled or pinned", "，被蹩腿或被牵制，不能反吃";
    CanTakeToo: ", which can take as well", "，对方也能吃";
    Protected: ", which is protected", "，有根";
    CouldNotTake: ", but can't legally take it", "，但实际不能吃";

    // Captions below a board
    ToMove: "{side} to move (move {number})", "{side}走棋（第 {number} 回合）";
    AfterMove: "{state}, after {move}", "{state}，前一着：{move}";
    InCheck: "{side} is in check by {checkers}", "{side}被{checkers}将军";
    MatedBy: "{side} is checkmated by {checkers}", "{side}被{checkers}将死";
    NoMoveLoses: "{side} has no legal move and loses", "{side}无着可走，判负";
    PieceOn: "the {piece} on {square}", "{square}{piece}";
    And: " and ", "和";

    // Meaning of a score
    Equal: "the position is about equal", "双方均势";
    SlightlyBetter: "{side} is slightly better", "{side}稍优";
    Better: "{side} is better", "{side}占优";
    MuchBetter: "{side} is much better", "{side}大优";
    Winning: "{side} is winning", "{side}胜势";
    WinnerMates: "{winner} mates in {moves}", "{winner}{moves}步杀";
    WinnerByRule: "{winner} wins by the rules of repetition, unless {loser} varies", "按棋规{winner}胜，除非{loser}变着";
    HasLost: "no legal move: {side} has lost", "无着可走，{side}负";

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

    // Openings and position databases
    OpeningIs: "Opening: {code} {name}", "开局：{code} {name}";
    Explored: "{file}: {new} {new?position:positions} analysed, {total} in all", "{file}：新分析 {new} 个局面，共 {total} 个";
    ExploredScore: "{score} at the root, main line of {plies} {plies?ply:plies}", "起始局面 {score}，主变 {plies} 着";
    ExploredAll: "every position within the margin is analysed; --margin widens it", "范围内的局面均已分析；可用 --margin 放宽范围";
    ExploredAdded: "{file}: {new} new, {better} improved, {known} already there", "{file}：新增 {new} 个，改进 {better} 个，已有 {known} 个";
    NotExplored: "the position is not in the database", "局面库中没有此局面";
    ExploredFrom: "{below} {below?position:positions}, {engine}, {nodes} nodes, depth {depth}", "{below} 个局面，{engine}，{nodes} 节点，深度 {depth}";
    NothingToExplore: "nothing is left to explore", "没有待分析的局面";
    ExploredSound: "{positions} {positions?position:positions}, no fault found", "检查 {positions} 个局面，未发现错误";
    ExploredFaulty: "{positions} {positions?position:positions}, {faults} {faults?fault:faults}", "检查 {positions} 个局面，发现 {faults} 处错误";
    ExportedMoves: "{file}: {moves} {moves?move:moves}", "{file}：{moves} 着";
    ExportedPositions: "{file}: {positions} {positions?position:positions}", "{file}：{positions} 个局面";
    LinesUnread: "{file}: {count} {count?line is not an analysis:lines are not analyses}", "{file}：{count} 行不是分析结果";
    ColumnBackedUp: "value", "综合分";
    ColumnOwn: "own", "单独评分";
    ColumnBelow: "positions", "已析局面";
    ColumnCost: "cost", "代价";
    ColumnPosition: "position", "局面";
    Barred: "barred", "禁";

    // Game library
    AddedGames: "{library}: {added} added, {duplicates} already there, {total} in all",
        "{library}：新增 {added} 局，已有 {duplicates} 局，共 {total} 局";
    SameMovesAs: "{file}: the same moves as {first}", "{file}：着法与{first}相同";
    DuplicatesLeftOut: "{count} {count?duplicate was:duplicates were} left out:", "略去重复对局 {count} 局：";
    SameMoves: "{file}, game {number}: the same moves as game {id} of the library", "{file}，第 {number} 局：着法与棋谱库第 {id} 局相同";
    OtherVersion: "{file}, game {number}: a longer or shorter version of game {id} of the library; both count in statistics",
        "{file}，第 {number} 局：与棋谱库第 {id} 局是同一局棋，只是着数不同；统计时各计一局";
    CommentsAdded: "{count} {count?game:games} in the library received the comments and variations of the same game",
        "{count} 局的评注和变例已加入库中原有的棋谱";
    CommentsDiffer: "{count} {count?game differs:games differ} in comments or variations from the same game in the library, which was not changed",
        "{count} 局的评注或变例与库中的不同，没有存入";
    FoundGames: "games found: {count}", "共 {count} 局";
    FoundAndShown: "games found: {count}; the first {shown} are shown (--limit 0 shows all)", "共 {count} 局，列出前 {shown} 局（--limit 0 列出全部）";
    RowsShown: "rows: {count}; the first {shown} are shown (--limit 0 shows all)", "共 {count} 行，列出前 {shown} 行（--limit 0 列出全部）";
    Unnamed: "(unknown)", "（未知）";
    NotPlayed: "no game in the library continues from this position", "库中没有从此局面继续的对局";
    All: "all", "合计";
    ColumnGame: "game", "编号";
    ColumnResult: "result", "结果";
    ColumnPlies: "plies", "着数";
    ColumnDate: "date", "日期";
    ColumnYear: "year", "年份";
    ColumnOpening: "opening", "开局";
    ColumnEvent: "event", "赛事";
    ColumnPly: "ply", "着序";
    ColumnMove: "move", "着法";
    ColumnGames: "games", "局数";
    ColumnWon: "won", "胜";
    ColumnDrawn: "drawn", "和";
    ColumnLost: "lost", "负";
    ColumnUnknown: "unknown", "未知";
    ColumnScore: "score", "得分率";
    ColumnGamesAsRed: "Red", "执红";
    ColumnGamesAsBlack: "Black", "执黑";
    ColumnScoreAsRed: "score", "执红得分率";
    ColumnScoreAsBlack: "score", "执黑得分率";
    AccuracyAsRed: "as Red", "执红准确率";
    AccuracyAsBlack: "as Black", "执黑准确率";
    OnePlayer: "Is this one player? [y/N]", "是同一位棋手吗？[y/N]";
    AliasesAdded: "{file}: {count} {count?alias:aliases} added", "{file}：已添加 {count} 条别名";
    ResultsOfRed: "Red's results", "红方的成绩";
    ResultsOfPlayer: "results of {player}", "{player}的成绩";
    ResultsOfEach: "each player's own results", "每位棋手自己的成绩";
    ColumnEngine: "engine", "引擎评分";
    ColumnLast: "last", "最近";
    ColumnValue: "value", "胜负";
    ColumnToCapture: "plies to capture", "吃子着数";
    ColumnToMate: "to mate", "成杀着数";
    ColumnPlayers: "players", "棋手";

    // Reviews
    Inaccuracy: "inaccuracy", "缓着";
    Mistake: "mistake", "错着";
    Blunder: "blunder", "败着";
    Inaccuracies: "inaccuracies", "缓着";
    Mistakes: "mistakes", "错着";
    Blunders: "blunders", "败着";
    JudgedBecause: "{judgement}: {reason}", "{judgement}：{reason}";
    AllowsMate: "it allows a mate in {moves}", "让对方{moves}步成杀";
    MissesMate: "it misses a mate in {moves}", "错过{moves}步杀";
    LosesByRules: "it loses by the rules: {ruling}", "违例判负：{ruling}";
    MissesWinByRules: "it misses a win by the rules: {ruling}", "错过按规则取胜的机会：{ruling}";
    LosesPieces: "it loses {lost}", "丢{lost}";
    LosesPiecesFor: "it loses {lost} for {taken}", "以{lost}换{taken}，得不偿失";
    MissesPieces: "it misses a chance to win {won}", "错失得{won}的机会";
    MissesPiecesFor: "it misses a chance to win {won} for {given}", "错失以{given}换{won}的机会";
    TwoReasons: "{first}, and {second}", "{first}，且{second}";
    AllowsThreat: "it lets the opponent threaten mate in {moves}", "让对方威胁{moves}步成杀";
    MissesThreat: "it misses a threat of mate in {moves}", "错过威胁{moves}步成杀的机会";
    AllowsDraw: "it allows a draw by the rules: {ruling}", "让对方按规则成和：{ruling}";
    MissesDraw: "it misses a draw by the rules: {ruling}", "错过按规则成和的机会：{ruling}";
    LosesEnding: "it allows a lost ending (tablebase)", "进入必败残局（残局库）";
    MissesEnding: "it misses a won ending (tablebase)", "错过必胜残局（残局库）";
    LetsDo: "it lets {deeds}", "让{deeds}";
    MissesDoing: "it misses the chance for {deeds}", "错过{deeds}的机会";
    DeedForks: "{piece} fork {targets}", "{piece}捉双（{targets}）";
    DeedForksKing: "{piece} fork {targets}", "{piece}将军兼捉{targets}";
    DeedDrivesAway: "{piece} drive away {targets}", "{piece}先手捉{targets}";
    DeedThreatens: "{piece} attack {targets}", "{piece}捉{targets}";
    DeedTakes: "{piece} take {targets}", "{piece}吃{targets}";
    DeedTrades: "{side} trade {own} for {targets}", "{side}以{own}换{targets}";
    DeedExchanges: "{side} exchange {noun}s", "{side}兑{noun}";
    DeedUncovers: "{piece} uncover an attack on {targets}", "{piece}闪开捉{targets}";
    DeedPins: "{piece} pin {targets}", "{piece}牵制{targets}";
    DeedBlocks: "{piece} block {targets}", "{piece}蹩住{targets}腿";
    DeedProtects: "{piece} protect {targets}", "{piece}保{targets}";
    DeedChecks: "{piece} give check", "{piece}将军";
    DeedUncoversCheck: "{piece} uncover a check", "{piece}闪将";
    DeedCrosses: "{piece} cross the river", "{piece}过河";
    DeedDefends: "{piece} strengthen the palace", "{piece}巩固防守";
    DeedReaches: "{piece} reach {square}", "{piece}走到{square}";
    WorsensPosition: "it worsens the position", "形势变差";
    BetterWas: "better: {line}", "应走{line}";
    NowFollows: "continuation: {line}", "后续：{line}";
    LeavesExplored: "leaves the explored lines here", "此着起脱谱";
    OnlyMove: "the only good move", "唯一好着";
    NothingToBlame: "no inaccuracies, mistakes or blunders", "没有缓着、错着或败着";
    AccuracyLine: "{player}: accuracy {accuracy}; {counts}", "{player}：准确率 {accuracy}；{counts}";
    Player: "Player", "棋手";
    Accuracy: "Accuracy", "准确率";
    AccuracyOfRed: "Accuracy of Red", "红方准确率";
    AccuracyOfBlack: "Accuracy of Black", "黑方准确率";
    Game: "Game", "对局";
    Result: "Result", "结果";
    ReviewedGames: "Reviewed games", "对局复盘";
    Board: "Board", "棋盘";
    Moves: "Moves", "着法";
    KeyMoments: "Key moments", "关键着法";
    GraphOfPoints: "Red's expected points over the game, 0 at the bottom, 1 at the top", "红方期望得分曲线，下为 0，上为 1";
    StepPrompt: "The start of the game", "初始局面";
    ToFirst: "Go to the start (Home)", "回到开头（Home）";
    StepBack: "Back (left arrow)", "后退（左箭头）";
    StepNext: "Forward (right arrow)", "前进（右箭头）";
    ToLast: "Go to the end (End)", "跳到终局（End）";
    ToNextMistake: "Next mistake (n)", "下一个错着（n）";
    FlipBoard: "Flip the board (f)", "翻转棋盘（f）";
    ReviewFooter: "Reviewed by Chuhe. Expected points are what the side would score on average from a position: 1 for a win, 0.5 for a draw. Scores are in pawns, from Red's point of view.",
        "由楚河复盘。期望得分是该局面下平均可得的分数：胜 1 分，和 0.5 分。评分以兵为单位，正数表示红方占优。";

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

    // Errors in game files
    AtLine: "line {place}: {problem}", "第 {place} 行：{problem}";
    AtByte: "byte {place}: {problem}", "第 {place} 字节：{problem}";
    MainLineAlone: "with all variations the game has {count} moves, too many to show: this is its main line",
        "此局连同变例共 {count} 着，无法全部显示，这里只有主变";
    NoGames: "no game was found", "没有找到棋谱";
    BadTag: "'{text}' is not a tag such as [Name \"value\"]", "“{text}”不是 [Name \"value\"] 形式的标签";
    OpenComment: "a comment is not closed", "评注没有结束";
    WrongBrackets: "the brackets around variations don't match", "变例的括号不匹配";
    TooMuch: "{what}: exceeds the limit of a game", "数量超出棋谱应有的范围（{what}）";
    FileEndsInside: "the file ends inside {what}", "文件在{what}处中断";
    GamesFromFiles: "{games} {games?game:games} from {files} {files?file:files}", "读取 {files} 个文件，共 {games} 局棋";
    NotReadable: "parts could not be read; errors: {count}", "有内容无法读取，共 {count} 处：";
    MovesKept: " (moves kept: {count})", "（保留 {count} 着）";
    LeftOut: " (left out)", "（已略去）";
    KeptAsDiagram: " (kept as a diagram)", "（保留为局面图）";
    NoneOfTheMoves: "none of the moves could be read", "着法全部无法读取";
    CannotBePlayed: "no game can be played from this position: {why}", "此局面不能对弈：{why}";
    TextShortened: "{file}, game {number}: {tag} shortened to {kept} of {of} characters",
        "{file}，第 {number} 局：{tag}过长，{of} 字中只保留 {kept} 字";
    SignsLost: "{file}, game {number}: {format} cannot store glyphs such as ! and ?; the glyphs of {count} {count?move:moves} were omitted",
        "{file}，第 {number} 局：{format} 不能保存“!”“?”等评价符号，略去 {count} 着的符号";
    PiecesLost: "{file}, game {number}: {format} cannot store {count} {count?piece:pieces} of the diagram; {count?it was:they were} omitted",
        "{file}，第 {number} 局：{format} 不能保存这么多同类棋子，局面图中略去 {count} 个";
    TagTitle: "title", "标题";
    TagEvent: "event", "赛事名称";
    TagDate: "date", "日期";
    TagSite: "place", "地点";
    TagRed: "Red's name", "红方姓名";
    TagBlack: "Black's name", "黑方姓名";
    TagRedTeam: "Red's team", "红方单位";
    TagBlackTeam: "Black's team", "黑方单位";
    TagTimeControl: "time control", "用时规定";
    TagRedTime: "Red's time", "红方用时";
    TagBlackTime: "Black's time", "黑方用时";
    TagAnnotator: "annotator", "评注者";
    TagAuthor: "author", "作者";
    FormatTooLarge: "{format} files can be at most {most} MB: nothing was written",
        "{format} 文件最大 {most} MB，因此没有写出";
    AndMore: "and {count} more", "另有 {count} 处";
    FolderNeeded: "this is a file; {format} holds one game per file, so give a folder",
        "这是文件；{format} 每个文件只存一局，请给出文件夹";
    OneGameAFile: "{format} holds one game per file, and there are more: use --out FOLDER",
        "{format} 每个文件只存一局棋，而这里不止一局：请用 --out 给出文件夹";

    // Opening books
    BookWritten: "{positions} {positions?position:positions}, {moves} {moves?move:moves} in {file}", "{file}：{positions} 个局面，{moves} 着";
    BookIsEmpty: "these games contain no moves for a book", "这些棋局中没有可收入库的着法";
    BookHasNoMove: "the book has no move here", "开局库中没有此局面";
    OwnBook: "Chuhe's format, {positions} {positions?position:positions}, {moves} {moves?move:moves}", "楚河格式，{positions} 个局面，{moves} 着";
    EleEyeBook: "ElephantEye's format, {moves} {moves?record:records} of {positions} {positions?position:positions}", "象眼格式，{positions} 个局面，{moves} 条记录";
    BingheBook: "a database with Binghe's keys (obk, pfBook, yfk), table {table}, {moves} {moves?move:moves}",
        "兵河类数据库（obk、pfBook、yfk），数据表 {table}，{moves} 着";
    XqbBook: "a database in the xqb format, table {table}, {moves} {moves?move:moves}", "xqb 数据库，数据表 {table}，{moves} 着";
    ExploredBook: "a position database of chuhe explore, table {table}, {moves} {moves?position:positions}",
        "chuhe explore 的局面库，数据表 {table}，{moves} 个局面";
    ColumnChance: "chance", "概率";
    ColumnWeight: "weight", "权重";
    ColumnPoints: "score", "分数";

    // Moves that repeat a position
    MoveEndsGame: "{move} repeats the position and ends the game", "走{move}后局面重复，对局立即结束";
    OnceMoreEndsGame: "{move} repeats the position; one more repetition ends the game", "走{move}后局面重复，再重复一次，对局即结束";
    ReturnsEndGame: "{move} repeats the position; {count} more repetitions end the game", "走{move}后局面重复，再重复 {count} 次对局结束";

    // Errors in a FEN or a setup
    FenEmpty: "the FEN is empty", "FEN 为空";
    FenRanks: "a FEN must have 10 ranks; this one has {count}", "FEN 应有 10 行，这里有 {count} 行";
    FenFiles: "rank {rank} has {count} files instead of 9", "第 {rank} 行有 {count} 列，应为 9 列";
    FenCharacter: "rank {rank}, column {column}: '{character}' is neither a piece nor a digit from 1 to 9",
        "第 {rank} 行第 {column} 个字符“{character}”既不是棋子，也不是数字 1 至 9";
    FenSide: "the side to move is '{side}', not w, r or b", "走棋方写作“{side}”，应为 w、r 或 b";
    KingMissing: "{side} has no king", "{side}没有将（帅）";
    TooManyPieces: "{side} has {count} {piece}s; at most {most} allowed", "{side}有 {count} 个{piece}，最多 {most} 个";
    PieceMisplaced: "{piece} can't be on {square}", "{piece}不能在{square}";
    KingsFacing: "the kings face each other", "将帅照面";
    LeftInCheck: "{side} is in check, but it is {other}'s move", "{side}正被将军，不应轮到{other}走";
    // Proved mates
    MatesByChecks: "{side} mates in {moves} by checks alone", "{side}{moves}步连将杀";
    MatesWithQuietMoves: "{side} mates in at most {moves}, with quiet moves", "{side}最多{moves}步杀（含不将军的着法）";
    NoMateByChecks: "proved: {side} has no mate by checks; none with quiet moves was found",
        "已证明{side}没有连将杀；也没有找到含不将军着法的杀法";
    NoMateByChecksAlone: "proved: {side} has no mate by checks", "已证明{side}没有连将杀";
    MateUnknown: "{nodes} nodes are not sufficient to decide", "{nodes} 个节点不足以判断";
    OnlyKey: "the first move is the only one that mates by checks", "首着唯一";
    OtherKeys: "these first moves mate by checks as well: {moves}", "以下首着也能连将杀：{moves}";
    LaterChoices: "at move {number} these mate just as fast: {moves}", "第 {number} 步还可走{moves}，同样快";
    MatingPattern: "mating pattern: {name}", "杀法：{name}";
}
