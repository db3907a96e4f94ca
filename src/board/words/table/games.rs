//! Sentences about games in files: books, libraries, reviews, and errors in records.

use super::key::{Key, words};

words! {
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
    ColumnPlayed: "played", "实战着法";
    ColumnPosition: "position", "局面";
    Barred: "barred", "禁";

    // Game library
    AddedGames: "{library}: {added} added, {duplicates} already there, {total} in all",
        "{library}：新增 {added} 局，已有 {duplicates} 局，共 {total} 局";
    SameMovesAs: "{file}: the same moves as {first}", "{file}：着法与{first}相同";
    DuplicatesLeftOut: "{count} {count?duplicate was:duplicates were} left out:", "略去重复对局 {count} 局：";
    SameMoves: "{file}, game {number}: game {id} of the library has the same moves", "{file}，第 {number} 局：棋谱库第 {id} 局已有同样的着法";
    OtherResult: "{file}, game {number}: its result contradicts that of the same game {id} of the library, which was not changed",
        "{file}，第 {number} 局：结果与棋谱库第 {id} 局（同一局棋）不符，没有存入";
    ReplacedVersion: "{file}, game {number}: replaced its shorter version, game {id} of the library",
        "{file}，第 {number} 局：取代了棋谱库中着数较少的第 {id} 局";
    OtherVersion: "{file}, game {number}: a longer or shorter version of game {id} of the library; both count in statistics",
        "{file}，第 {number} 局：与棋谱库第 {id} 局是同一局棋，只是着数不同；统计时各计一局";
    ResultsAdded: "{count} {count?game:games} in the library received the result of the same game", "{count} 局的结果已补入库中原有的棋谱";
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
    AllowsMateThreat: "it lets the opponent threaten mate", "让对方叫杀";
    MissesMateThreat: "it misses a threat of mate", "错过叫杀的机会";
    AllowsThreat: "it lets the opponent threaten mate in {moves}", "让对方形成{moves}步杀的威胁";
    MissesThreat: "it misses a threat of mate in {moves}", "错过形成{moves}步杀威胁的机会";
    AllowsDraw: "it leads to a draw by the rules: {ruling}", "导致和棋：{ruling}";
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
    DeedCuts: "{piece} separate the elephants", "{piece}塞住象眼";
    DeedShutsIn: "{piece} shut in {targets}", "{piece}封住{targets}";
    DeedProtects: "{piece} protect {targets}", "{piece}保{targets}";
    DeedChecks: "{piece} give check", "{piece}将军";
    DeedUncoversCheck: "{piece} uncover a check", "{piece}闪将";
    DeedCrosses: "{piece} cross the river", "{piece}过河";
    DeedAims: "{piece} aim at {targets}", "{piece}窥视{targets}";
    DeedFrees: "{piece} become active", "{piece}抢占要道";
    LimitsPiece: "it leaves {piece} less active", "使{piece}活动受限";
    FreesPiece: "it lets {piece} become more active", "让{piece}更加活跃";
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
    OfGame: "{file}, game {number}: {text}", "{file}，第 {number} 局：{text}";
    TextShortened: "{tag} shortened to {kept} of {of} characters",
        "{tag}过长，{of} 字中只保留 {kept} 字";
    SignsLost: "{format} cannot store glyphs such as ! and ?; the glyphs of {count} {count?move:moves} were omitted",
        "{format} 不能保存“!”“?”等评价符号，略去 {count} 着的符号";
    CommentsLost: "{format} cannot store comments; {count} {count?was:were} omitted",
        "{format} 不能保存注释，略去 {count} 条";
    MovesLost: "{format} cannot store variations; {count} {count?move was:moves were} omitted",
        "{format} 不能保存变着，略去 {count} 着";
    PiecesLost: "{format} cannot store {count} {count?piece:pieces} of the diagram; {count?it was:they were} omitted",
        "{format} 不能保存这么多同类棋子，局面图中略去 {count} 个";
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
}
