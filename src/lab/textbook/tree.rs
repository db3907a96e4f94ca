//! The interface between algorithms and games: moves, making and undoing them, a static value, and a key. The
//! algorithms depend on nothing else.

use arrayvec::ArrayVec;
use chuhe_board::MoveClass;

/// Value of the king on Kornilov's scale: the value of a lost game is its negation, and the absolute value
/// decreases by one for each ply before the loss.
pub const MATE: i32 = 90_000;
/// Minimum value of a mate.
pub(crate) const MATE_RANGE: i32 = MATE - 1_000;

/// The moves in one position; 128 are sufficient for all games in this crate.
pub type Moves<M> = ArrayVec<M, 128>;

/// A game tree with a current node. Values are from the point of view of the side to move, as in negamax.
pub trait Tree {
    /// A move.
    type Move: Copy + PartialEq + std::fmt::Debug;
    /// Data needed to undo a move.
    type Undo;

    /// Returns the legal moves of a kind, always in the same order. A side without moves has lost.
    fn moves(&self, wanted: MoveClass) -> Moves<Self::Move>;
    /// Returns `true` if a move from another position is legal here too.
    fn is_legal(&self, mv: Self::Move) -> bool;
    /// Returns `true` if a move is not a capture.
    fn is_quiet(&self, mv: Self::Move) -> bool;
    /// Makes a legal move.
    fn play(&mut self, mv: Self::Move) -> Self::Undo;
    /// Undoes a move.
    fn undo(&mut self, mv: Self::Move, undo: Self::Undo);
    /// Makes a null move; not allowed in check.
    fn pass(&mut self) -> Self::Undo;
    /// Undoes a null move.
    fn undo_pass(&mut self, undo: Self::Undo);
    /// Returns `true` if the side to move is in check.
    fn in_check(&self) -> bool;
    /// Returns `true` if the side to move has so little material that zugzwang is likely.
    fn is_thin(&self) -> bool;
    /// Returns the static value for the side to move, well inside ±80,000.
    fn value(&mut self) -> i32;
    /// Returns the value of a pawn in [`Self::value`], the unit of windows and margins.
    fn pawn(&self) -> i32;
    /// Returns a key that identifies the position.
    fn key(&self) -> u64;
    /// Returns an estimate of a capture's gain for ordering; larger is better.
    fn gain_estimate(&self, mv: Self::Move) -> i32;
    /// Returns the origin and target of a move, each below 90.
    fn squares(mv: Self::Move) -> (usize, usize);

    /// Returns the legal moves in the order of the slides' lists: promising targets of each piece first.
    fn listed_moves(&self) -> Moves<Self::Move> {
        let mut moves = self.moves(MoveClass::Captures);
        moves.extend(self.moves(MoveClass::Quiets));
        moves
    }

    /// Returns the immediate gain of a move in material and position (Kornilov): the static value after it
    /// minus the value before it.
    fn gain(&mut self, mv: Self::Move) -> i32 {
        let before = self.value();
        let undo = self.play(mv);
        let after = -self.value();
        self.undo(mv, undo);
        after - before
    }
}
