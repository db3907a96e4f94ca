//! One node of the search, in numbered steps; `docs/4-search.md` lists them in the same order.

use super::history::Killers;
use super::key::table_key;
use super::kinds::{NodeKind, Zero};
use super::lessons::NONE;
use super::node_result::{NodeResult, PATH_INDEPENDENT};
use super::order::{MoveFilter, Picker};
use super::params::{Params, depths};
use super::report::Bound;
use super::selective::{Attempt, Singular};
use super::transposition::Entry;
use super::worker::Worker;
use crate::eval::Evaluator;
use arrayvec::ArrayVec;
use chuhe_board::score::{INFINITE, MAX_PLY, Score, is_decided, is_evaluation, mate_in, mated_in};
use chuhe_board::{Move, exchange_value};

/// Gain over the best score, in centipawns, below which a re-search is one ply shallower.
const HARDLY_BETTER: Score = 8;
/// Maximum depth used for history updates after a cut-off by the hash table, since no moves were searched.
const TABLE_LESSON_DEPTH: i32 = 6;
/// Number of cut-offs at the next ply from which the position is considered bad for the side to move, and
/// late moves are reduced more.
const MANY_CUTOFFS: u32 = 3;

impl<E: Evaluator> Worker<'_, E> {
    /// Returns the value of a node `depth` plies above the horizon, fail-soft. `cut_node` is `true` if a
    /// fail-high is expected.
    ///
    /// `None` if the search was stopped. The moves of the line are then still made;
    /// [`Worker::return_to_root`] undoes them.
    pub(super) fn node<N: NodeKind>(
        &mut self,
        mut depth: i32,
        mut alpha: Score,
        mut beta: Score,
        ply: usize,
        cut_node: bool,
    ) -> Option<NodeResult> {
        let Params { numbers, on } = self.params;

        // 1. Horizon: the quiescence search decides. It does not check for repetitions, since captures are
        //    irreversible; the rules are therefore checked here, before entering it.
        if depth <= 0 {
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
            return Some(NodeResult::anywhere(score));
        }
        self.count_node()?;
        self.frames[ply].pv.clear();
        self.seldepth = self.seldepth.max(ply);
        let (first_alpha, excluded) = (alpha, self.frames[ply].excluded);

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
            // 3. Rules: repetition, natural limit, dead position. This precedes the hash table, whose entries
            // do not depend on the path.
            if on.rules
                && let Some(found) = self.score_by_rule(ply)
            {
                return Some(found);
            }
            // Tablebase draw after a capture. The counter of the natural limit is 0, so the path is
            // irrelevant.
            if let Some(score) = self.draw_by_table() {
                return Some(NodeResult::anywhere(score));
            }
            if ply >= MAX_PLY - 1 {
                return Some(NodeResult::anywhere(self.evaluate()));
            }
        }

        // 4. Hash table. Cut-offs are made only in a zero window: in an open window they would truncate the
        //    principal variation and hide repetitions on the full line. Since open windows are rare, the
        //    restriction costs little. A singular search does not use the entry, since it requires the value
        //    of this position without its best move.
        let key = table_key(&self.game);
        let in_check = self.game.position().in_check();
        let entry = if on.hash_table && excluded.is_none() { self.shared.table.probe(key, ply) } else { None };
        // A different position may have the same 16 bits of the key, so the move may be illegal here.
        let hash = entry.and_then(|entry| entry.best).filter(|&mv| self.game.position().is_legal(mv));
        let hash_takes = hash.is_some_and(|mv| self.game.position().piece_on(mv.to).is_some());
        if let Some(Entry { bound: Some(bound), score, depth: searched, .. }) = entry
            && !N::PV
            && searched >= depth
            && bound.cuts(score, alpha, beta)
            && self.table_may_cut(score, ply)
        {
            // The histories are updated here as well; otherwise the scores of moves that cause cut-offs only
            // through the hash table would decline.
            if let Some(mv) = hash.filter(|_| on.reply_history && score >= beta && !hash_takes) {
                self.learn_cut(mv, depth.min(TABLE_LESSON_DEPTH), ply, &[], &[]);
            }
            return Some(NodeResult::anywhere(score));
        }
        let was_pv = N::PV || entry.is_some_and(|entry| entry.pv);

        // 5. Static evaluation with corrections from searches of similar positions. It is not computed in
        //    check, where the evaluation is unreliable. The hash score is a better estimate if its bound
        //    allows. Pruning is reduced if the mover's evaluation improves.
        let static_score = if in_check { NONE } else { self.corrected_evaluation(ply) };
        self.frames[ply].static_score = static_score;
        if on.swing_history && !N::ROOT && !in_check && excluded.is_none() {
            self.learn_swing(static_score, ply);
        }
        let mut estimate = static_score;
        if let Some(Entry { bound: Some(bound), score, .. }) = entry
            && !in_check
            && !is_decided(score)
            && bound.improves(score, estimate)
            && !self.is_near_the_limit()
        {
            estimate = score;
        }
        let improving = !in_check && self.is_improving(static_score, ply);
        // Killers and cut-off counts of a ply are shared by the grandchildren of one node, so each node
        // resets them.
        self.frames[ply + 2].killers = Killers::default();
        self.frames[ply + 2].cutoffs = 0;
        if N::ROOT {
            self.frames[1].cutoffs = 0;
        }

        // Where a win is known, only a shorter mate counts; this close to the horizon, quiescence decides.
        if on.razoring
            && !N::PV
            && !in_check
            && excluded.is_none()
            && is_decided(beta)
            && beta > 0
            && depth <= depths::RAZORING_TO
        {
            let score = self.quiescence::<false>(alpha, beta, ply, depth == 1)?;
            if score <= alpha {
                return Some(NodeResult::anywhere(score));
            }
        }

        // Steps 6 to 9 predict the result from the estimate. They require a zero window, a position not in
        // check (in check there is no estimate), and a beta that is neither a mate nor a win by rule, since
        // no evaluation can reach those.
        if !N::PV && !in_check && excluded.is_none() && !is_decided(beta) {
            // 6. Razoring: this far below alpha and this close to the horizon, only captures could help, so
            // quiescence decides.
            if on.razoring
                && depth <= depths::RAZORING_TO
                && estimate + numbers.razoring_base + numbers.razoring_slope * depth * depth <= alpha
            {
                let score = self.quiescence::<false>(alpha, beta, ply, false)?;
                if score <= alpha {
                    return Some(NodeResult::anywhere(score));
                }
            }
            // 7. Reverse futility pruning: this far above beta, the opponent will not recover in the
            //    remaining plies. Since the estimate is uncertain and beta is sufficient, the returned score
            //    lies between them. Disabled near the principal variation, where errors cost most: a side that
            //    has been offered a rook has a high estimate until the mate is within the horizon.
            if on.reverse_futility
                && !was_pv
                && depth <= numbers.reverse_futility_depth
                && estimate - numbers.reverse_futility_margin * (depth - i32::from(improving)) >= beta
                && !is_decided(estimate)
            {
                return Some(NodeResult::anywhere((estimate + beta) / 2));
            }
            // 8. Null move
            if on.null_move
                && let Attempt::Cut(found) = self.null_move(depth, beta, ply, cut_node, estimate)?
            {
                return Some(found);
            }
            // 9. Probability cut
            if on.probcut
                && depth >= depths::PROBCUT_FROM
                && let Attempt::Cut(found) = self.probability_cut(depth, beta, ply, cut_node, entry, static_score)?
            {
                return Some(found);
            }
        }

        // 10. Internal reductions: without a hash move, the order of moves is poor, and the node has not been
        //     searched deeply before. A shallower search finds a hash move for the next visit. Nodes in which
        //     every move fails rarely have a hash move, so its absence is not informative there.
        if on.internal_reductions
            && (N::PV || cut_node)
            && depth >= depths::INTERNAL_REDUCTION_FROM
            && hash.is_none()
            && excluded.is_none()
        {
            depth -= 1;
        }

        // 11. Moves, best first. At the root the order is that of the previous iteration.
        let mut picker = Picker::new(MoveFilter::All, hash, self.frames[ply].killers.moves());
        let mut best = -INFINITE;
        let mut best_move = None;
        let mut rests_on = PATH_INDEPENDENT;
        let mut number = 0;
        let mut skip_quiets = false;
        let mut failed_quiets: ArrayVec<Move, 64> = ArrayVec::new();
        let mut failed_captures: ArrayVec<Move, 32> = ArrayVec::new();
        loop {
            let next = if N::ROOT { self.next_root_move(number) } else { picker.next(&self.sources(ply), skip_quiets) };
            let Some(mv) = next else { break };
            if Some(mv) == excluded {
                continue;
            }
            number += 1;
            self.prefetch(mv);
            let position = self.game.position();
            let is_capture = position.piece_on(mv.to).is_some();
            let history = self.history_of(mv, ply);
            let gives_check = picker.gives_check(position, mv);
            let mut reduction = self.reduction(depth, number);
            if N::ROOT {
                self.current = Some((mv, self.pv_index + number));
            }

            // 12. Pruning near the horizon: skips moves that are unlikely to raise alpha. Pruning begins only
            //     after a move that does not lose; otherwise a node with all moves pruned would score as
            //     lost.
            let loses = is_decided(best) && best < 0;
            if !N::ROOT && !loses && best > -INFINITE {
                // Late moves would be reduced, so the depth after reduction is used.
                let lmr_depth = (depth - 1 - (reduction - history * 1024 / numbers.pruning_history) / 1024).max(0);
                // Futility pruning of captures: even the victim and the margin would not reach alpha.
                if on.futility
                    && !gives_check
                    && !in_check
                    && lmr_depth <= depths::CAPTURE_FUTILITY_TO
                    && let Some(victim) = self.game.position().piece_on(mv.to)
                {
                    let value = static_score
                        + numbers.capture_futility_base
                        + numbers.capture_futility_slope * lmr_depth
                        + exchange_value(victim.kind())
                        + history / 64;
                    if value <= alpha {
                        best = best.max(value);
                        continue;
                    }
                }
                if !is_capture && !gives_check {
                    // Late move pruning: after this many failed moves, the next ones are expected to fail
                    // too.
                    if on.late_move_pruning
                        && depth <= depths::LATE_MOVE_PRUNING_TO
                        && number > ((numbers.late_move_base + depth * depth) / (2 - i32::from(improving))) as usize
                    {
                        skip_quiets = true;
                    }
                    // Futility pruning: even a gain of the margin would not reach alpha. All later quiet
                    // moves are skipped too, since their history is worse.
                    let value = static_score
                        + numbers.futility_base
                        + numbers.futility_slope * lmr_depth
                        + history / numbers.futility_history;
                    if on.futility && !in_check && lmr_depth <= depths::FUTILITY_TO && value <= alpha {
                        best = best.max(value);
                        skip_quiets = true;
                        continue;
                    }
                    // History pruning: the move has consistently failed, in general and after these previous
                    // moves.
                    if on.history_pruning
                        && lmr_depth <= depths::HISTORY_PRUNING_TO
                        && history < -numbers.history_pruning_margin * depth
                    {
                        continue;
                    }
                }
                // Exchange pruning: the move loses more in the exchange than the remaining depth can recover.
                // A capture or a check can be a sacrifice that pays off later, the more likely the greater
                // the depth, so it may lose more. The hash move and good captures are exempt.
                if on.exchange_pruning && depth <= depths::EXCHANGE_PRUNING_TO && picker.is_past_good_captures() {
                    let loss = if is_capture || gives_check {
                        numbers.exchange_capture * depth
                    } else {
                        numbers.exchange_quiet * lmr_depth * lmr_depth
                    };
                    if !self.game.position().exchange_wins(mv, -loss) {
                        continue;
                    }
                }
            }

            // 13. Extensions: singular moves and safe checks. No move is extended beyond twice the depth of
            //     the iteration; otherwise a forced line would never end.
            let mut extension = 0;
            if !N::ROOT && ply < 2 * self.root_depth as usize {
                if on.singular && Some(mv) == hash && depth >= depths::SINGULAR_FROM && excluded.is_none() {
                    match self.singular::<N>(mv, depth, beta, ply, cut_node, entry)? {
                        Singular::Extend(by) => extension = by,
                        Singular::Cut(found) => return Some(found),
                    }
                }
                if extension == 0
                    && gives_check
                    && on.check_extension
                    && depth >= depths::CHECK_EXTENSION_FROM
                    && self.game.position().exchange_wins(mv, 0)
                {
                    extension = 1;
                }
            }

            // 14. Makes the move on the game itself, so that the rules judge the line like a game.
            self.make(mv, ply);
            let nodes_before = self.nodes;
            let mut new_depth = depth - 1 + extension;
            let mut found = NodeResult::anywhere(-INFINITE);

            // 15. Late move reductions: with a good order, late moves fail low, and a shallower zero-window
            // search suffices to confirm it. Results above alpha are searched again to full depth, so a
            // reduction can miss a good move but never invents one.
            let mut full_depth = !N::PV || number > 1;
            if on.late_move_reductions && depth >= depths::REDUCTION_FROM && number > 1 + usize::from(N::ROOT) {
                // The reduction is larger if an earlier move is expected to cause a cut-off, if the
                // evaluation does not improve, if the hash move is a capture (which a quiet move seldom
                // beats), and if replies often cause cut-offs.
                reduction += if cut_node { numbers.reduction_cut } else { 0 };
                reduction += if improving { 0 } else { numbers.reduction_worsening };
                reduction += if hash_takes { numbers.reduction_hash_takes } else { 0 };
                reduction += if self.frames[ply + 1].cutoffs > MANY_CUTOFFS { numbers.reduction_cutoffs } else { 0 };
                // The reduction is smaller on and near the principal variation, for checks, and for moves
                // with a good history.
                reduction -= if was_pv { numbers.reduction_was_pv } else { 0 };
                reduction -= if N::PV { numbers.reduction_pv } else { 0 };
                reduction -= if gives_check { numbers.reduction_check } else { 0 };
                reduction -= history * 1024 / numbers.reduction_history;
                // Captures are reduced less: they change the position more than quiet moves, and there are
                // few of them.
                if is_capture {
                    reduction = reduction * 2 / 3;
                }
                let reduced_depth = (new_depth - reduction / 1024).clamp(1.min(new_depth), new_depth);
                found = -self.node::<Zero>(reduced_depth, -alpha - 1, -alpha, ply + 1, true)?;
                full_depth = found.score > alpha && reduced_depth < new_depth;
                // The result of the reduced search determines the depth of the full one: one ply deeper far
                // above the best score, one ply shallower just above it.
                if full_depth && !N::ROOT && on.deeper_repetition {
                    new_depth += i32::from(found.score > best + numbers.deeper_margin);
                    new_depth -= i32::from(found.score < best + HARDLY_BETTER);
                    full_depth = reduced_depth < new_depth;
                }
            }
            // 16. Zero window at full depth: testing whether the move is better than alpha is cheaper than
            // computing its score.
            if full_depth {
                found = -self.node::<Zero>(new_depth, -alpha - 1, -alpha, ply + 1, !cut_node)?;
            }
            // 17. Open window for the first move, and for moves whose zero-window search exceeded alpha.
            if N::PV && (number == 1 || (found.score > alpha && (N::ROOT || found.score < beta))) {
                found = -self.node::<N::Next>(new_depth, -beta, -alpha, ply + 1, false)?;
            }
            self.unmake();
            rests_on = rests_on.min(found.rests_on);
            if N::ROOT {
                self.note_root_move(mv, number, found.score, alpha, nodes_before);
            }

            // 18. Best move so far. A fail-high depends on this move only; any other value depends on the
            // values of all moves.
            if found.score > best {
                best = found.score;
                if best > alpha {
                    best_move = Some(mv);
                    if N::PV {
                        self.update_pv(mv, ply);
                    }
                    if best >= beta {
                        rests_on = found.rests_on;
                        self.frames[ply].cutoffs += 1;
                        break;
                    }
                    alpha = best;
                }
            }
            let _ = if is_capture { failed_captures.try_push(mv) } else { failed_quiets.try_push(mv) };
        }

        // 19. No legal move: mate or stalemate, both of which lose. A singular search without moves means
        //     that the excluded move is the only legal one.
        if number == 0 {
            return Some(NodeResult::anywhere(if excluded.is_some() { alpha } else { mated_in(ply) }));
        }

        // 20. History updates for the move that caused the cut-off or, if all moves failed, for the
        //     opponent's quiet move that led here. The evaluation's error updates the corrections if the
        //     bound shows its direction. Captures and mates are excluded, since their scores are due to
        //     tactics.
        if best >= beta
            && let Some(mv) = best_move
        {
            self.learn_cut(mv, depth, ply, &failed_quiets, &failed_captures);
        }
        if on.reply_history && !N::ROOT && best <= first_alpha && excluded.is_none() {
            self.learn_reply(depth, ply);
        }
        let bound = match best {
            _ if best >= beta => Bound::Lower,
            _ if best > first_alpha && N::PV => Bound::Exact,
            _ => Bound::Upper,
        };
        let found = NodeResult { score: best, rests_on };
        // If moves are excluded, as at the root for the second and later lines, the value is not the
        // position's.
        let leaves_out = excluded.is_some() || (N::ROOT && (self.restricted || self.pv_index > 0));
        if !leaves_out {
            let is_quiet = best_move.is_none_or(|mv| self.game.position().piece_on(mv.to).is_none());
            if !in_check && is_quiet && is_evaluation(best) && bound.improves(best, static_score) {
                self.learn_correction(best, depth, ply);
            }
            // 21. Hash table store. For a path-dependent value only the move is stored.
            if on.hash_table {
                let bound = found.is_path_independent(ply).then_some(bound);
                let entry = Entry { best: best_move, score: best, depth, bound, pv: was_pv };
                if bound.is_some() || best_move.is_some() {
                    self.shared.table.store(key, ply, entry);
                }
            }
        }
        Some(found)
    }
}
