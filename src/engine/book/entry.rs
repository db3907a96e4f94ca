//! A move of a book.

use chuhe_board::Move;

/// A move of a book, with what the book says of it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct BookMove {
    /// The move.
    pub mv: Move,
    /// How often it is to be played, against the other moves of the position; 0 = never.
    pub weight: u64,
    /// Its value from the mover's view, in the book's own unit (centipawns in ours).
    pub score: Option<i64>,
    /// Games that the mover won, drew and lost.
    pub games: Option<[u64; 3]>,
}

impl BookMove {
    /// The weight that follows from games and score where a book tells none: two for a win, one for a draw, at least one; without games
    /// the score, at least one.
    pub fn weigh(games: [u64; 3], score: i64) -> u64 {
        let [wins, draws, losses] = games;
        if wins + draws + losses > 0 { (2 * wins + draws).max(1) } else { score.clamp(1, 1 << 20) as u64 }
    }
}
