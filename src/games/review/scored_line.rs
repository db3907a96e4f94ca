//! Result of a search, or of the rules if the game is over.

use chuhe_board::Move;
use chuhe_board::rules::{Game, Outcome, Terms, Verdict, judge};
use chuhe_board::score::{DRAW, Score, mated_in, rule_win_in, to_root};

/// Maximum length of a printed line in plies; later moves are unreliable.
pub(super) const SHOWN_PLIES: usize = 10;

/// A line with its score.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ScoredLine {
    /// Score in centipawns, from the point of view of the side that moves first in the line.
    pub score: Score,
    /// Consecutive legal moves: at least one, unless the game is over.
    pub moves: Vec<Move>,
}

impl ScoredLine {
    /// Returns the line that begins with `mv`, from its mover's point of view; `self` is the best line after
    /// `mv`.
    pub fn after(&self, mv: Move) -> ScoredLine {
        let moves = std::iter::once(mv).chain(self.moves.iter().copied()).collect();
        ScoredLine { score: to_root(-self.score, 1), moves }
    }

    /// Returns the value of a finished game for the side to move; `None` if the game is not over.
    pub fn of_end(game: &Game, terms: Terms) -> Option<ScoredLine> {
        let score = match judge(game, terms) {
            Verdict::Open => return None,
            Verdict::Over(Outcome::Loss, _) if !game.position().has_moves() => mated_in(0),
            Verdict::Over(Outcome::Loss, _) => -rule_win_in(0),
            Verdict::Over(Outcome::Win, _) => rule_win_in(0),
            Verdict::Over(Outcome::Draw, _) => DRAW,
        };
        Some(ScoredLine { score, moves: Vec::new() })
    }
}
