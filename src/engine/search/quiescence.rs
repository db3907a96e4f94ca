//! Quiescence search: searches captures until the position is quiet, and safe checks at the first ply. In
//! check it searches all evasions until one saves the king, then only the first quiet ones.

use super::key::table_key;
use super::order::{MoveFilter, Picker};
use super::params::Params;
use super::report::Bound;
use super::transposition::Entry;
use super::worker::Worker;
use crate::eval::Evaluator;
use chuhe_board::exchange_value;
use chuhe_board::score::{INFINITE, MAX_PLY, Score, is_decided, mated_in};

/// Maximum number of quiet evasions per line, after which the position is evaluated statically. Capture
/// sequences always end, but sequences of checks might not.
const MAX_QUIET_EVASIONS: u32 = 4;

impl<E: Evaluator> Worker<'_, E> {
    /// Returns the value of a node at or beyond the horizon, fail-soft; `checks` also enables quiet checks.
    pub(super) fn quiescence<const PV: bool>(
        &mut self,
        mut alpha: Score,
        beta: Score,
        ply: usize,
        checks: bool,
    ) -> Option<Score> {
        let Params { numbers, on } = self.params;
        self.count_node()?;
        self.seldepth = self.seldepth.max(ply);
        self.frames[ply].pv.clear();
        if ply >= MAX_PLY - 1 || self.quiet_evasions >= MAX_QUIET_EVASIONS {
            return Some(self.evaluate());
        }
        let key = table_key(&self.game);
        let in_check = self.game.position().in_check();

        // Hash table. A search without quiet checks has a lower depth.
        let depth = if checks || in_check { 0 } else { -1 };
        let entry = if on.hash_table { self.shared.table.probe(key, ply) } else { None };
        if let Some(Entry { bound: Some(bound), score, depth: searched, .. }) = entry
            && !PV
            && searched >= depth
            && bound.cuts(score, alpha, beta)
            && self.table_may_cut(score, ply)
        {
            return Some(score);
        }

        // Stand pat: the mover may decline to capture, unless it is in check.
        let mut best = -INFINITE;
        if !in_check {
            best = self.corrected_evaluation(ply);
            if let Some(Entry { bound: Some(bound), score, .. }) = entry
                && !is_decided(score)
                && bound.improves(score, best)
                && !self.is_near_the_limit()
            {
                best = score;
            }
            if best >= beta {
                return Some(best);
            }
            alpha = alpha.max(best);
        }
        let promise = best + numbers.quiescence_margin;

        let legal_hash = entry.and_then(|entry| entry.best).filter(|&mv| self.game.position().is_legal(mv));
        let hash = legal_hash.filter(|mv| in_check || self.game.position().piece_on(mv.to).is_some());
        let filter = if in_check {
            MoveFilter::All
        } else if checks && on.quiet_checks {
            MoveFilter::CapturesAndChecks
        } else {
            MoveFilter::CapturesWinning(0)
        };
        let mut picker = Picker::new(filter, hash, [None; 2]);
        let mut best_move = None;
        let mut any_move = false;
        let mut evasions = 0;
        loop {
            let enough = on.evasion_pruning && evasions >= numbers.evasions;
            let Some(mv) = picker.next(&self.sources(ply), enough) else { break };
            any_move = true;
            self.prefetch(mv);
            // Once a move saves the king, late evasions are skipped.
            if in_check && best > -INFINITE && !is_decided(best) {
                if self.game.position().piece_on(mv.to).is_none() {
                    evasions += 1;
                } else if on.evasion_pruning && picker.is_past_good_captures() {
                    continue;
                }
            }
            if !in_check && !is_decided(best) {
                let gain = self.game.position().piece_on(mv.to).map_or(0, |piece| exchange_value(piece.kind()));
                if promise + gain <= alpha && !picker.gives_check(self.game.position(), mv) {
                    best = best.max(promise + gain);
                    continue;
                }
            }
            let is_quiet_evasion = in_check && self.game.position().piece_on(mv.to).is_none();
            self.quiet_evasions += u32::from(is_quiet_evasion);
            self.make(mv, ply);
            let score = -self.quiescence::<PV>(-beta, -alpha, ply + 1, false)?;
            self.unmake();
            self.quiet_evasions -= u32::from(is_quiet_evasion);
            if score > best {
                best = score;
                if score > alpha {
                    best_move = Some(mv);
                    alpha = score;
                    if PV {
                        self.update_pv(mv, ply);
                    }
                    if score >= beta {
                        break;
                    }
                }
            }
        }
        // A side in check without evasions is mated, and one without any move is stalemated; both lose.
        if !any_move && (in_check || !self.game.position().has_moves()) {
            return Some(mated_in(ply));
        }
        if on.hash_table {
            // The result is never stored as exact, even in an open window, because it would replace deeper
            // entries.
            let bound = if best >= beta { Bound::Lower } else { Bound::Upper };
            let entry = Entry { best: best_move, score: best, depth, bound: Some(bound), pv: PV };
            self.shared.table.store(key, ply, entry);
        }
        Some(best)
    }
}
