//! What a search needs of a game: moves, playing and taking back, a static value, a key. Nothing else of Xiangqi is seen by the algorithms.

use arrayvec::ArrayVec;
use chuhe_board::Targets;

/// The king, as Kornilov prices him: a lost game is worth minus that, and a ply less for each ply until then.
pub const MATE: i32 = 90_000;
/// Values from here on are mates.
pub const MATE_RANGE: i32 = MATE - 1_000;

/// The moves of one position; 128 are enough for every game here.
pub type Moves<M> = ArrayVec<M, 128>;

/// A game tree and a place in it. Values are seen from the side to move, as negamax wants them.
pub trait Tree {
    /// A move.
    type Move: Copy + PartialEq + std::fmt::Debug;
    /// What takes a move back.
    type Undo;

    /// The legal moves of a sort, always in the same order. A side without any has lost.
    fn moves(&self, wanted: Targets) -> Moves<Self::Move>;
    /// Whether a move of another position is legal here too.
    fn is_legal(&self, mv: Self::Move) -> bool;
    /// Whether a move takes nothing.
    fn is_quiet(&self, mv: Self::Move) -> bool;
    /// Plays a legal move.
    fn play(&mut self, mv: Self::Move) -> Self::Undo;
    /// Takes it back.
    fn undo(&mut self, mv: Self::Move, undo: Self::Undo);
    /// Passes; not while in check.
    fn pass(&mut self) -> Self::Undo;
    /// Takes a pass back.
    fn undo_pass(&mut self, undo: Self::Undo);
    /// Whether the side to move is threatened with the loss of the game at once.
    fn in_check(&self) -> bool;
    /// Whether the side to move has so little that having to move may be a burden: a zugzwang is likely.
    fn is_thin(&self) -> bool;
    /// The static value for the side to move, well inside ±80,000.
    fn value(&mut self) -> i32;
    /// What a pawn is worth in [`Self::value`]: the unit of windows and margins.
    fn pawn(&self) -> i32;
    /// A number that tells positions apart.
    fn key(&self) -> u64;
    /// What a capture seems to win at a glance: the more the better.
    fn prize(&self, mv: Self::Move) -> i32;
    /// The from and the to square of a move, each below 90.
    fn squares(mv: Self::Move) -> (usize, usize);

    /// The legal moves as the slides' lists give them: of each piece the promising targets first.
    fn listed_moves(&self) -> Moves<Self::Move> {
        let mut moves = self.moves(Targets::Captures);
        moves.extend(self.moves(Targets::Quiets));
        moves
    }

    /// What a move gains at once, in material and in position (Kornilov): the static value after it less that before it.
    fn gain(&mut self, mv: Self::Move) -> i32 {
        let before = self.value();
        let undo = self.play(mv);
        let after = -self.value();
        self.undo(mv, undo);
        after - before
    }
}
