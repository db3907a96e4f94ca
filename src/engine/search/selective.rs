//! Attempts to judge a node, or a move, by less than a full search of its moves: null move, probability cut, singular search.

use super::found::Found;
use super::kinds::{NodeKind, Zero};
use super::order::{Picker, Wanted};
use super::params::depths;
use super::report::Bound;
use super::transposition::Entry;
use super::worker::Worker;
use crate::eval::Evaluator;
use chuhe_board::score::{EVALUATION_LIMIT, Score, is_decided};
use chuhe_board::{Move, Position};

/// With so few rooks, cannons and horses, passing could be better than any move, so that a null move proves little by itself.
const ZUGZWANG_PIECES: u32 = 2;

/// What an attempt to do without the moves of a node came to.
pub(super) enum Attempt {
    /// The node is above beta: it fails high with this.
    Cut(Found),
    /// Nothing is known: the moves must be searched.
    Failed,
}

/// What a singular search decides about the hash move.
pub(super) enum Singular {
    /// By how many plies the move is searched deeper.
    Extend(i32),
    /// Several moves are above beta: the node fails high with this.
    Cut(Found),
}

impl<E: Evaluator> Worker<'_, E> {
    /// Step 8, null move: pass; if the opponent still can't get below beta, a real move would be above it too.
    ///
    /// The assumption, that some move is at least as good as none, fails in zugzwang. So a side without rook, cannon and horse does not
    /// pass; one with few of them, and every side at great depth where the mistake would cost most, has the result verified by a search
    /// in which it may not pass.
    pub(super) fn null_move(
        &mut self,
        depth: i32,
        beta: Score,
        ply: usize,
        cut_node: bool,
        estimate: Score,
    ) -> Option<Attempt> {
        let numbers = &self.params.numbers;
        // Two passes in a row give the same position back, searched less deep.
        let passed_before = ply > 0 && self.frames[ply - 1].step.is_none();
        if depth < depths::NULL_MOVE_FROM
            || estimate < beta
            || passed_before
            || ply < self.no_null_before
            || attackers_left(self.game.position()) == 0
        {
            return Some(Attempt::Failed);
        }
        // The farther the estimate is above beta, the less depth is needed to show it.
        let by_margin = ((estimate - beta) / numbers.null_move_margin).min(3);
        let reduced_depth = depth - numbers.null_move_base - depth / numbers.null_move_divisor - by_margin;
        self.shared.table.prefetch(self.game.position().key_after_null());
        self.make_null(ply);
        let found = -self.node::<Zero>(reduced_depth, -beta, -beta + 1, ply + 1, !cut_node)?;
        self.unmake_null();
        if found.score < beta {
            return Some(Attempt::Failed);
        }
        // A mate or a win by rule that was found after a pass is no mate on the board: only beta is proved.
        let score = if is_decided(found.score) { beta } else { found.score };
        let zugzwang_threatens = attackers_left(self.game.position()) <= ZUGZWANG_PIECES;
        let is_verifying = self.no_null_before > 0;
        if is_verifying || (depth < numbers.null_move_verified_from && !zugzwang_threatens) {
            return Some(Attempt::Cut(Found { score, ..found }));
        }
        // Passing stays forbidden for most of the verification, not only at its root, or the next ply would assume the same again.
        self.no_null_before = ply + (3 * reduced_depth.max(1) as usize).div_ceil(4);
        let verified = self.node::<Zero>(reduced_depth.max(1), beta - 1, beta, ply, false);
        self.no_null_before = 0;
        let verified = verified?;
        Some(if verified.score >= beta { Attempt::Cut(Found { score, ..verified }) } else { Attempt::Failed })
    }

    /// Step 9, probability cut: a capture that is well above beta in a shallower search is most probably above beta in a full one.
    /// The margin pays for the depth that is missing.
    pub(super) fn probability_cut(
        &mut self,
        depth: i32,
        beta: Score,
        ply: usize,
        cut_node: bool,
        entry: Option<Entry>,
        static_score: Score,
    ) -> Option<Attempt> {
        let raised = beta + self.params.numbers.probcut_margin;
        // An entry deep enough that stayed below has answered the question already.
        let is_refuted =
            |entry: Entry| entry.bound.is_some() && entry.depth >= depth - depths::ENTRY_SLACK && entry.score < raised;
        if raised >= EVALUATION_LIMIT || entry.is_some_and(is_refuted) {
            return Some(Attempt::Failed);
        }
        // Only captures that gain enough in the exchange to get there.
        let mut picker = Picker::new(Wanted::CapturesWinning(raised - static_score), None, [None; 2]);
        while let Some(mv) = picker.next(&self.sources(ply), true) {
            self.prefetch(mv);
            self.make(mv, ply);
            // Quiescence first: it is far cheaper, and a capture that fails there needs no search.
            let mut found = Found::anywhere(-self.quiescence::<false>(-raised, -raised + 1, ply + 1, false)?);
            if found.score >= raised {
                let reduced_depth = depth - depths::PROBCUT_REDUCTION;
                found = -self.node::<Zero>(reduced_depth, -raised, -raised + 1, ply + 1, !cut_node)?;
            }
            self.unmake();
            if found.score >= raised {
                if found.is_path_independent(ply) && self.params.on.hash_table {
                    let (score, depth) = (found.score, depth - depths::ENTRY_SLACK);
                    let entry = Entry { best: Some(mv), score, depth, bound: Some(Bound::Lower), pv: false };
                    self.shared.table.store(self.game.position().key(), ply, entry);
                }
                return Some(Attempt::Cut(found));
            }
        }
        Some(Attempt::Failed)
    }

    /// Step 13, singular search: is the hash move much better than all others? Without it, the node is searched to half the depth in a
    /// window below the hash score. If all others fail low, the position hangs on this one move, which deserves more depth. If another is
    /// good as well, the node hardly depends on the hash move, which is then searched less deep.
    pub(super) fn singular<N: NodeKind>(
        &mut self,
        mv: Move,
        depth: i32,
        beta: Score,
        ply: usize,
        cut_node: bool,
        entry: Option<Entry>,
    ) -> Option<Singular> {
        // The hash score must say how good the move is at least, and come from about this depth.
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
            // Far better than all others: two plies, but not in an open window, where every ply costs most.
            let is_far_better = !N::PV && others.score < without - numbers.double_margin;
            Singular::Extend(if is_far_better { 2 } else { 1 })
        } else if without >= beta && !is_decided(without) {
            // Multicut: the hash move is above beta by its entry, another one by this search.
            Singular::Cut(Found { score: without, ..others })
        } else if score >= beta {
            // The hash move will probably cut, and others too: less depth is enough to see it.
            Singular::Extend(-2)
        } else if cut_node {
            Singular::Extend(-1)
        } else {
            Singular::Extend(0)
        })
    }
}

/// How many rooks, cannons and horses the side to move has.
fn attackers_left(position: &Position) -> u32 {
    position.major_pieces(position.side()).count()
}
