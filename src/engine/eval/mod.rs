//! What a position is worth, without looking ahead.

mod chances;
pub mod endings;
mod expected;
pub mod handcrafted;
pub mod nnue;

use chuhe_board::score::Score;
use chuhe_board::{Move, Position};

pub use chances::Chances;
pub use expected::{SCALE, expected_points};
pub use handcrafted::Handcrafted;
pub use nnue::{Network, Nnue};

/// An evaluation that follows a position through its moves. The search calls it for every move that it makes and takes back, so an
/// evaluation may update its sums instead of computing them again.
pub trait Evaluator: Clone + Send {
    /// Starts again from a position.
    fn reset(&mut self, position: &Position);

    /// A move is about to be made in `before`.
    fn made(&mut self, before: &Position, mv: Move);

    /// The last move is taken back.
    fn unmade(&mut self);

    /// The score of the current position, in centipawns (a rook is about 1000), from the view of the side to move, within
    /// ±[`EVALUATION_LIMIT`](chuhe_board::score::EVALUATION_LIMIT).
    fn score(&mut self, position: &Position) -> Score;
}

/// The hand-written evaluation of a single position, from the view of the side to move.
pub fn evaluate(position: &Position) -> Score {
    let mut evaluator = Handcrafted::default();
    evaluator.reset(position);
    evaluator.score(position)
}
