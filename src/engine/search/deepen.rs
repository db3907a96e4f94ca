//! Iterative deepening: searches the root to depth 1, 2, 3 and so on, each time in a window around the
//! previous score, and reports every line.

use super::clock::Stability;
use super::limits::Limits;
use super::node_type::Root;
use super::report::{Bound, Event, Progress, Report};
use super::root::{RootMove, sort};
use super::worker::Worker;
use crate::eval::Evaluator;
use chuhe_board::Move;
use chuhe_board::score::{EVALUATION_LIMIT, INFINITE, MATE, MAX_PLY, Score, is_decided, is_mate};
use std::time::Duration;

/// Minimum search time before bounds are reported.
const BOUNDS_AFTER: Duration = Duration::from_secs(1);
/// Maximum interval between progress reports.
const PROGRESS_EVERY: Duration = Duration::from_secs(1);

/// First depth with a narrow window; at lower depths, scores vary too much.
const NARROW_FROM: i32 = 5;
/// Width in centipawns above which a window is opened completely.
const WIDEST: Score = 600;

impl<E: Evaluator> Worker<'_, E> {
    /// Searches with increasing depth until a limit is reached.
    pub(super) fn deepen(&mut self, limits: &Limits, multipv: usize) {
        // After mate or stalemate there is nothing to search.
        if self.root_moves.is_empty() {
            return;
        }
        let multipv = multipv.clamp(1, self.root_moves.len());
        let deepest = limits.depth.unwrap_or(MAX_PLY as u32 - 1).clamp(1, MAX_PLY as u32 - 1) as i32;
        let (mut last_best, mut stable, mut last_score) = (None, 0, None);
        let mut complete: Vec<RootMove> = Vec::new();
        let mut is_solver_due = true;
        for depth in 1..=deepest {
            // Helpers skip some depths, so that threads search different trees.
            if self.id > 0 && depth > 3 && (depth as usize + self.id).is_multiple_of(3) && depth < deepest {
                continue;
            }
            self.root_depth = depth;
            for pv_index in 0..multipv {
                self.pv_index = pv_index;
                self.seldepth = 0;
                if self.aspirate(depth, multipv).is_none() {
                    self.return_to_root();
                    self.fall_back(pv_index, multipv, &complete);
                    return;
                }
                // A later line can turn out to be better than an earlier one.
                sort(&mut self.root_moves[..=pv_index]);
            }
            (0..multipv).for_each(|pv_index| self.report(pv_index, depth, Bound::Exact));
            self.completed_depth = depth;
            complete = self.root_moves[..multipv].to_vec();
            // An explicitly requested depth is always completed.
            let is_settled = |root: &RootMove| is_settled(root.score, depth) && self.is_confirmed(root.score, &root.pv);
            if limits.depth.is_none() && self.root_moves[..multipv].iter().all(is_settled) {
                return;
            }
            if self.id > 0 {
                continue;
            }
            let best = &self.root_moves[0];
            stable = if last_best == Some(best.mv) { stable + 1 } else { 0 };
            last_best = Some(best.mv);
            let fall = last_score.map_or(0, |last: Score| (last - best.score).clamp(-500, 500));
            last_score = Some(best.score);
            if limits.mate.is_some_and(|moves| best.score > 0 && self.has_mate(best, 2 * moves as Score)) {
                return;
            }
            self.stability = Stability {
                stable,
                effort: best.nodes as f64 / self.nodes.max(1) as f64,
                fall,
                forced: self.root_moves.len() == 1,
            };
            if is_solver_due {
                match self.prove_last_chance(limits, multipv, depth) {
                    Some(true) => return,
                    Some(false) => is_solver_due = false,
                    None => {}
                }
            }
            if self.is_deep_enough(depth, limits) {
                return;
            }
        }
    }

    /// Returns `true` if, after the iteration of this depth, another iteration is not worth its time or
    /// nodes.
    fn is_deep_enough(&mut self, depth: i32, limits: &Limits) -> bool {
        if limits.soft_nodes.is_some_and(|soft| self.nodes as f64 >= soft as f64 * self.stability.need()) {
            return true;
        }
        let found_mate = self.has_mate(&self.root_moves[0], depth - 1);
        !self.is_pondering()
            && (!self.shared.clock.goes_on(self.stability) || (found_mate && self.shared.clock.is_elastic()))
    }

    /// Returns `true` if a root move leads to a mate for either side in at most `plies` plies, and the
    /// referee confirms the mate.
    pub(super) fn has_mate(&self, root: &RootMove, plies: Score) -> bool {
        let is_near = is_mate(root.score) && MATE - root.score.abs() <= plies;
        is_near && is_mate(self.line_to_tell(root.score, &root.pv).0) && self.is_confirmed(root.score, &root.pv)
    }

    /// Completes the lines of an iteration that was stopped while searching line `pv_index`.
    fn fall_back(&mut self, pv_index: usize, multipv: usize, complete: &[RootMove]) {
        if multipv > 1 && !complete.is_empty() {
            // Scores of different depths cannot be compared, so all lines are those of the previous iteration.
            for (index, known) in complete.iter().enumerate() {
                self.restore(index, known);
            }
            return;
        }
        sort(&mut self.root_moves[pv_index..]);
        // A loss is certain only after every move has been searched. Until then, the move, score and line of
        // the previous iteration are kept.
        let best = &self.root_moves[pv_index];
        if is_decided(best.score)
            && best.score < 0
            && let Some(known) = complete.get(pv_index)
        {
            self.restore(pv_index, known);
        }
        // After a fail-high, the line is the move alone; the previous line has an expected reply.
        let best = &mut self.root_moves[pv_index];
        if let Some(known) = complete.get(pv_index).filter(|known| known.mv == best.mv && best.pv.len() < 2) {
            best.pv.clone_from(&known.pv);
        }
    }

    /// Moves a root move to a place before its own, with an earlier result.
    fn restore(&mut self, to: usize, known: &RootMove) {
        if let Some(place) = self.root_moves[to..].iter().position(|root| root.mv == known.mv) {
            self.root_moves[to..=to + place].rotate_right(1);
            self.root_moves[to].clone_from(known);
        }
    }

    /// Searches one line of one iteration. Since the score is usually near the score of the previous
    /// iteration, a narrow window around it causes more cutoffs. If the search fails high or low, the window
    /// is widened on that side and the search is repeated. Bounds are not reported with MultiPV, because the
    /// move may belong to another line that has not been searched again yet.
    fn aspirate(&mut self, depth: i32, multipv: usize) -> Option<()> {
        let numbers = &self.params.numbers;
        let before = self.root_moves.get(self.pv_index).map_or(0, |root| {
            // Scores fluctuate between even and odd depths, but their mean does not.
            root.mean.filter(|_| root.score.abs() < EVALUATION_LIMIT).unwrap_or(root.score)
        });
        let mut width = numbers.aspiration_window;
        let is_narrow = self.params.on.aspiration && depth >= NARROW_FROM && before.abs() < EVALUATION_LIMIT;
        let (mut alpha, mut beta) = if is_narrow { (before - width, before + width) } else { (-INFINITE, INFINITE) };
        let mut reduction = 0;
        loop {
            let score = self.node::<Root>((depth - reduction).max(1), alpha, beta, 0, false)?.score;
            sort(&mut self.root_moves[self.pv_index..]);
            // A mate above the window is proved, and the shallower re-search might not find it again.
            let line = self.root_moves[self.pv_index].pv.len() as Score;
            if score >= beta && is_mate(score) && line == MATE - score {
                return Some(());
            }
            let bound = if score <= alpha && alpha > -INFINITE {
                // The score lies below the old alpha.
                beta = alpha;
                alpha = (score - width).max(-INFINITE);
                reduction = 0;
                Bound::Upper
            } else if score >= beta && beta < INFINITE {
                // A fail-high already has a best move, so a shallower search is sufficient to confirm it.
                beta = (score + width).min(INFINITE);
                reduction = (reduction + 1).min(2);
                Bound::Lower
            } else {
                return Some(());
            };
            if multipv == 1 && self.shared.clock.elapsed() > BOUNDS_AFTER {
                self.report(self.pv_index, depth, bound);
            }
            width = width * numbers.aspiration_growth / 100;
            // Mate scores are far from all other scores, so a window of a few pawns never contains them.
            if width > WIDEST || is_decided(score) {
                (alpha, beta) = (-INFINITE, INFINITE);
            }
        }
    }

    /// Returns the root move with index `count` among those still available for the current line.
    pub(super) fn next_root_move(&self, count: usize) -> Option<Move> {
        self.root_moves.get(self.pv_index + count).map(|root| root.mv)
    }

    /// Records the result of a root move.
    pub(super) fn note_root_move(&mut self, mv: Move, number: usize, score: Score, alpha: Score, nodes_before: u64) {
        let spent = self.nodes - nodes_before;
        let seldepth = self.seldepth;
        let line = &self.frames[1].pv;
        if let Some(root) = self.root_moves.iter_mut().find(|root| root.mv == mv) {
            root.nodes += spent;
            if number > 1 && score <= alpha {
                root.score = -INFINITE;
                return;
            }
            root.score = score;
            root.mean = (!is_decided(score)).then(|| root.mean.map_or(score, |mean| (mean + score) / 2));
            root.seldepth = seldepth;
            if score > alpha {
                root.pv.clear();
                root.pv.push(mv);
                root.pv.extend(line);
            }
        }
        // Scores of the previous iteration cannot be compared with this one if the iteration is stopped.
        if number == 1 && score > alpha && self.shared.settings.multipv <= 1 {
            self.root_moves[1..].iter_mut().for_each(|root| root.score = -INFINITE);
        }
    }

    /// Reports the progress if the listener has received no event for a second.
    pub(super) fn report_progress(&mut self) {
        if self.shared.clock.elapsed() < self.last_report + PROGRESS_EVERY {
            return;
        }
        if let Some((current, number)) = self.current {
            self.send(Event::Progress(Progress { current, number }));
        }
    }

    fn send(&mut self, event: Event) {
        if let Some(listener) = &mut self.listener {
            self.last_report = self.shared.clock.elapsed();
            listener(event);
        }
    }

    pub(super) fn report(&mut self, pv_index: usize, depth: i32, bound: Bound) {
        if self.listener.is_some()
            && let Some(report) = self.line(pv_index, depth, bound)
        {
            self.send(Event::Line(report));
        }
    }

    /// Returns the line with this index among the best lines found so far.
    pub(super) fn line(&self, pv_index: usize, depth: i32, bound: Bound) -> Option<Report> {
        let root = self.root_moves.get(pv_index)?;
        let (score, pv) = self.complete_line(root.score, &root.pv);
        Some(Report {
            depth: depth as u32,
            seldepth: root.seldepth as u32,
            multipv: pv_index + 1,
            score,
            bound,
            nodes: self.shared.nodes_of_others(self.id) + self.nodes,
            time: self.shared.clock.elapsed(),
            hashfull: self.shared.hash_table.hashfull(),
            tablebase_hits: self.shared.settings.tablebases.hits(),
            pv,
        })
    }
}

/// Returns `true` if deeper iterations can hardly improve the score: it is a mate, and the depth exceeds
/// twice its distance.
fn is_settled(score: Score, depth: i32) -> bool {
    is_mate(score) && depth > 2 * (MATE - score.abs())
}

#[cfg(test)]
mod tests {
    use super::super::clock::Clock;
    use super::super::worker::tests::with_worker;
    use super::*;
    use crate::eval::Handcrafted;
    use crate::search::Time;

    #[test]
    fn bounds_are_told_of_a_single_line_only() {
        for (multipv, tells_bounds) in [(1, true), (2, false), (5, false)] {
            let mut bounds = 0;
            let long_ago = Clock::new(Time::Unlimited, Duration::ZERO, false, false).started_earlier(2 * BOUNDS_AFTER);
            let mut listener = |event| {
                bounds += u32::from(matches!(event, Event::Line(Report { bound, .. }) if bound != Bound::Exact));
            };
            with_worker(0, "startpos", Handcrafted::default(), long_ago, &mut listener, |worker| {
                worker.deepen(&Limits::depth(9), multipv);
            });
            assert_eq!(bounds > 0, tells_bounds, "{multipv} lines: {bounds} bounds");
        }
    }

    #[test]
    fn a_fail_low_is_an_upper_bound_and_a_fail_high_a_lower_one() {
        for (previous, expected) in [(400, Bound::Upper), (-400, Bound::Lower)] {
            let mut bounds = Vec::new();
            let long_ago = Clock::new(Time::Unlimited, Duration::ZERO, false, false).started_earlier(2 * BOUNDS_AFTER);
            let mut listener = |event| {
                if let Event::Line(Report { bound, .. }) = event {
                    bounds.push(bound);
                }
            };
            with_worker(0, "startpos", Handcrafted::default(), long_ago, &mut listener, |worker| {
                worker.root_depth = NARROW_FROM;
                worker.root_moves.iter_mut().for_each(|root| root.score = previous);
                assert_eq!(worker.aspirate(NARROW_FROM, 1), Some(()));
            });
            assert_eq!(bounds.first(), Some(&expected), "after {previous}: {bounds:?}");
        }
    }

    #[test]
    fn a_mate_above_the_window_is_not_searched_again() {
        let alone = |test: &dyn Fn(&mut Worker<Handcrafted>)| {
            let clock = Clock::new(Time::Unlimited, Duration::ZERO, false, false);
            with_worker(0, "3k5/4P4/9/9/9/9/9/9/9/R3K4 w", Handcrafted::default(), clock, &mut |_| {}, test);
        };
        alone(&|worker| {
            worker.root_depth = NARROW_FROM;
            let width = worker.params.numbers.aspiration_window;
            let found = worker.node::<Root>(NARROW_FROM, -width, width, 0, false).expect("nothing stops it");
            assert_eq!(found.score, MATE - 1, "the rook mates in one");
            let once = worker.nodes;
            alone(&|worker| {
                worker.root_depth = NARROW_FROM;
                worker.root_moves.iter_mut().for_each(|root| root.score = 0);
                assert_eq!(worker.aspirate(NARROW_FROM, 1), Some(()));
                assert_eq!((worker.root_moves[0].score, worker.nodes), (MATE - 1, once));
            });
        });
    }

    #[test]
    fn a_loss_is_not_announced_before_every_move_was_searched() {
        let clock = Clock::new(Time::Unlimited, Duration::ZERO, false, false);
        with_worker(0, "startpos", Handcrafted::default(), clock, &mut |_| {}, |worker| {
            let complete = [RootMove { score: 30, ..worker.root_moves[7].clone() }];
            // The first move of the new iteration turned out to lose, and the other moves were not reached.
            worker.root_moves[0].score = -MATE + 12;
            worker.fall_back(0, 1, &complete);
            assert_eq!((worker.root_moves[0].mv, worker.root_moves[0].score), (complete[0].mv, 30));
            assert_eq!(worker.root_moves.len(), 44, "no move was removed");
            // A single winning move suffices.
            worker.root_moves[5].score = MATE - 7;
            worker.fall_back(0, 1, &complete);
            assert_eq!(worker.root_moves[0].score, MATE - 7);
        });
    }
}
