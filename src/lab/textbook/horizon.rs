//! The horizon: the value of a position at depth 0: its static value, or that after quiescence.

use super::study::Answer;
use super::{Study, Tree};
use chuhe_board::Targets;

impl<T: Tree> Study<T> {
    /// The value of a leaf. As in all the texts no moves are generated, so a mate at the horizon is not seen.
    pub fn horizon(&mut self, alpha: i32, beta: i32) -> Answer {
        if self.techniques.quiescence {
            return self.quiescence(alpha, beta);
        }
        self.counts.leaves += 1;
        Some(self.tree.value())
    }

    /// Quiescence, fail-soft: the side to move may stop at the static value or capture on. In check it may not stop, and tries
    /// everything, and has lost if that is nothing; since the other side must capture to go on, lines end. Nothing is pruned, so the
    /// value depends on no window.
    fn quiescence(&mut self, mut alpha: i32, beta: i32) -> Answer {
        self.counts.leaves += 1;
        let in_check = self.tree.in_check();
        let mut best = if in_check { self.lost() } else { self.tree.value() };
        if best >= beta {
            return Some(best);
        }
        alpha = alpha.max(best);
        let mut moves = self.tree.moves(if in_check { Targets::All } else { Targets::Captures });
        moves.sort_by_key(|&mv| std::cmp::Reverse(if self.tree.is_quiet(mv) { 0 } else { self.tree.prize(mv) }));
        for mv in moves {
            let value = -self.after(mv, |study| {
                study.enter(-beta, -alpha)?;
                study.quiescence(-beta, -alpha)
            })?;
            best = best.max(value);
            alpha = alpha.max(value);
            if best >= beta {
                break;
            }
        }
        Some(best)
    }
}
