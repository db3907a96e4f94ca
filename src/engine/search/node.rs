//! One node of the search, in numbered steps; `docs/4-search.md` lists them in the same order.

use super::history::Killers;
use super::history_update::NOT_EVALUATED;
use super::key::hash_key;
use super::node_result::NodeResult;
use super::node_state::{Candidate, NodeState};
use super::node_type::NodeType;
use super::order::{MoveFilter, Picker};
use super::params::depths;
use super::pruning::Pruning;
use super::report::Bound;
use super::selective::{Attempt, Singular};
use super::transposition::Entry;
use super::worker::Worker;
use crate::eval::Evaluator;
use arrayvec::ArrayVec;
use chuhe_board::Move;
use chuhe_board::score::{INFINITE, MAX_PLY, Score, is_decided, is_evaluation, mate_in, mated_in};

/// Maximum depth used for history updates after a cutoff by the hash table, since no moves were searched.
const HASH_LESSON_DEPTH: i32 = 6;

impl<E: Evaluator> Worker<'_, E> {
    /// Returns the fail-soft value of a node `depth` plies above the horizon. `cut_node` is `true` if a
    /// fail-high is expected.
    ///
    /// Returns `None` if the search was stopped. The moves of the line are then still made;
    /// [`Worker::return_to_root`] undoes them.
    pub(super) fn node<N: NodeType>(
        &mut self,
        depth: i32,
        mut alpha: Score,
        mut beta: Score,
        ply: usize,
        cut_node: bool,
    ) -> Option<NodeResult> {
        let on = &self.params.on;
        // 1. Horizon
        if depth <= 0 {
            return self.horizon::<N>(alpha, beta, ply);
        }
        self.count_node()?;
        self.frames[ply].pv.clear();
        self.seldepth = self.seldepth.max(ply);
        let first_alpha = alpha;

        if !N::ROOT {
            // 2. Mate distance pruning: the best possible result is an immediate mate, the worst is being
            //    mated now. If a shorter mate has already been found elsewhere, no move of this node can
            //    change the result.
            if on.mate_distance {
                alpha = alpha.max(mated_in(ply));
                beta = beta.min(mate_in(ply + 1));
                if alpha >= beta {
                    return Some(NodeResult::anywhere(alpha));
                }
            }
            // 3. Rules and tablebases. They precede the hash table, whose entries do not depend on the path.
            if let Some(found) = self.end_of_path(ply) {
                return Some(found);
            }
        }

        // 4. Hash table
        let mut node = self.probe::<N>(depth, alpha, beta, ply, cut_node);
        self.frames[ply].was_pv = node.was_pv;
        if !N::PV
            && let Some(found) = self.cut_by_hash(&node)
        {
            return Some(found);
        }

        // 5. Static evaluation
        self.evaluate_node::<N>(&mut node);
        // Killers and cutoff counts of a ply are shared by the grandchildren of one node, so each node resets
        // those of its grandchildren.
        self.frames[ply + 2].killers = Killers::default();
        self.frames[ply + 2].cutoffs = 0;
        if N::ROOT {
            self.frames[1].cutoffs = 0;
        }

        // 6 to 9. Razoring, reverse futility pruning, null move, ProbCut
        if !N::PV
            && !node.in_check
            && node.excluded.is_none()
            && let Attempt::Cut(found) = self.predict(&node)?
        {
            return Some(found);
        }

        // 10. Internal reductions: without a hash move, the order of moves is poor, and the node has not been
        //     searched deeply before. A shallower search finds a hash move for the next visit. Nodes in which
        //     every move fails rarely have a hash move, so its absence is not informative there. A root
        //     without some moves is never stored, so it has none either.
        if on.internal_reductions
            && !N::ROOT
            && (N::PV || cut_node)
            && depth >= depths::INTERNAL_REDUCTION_FROM
            && node.hash_move.is_none()
            && node.excluded.is_none()
        {
            node.depth -= 1;
        }

        // 11. Moves, best first. At the root, the order of the previous iteration is used.
        let mut picker = Picker::new(MoveFilter::All, node.hash_move, self.frames[ply].killers.moves());
        let mut best = NodeResult::anywhere(-INFINITE);
        let mut best_move = None;
        let mut number = 0;
        let mut skip_quiets = false;
        let mut failed_quiets: ArrayVec<Move, 64> = ArrayVec::new();
        let mut failed_captures: ArrayVec<Move, 32> = ArrayVec::new();
        loop {
            let next = if N::ROOT { self.next_root_move(number) } else { picker.next(&self.sources(ply), skip_quiets) };
            let Some(mv) = next else { break };
            if Some(mv) == node.excluded {
                continue;
            }
            number += 1;
            self.prefetch(mv);
            let candidate = self.candidate(mv, number, &mut picker, &node);
            if N::ROOT {
                self.current = Some((mv, self.pv_index + number));
            }

            // 12. Pruning. It begins only after a move that does not lose; otherwise a node whose moves are
            //     all pruned would score as lost.
            let loses = is_decided(best.score) && best.score < 0;
            if !N::ROOT && !loses {
                skip_quiets |= self.ends_quiets(&node, &candidate);
                match self.prune(&node, &candidate) {
                    Pruning::Search => {}
                    Pruning::Skip => continue,
                    Pruning::BelowAlpha(value) => {
                        best.score = best.score.max(value);
                        skip_quiets |= !candidate.is_capture;
                        continue;
                    }
                }
            }

            // 13. Extensions
            let extension = match self.extension::<N>(&node, &candidate)? {
                Singular::Extend(by) => by,
                Singular::Cut(found) => return Some(found),
            };

            // 14. The move is made on the game itself, so that the rules judge the line like a game.
            self.make(mv, ply);
            let nodes_before = self.nodes;

            // 15 to 17. Reduction, zero window, open window
            let found = self.search_move::<N>(&node, &candidate, extension, best.score)?;
            self.unmake();
            best.rests_on = best.rests_on.min(found.rests_on);
            if N::ROOT {
                self.note_root_move(mv, number, found.score, node.alpha, nodes_before);
            }

            // 18. Best move so far. A fail-high depends only on this move; any other value depends on the
            //     values of all moves.
            if found.score > best.score {
                best.score = found.score;
                if best.score > node.alpha {
                    best_move = Some(mv);
                    if N::PV {
                        self.update_pv(mv, ply);
                    }
                    if best.score >= beta {
                        best.rests_on = found.rests_on;
                        self.frames[ply].cutoffs += 1;
                        break;
                    }
                    node.alpha = best.score;
                }
            }
            // Once the list is full, further moves are omitted: after so many failures, their histories
            // hardly matter.
            let _ = if candidate.is_capture { failed_captures.try_push(mv) } else { failed_quiets.try_push(mv) };
        }

        // 19. No legal move: mate or stalemate, both of which lose. In a singular search, it means that the
        //     excluded move is the only legal one.
        if number == 0 {
            let score = if node.excluded.is_some() { node.alpha } else { mated_in(ply) };
            return Some(NodeResult::anywhere(score));
        }

        // 20. History updates for the move that caused the cutoff or, if all moves failed, for the opponent's
        //     quiet move that led here.
        if best.score >= beta
            && let Some(mv) = best_move
        {
            self.learn_cut(mv, node.depth, ply, &failed_quiets, &failed_captures);
        }
        if on.reply_history && !N::ROOT && best.score <= first_alpha && node.excluded.is_none() {
            self.learn_reply(node.depth, ply);
        }

        // 21. Hash table store. If moves are excluded, as at the root for the second and later lines, the
        //     value does not apply to the position.
        let leaves_out = node.excluded.is_some() || (N::ROOT && (self.restricted || self.pv_index > 0));
        if !leaves_out {
            let bound = match best.score {
                score if score >= beta => Bound::Lower,
                score if score > first_alpha && N::PV => Bound::Exact,
                _ => Bound::Upper,
            };
            self.store(&node, best, best_move, bound);
        }
        Some(best)
    }

    /// Step 1, horizon: the quiescence search determines the value. It does not check for repetitions, since
    /// captures are irreversible; therefore the rules are checked here, before entering it.
    #[inline(always)]
    fn horizon<N: NodeType>(&mut self, alpha: Score, beta: Score, ply: usize) -> Option<NodeResult> {
        let on = &self.params.on;
        self.frames[ply].pv.clear();
        if !N::ROOT
            && on.rules
            && let Some(found) = self.score_by_rule(ply)
        {
            return Some(found);
        }
        let score = match (on.quiescence, N::PV) {
            (true, true) => self.quiescence::<true>(alpha, beta, ply, true)?,
            (true, false) => self.quiescence::<false>(alpha, beta, ply, true)?,
            (false, _) => self.evaluate(),
        };
        Some(NodeResult::anywhere(score))
    }

    /// Step 3: repetition, natural limit and dead position; then a tablebase draw after a capture, where the
    /// counter of the natural limit is 0 and the path is irrelevant; then the maximum length of a line.
    #[inline(always)]
    fn end_of_path(&mut self, ply: usize) -> Option<NodeResult> {
        if self.params.on.rules
            && let Some(found) = self.score_by_rule(ply)
        {
            return Some(found);
        }
        if let Some(score) = self.draw_by_tablebase() {
            return Some(NodeResult::anywhere(score));
        }
        (ply >= MAX_PLY - 1).then(|| NodeResult::anywhere(self.evaluate()))
    }

    /// Step 4, hash table: looks up the node. A singular search does not use the entry, since it needs the
    /// value of this position without its best move.
    #[inline(always)]
    fn probe<N: NodeType>(&self, depth: i32, alpha: Score, beta: Score, ply: usize, cut_node: bool) -> NodeState {
        let position = self.game.position();
        let key = hash_key(&self.game);
        let excluded = self.frames[ply].excluded;
        let is_used = self.params.on.hash_table && excluded.is_none();
        let entry = if is_used { self.shared.hash_table.probe(key, ply) } else { None };
        let entry = entry.filter(|entry| self.is_of_this_position(entry));
        let hash_move = entry.and_then(|entry| entry.best);
        // A singular search has no entry, but the mark of its node.
        let was_marked = match excluded {
            None => entry.is_some_and(|entry| entry.pv),
            Some(_) => self.frames[ply].was_pv,
        };
        NodeState {
            depth,
            alpha,
            beta,
            ply,
            cut_node,
            key,
            in_check: position.in_check(),
            excluded,
            entry,
            hash_move,
            hash_move_captures: hash_move.is_some_and(|mv| position.piece_on(mv.to).is_some()),
            was_pv: N::PV || was_marked,
            static_score: NOT_EVALUATED,
            estimate: NOT_EVALUATED,
            improving: false,
        }
    }

    /// Step 4: returns the result of the hash table if it decides the node. In an open window, cutoffs would
    /// truncate the principal variation and hide repetitions on the full line. Since open windows are rare,
    /// omitting cutoffs there costs little.
    #[inline(always)]
    fn cut_by_hash(&mut self, node: &NodeState) -> Option<NodeResult> {
        let &NodeState { depth, beta, ply, .. } = node;
        let score = self.stored_score(node.entry, depth, (node.alpha, beta), ply)?;
        // The histories are updated here as well; otherwise the scores of moves that cause cutoffs only
        // through the hash table would decline.
        let is_cut = self.params.on.hash_history && score >= beta && !node.hash_move_captures;
        if let Some(mv) = node.hash_move.filter(|_| is_cut) {
            self.learn_cut(mv, depth.min(HASH_LESSON_DEPTH), ply, &[], &[]);
        }
        Some(NodeResult::anywhere(score))
    }

    /// Step 5: static evaluation with corrections from searches of similar positions. It is not computed in
    /// check, where the evaluation is unreliable. The hash score is a better estimate if its bound allows it.
    /// If the mover's evaluation improves, there is less pruning.
    #[inline(always)]
    fn evaluate_node<N: NodeType>(&mut self, node: &mut NodeState) {
        let ply = node.ply;
        if !node.in_check {
            node.static_score = self.corrected_evaluation(ply);
            node.estimate = self.estimate(node.static_score, node.entry);
            node.improving = self.is_improving(node.static_score, ply);
            if self.params.on.swing_history && !N::ROOT && node.excluded.is_none() {
                self.learn_swing(node.static_score, ply);
            }
        }
        self.frames[ply].static_score = node.static_score;
    }

    /// Step 11: collects the data on a move for the following steps.
    #[inline(always)]
    fn candidate(&self, mv: Move, number: usize, picker: &mut Picker, node: &NodeState) -> Candidate {
        let position = self.game.position();
        Candidate {
            mv,
            number,
            is_capture: position.piece_on(mv.to).is_some(),
            gives_check: picker.gives_check(position, mv),
            is_past_good_captures: picker.is_past_good_captures(),
            history: self.history_of(mv, node.ply),
            base_reduction: self.reduction(node.depth, number),
        }
    }

    /// Step 21: updates the corrections with the error of the evaluation, and stores the result. For a
    /// path-dependent value, only the move is stored.
    #[inline(always)]
    fn store(&mut self, node: &NodeState, found: NodeResult, best_move: Option<Move>, bound: Bound) {
        let &NodeState { depth, ply, .. } = node;
        let score = found.score;
        // The bound must be consistent with the direction of the error. Captures and mates are excluded,
        // since their scores are due to tactics.
        let is_quiet = best_move.is_none_or(|mv| self.game.position().piece_on(mv.to).is_none());
        if !node.in_check && is_quiet && is_evaluation(score) && bound.improves(score, node.static_score) {
            self.learn_correction(score, depth, ply);
        }
        if self.params.on.hash_table {
            let bound = found.is_path_independent(ply).then_some(bound);
            if bound.is_some() || best_move.is_some() {
                let entry = Entry { best: best_move, score, depth, bound, pv: node.was_pv };
                self.shared.hash_table.store(node.key, ply, entry);
            }
        }
    }
}
