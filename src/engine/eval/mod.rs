//! Static evaluation of positions.

mod chances;
pub mod endings;
mod expected;
pub mod handcrafted;
pub mod nnue;

use chuhe_board::score::Score;
use chuhe_board::{Move, Position};

pub use chances::Chances;
pub use expected::expected_points;
pub use handcrafted::Handcrafted;
pub use nnue::{Network, Nnue};

/// An evaluation that is updated incrementally: the search reports every move that it makes and unmakes.
pub trait Evaluator: Clone + Send {
    /// Resets the evaluation to a position.
    fn reset(&mut self, position: &Position);

    /// Updates the evaluation for a move about to be made in `before`.
    fn made(&mut self, before: &Position, mv: Move);

    /// Reverts the last move.
    fn unmade(&mut self);

    /// Returns the score of the current position in centipawns (a rook is about 1000), from the point of view
    /// of the side to move, within ±[`EVALUATION_LIMIT`](chuhe_board::score::EVALUATION_LIMIT).
    fn score(&mut self, position: &Position) -> Score;
}

/// Returns the hand-written evaluation of a single position, from the point of view of the side to move.
pub fn evaluate(position: &Position) -> Score {
    let mut evaluator = Handcrafted::default();
    evaluator.reset(position);
    evaluator.score(position)
}
