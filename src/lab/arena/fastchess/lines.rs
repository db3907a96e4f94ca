//! Lines of standard output: ASCII, never empty, player names without spaces.
//!
//! A worker parses the number, the players, the result, and the words between the first and the second colon.
//! It counts `disconnect` and `stalls` as crashes, and also recognises `on time` and `illegal`, so other
//! reasons must not contain these words.

use crate::arena::ending::Ending;
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
        Ending::Mate => format!("{winner} mates"),
        Ending::Stalemate => format!("{winner} wins by stalemate"),
        Ending::NaturalLimit => "Draw by natural limit".to_string(),
        Ending::NoAttackers => "Draw by insufficient mating material".to_string(),
        Ending::Repetition => "Draw by repetition".to_string(),
        Ending::PerpetualCheck | Ending::PerpetualChase | Ending::PerpetualAttack | Ending::MutualOffence
            if is_draw =>
        {
            format!("Draw by {}", game.reason)
        }
        Ending::PerpetualCheck | Ending::PerpetualChase | Ending::PerpetualAttack | Ending::MutualOffence => {
            format!("{loser} loses by {}", game.reason)
        }
        Ending::Resignation => format!("{loser} resigns"),
        Ending::Agreement => "Draw by agreement".to_string(),
        Ending::AdjudicatedWin => format!("{winner} wins by adjudication"),
        Ending::AdjudicatedDraw => "Draw by adjudication".to_string(),
        Ending::Length => "Draw by length".to_string(),
        Ending::Time => format!("{loser} loses on time"),
        Ending::NoStart | Ending::Crash => format!("{loser} disconnects"),
        Ending::Hang | Ending::Flood => format!("{loser}'s connection stalls"),
        Ending::Garbage | Ending::IllegalMove => format!("{loser} makes an illegal move"),
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::arena::played::Spoken;
    use chuhe_board::STARTPOS;
    use chuhe_games::records::GameResult;

    /// Returns a game with one opening move and two other moves.
    pub(crate) fn game(result: GameResult, reason: Ending) -> Played {
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
            (RedWins, Ending::Mate, "1-0 {White mates}"),
            (BlackWins, Ending::Stalemate, "0-1 {Black wins by stalemate}"),
            (Draw, Ending::NaturalLimit, "1/2-1/2 {Draw by natural limit}"),
            (Draw, Ending::NoAttackers, "1/2-1/2 {Draw by insufficient mating material}"),
            (Draw, Ending::Repetition, "1/2-1/2 {Draw by repetition}"),
            (RedWins, Ending::PerpetualCheck, "1-0 {Black loses by perpetual check}"),
            (BlackWins, Ending::PerpetualChase, "0-1 {White loses by perpetual chase}"),
            (BlackWins, Ending::PerpetualAttack, "0-1 {White loses by perpetual attack}"),
            (Draw, Ending::PerpetualCheck, "1/2-1/2 {Draw by perpetual check}"),
            (Draw, Ending::MutualOffence, "1/2-1/2 {Draw by mutual offence}"),
            (BlackWins, Ending::Resignation, "0-1 {White resigns}"),
            (Draw, Ending::Agreement, "1/2-1/2 {Draw by agreement}"),
            (RedWins, Ending::AdjudicatedWin, "1-0 {White wins by adjudication}"),
            (Draw, Ending::AdjudicatedDraw, "1/2-1/2 {Draw by adjudication}"),
            (Draw, Ending::Length, "1/2-1/2 {Draw by length}"),
            (BlackWins, Ending::Time, "0-1 {White loses on time}"),
            (RedWins, Ending::NoStart, "1-0 {Black disconnects}"),
            (BlackWins, Ending::Crash, "0-1 {White disconnects}"),
            (RedWins, Ending::Hang, "1-0 {Black's connection stalls}"),
            (RedWins, Ending::Flood, "1-0 {Black's connection stalls}"),
            (RedWins, Ending::Garbage, "1-0 {Black makes an illegal move}"),
            (BlackWins, Ending::IllegalMove, "0-1 {White makes an illegal move}"),
        ] {
            let line = finished(&game(result, reason));
            assert_eq!(line, format!("Finished game 3 (A-dev vs B-base): {text}"));
            // A worker reads the reason between the first and the second colon.
            assert_eq!(line.matches(':').count(), 1);
        }
    }
}
