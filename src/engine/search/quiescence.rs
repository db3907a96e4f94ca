//! Quiescence search: searches captures until the position is quiet, and safe checks at the first ply. In
//! check, it searches all evasions until one saves the king, and then only the first quiet ones.

use super::key::hash_key;
use super::order::{MoveFilter, Picker};
use super::params::Params;
use super::report::Bound;
use super::transposition::Entry;
use super::worker::Worker;
use crate::eval::Evaluator;
use chuhe_board::score::{INFINITE, MAX_PLY, Score, is_decided, mated_in};
use chuhe_board::{Move, exchange_value};

/// Maximum number of quiet evasions per line, after which the position is evaluated statically. Capture
/// sequences always end, but sequences of checks might not.
const MAX_QUIET_EVASIONS: u32 = 4;

/// Result of searching the moves of a node.
struct Searched {
    best: Score,
    best_move: Option<Move>,
    /// `true` if there was a move of the requested kind, even if it was skipped.
    any_move: bool,
}

impl<E: Evaluator> Worker<'_, E> {
    /// Returns the fail-soft value of a node at or beyond the horizon; `checks` also enables quiet checks.
    pub(super) fn quiescence<const PV: bool>(
        &mut self,
        mut alpha: Score,
        beta: Score,
        ply: usize,
        checks: bool,
    ) -> Option<Score> {
        let on = &self.params.on;
        self.count_node()?;
        self.seldepth = self.seldepth.max(ply);
        self.frames[ply].pv.clear();
        if ply >= MAX_PLY - 1 || self.quiet_evasions >= MAX_QUIET_EVASIONS {
            return Some(self.evaluate());
        }
        let key = hash_key(&self.game);
        let in_check = self.game.position().in_check();

        // Hash table. A search without quiet checks has a lower depth.
        let depth = if checks || in_check { 0 } else { -1 };
        let entry = if on.hash_table { self.shared.hash_table.probe(key, ply) } else { None };
        let entry = entry.filter(|entry| self.is_of_this_position(entry));
        if !PV && let Some(score) = self.stored_score(entry, depth, (alpha, beta), ply) {
            return Some(score);
        }

        // Stand pat: the mover may decline to capture, unless it is in check.
        let mut best = -INFINITE;
        if !in_check {
            let static_score = self.corrected_evaluation(ply);
            best = self.estimate(static_score, entry);
            if best >= beta {
                return Some(best);
            }
            alpha = alpha.max(best);
        }

        let mut picker = self.quiescence_moves(entry, in_check, checks);
        let searched = self.search_quiescence_moves::<PV>(&mut picker, (alpha, beta), best, ply, in_check)?;
        // A side in check without evasions is mated, and a side without any move is stalemated; both lose.
        if !searched.any_move && (in_check || !self.game.position().has_moves()) {
            return Some(mated_in(ply));
        }
        let best = searched.best;
        if on.hash_table {
            // The result is never stored as exact, even in an open window, because it would replace deeper
            // entries.
            let bound = if best >= beta { Bound::Lower } else { Bound::Upper };
            let pv = PV || entry.is_some_and(|entry| entry.pv);
            let entry = Entry { best: searched.best_move, score: best, depth, bound: Some(bound), pv };
            self.shared.hash_table.store(key, ply, entry);
        }
        Some(best)
    }

    /// Searches the moves of a node whose best score so far is `best`.
    #[inline(always)]
    fn search_quiescence_moves<const PV: bool>(
        &mut self,
        picker: &mut Picker,
        (mut alpha, beta): (Score, Score),
        mut best: Score,
        ply: usize,
        in_check: bool,
    ) -> Option<Searched> {
        let Params { numbers, on } = self.params;
        let promise = best + numbers.quiescence_margin;
        let mut best_move = None;
        let mut any_move = false;
        let mut evasions = 0;
        loop {
            let enough = on.evasion_pruning && evasions >= numbers.evasions;
            let Some(mv) = picker.next(&self.sources(ply), enough) else { break };
            any_move = true;
            self.prefetch(mv);
            let victim = self.game.position().piece_on(mv.to);
            match victim {
                _ if is_decided(best) => {}
                // Once a move saves the king, late evasions are skipped.
                None if in_check => evasions += 1,
                Some(_) if in_check => {
                    if on.evasion_pruning && picker.is_past_good_captures() {
                        continue;
                    }
                }
                // Even the victim plus the margin would not reach alpha.
                _ => {
                    let value = promise + victim.map_or(0, |piece| exchange_value(piece.kind()));
                    if value <= alpha && !picker.gives_check(self.game.position(), mv) {
                        best = best.max(value);
                        continue;
                    }
                }
            }
            let is_quiet_evasion = in_check && victim.is_none();
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
        Some(Searched { best, best_move, any_move })
    }

    /// Returns the moves of a quiescence node: in check, all moves; otherwise captures that do not lose the
    /// exchange and, if `checks` is set, safe checks.
    #[inline(always)]
    fn quiescence_moves(&self, entry: Option<Entry>, in_check: bool, checks: bool) -> Picker {
        let position = self.game.position();
        let known = entry.and_then(|entry| entry.best);
        let hash_move = known.filter(|mv| in_check || position.piece_on(mv.to).is_some());
        let filter = if in_check {
            MoveFilter::All
        } else if checks && self.params.on.quiet_checks {
            MoveFilter::CapturesAndChecks
        } else {
            MoveFilter::CapturesWinning(0)
        };
        Picker::new(filter, hash_move, [None; 2])
    }
}
