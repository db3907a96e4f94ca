//! State of a search started by `go`.

use super::go::Go;
use crate::search::{Bound, Conclusion, Report};
use chuhe_board::Move;
use chuhe_board::score::Score;

/// Event that ends a search without `stop`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum SearchEnd {
    /// A limit, which the search reaches in any case.
    #[default]
    Limit,
    /// A mate, which may never be found.
    Mate,
    /// None; the reply must wait for `stop`.
    Never,
}

/// State between `go` and its reply.
#[derive(Default)]
pub(crate) struct GoState {
    /// `true` if the reply must wait for `ponderhit`.
    pub ponder: bool,
    /// Event that ends the search.
    pub end: SearchEnd,
    /// `true` if the search was ended by `stop` or another command.
    pub stopped: bool,
    /// `true` if the opponent offers a draw.
    pub offered: bool,
    /// `true` once a score has been sent.
    spoken: bool,
    /// Score and moves of the best line, if the best line was the last line sent.
    shown: Option<(Score, Vec<Move>)>,
    /// Result withheld until a reply is allowed.
    held: Option<Conclusion>,
}

impl GoState {
    /// Creates the state for a `go` command.
    pub(crate) fn new(go: &Go, end: SearchEnd) -> GoState {
        GoState { ponder: go.ponder, end, offered: go.draw, ..GoState::default() }
    }

    /// Returns `true` if a reply is allowed.
    pub(crate) fn may_answer(&self) -> bool {
        self.stopped || !(self.ponder || self.end == SearchEnd::Never)
    }

    /// Returns `true` if the search may run forever unless another command stops it.
    pub(crate) fn has_no_end(&self) -> bool {
        !self.may_answer() || (self.end == SearchEnd::Mate && !self.stopped)
    }

    /// Stores the result until a reply is allowed, or returns it at once if one is allowed now.
    pub(crate) fn answer(&mut self, conclusion: Conclusion) -> Option<Conclusion> {
        if self.may_answer() {
            return Some(conclusion);
        }
        self.held = Some(conclusion);
        None
    }

    /// Returns the stored result.
    pub(crate) fn release(&mut self) -> Option<Conclusion> {
        self.held.take()
    }

    /// Records that a line was sent, or (`None`) output without a line, after which the best line is no
    /// longer the last output.
    pub(crate) fn show(&mut self, report: Option<&Report>) {
        self.spoken |= report.is_some();
        match report {
            Some(report) if report.bound == Bound::Exact && report.multipv == 1 => {
                self.shown = Some((report.score, report.pv.clone()));
            }
            // Lines other than the best one do not change the state.
            Some(report) if report.bound == Bound::Exact => {}
            _ => self.shown = None,
        }
    }

    /// Records that a score was sent without a line.
    pub(crate) fn show_score(&mut self) {
        self.spoken = true;
    }

    /// Returns `true` if a score must be sent before the reply, since none has been sent.
    pub(crate) fn lacks_score(&self) -> bool {
        !self.spoken
    }

    /// Returns the lines to send before the reply. Some GUIs take the last line as the result, so it must
    /// contain the score of the move played and the expected reply.
    pub(crate) fn last_lines<'c>(&self, conclusion: &'c Conclusion) -> impl Iterator<Item = &'c Report> {
        let best = if conclusion.chosen.is_some() { &[] } else { &conclusion.lines[..] };
        let lines = best.iter().chain(&conclusion.chosen);
        let is_shown = |(score, pv): &(Score, Vec<Move>)| {
            lines.clone().next().is_some_and(|line| (line.score, &line.pv) == (*score, pv))
        };
        let is_shown = self.shown.as_ref().is_some_and(is_shown);
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
        let mut go_state = GoState { ponder: true, ..GoState::default() };
        assert!(go_state.answer(conclusion("h2e2")).is_none());
        go_state.ponder = false;
        assert!(go_state.may_answer() && go_state.release().is_some() && go_state.release().is_none());
        let mut go_state = GoState { end: SearchEnd::Never, stopped: true, ..GoState::default() };
        assert!(go_state.answer(conclusion("h2e2")).is_some());
    }

    #[test]
    fn the_last_line_is_shown_again_unless_it_speaks_of_the_move() {
        let last = |shown: &[Option<Report>]| {
            let mut go_state = GoState::default();
            shown.iter().for_each(|report| go_state.show(report.as_ref()));
            go_state.last_lines(&conclusion("h2e2")).count()
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
        let mut go_state = GoState::default();
        go_state.show(conclusion.lines.first());
        let last: Vec<&Report> = go_state.last_lines(&conclusion).collect();
        assert_eq!((last.len(), last[0].score), (1, -30));
    }
}
