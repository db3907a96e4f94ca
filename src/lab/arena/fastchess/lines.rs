//! Lines of standard output: ASCII, never empty, player names without spaces.
//!
//! A worker parses the number, the players, the result, and the words between the first and the second colon.
//! It counts `disconnect` and `stalls` as crashes, and also recognises `on time` and `illegal`, so other
//! reasons must not contain these words.

use crate::arena::end_reason::GameEndReason;
use crate::arena::played::Played;
use crate::arena::player::Player;
use crate::arena::schedule::Fixture;
use chuhe_board::Side;

/// Returns `Started game 1 of 4 (A vs B)`.
pub(crate) fn started(fixture: &Fixture, games: u32, players: &[Player]) -> String {
    let (red, black) = (&players[fixture.red].name, &players[fixture.black].name);
    format!("Started game {} of {games} ({red} vs {black})", fixture.number)
}

/// Returns `Finished game 1 (A vs B): 1-0 {White mates}`.
pub(crate) fn finished(game: &Played) -> String {
    let Played { game: number, red, black, .. } = game;
    format!("Finished game {number} ({red} vs {black}): {} {{{}}}", game.result.text(), reason(game))
}

/// Returns the reason for a game's end, with Red called White.
pub(crate) fn reason(game: &Played) -> String {
    let colour = |side| if side == Side::Red { "White" } else { "Black" };
    let winner = game.result.winner().map_or("nobody", colour);
    let loser = game.result.winner().map_or("nobody", |side| colour(!side));
    let is_draw = game.result.winner().is_none();
    match game.reason {
        GameEndReason::Mate => format!("{winner} mates"),
        GameEndReason::Stalemate => format!("{winner} wins by stalemate"),
        GameEndReason::NaturalLimit => "Draw by natural limit".to_string(),
        GameEndReason::NoAttackers => "Draw by insufficient mating material".to_string(),
        GameEndReason::Repetition => "Draw by repetition".to_string(),
        GameEndReason::PerpetualCheck
        | GameEndReason::PerpetualChase
        | GameEndReason::PerpetualAttack
        | GameEndReason::MutualOffence
            if is_draw =>
        {
            format!("Draw by {}", game.reason)
        }
        GameEndReason::PerpetualCheck
        | GameEndReason::PerpetualChase
        | GameEndReason::PerpetualAttack
        | GameEndReason::MutualOffence => {
            format!("{loser} loses by {}", game.reason)
        }
        GameEndReason::Resignation => format!("{loser} resigns"),
        GameEndReason::Agreement => "Draw by agreement".to_string(),
        GameEndReason::AdjudicatedWin => format!("{winner} wins by adjudication"),
        GameEndReason::AdjudicatedDraw => "Draw by adjudication".to_string(),
        GameEndReason::Length => "Draw by length".to_string(),
        GameEndReason::Time => format!("{loser} loses on time"),
        GameEndReason::NoStart | GameEndReason::Crash => format!("{loser} disconnects"),
        GameEndReason::Hang | GameEndReason::Flood => format!("{loser}'s connection stalls"),
        GameEndReason::Garbage | GameEndReason::IllegalMove => format!("{loser} makes an illegal move"),
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::arena::played::Spoken;
    use chuhe_board::STARTPOS;
    use chuhe_games::records::GameResult;

    /// Returns a game with one opening move and two other moves.
    pub(crate) fn game(result: GameResult, reason: GameEndReason) -> Played {
        let spoken = |score: &str, nodes| Spoken {
            score: Some(score.to_string()),
            depth: Some(4),
            seldepth: None,
            nodes: Some(nodes),
            comment: None,
            microseconds: 2_345,
        };
        Played {
            game: 3,
            red: "A-dev".to_string(),
            black: "B-base".to_string(),
            fen: STARTPOS.to_string(),
            opening_plies: 1,
            moves: ["h2e2", "h9g7", "h0g2"].map(str::to_string).to_vec(),
            thoughts: vec![spoken("+42", 569), spoken("-M3", 7)],
            result,
            reason,
            detail: String::new(),
            fault: None,
            date: "2026.11.22".to_string(),
        }
    }

    #[test]
    fn every_ending_has_its_line() {
        use GameResult::{BlackWins, Draw, RedWins};
        for (result, reason, text) in [
            (RedWins, GameEndReason::Mate, "1-0 {White mates}"),
            (BlackWins, GameEndReason::Stalemate, "0-1 {Black wins by stalemate}"),
            (Draw, GameEndReason::NaturalLimit, "1/2-1/2 {Draw by natural limit}"),
            (Draw, GameEndReason::NoAttackers, "1/2-1/2 {Draw by insufficient mating material}"),
            (Draw, GameEndReason::Repetition, "1/2-1/2 {Draw by repetition}"),
            (RedWins, GameEndReason::PerpetualCheck, "1-0 {Black loses by perpetual check}"),
            (BlackWins, GameEndReason::PerpetualChase, "0-1 {White loses by perpetual chase}"),
            (BlackWins, GameEndReason::PerpetualAttack, "0-1 {White loses by perpetual attack}"),
            (Draw, GameEndReason::PerpetualCheck, "1/2-1/2 {Draw by perpetual check}"),
            (Draw, GameEndReason::MutualOffence, "1/2-1/2 {Draw by mutual offence}"),
            (BlackWins, GameEndReason::Resignation, "0-1 {White resigns}"),
            (Draw, GameEndReason::Agreement, "1/2-1/2 {Draw by agreement}"),
            (RedWins, GameEndReason::AdjudicatedWin, "1-0 {White wins by adjudication}"),
            (Draw, GameEndReason::AdjudicatedDraw, "1/2-1/2 {Draw by adjudication}"),
            (Draw, GameEndReason::Length, "1/2-1/2 {Draw by length}"),
            (BlackWins, GameEndReason::Time, "0-1 {White loses on time}"),
            (RedWins, GameEndReason::NoStart, "1-0 {Black disconnects}"),
            (BlackWins, GameEndReason::Crash, "0-1 {White disconnects}"),
            (RedWins, GameEndReason::Hang, "1-0 {Black's connection stalls}"),
            (RedWins, GameEndReason::Flood, "1-0 {Black's connection stalls}"),
            (RedWins, GameEndReason::Garbage, "1-0 {Black makes an illegal move}"),
            (BlackWins, GameEndReason::IllegalMove, "0-1 {White makes an illegal move}"),
        ] {
            let line = finished(&game(result, reason));
            assert_eq!(line, format!("Finished game 3 (A-dev vs B-base): {text}"));
            // A worker reads the reason between the first and the second colon.
            assert_eq!(line.matches(':').count(), 1);
        }
    }
}
