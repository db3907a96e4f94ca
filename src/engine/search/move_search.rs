//! Steps 13 and 15 to 17: the depth and the windows with which a move is searched.

use super::node_result::NodeResult;
use super::node_state::{Candidate, NodeState};
use super::node_type::{NodeType, Zero};
use super::params::depths;
use super::selective::Singular;
use super::worker::Worker;
use crate::eval::Evaluator;
use chuhe_board::score::{INFINITE, Score};

/// Gain over the best score, in centipawns, below which the re-search is one ply shallower.
const HARDLY_BETTER: Score = 8;
/// Number of cutoffs at the next ply above which the position is considered bad for the side to move, so that
/// late moves are reduced more.
const MANY_CUTOFFS: u32 = 3;

impl<E: Evaluator> Worker<'_, E> {
    /// Step 13, extensions: singular moves and safe checks. No move is extended beyond twice the depth of the
    /// iteration; otherwise forced lines would never end.
    #[inline(always)]
    pub(super) fn extension<N: NodeType>(&mut self, node: &NodeState, candidate: &Candidate) -> Option<Singular> {
        let on = &self.params.on;
        let &NodeState { depth, ply, .. } = node;
        let &Candidate { mv, gives_check, .. } = candidate;
        if N::ROOT || ply >= 2 * self.root_depth as usize {
            return Some(Singular::Extend(0));
        }
        if on.singular
            && Some(mv) == node.hash_move
            && depth >= depths::SINGULAR_FROM
            && self.frames[ply].excluded.is_none()
        {
            match self.singular::<N>(node, mv)? {
                Singular::Extend(0) => {}
                decided => return Some(decided),
            }
        }
        let is_safe_check = gives_check
            && on.check_extension
            && depth >= depths::CHECK_EXTENSION_FROM
            && self.game.position().exchange_wins(mv, 0);
        Some(Singular::Extend(i32::from(is_safe_check)))
    }

    /// Steps 15 to 17: searches a move that has been made. `best` is the best score of the moves before it.
    #[inline(always)]
    pub(super) fn search_move<N: NodeType>(
        &mut self,
        node: &NodeState,
        candidate: &Candidate,
        extension: i32,
        best: Score,
    ) -> Option<NodeResult> {
        let on = &self.params.on;
        let &NodeState { depth, alpha, beta, ply, cut_node, .. } = node;
        let number = candidate.number;
        let mut new_depth = depth - 1 + extension;
        let mut found = NodeResult::anywhere(-INFINITE);

        // 15. Late move reductions: with good move ordering, late moves usually fail low, and a shallower
        //     zero-window search is sufficient to confirm this. Results above alpha are searched again to
        //     full depth, so a reduction can miss a good move but never overrates a bad one.
        let mut full_depth = !N::PV || number > 1;
        if on.late_move_reductions && depth >= depths::REDUCTION_FROM && number > 1 + usize::from(N::ROOT) {
            let reduction = self.late_move_reduction::<N>(node, candidate);
            let reduced_depth = (new_depth - reduction / 1024).clamp(1.min(new_depth), new_depth);
            found = -self.node::<Zero>(reduced_depth, -alpha - 1, -alpha, ply + 1, true)?;
            full_depth = found.score > alpha && reduced_depth < new_depth;
            // The result of the reduced search determines the depth of the full search: one ply deeper if it
            // is far above the best score, one ply shallower if it is just above it.
            if full_depth && !N::ROOT && on.deeper_repetition {
                new_depth += i32::from(found.score > best + self.params.numbers.deeper_margin);
                new_depth -= i32::from(found.score < best + HARDLY_BETTER);
                full_depth = reduced_depth < new_depth;
            }
        }
        // 16. Zero window at full depth: testing whether the move is better than alpha is cheaper than
        //     computing its score.
        if full_depth {
            found = -self.node::<Zero>(new_depth, -alpha - 1, -alpha, ply + 1, !cut_node)?;
        }
        // 17. Open window for the first move, and for moves whose zero-window search exceeded alpha.
        if N::PV && (number == 1 || (found.score > alpha && (N::ROOT || found.score < beta))) {
            found = -self.node::<N::Next>(new_depth, -beta, -alpha, ply + 1, false)?;
        }
        Some(found)
    }

    /// Returns the reduction of a late move in 1/1024 plies.
    #[inline(always)]
    fn late_move_reduction<N: NodeType>(&self, node: &NodeState, candidate: &Candidate) -> i32 {
        let numbers = &self.params.numbers;
        let mut reduction = candidate.base_reduction;
        // The reduction is larger if an earlier move is expected to cause a cutoff, if the evaluation does
        // not improve, if the hash move is a capture (which is seldom inferior to a quiet move), and if
        // replies often cause cutoffs.
        reduction += if node.cut_node { numbers.reduction_cut } else { 0 };
        reduction += if node.improving { 0 } else { numbers.reduction_worsening };
        reduction += if node.hash_move_captures { numbers.reduction_hash_takes } else { 0 };
        reduction += if self.frames[node.ply + 1].cutoffs > MANY_CUTOFFS { numbers.reduction_cutoffs } else { 0 };
        // The reduction is smaller on and near the principal variation, for checks, and for moves with a good
        // history.
        reduction -= if node.was_pv { numbers.reduction_was_pv } else { 0 };
        reduction -= if N::PV { numbers.reduction_pv } else { 0 };
        reduction -= if candidate.gives_check { numbers.reduction_check } else { 0 };
        reduction -= candidate.history * 1024 / numbers.reduction_history;
        // Captures are reduced less: they change the position more than quiet moves, and there are few of
        // them.
        if candidate.is_capture { reduction * 2 / 3 } else { reduction }
    }
}
