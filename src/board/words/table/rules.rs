//! Sentences about positions and rules: results, tablebases, repetitions, scores, errors in a FEN.

use super::key::{Key, words};

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
    MateTooLate: "{side} has a mate, but none was found within the natural limit", "{side}有杀，但没有找到自然限着以内的杀法";
    MateUnknown: "{nodes} nodes are not sufficient to decide", "{nodes} 个节点不足以判断";
    OnlyKey: "the first move is the only one that mates by checks", "首着唯一";
    OtherKeys: "these first moves mate by checks as well: {moves}", "以下首着也能连将杀：{moves}";
    LaterChoices: "at move {number} these mate just as fast: {moves}", "第 {number} 步还可走{moves}，同样快";
    MatingPattern: "mating pattern: {name}", "杀法：{name}";
}
