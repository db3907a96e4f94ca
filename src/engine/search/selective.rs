//! Techniques that resolve a node or assess a move with less than a full search: steps 6 to 9, and the
//! singular search of step 13.

use super::key::{hash_key, keys_after};
use super::node_result::NodeResult;
use super::node_state::NodeState;
use super::node_type::{NodeType, Zero};
use super::order::{MoveFilter, Picker};
use super::params::{Params, depths};
use super::report::Bound;
use super::transposition::Entry;
use super::worker::Worker;
use crate::eval::Evaluator;
use chuhe_board::score::{EVALUATION_LIMIT, is_decided};
use chuhe_board::{Move, Position};

/// Maximum number of rooks, cannons and horses at which zugzwang is likely, so that a null move is
/// unreliable.
const ZUGZWANG_PIECES: u32 = 2;

/// Result of an attempt to resolve a node without searching its moves.
pub(super) enum Attempt {
    /// The node fails high with this result.
    Cut(NodeResult),
    /// No result: the moves must be searched.
    Failed,
}

/// Result of a singular search for the hash move.
pub(super) enum Singular {
    /// Number of plies by which the move is extended; negative for a reduction.
    Extend(i32),
    /// Several moves are above beta, so the node fails high with this result.
    Cut(NodeResult),
}

impl<E: Evaluator> Worker<'_, E> {
    /// Steps 6 to 9: predicts the result of a node from its estimate. Requires a zero window and a position
    /// not in check, since there is no estimate in check.
    pub(super) fn predict(&mut self, node: &NodeState) -> Option<Attempt> {
        let Params { numbers, on } = self.params;
        let &NodeState { depth, alpha, beta, ply, estimate, .. } = node;
        if is_decided(beta) {
            // No evaluation can reach a mate or a win by rule. If a win is known, only a shorter mate counts;
            // this close to the horizon, quiescence decides that.
            if on.razoring && beta > 0 && depth <= depths::RAZORING_TO {
                let score = self.quiescence::<false>(alpha, beta, ply, depth == 1)?;
                if score <= alpha {
                    return Some(Attempt::Cut(NodeResult::anywhere(score)));
                }
            }
            return Some(Attempt::Failed);
        }
        // 6. Razoring: this far below alpha and this close to the horizon, only captures could help, so
        //    quiescence decides.
        if on.razoring
            && depth <= depths::RAZORING_TO
            && estimate + numbers.razoring_base + numbers.razoring_slope * depth * depth <= alpha
        {
            let score = self.quiescence::<false>(alpha, beta, ply, false)?;
            if score <= alpha {
                return Some(Attempt::Cut(NodeResult::anywhere(score)));
            }
        }
        // 7. Reverse futility pruning: this far above beta, the opponent will not recover in the remaining
        //    plies. Since the estimate is uncertain and beta is sufficient, the returned score lies between
        //    them. Disabled near the principal variation, where errors cost most: a side that has been
        //    offered a rook has a high estimate until the mate is within the horizon.
        if on.reverse_futility
            && !node.was_pv
            && depth <= numbers.reverse_futility_depth
            && estimate - numbers.reverse_futility_margin * (depth - i32::from(node.improving)) >= beta
            && !is_decided(estimate)
        {
            return Some(Attempt::Cut(NodeResult::anywhere((estimate + beta) / 2)));
        }
        if on.null_move
            && let Attempt::Cut(found) = self.null_move(node)?
        {
            return Some(Attempt::Cut(found));
        }
        if on.probcut && depth >= depths::PROBCUT_FROM {
            return self.probability_cut(node);
        }
        Some(Attempt::Failed)
    }

    /// Step 8, null move: if the score is at least beta even after a null move, it is at least beta after a
    /// real move as well.
    ///
    /// The assumption that some move is at least as good as a null move fails in zugzwang. Therefore a side
    /// without rooks, cannons and horses does not make a null move. If it has few of them, or at great depth,
    /// where errors cost most, the result is verified by a search without null moves.
    fn null_move(&mut self, node: &NodeState) -> Option<Attempt> {
        let numbers = &self.params.numbers;
        let &NodeState { depth, beta, ply, cut_node, estimate, .. } = node;
        // Two consecutive null moves would give the same position at lower depth.
        let passed_before = ply > 0 && self.frames[ply - 1].step.is_none();
        if depth < depths::NULL_MOVE_FROM
            || estimate < beta
            || passed_before
            || (ply < self.no_null_before && self.game.position().side() == self.no_null_side)
            || attackers_left(self.game.position()) == 0
        {
            return Some(Attempt::Failed);
        }
        // The farther the estimate is above beta, the less depth is needed.
        let by_margin = ((estimate - beta) / numbers.null_move_margin).min(3);
        let reduced_depth = depth - numbers.null_move_base - depth / numbers.null_move_divisor - by_margin;
        self.shared.hash_table.prefetch(keys_after(self.game.position(), None).1);
        self.make_null(ply);
        let found = -self.node::<Zero>(reduced_depth, -beta, -beta + 1, ply + 1, !cut_node)?;
        self.unmake_null();
        if found.score < beta {
            return Some(Attempt::Failed);
        }
        // A mate or a win by rule after a null move does not prove a mate or a win; only beta is proved.
        let score = if is_decided(found.score) { beta } else { found.score };
        let zugzwang_threatens = attackers_left(self.game.position()) <= ZUGZWANG_PIECES;
        let is_verifying = self.no_null_before > 0;
        if is_verifying || (depth < numbers.null_move_verified_from && !zugzwang_threatens) {
            return Some(Attempt::Cut(NodeResult { score, ..found }));
        }
        // This side's null moves are disabled for most of the verification, not only at its root; otherwise
        // its next move would rely on the same assumption.
        self.no_null_side = self.game.position().side();
        self.no_null_before = ply + (3 * reduced_depth.max(1) as usize).div_ceil(4);
        let verified = self.node::<Zero>(reduced_depth.max(1), beta - 1, beta, ply, false);
        self.no_null_before = 0;
        let verified = verified?;
        Some(if verified.score >= beta { Attempt::Cut(NodeResult { score, ..verified }) } else { Attempt::Failed })
    }

    /// Step 9, ProbCut: a capture that is well above beta in a shallower search is most likely above
    /// beta in a full search. The margin compensates for the missing depth.
    fn probability_cut(&mut self, node: &NodeState) -> Option<Attempt> {
        let &NodeState { depth, beta, ply, cut_node, entry, static_score, .. } = node;
        let raised = beta + self.params.numbers.probcut_margin;
        // A sufficiently deep entry below the raised beta refutes the attempt.
        let is_refuted =
            |entry: Entry| entry.bound.is_some() && entry.depth >= depth - depths::ENTRY_SLACK && entry.score < raised;
        if raised >= EVALUATION_LIMIT || entry.is_some_and(is_refuted) {
            return Some(Attempt::Failed);
        }
        // Only captures whose static exchange evaluation reaches the threshold are tried.
        let mut picker = Picker::new(MoveFilter::CapturesWinning(raised - static_score), None, [None; 2]);
        while let Some(mv) = picker.next(&self.sources(ply), true) {
            self.prefetch(mv);
            self.make(mv, ply);
            // Quiescence search runs first: it is far cheaper, and rejects most captures that would fail.
            let mut found = NodeResult::anywhere(-self.quiescence::<false>(-raised, -raised + 1, ply + 1, false)?);
            if found.score >= raised {
                let reduced_depth = depth - depths::PROBCUT_REDUCTION;
                found = -self.node::<Zero>(reduced_depth, -raised, -raised + 1, ply + 1, !cut_node)?;
            }
            self.unmake();
            if found.score >= raised {
                if found.is_path_independent(ply) && self.params.on.hash_table {
                    let (score, depth) = (found.score, depth - depths::ENTRY_SLACK);
                    let entry = Entry { best: Some(mv), score, depth, bound: Some(Bound::Lower), pv: node.was_pv };
                    self.shared.hash_table.store(hash_key(&self.game), ply, entry);
                }
                return Some(Attempt::Cut(found));
            }
        }
        Some(Attempt::Failed)
    }

    /// Step 13, singular search: tests whether the hash move is much better than all others. The node is
    /// searched without it to half the depth, in a window below the hash score. If all others fail low, the
    /// position depends on the hash move, which is extended. If another move is good as well, the hash move
    /// is reduced.
    pub(super) fn singular<N: NodeType>(&mut self, node: &NodeState, mv: Move) -> Option<Singular> {
        let &NodeState { depth, beta, ply, cut_node, entry, .. } = node;
        // The hash score must be a lower bound from a search to about this depth.
        let Some(Entry { score, bound: Some(Bound::Lower | Bound::Exact), depth: searched, .. }) = entry else {
            return Some(Singular::Extend(0));
        };
        if searched < depth - depths::ENTRY_SLACK || is_decided(score) {
            return Some(Singular::Extend(0));
        }
        let numbers = &self.params.numbers;
        let without = score - numbers.singular_margin * depth / 16;
        self.frames[ply].excluded = Some(mv);
        let others = self.node::<Zero>((depth - 1) / 2, without - 1, without, ply, cut_node);
        self.frames[ply].excluded = None;
        let others = others?;
        Some(if others.score < without {
            // A move that is far better than all others is extended by two plies, but not in an open window,
            // where each ply costs most.
            let is_far_better = !N::PV && others.score < without - numbers.double_margin;
            Singular::Extend(if is_far_better { 2 } else { 1 })
        } else if without >= beta && !is_decided(without) {
            // Multi-cut: the hash move is above beta according to its entry, and another move according to
            // this search.
            Singular::Cut(NodeResult { score: without, ..others })
        } else if score >= beta {
            // The hash move will probably cause a cutoff, as will other moves, so a lower depth is
            // sufficient.
            Singular::Extend(-2)
        } else if cut_node {
            Singular::Extend(-1)
        } else {
            Singular::Extend(0)
        })
    }
}

/// Returns the number of rooks, cannons and horses of the side to move.
fn attackers_left(position: &Position) -> u32 {
    position.major_pieces(position.side()).count()
}
