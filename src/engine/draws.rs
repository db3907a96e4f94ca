//! Conditions under which the engine agrees to a draw.

use chuhe_board::rules::Game;
use chuhe_board::score::Score;

/// Number of nodes searched to decide on a draw offer if there is no recent search.
pub const DRAW_NODES: u64 = 100_000;
/// Maximum score at which the engine agrees to a draw, in centipawns: about a pawn behind.
const GLAD: Score = -100;
/// Maximum absolute score of an equal position, in centipawns.
const EQUAL: Score = 20;
/// Number of plies without a capture after which a game is considered quiet.
const QUIET: u16 = 40;

/// Returns `true` if the engine agrees to a draw at a score from its own point of view.
pub fn takes_draw(game: &Game, score: Score) -> bool {
    score <= GLAD || is_dull(game, score)
}

/// Returns `true` if the game is about equal and has been quiet for some time.
pub(crate) fn is_dull(game: &Game, score: Score) -> bool {
    score.abs() <= EQUAL && game.position().quiet_plies() >= QUIET
}
