//! Book moves.

use chuhe_board::Move;

/// A book move with its statistics.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct BookMove {
    /// Move.
    pub mv: Move,
    /// Relative frequency with which the move is played; 0 = never.
    pub weight: u64,
    /// Score from the mover's point of view, in the book's own unit (centipawns in Chuhe's books).
    pub score: Option<i64>,
    /// Games that the mover won, drew and lost.
    pub games: Option<[u64; 3]>,
}

impl BookMove {
    /// Derives a weight from games and score for books without weights: two per win and one per draw, or the
    /// score if there are no games; at least one.
    #[cfg(feature = "sqlite-books")]
    pub(crate) fn weigh(games: [u64; 3], score: i64) -> u64 {
        let [wins, draws, losses] = games;
        if wins + draws + losses > 0 { (2 * wins + draws).max(1) } else { score.clamp(1, 1 << 20) as u64 }
    }
}
