//! A search that was started by `go`: what its answer depends on, and what it has shown.

use super::go::Go;
use crate::search::{Bound, Conclusion, Report};
use chuhe_board::Move;

/// Between `go` and its answer.
#[derive(Default)]
pub struct Task {
    /// No answer before `ponderhit`.
    pub ponder: bool,
    /// No answer before `stop`.
    pub endless: bool,
    /// It may never find what would end it.
    pub open: bool,
    /// `stop` came, or another command that ends the search.
    pub stopped: bool,
    /// The enemy offers a draw.
    pub offered: bool,
    /// A score was shown.
    spoken: bool,
    /// The move at the head of the best line, if that was the last that was shown.
    shown: Option<Move>,
    /// The answer, while it may not be given.
    held: Option<Conclusion>,
}

impl Task {
    /// A search by the words of `go`. `endless`: nothing else ends it.
    pub fn new(go: &Go, endless: bool) -> Task {
        Task { ponder: go.ponder, endless, offered: go.draw, ..Task::default() }
    }

    /// Whether an answer may be given.
    pub fn may_answer(&self) -> bool {
        self.stopped || !(self.ponder || self.endless)
    }

    /// Returns whether the search may go on for ever unless another command ends it.
    pub fn has_no_end(&self) -> bool {
        !self.may_answer() || (self.open && !self.stopped)
    }

    /// Keeps an answer until it may be given, or gives it back if that is now.
    pub fn answer(&mut self, conclusion: Conclusion) -> Option<Conclusion> {
        if self.may_answer() {
            return Some(conclusion);
        }
        self.held = Some(conclusion);
        None
    }

    /// The answer that was kept.
    pub fn release(&mut self) -> Option<Conclusion> {
        self.held.take()
    }

    /// Something was shown: a line, or none that names a best move.
    pub fn show(&mut self, report: Option<&Report>) {
        self.spoken |= report.is_some();
        match report {
            Some(report) if report.bound == Bound::Exact && report.multipv == 1 => {
                self.shown = report.pv.first().copied();
            }
            // A line of many, after the best.
            Some(report) if report.bound == Bound::Exact => {}
            _ => self.shown = None,
        }
    }

    /// A score was shown without a line.
    pub fn show_score(&mut self) {
        self.spoken = true;
    }

    /// Whether a score must be shown before the answer: there was none.
    pub fn lacks_score(&self) -> bool {
        !self.spoken
    }

    /// The lines to show before the answer. Some readers take the last line for the result: it has the score of the move that is played.
    pub fn last_lines<'c>(&self, conclusion: &'c Conclusion) -> impl Iterator<Item = &'c Report> {
        let is_shown = self.shown.is_some() && self.shown == conclusion.best;
        let best = if conclusion.chosen.is_some() { &[] } else { &conclusion.lines[..] };
        let lines = best.iter().chain(&conclusion.chosen);
        lines.filter(move |line| !is_shown && !line.pv.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::reply::report;

    fn conclusion(mv: &str) -> Conclusion {
        Conclusion { best: mv.parse().ok(), lines: vec![report(1, 1, Bound::Exact, mv)], ..Conclusion::default() }
    }

    #[test]
    fn an_answer_is_kept_until_it_may_be_given() {
        let mut task = Task { ponder: true, ..Task::default() };
        assert!(task.answer(conclusion("h2e2")).is_none());
        task.ponder = false;
        assert!(task.may_answer() && task.release().is_some() && task.release().is_none());
        let mut task = Task { endless: true, stopped: true, ..Task::default() };
        assert!(task.answer(conclusion("h2e2")).is_some());
    }

    #[test]
    fn the_last_line_is_shown_again_unless_it_speaks_of_the_move() {
        let last = |shown: &[Option<Report>]| {
            let mut task = Task::default();
            shown.iter().for_each(|report| task.show(report.as_ref()));
            task.last_lines(&conclusion("h2e2")).count()
        };
        let line = |multipv, mv, bound| Some(report(multipv, 1, bound, mv));
        assert_eq!(last(&[]), 1);
        assert_eq!(last(&[line(1, "h2e2", Bound::Exact)]), 0);
        assert_eq!(last(&[line(1, "h2e2", Bound::Exact), line(2, "b2e2", Bound::Exact)]), 0);
        assert_eq!(last(&[line(1, "b2e2", Bound::Exact)]), 1);
        assert_eq!(last(&[line(1, "h2e2", Bound::Exact), line(1, "h2e2", Bound::Upper)]), 1);
        assert_eq!(last(&[line(1, "h2e2", Bound::Exact), None]), 1);
    }

    #[test]
    fn the_last_line_is_that_of_the_move_which_a_limited_level_chose() {
        let chosen = report(1, -30, Bound::Exact, "b0c2");
        let conclusion = Conclusion { best: "b0c2".parse().ok(), chosen: Some(chosen), ..conclusion("h2e2") };
        let mut task = Task::default();
        task.show(conclusion.lines.first());
        let last: Vec<&Report> = task.last_lines(&conclusion).collect();
        assert_eq!((last.len(), last[0].score), (1, -30));
    }
}
