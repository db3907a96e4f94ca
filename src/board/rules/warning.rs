//! Warnings about moves that repeat a position, with the resulting rulings.

use super::{Game, Outcome, Ruling, Terms, Verdict, rule};
use crate::Move;
use alloc::vec::Vec;

/// A legal move that repeats a position.
#[derive(Clone, Debug)]
pub struct Warning {
    /// Move.
    pub mv: Move,
    /// Ruling on the repetition. It takes effect at once if `returns_left` is 0; otherwise it takes effect
    /// when the repetition is judged, provided that both sides continue as before. The outcome is for the
    /// side to move after the move, that is, the mover's opponent.
    pub ruling: Ruling,
    /// Number of further occurrences before the repetition is judged; 0 if this move ends the game.
    pub returns_left: usize,
}

impl Warning {
    /// Returns `true` if the mover would lose by the rules.
    pub fn loses(&self) -> bool {
        matches!(self.ruling.verdict, Verdict::Over(Outcome::Win, _))
    }
}

/// Returns every legal move that repeats a position, with the resulting ruling. Draws are included, since the
/// mover may want to avoid them.
///
/// ```
/// use chuhe_board::rules::{Game, RuleSet, warnings};
///
/// let mut game = Game::from_fen("3k5/9/9/p8/9/9/P8/9/4R4/5K3 w").unwrap();
/// game.play_text("e1d1 d9e9 d1e1 e9d9 e1d1 d9e9 d1e1".split(' ')).unwrap();
/// // Black to move: if the king goes back, the position occurs for the third time, and Red has checked with
/// // every move.
/// let found = warnings(&game, RuleSet::Asian);
/// assert_eq!((found.len(), found[0].returns_left, found[0].loses()), (1, 0, false));
/// ```
pub fn warnings(game: &Game, terms: impl Into<Terms>) -> Vec<Warning> {
    let terms = terms.into();
    let mut game = game.clone();
    let mut found = Vec::new();
    for mv in game.position().legal_moves() {
        game.make(mv);
        let earlier = game.occurrences().count();
        if earlier > 0 && game.position().has_moves() {
            // Judges the cycle so far as if the position had already occurred often enough. A different
            // second cycle may change this ruling.
            let ruling = rule(&game, terms.with_folds(terms.folds().min(earlier + 1)));
            found.push(Warning { mv, ruling, returns_left: (terms.folds() - 1).saturating_sub(earlier) });
        }
        game.unmake();
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Side;
    use crate::rules::{Reason, RuleSet};

    #[test]
    fn the_offender_is_warned_before_the_return_that_loses() {
        let mut game = Game::from_fen("3k5/9/9/p8/9/9/P8/9/4R4/5K3 w").expect("a position");
        game.play_text("e1d1 d9e9 d1e1 e9d9 e1d1 d9e9".split(' ')).expect("legal");
        let rook = warnings(&game, RuleSet::Asian)
            .into_iter()
            .find(|warning| warning.mv.to_string() == "d1e1")
            .expect("a return");
        assert_eq!(rook.returns_left, 1);
        assert!(rook.loses());
        assert!(matches!(rook.ruling.verdict, Verdict::Over(Outcome::Win, Reason::PerpetualCheck(Side::Red))));
    }

    #[test]
    fn a_new_position_needs_no_warning() {
        assert!(warnings(&Game::from_fen("startpos").expect("the start"), RuleSet::Asian).is_empty());
    }
}
