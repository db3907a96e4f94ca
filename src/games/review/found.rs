//! What a search found in a position, or what the rules say of one that is over.

use chuhe_board::Move;
use chuhe_board::rules::{Game, Outcome, Terms, Verdict, judge};
use chuhe_board::score::{DRAW, Score, mated_in, rule_win_in, to_root};

/// A line with its score.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Found {
    /// In centipawns, from the view of who moves first in it.
    pub score: Score,
    /// Legal moves, one after the other: at least one, unless the game is over.
    pub moves: Vec<Move>,
}

impl Found {
    /// The line of a move from its mover's view; `self` is the best line after it.
    pub fn after(&self, mv: Move) -> Found {
        let moves = std::iter::once(mv).chain(self.moves.iter().copied()).collect();
        Found { score: to_root(-self.score, 1), moves }
    }

    /// What a game that the rules have ended is worth to its side to move; `None` for a game that goes on.
    pub fn of_end(game: &Game, terms: Terms) -> Option<Found> {
        let score = match judge(game, terms) {
            Verdict::Open => return None,
            Verdict::Over(Outcome::Loss, _) if !game.position().has_moves() => mated_in(0),
            Verdict::Over(Outcome::Loss, _) => -rule_win_in(0),
            Verdict::Over(Outcome::Win, _) => rule_win_in(0),
            Verdict::Over(Outcome::Draw, _) => DRAW,
        };
        Some(Found { score, moves: Vec::new() })
    }
}
