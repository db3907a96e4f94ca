//! Leaf evaluation at depth 0: the static value, or the value of a quiescence search.

use super::study::Answer;
use super::{Study, Tree};
use chuhe_board::MoveClass;

impl<T: Tree> Study<T> {
    /// Evaluates a leaf. As in the literature, no moves are generated, so a mate at the horizon is not
    /// detected.
    pub(crate) fn horizon(&mut self, alpha: i32, beta: i32) -> Answer {
        if self.techniques.quiescence {
            return self.quiescence(alpha, beta);
        }
        self.counts.leaves += 1;
        Some(self.tree.value())
    }

    /// Quiescence search, fail-soft: the side to move may stand pat or capture. In check, it may not stand
    /// pat: it tries all moves, and has lost if there are none. All lines end, since a side that is not in
    /// check can only capture. Only beta cutoffs prune, so a value inside the window is exact.
    fn quiescence(&mut self, mut alpha: i32, beta: i32) -> Answer {
        self.counts.leaves += 1;
        let in_check = self.tree.in_check();
        let mut best = if in_check { self.lost() } else { self.tree.value() };
        if best >= beta {
            return Some(best);
        }
        alpha = alpha.max(best);
        let mut moves = self.tree.moves(if in_check { MoveClass::All } else { MoveClass::Captures });
        moves
            .sort_by_key(|&mv| std::cmp::Reverse(if self.tree.is_quiet(mv) { 0 } else { self.tree.gain_estimate(mv) }));
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
