//! Step 12: pruning of moves near the horizon that are unlikely to raise alpha.

use super::node_state::{Candidate, NodeState};
use super::params::{Params, depths};
use super::worker::Worker;
use crate::eval::Evaluator;
use chuhe_board::exchange_value;
use chuhe_board::score::Score;

/// Decision whether to search a move.
pub(super) enum Pruning {
    /// The move is searched.
    Search,
    /// The move is skipped.
    Skip,
    /// The move is skipped, because this optimistic estimate does not exceed alpha. Later quiet moves have a
    /// worse history, so they would be skipped too.
    BelowAlpha(Score),
}

impl<E: Evaluator> Worker<'_, E> {
    /// Late move pruning: returns `true` if so many moves have failed that the remaining quiet moves are
    /// expected to fail too.
    #[inline(always)]
    pub(super) fn ends_quiets(&self, node: &NodeState, candidate: &Candidate) -> bool {
        let Params { numbers, on } = self.params;
        let &NodeState { depth, improving, .. } = node;
        on.late_move_pruning
            && !candidate.is_capture
            && !candidate.gives_check
            && depth <= depths::LATE_MOVE_PRUNING_TO
            && candidate.number > ((numbers.late_move_base + depth * depth) / (2 - i32::from(improving))) as usize
    }

    /// Decides whether to search a move, before it is made.
    #[inline(always)]
    pub(super) fn prune(&self, node: &NodeState, candidate: &Candidate) -> Pruning {
        let Params { numbers, on } = self.params;
        let &NodeState { depth, alpha, static_score, in_check, .. } = node;
        let &Candidate { mv, is_capture, gives_check, history, .. } = candidate;
        // Late moves would be reduced, so the depth after reduction is used.
        let history_plies = history * 1024 / numbers.pruning_history;
        let reduced_depth = (depth - 1 - (candidate.base_reduction - history_plies) / 1024).max(0);
        // Futility pruning of captures: even the victim plus the margin would not reach alpha.
        if on.futility
            && !gives_check
            && !in_check
            && reduced_depth <= depths::CAPTURE_FUTILITY_TO
            && let Some(victim) = self.game.position().piece_on(mv.to)
        {
            let value = static_score
                + numbers.capture_futility_base
                + numbers.capture_futility_slope * reduced_depth
                + exchange_value(victim.kind())
                + history / 64;
            if value <= alpha {
                return Pruning::BelowAlpha(value);
            }
        }
        if !is_capture && !gives_check {
            // Futility pruning: even a gain of the margin would not reach alpha.
            let value = static_score
                + numbers.futility_base
                + numbers.futility_slope * reduced_depth
                + history / numbers.futility_history;
            if on.futility && !in_check && reduced_depth <= depths::FUTILITY_TO && value <= alpha {
                return Pruning::BelowAlpha(value);
            }
            // History pruning: the move has consistently failed, in general and after these previous moves.
            if on.history_pruning
                && reduced_depth <= depths::HISTORY_PRUNING_TO
                && history < -numbers.history_pruning_margin * depth
            {
                return Pruning::Skip;
            }
        }
        // Exchange pruning: the move loses more in the exchange than the remaining depth can recover. A
        // capture or a check can be a sacrifice that pays off later, which is more likely at greater depth,
        // so it may lose more. The hash move and good captures are exempt.
        if on.exchange_pruning && depth <= depths::EXCHANGE_PRUNING_TO && candidate.is_past_good_captures {
            let loss = if is_capture || gives_check {
                numbers.exchange_capture * depth
            } else {
                numbers.exchange_quiet * reduced_depth * reduced_depth
            };
            if !self.game.position().exchange_wins(mv, -loss) {
                return Pruning::Skip;
            }
        }
        Pruning::Search
    }
}
