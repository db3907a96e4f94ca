//! The lines of standard output: ASCII, never empty, a game's players without blanks.
//!
//! A worker reads number, players, result and the words between the first and the second colon. It counts `disconnect` and `stalls` as
//! crashes, `on time` and `illegal` as what they are, so no other reason may hold these words.

use crate::arena::ending::Ending;
use crate::arena::played::Played;
use crate::arena::player::Player;
use crate::arena::schedule::Fixture;
use crate::board::Side;

/// `Started game 1 of 4 (A vs B)`.
pub fn started(fixture: &Fixture, games: u32, players: &[Player]) -> String {
    let (red, black) = (&players[fixture.red].name, &players[fixture.black].name);
    format!("Started game {} of {games} ({red} vs {black})", fixture.number)
}

/// `Finished game 1 (A vs B): 1-0 {White mates}`.
pub fn finished(game: &Played) -> String {
    let Played { game: number, red, black, .. } = game;
    format!("Finished game {number} ({red} vs {black}): {} {{{}}}", game.result.text(), reason(game))
}

/// Why a game ended, with Red as White.
pub fn reason(game: &Played) -> String {
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
