//! When the engine agrees to a draw.

use chuhe_board::rules::Game;
use chuhe_board::score::Score;

/// Nodes that a decision about an offered draw is worth where no search has just been made.
pub const DRAW_NODES: u64 = 100_000;
/// A draw is agreed to if the score is this bad, in centipawns: about a pawn less.
const GLAD: Score = -100;
/// A score this close to 0 is equal, in centipawns.
const EQUAL: Score = 20;
/// Nothing happens when so many plies passed without a capture.
const QUIET: u16 = 40;

/// Whether the engine agrees to a draw at a score from its own view.
pub fn takes_draw(game: &Game, score: Score) -> bool {
    score <= GLAD || is_dull(game, score)
}

/// Whether the game is about equal and nothing happens any more.
pub fn is_dull(game: &Game, score: Score) -> bool {
    score.abs() <= EQUAL && game.position().quiet_plies() >= QUIET
}
