//! One node of the search, in numbered steps; `docs/4-search.md` explains them in the same order.

use super::history::{Killers, Step};
use super::order::{Picker, Wanted};
use super::report::Bound;
use super::table::Entry;
use super::worker::{CLEAN, Worker};
use crate::board::Move;
use crate::eval::Evaluator;
use crate::rules::{Outcome, Reason, RestsOn, judge_in_search};
use crate::score::{DRAW, EVALUATION_LIMIT, INFINITE, MAX_PLY, Score, is_decided, mate_in, mated_in, rule_win_in};
use arrayvec::ArrayVec;

/// What sort of node it is; the compiler makes a search of each.
pub(super) trait NodeKind {
    const ROOT: bool;
    const PV: bool;
    /// The sort of a child in an open window.
    type Next: NodeKind;
}

/// The position that was asked about.
pub(super) struct Root;
/// A node in an open window.
pub(super) struct Pv;
/// A node in a window of width 1: only "at least" or "at most" is asked.
pub(super) struct Zero;

impl NodeKind for Root {
    const ROOT: bool = true;
    const PV: bool = true;
    type Next = Pv;
}

impl NodeKind for Pv {
    const ROOT: bool = false;
    const PV: bool = true;
    type Next = Pv;
}

impl NodeKind for Zero {
    const ROOT: bool = false;
    const PV: bool = false;
    type Next = Zero;
}

/// No evaluation: the side to move is in check.
const NONE: Score = -INFINITE;

impl<E: Evaluator> Worker<'_, E> {
    /// The value of a node `depth` plies above the horizon, fail-soft; none if the search was stopped. `cut` expects a fail-high.
    pub(super) fn node<N: NodeKind>(
        &mut self,
        mut depth: i32,
        mut alpha: Score,
        mut beta: Score,
        ply: usize,
        cut: bool,
    ) -> Option<Score> {
        // 1. The horizon
        if depth <= 0 {
            self.depends_on = CLEAN;
            self.frames[ply].pv.clear();
            if !N::ROOT
                && self.params.on.rules
                && let Some(score) = self.score_by_rule(ply)
            {
                return Some(score);
            }
            return if self.params.on.quiescence {
                self.quiescence_of::<N>(alpha, beta, ply)
            } else {
                Some(self.evaluate())
            };
        }
        self.depends_on = CLEAN;
        self.go_on()?;
        self.frames[ply].pv.clear();
        self.seldepth = self.seldepth.max(ply);
        let (first_alpha, excluded) = (alpha, self.frames[ply].excluded);

        if !N::ROOT {
            // 2. Mate distance: not even a mate here could be better than one already found
            if self.params.on.mate_distance {
                alpha = alpha.max(mated_in(ply));
                beta = beta.min(mate_in(ply + 1));
                if alpha >= beta {
                    return Some(alpha);
                }
            }
            // 3. The rules: repetition, the natural limit, no attackers left
            if self.params.on.rules
                && let Some(score) = self.score_by_rule(ply)
            {
                return Some(score);
            }
            if ply >= MAX_PLY - 1 {
                return Some(self.evaluate());
            }
        }

        // 4. The hash table
        let key = self.game.position().key();
        let in_check = self.game.position().in_check();
        let entry =
            if self.params.on.hash_table && excluded.is_none() { self.shared.table.probe(key, ply) } else { None };
        let hash = entry.and_then(|entry| entry.best).filter(|&mv| self.game.position().is_legal(mv));
        if let Some(Entry { bound: Some(bound), score, depth: searched, .. }) = entry
            && !N::PV
            && searched >= depth
            && bound.cuts(score, alpha, beta)
            && self.hash_may_cut()
        {
            if self.params.on.reply_history
                && score >= beta
                && let Some(mv) = hash.filter(|mv| self.game.position().piece_on(mv.to).is_none())
            {
                self.learn(mv, depth.min(6), ply, &[], &[]);
            }
            return Some(score);
        }
        let hash_takes = hash.is_some_and(|mv| self.game.position().piece_on(mv.to).is_some());
        let was_pv = N::PV || entry.is_some_and(|entry| entry.pv);

        // 5. The evaluation, corrected by experience and by the hash table
        let static_score = if in_check { NONE } else { self.corrected_evaluation(ply) };
        self.frames[ply].static_score = static_score;
        if self.params.on.swing_history && !N::ROOT && !in_check && excluded.is_none() {
            self.learn_swing(static_score, ply);
        }
        let mut estimate = static_score;
        if let Some(Entry { bound: Some(bound), score, .. }) = entry
            && !in_check
            && !is_decided(score)
            && bound.improves(score, estimate)
        {
            estimate = score;
        }
        let improving = !in_check && self.is_improving(static_score, ply);
        self.frames[ply + 2].killers = Killers::default();
        self.frames[ply + 2].cutoffs = 0;
        if N::ROOT {
            self.frames[1].cutoffs = 0;
        }

        if !N::PV && !in_check && excluded.is_none() && !is_decided(beta) {
            let (numbers, on) = (&self.params.numbers, &self.params.on);
            // 6. Razoring
            if on.razoring
                && depth <= 3
                && estimate + numbers.razoring_base + numbers.razoring_slope * depth * depth <= alpha
            {
                let score = self.quiescence::<false>(alpha, beta, ply, false)?;
                if score <= alpha {
                    return Some(score);
                }
            }
            // 7. Reverse futility
            let (numbers, on) = (&self.params.numbers, &self.params.on);
            if on.reverse_futility
                && ply >= self.no_null_before
                && depth <= numbers.reverse_futility_depth
                && estimate - numbers.reverse_futility_margin * (depth - i32::from(improving)) >= beta
                && !is_decided(estimate)
            {
                self.depends_on = CLEAN;
                return Some((estimate + beta) / 2);
            }
            // 8. Null move
            if on.null_move
                && let Some(score) = self.null_move(depth, beta, ply, cut, estimate)?
            {
                return Some(score);
            }
            // 9. Probability cut
            if self.params.on.probcut
                && depth >= 5
                && let Some(score) = self.probability_cut(depth, beta, ply, cut, entry, static_score)?
            {
                return Some(score);
            }
        }

        // 10. Internal reductions: without a hash move this node was of no interest so far
        if self.params.on.internal_reductions && (N::PV || cut) && depth >= 4 && hash.is_none() && excluded.is_none() {
            depth -= 1;
        }

        // 11. The moves
        let mut picker = Picker::new(Wanted::All, hash, self.frames[ply].killers.moves());
        let mut best = -INFINITE;
        let mut best_move = None;
        let mut depends_on = CLEAN;
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
            let position = self.game.position();
            let is_capture = position.piece_on(mv.to).is_some();
            let history = self.history_of(mv, ply);
            let gives_check = picker.gives_check(position, mv);
            let mut reduction = self.reduction(depth, number);
            if N::ROOT {
                self.announce(mv, number);
            }

            // 12. Pruning near the horizon: once something is known that does not lose
            if !N::ROOT && !is_decided(best) && best > -INFINITE {
                let (numbers, on) = (&self.params.numbers, &self.params.on);
                let reduced = (depth - 1 - (reduction - history * 1024 / numbers.pruning_history) / 1024).max(0);
                if !is_capture && !gives_check {
                    if on.late_move_pruning
                        && depth <= 8
                        && number > ((numbers.late_move_base + depth * depth) / (2 - i32::from(improving))) as usize
                    {
                        skip_quiets = true;
                    }
                    let value = static_score
                        + numbers.futility_base
                        + numbers.futility_slope * reduced
                        + history / numbers.futility_history;
                    if on.futility && !in_check && reduced <= 8 && value <= alpha {
                        best = best.max(value);
                        skip_quiets = true;
                        continue;
                    }
                    if on.history_pruning && reduced <= 4 && history < -numbers.history_pruning_margin * depth {
                        continue;
                    }
                }
                if on.exchange_pruning && depth <= 9 && picker.is_past_good_captures() {
                    let loss = if is_capture || gives_check {
                        numbers.exchange_capture * depth
                    } else {
                        numbers.exchange_quiet * reduced * reduced
                    };
                    if !self.game.position().exchange_wins(mv, -loss) {
                        continue;
                    }
                }
            }

            // 13. Extensions
            let mut extension = 0;
            if !N::ROOT && ply < 2 * self.root_depth as usize {
                if Some(mv) == hash && self.params.on.singular && depth >= 6 && excluded.is_none() {
                    match self.singular::<N>(mv, depth, beta, ply, cut, entry)? {
                        Singular::Extend(by) => extension = by,
                        Singular::Cut(score) => return Some(score),
                    }
                }
                if extension == 0
                    && gives_check
                    && self.params.on.check_extension
                    && self.game.position().exchange_wins(mv, 0)
                {
                    extension = 1;
                }
            }

            // 14. The move
            self.make(mv, ply);
            let nodes_before = self.nodes;
            let mut new_depth = depth - 1 + extension;
            let mut score = -INFINITE;

            // 15. Late-move reductions: a narrow, shallow look first
            let mut full_zero = !N::PV || number > 1;
            if self.params.on.late_move_reductions && depth >= 2 && number > 1 + usize::from(N::ROOT) {
                let numbers = &self.params.numbers;
                reduction += if cut { numbers.reduction_cut } else { 0 };
                reduction -= if was_pv { numbers.reduction_was_pv } else { 0 };
                reduction -= if N::PV { numbers.reduction_pv } else { 0 };
                reduction += if improving { 0 } else { numbers.reduction_worsening };
                reduction += if hash_takes { numbers.reduction_hash_takes } else { 0 };
                reduction += if self.frames[ply + 1].cutoffs > 3 { numbers.reduction_cutoffs } else { 0 };
                reduction -= if gives_check { numbers.reduction_check } else { 0 };
                reduction -= history * 1024 / numbers.reduction_history;
                if is_capture {
                    reduction = reduction * 2 / 3;
                }
                let reduced = (new_depth - reduction / 1024).clamp(1.min(new_depth), new_depth);
                score = -self.node::<Zero>(reduced, -alpha - 1, -alpha, ply + 1, true)?;
                full_zero = score > alpha && reduced < new_depth;
                if full_zero && !N::ROOT && self.params.on.deeper_repetition {
                    new_depth += i32::from(score > best + self.params.numbers.deeper_margin);
                    new_depth -= i32::from(score < best + 8);
                    full_zero = reduced < new_depth;
                }
            }
            // 16. A narrow look at full depth
            if full_zero {
                score = -self.node::<Zero>(new_depth, -alpha - 1, -alpha, ply + 1, !cut)?;
            }
            // 17. The open window: for the first move, and for one that turned out better
            if N::PV && (number == 1 || (score > alpha && (N::ROOT || score < beta))) {
                score = -self.node::<N::Next>(new_depth, -beta, -alpha, ply + 1, false)?;
            }
            self.unmake();
            let child_depends_on = self.depends_on;
            depends_on = depends_on.min(child_depends_on);
            if N::ROOT {
                self.note_root_move(mv, number, score, alpha, nodes_before);
            }

            // 18. The best so far
            if score > best {
                best = score;
                if score > alpha {
                    best_move = Some(mv);
                    if N::PV {
                        self.update_pv(mv, ply);
                    }
                    if score >= beta {
                        depends_on = child_depends_on;
                        self.frames[ply].cutoffs += 1;
                        break;
                    }
                    alpha = score;
                }
            }
            if is_capture {
                let _ = failed_captures.try_push(mv);
            } else {
                let _ = failed_quiets.try_push(mv);
            }
        }

        // 19. No move: mated or stalemated, both lose
        if number == 0 {
            self.depends_on = CLEAN;
            return Some(if excluded.is_some() { alpha } else { mated_in(ply) });
        }

        // 20. Lessons
        if best >= beta
            && let Some(mv) = best_move
        {
            self.learn(mv, depth, ply, &failed_quiets, &failed_captures);
        }
        if self.params.on.reply_history && !N::ROOT && best <= first_alpha && excluded.is_none() {
            self.learn_reply(depth, ply);
        }
        let bound = match best {
            _ if best >= beta => Bound::Lower,
            _ if best > first_alpha && N::PV => Bound::Exact,
            _ => Bound::Upper,
        };
        self.depends_on = depends_on;
        if excluded.is_none() {
            let is_quiet = best_move.is_none_or(|mv| self.game.position().piece_on(mv.to).is_none());
            if !in_check && is_quiet && !is_decided(best) && bound.improves(best, static_score) {
                self.learn_correction(best, depth, ply);
            }
            // 21. Remember; of a value that hangs on the way here only the move
            if self.params.on.hash_table && !(N::ROOT && self.pv_index > 0) {
                let bound = (depends_on >= ply as i32).then_some(bound);
                let entry = Entry { best: best_move, score: best, depth, bound, pv: was_pv };
                if bound.is_some() || best_move.is_some() {
                    self.shared.table.store(key, ply, entry);
                }
            }
        }
        Some(best)
    }

    fn quiescence_of<N: NodeKind>(&mut self, alpha: Score, beta: Score, ply: usize) -> Option<Score> {
        if N::PV {
            self.quiescence::<true>(alpha, beta, ply, true)
        } else {
            self.quiescence::<false>(alpha, beta, ply, true)
        }
    }

    /// The score of a node where the game is over by the rules: repetition, natural limit, no attackers left.
    #[inline]
    fn score_by_rule(&mut self, ply: usize) -> Option<Score> {
        let ending = judge_in_search(&self.game, self.terms, ply)?;
        self.depends_on = match ending.rests_on {
            RestsOn::Position => CLEAN,
            RestsOn::Plies(span) => ply as i32 - span as i32,
            RestsOn::Game => -1,
        };
        Some(match (ending.outcome, ending.reason) {
            (_, Reason::Mate | Reason::Stalemate) => mated_in(ply),
            (Outcome::Win, _) => rule_win_in(ply),
            (Outcome::Loss, _) => -rule_win_in(ply),
            (Outcome::Draw, _) => DRAW,
        })
    }

    /// A hash score may stand for a search unless the way here matters: the position stood before, or the natural limit is near.
    pub(super) fn hash_may_cut(&self) -> bool {
        !self.params.on.rules
            || (self.game.position().quiet_plies() + 20 < self.terms.natural_limit
                && (self.game.is_surely_new() || self.game.occurrences().next().is_none()))
    }

    /// Step 8: pass; if the enemy can't profit, the node is above beta. `Some(None)` = no cut.
    #[allow(clippy::option_option)]
    fn null_move(&mut self, depth: i32, beta: Score, ply: usize, cut: bool, estimate: Score) -> Option<Option<Score>> {
        let numbers = &self.params.numbers;
        let passed_before = ply > 0 && self.frames[ply - 1].step.is_none();
        if depth < 3
            || estimate < beta
            || passed_before
            || ply < self.no_null_before
            || self.game.position().major_pieces(self.game.position().side()).is_empty()
        {
            return Some(None);
        }
        let verified_from = numbers.null_move_verified_from;
        let by_margin = ((estimate - beta) / numbers.null_move_margin).min(3);
        let reduced = depth - numbers.null_move_base - depth / numbers.null_move_divisor - by_margin;
        self.make_null(ply);
        let score = -self.node::<Zero>(reduced, -beta, -beta + 1, ply + 1, !cut)?;
        self.unmake_null();
        if score < beta {
            return Some(None);
        }
        let score = if is_decided(score) { beta } else { score };
        let zugzwang_threatens = self.game.position().major_pieces(self.game.position().side()).count() <= 2;
        if self.no_null_before > 0 || (depth < verified_from && !zugzwang_threatens) {
            return Some(Some(score));
        }
        // Where passing could be better than any move, search with passing forbidden.
        self.no_null_before = ply + (3 * reduced.max(1) as usize).div_ceil(4);
        let verified = self.node::<Zero>(reduced.max(1), beta - 1, beta, ply, false);
        self.no_null_before = 0;
        Some((verified? >= beta).then_some(score))
    }

    /// Step 9: a capture that stays well above beta in a shallower search. `Some(None)` = no cut.
    #[allow(clippy::option_option)]
    fn probability_cut(
        &mut self,
        depth: i32,
        beta: Score,
        ply: usize,
        cut: bool,
        entry: Option<Entry>,
        static_score: Score,
    ) -> Option<Option<Score>> {
        let raised = beta + self.params.numbers.probcut_margin;
        let refuted = |entry: Entry| entry.bound.is_some() && entry.depth >= depth - 3 && entry.score < raised;
        if raised >= EVALUATION_LIMIT || entry.is_some_and(refuted) {
            return Some(None);
        }
        let mut picker = Picker::new(Wanted::CapturesWinning(raised - static_score), None, [None; 2]);
        while let Some(mv) = picker.next(&self.sources(ply), true) {
            self.make(mv, ply);
            let mut score = -self.quiescence::<false>(-raised, -raised + 1, ply + 1, false)?;
            if score >= raised {
                score = -self.node::<Zero>(depth - 4, -raised, -raised + 1, ply + 1, !cut)?;
            }
            self.unmake();
            if score >= raised {
                if self.depends_on >= ply as i32 && self.params.on.hash_table {
                    let entry = Entry { best: Some(mv), score, depth: depth - 3, bound: Some(Bound::Lower), pv: false };
                    self.shared.table.store(self.game.position().key(), ply, entry);
                }
                return Some(Some(score));
            }
        }
        self.depends_on = CLEAN;
        Some(None)
    }

    /// Step 13: is the hash move much better than all others? Then it deserves more depth; if another is good as well, less.
    fn singular<N: NodeKind>(
        &mut self,
        mv: Move,
        depth: i32,
        beta: Score,
        ply: usize,
        cut: bool,
        entry: Option<Entry>,
    ) -> Option<Singular> {
        let Some(Entry { score, bound: Some(Bound::Lower | Bound::Exact), depth: searched, .. }) = entry else {
            return Some(Singular::Extend(0));
        };
        if searched < depth - 3 || is_decided(score) {
            return Some(Singular::Extend(0));
        }
        let numbers = &self.params.numbers;
        let (without, far_below) = (score - numbers.singular_margin * depth / 16, numbers.double_margin);
        self.frames[ply].excluded = Some(mv);
        let others = self.node::<Zero>((depth - 1) / 2, without - 1, without, ply, cut);
        self.frames[ply].excluded = None;
        let others = others?;
        Some(if others < without {
            Singular::Extend(if !N::PV && others < without - far_below { 2 } else { 1 })
        } else if without >= beta && !is_decided(without) {
            Singular::Cut(without)
        } else if score >= beta {
            Singular::Extend(-2)
        } else if cut {
            Singular::Extend(-1)
        } else {
            Singular::Extend(0)
        })
    }

    /// Step 20: pays the move that cut, and punishes those tried before it in vain.
    fn learn(&mut self, mv: Move, depth: i32, ply: usize, failed_quiets: &[Move], failed_captures: &[Move]) {
        let numbers = &self.params.numbers;
        let pay = (numbers.history_pay * depth * depth + 60 * depth).min(numbers.history_pay_most);
        let position = self.game.position();
        let side = position.side();
        let before = self.before(ply);
        let step_of = |mv: Move| position.piece_on(mv.from).map(|piece| Step { piece, to: mv.to });
        if position.piece_on(mv.to).is_none() {
            if self.params.on.killers {
                self.frames[ply].killers.remember(mv);
            }
            for (mv, pay) in failed_quiets.iter().map(|&mv| (mv, -pay)).chain([(mv, pay)]) {
                self.histories.quiet[side.index()].pay(mv, pay);
                for (table, before) in self.histories.continuation.iter_mut().zip(before) {
                    if let (Some(before), Some(step)) = (before, step_of(mv)) {
                        table.pay(before, step, pay);
                    }
                }
            }
        }
        let cutter = Some((mv, pay)).filter(|(mv, _)| position.piece_on(mv.to).is_some());
        for (mv, pay) in failed_captures.iter().map(|&mv| (mv, -pay)).chain(cutter) {
            if let (Some(piece), Some(captured)) = (position.piece_on(mv.from), position.piece_on(mv.to)) {
                self.histories.capture.pay(piece, mv.to, captured.kind(), pay);
            }
        }
    }

    /// The quiet move that led here, if the last ply was one: who moved, where to, and the move.
    fn quiet_move_before(&self, ply: usize) -> Option<(Step, Move)> {
        let last = self.game.plies().last().filter(|last| last.captured().is_none())?;
        Some((self.frames[ply - 1].step?, last.mv?))
    }

    /// Step 5: is the mover better off than at its last move, or the one before if that answered a check?
    fn is_improving(&self, static_score: Score, ply: usize) -> bool {
        let mut earlier =
            [2, 4].into_iter().filter(|&back| back <= ply).map(|back| self.frames[ply - back].static_score);
        ply >= 2 && earlier.find(|&before| before != NONE).is_none_or(|before| static_score > before)
    }

    /// Step 5: pays the quiet move that led here for what it changed the evaluation by.
    fn learn_swing(&mut self, static_score: Score, ply: usize) {
        let before = self.frames[ply - 1].static_score;
        if before != NONE
            && let Some((step, mv)) = self.quiet_move_before(ply)
        {
            // Each score is from its mover's view, so their sum is what the move lost.
            let gain = self.params.numbers.swing_neutral - before - static_score;
            let pay = gain * self.params.numbers.swing_pay / 16;
            self.histories.quiet[step.piece.side().index()].pay(mv, pay.clamp(-1500, 1500));
        }
    }

    /// Step 20: every answer failed, so the quiet move that led here was good.
    fn learn_reply(&mut self, depth: i32, ply: usize) {
        if let Some((step, mv)) = self.quiet_move_before(ply) {
            let pay = (self.params.numbers.reply_pay * depth * depth).min(1200);
            self.histories.quiet[step.piece.side().index()].pay(mv, pay);
            if let Some(before) = self.before(ply)[1] {
                self.histories.continuation[0].pay(before, step, pay);
            }
        }
    }
}

/// What step 13 decides.
enum Singular {
    /// By how many plies the move is searched deeper.
    Extend(i32),
    /// Several moves are above beta: the node is too.
    Cut(Score),
}
