//! From `go` to its reply: starts searches and sends their events.

use super::{Input, Session, State};
use crate::eval::Chances;
use crate::protocol::courtesy::CourtesySettings;
use crate::protocol::go::Go;
use crate::protocol::go_state::GoState;
use crate::protocol::position::legal_moves;
use crate::protocol::reply::Reply;
use crate::search::{Conclusion, Event, Report};
use chuhe_board::rules::{Verdict, judge, rule};
use chuhe_board::score;
use chuhe_board::words::Language;
use std::io::Write;

impl<W: Write> Session<W> {
    /// Starts a search or perft.
    pub(super) fn go(&mut self, go: &Go) {
        for fault in &go.faults {
            self.output.inform(fault);
        }
        if let Some(depth) = go.perft {
            return self.count(depth);
        }
        let position = self.engine.game().position();
        let mut limits = go.limits(position.side(), !self.settings.seconds);
        if let Some(since) = self.go_since.take() {
            limits.time = limits.time.less(since.elapsed());
        }
        let (only, fault) = legal_moves(&go.searchmoves, position, self.ranks());
        let is_static = go.depth == Some(0);
        // Without legal moves to search, the search must not be infinite, or `go` would never be answered.
        let is_nothing = self.refused || only.is_empty() && !go.searchmoves.is_empty();
        let endless = go.infinite || limits.is_infinite() && !is_static && !is_nothing;
        let is_open = limits.ends_with_a_mate_only() && !is_static && !is_nothing;
        if self.settings.batch && (endless || is_open || go.ponder) {
            let fault = "go: a search without a limit and ponder would never end in batch mode; ignored";
            return self.output.inform(fault);
        }
        if self.refused {
            self.output.inform("go: there is no position to search");
        } else if let Some(fault) = fault {
            let rest =
                if is_nothing { "; no other is to be searched, so that there is no move to answer with" } else { "" };
            self.output.inform(&format!("go: searchmoves: {fault}{rest}"));
        }
        limits.only = only;
        limits.banned = self.banned.clone();
        self.remark(&format!("thinking with {:?}, {} banned moves", limits.time, limits.banned.len()));
        if !is_static && !self.refused {
            self.inform_if_over();
        }
        let mut from_book = None;
        if !(endless || is_nothing || go.asks_for_a_search()) {
            let (answer, fault) = self.opening.answer(self.engine.game(), &self.settings, &limits);
            from_book = answer;
            if let Some(fault) = fault {
                self.output.inform(&format!("book: {fault}"));
            }
        }
        let mut task = GoState::new(go, endless);
        task.open = is_open;
        if is_static && !self.refused {
            self.send_static_score();
        }
        if is_static || is_nothing {
            // The result has no move, although the position is not necessarily mate.
            task.show_score();
            from_book = Some(Conclusion::default());
        }
        self.state = State::Thinking(task);
        if let Some(conclusion) = from_book {
            return self.conclude(conclusion);
        }
        let to_session = self.sender.clone();
        // The receiver is gone after `quit`.
        self.engine.go(limits, move |event| _ = to_session.send(Input::Search(event)));
    }

    /// Sends the evaluation of the position without a search.
    fn send_static_score(&mut self) {
        let has_moves = self.engine.game().position().has_moves();
        let score = if has_moves { self.engine.static_score() } else { score::mated_in(0) };
        self.output.send(&Reply::Static(score));
    }

    /// Informs the user if the game is over by the rules; the search runs anyway, since a reply is expected.
    fn inform_if_over(&mut self) {
        let (game, terms) = (self.engine.game(), self.settings.engine.terms());
        if game.position().has_moves() && judge(game, terms) != Verdict::Open {
            let ruling = rule(game, terms).say(Language::English);
            self.output.inform(&format!("the game is over: {ruling}; searching as if it began here"));
        }
    }

    /// Handles `ponderhit`: the opponent has played the expected move.
    pub(super) fn ponder_hit(&mut self, draw: bool) {
        let State::Thinking(task) = &mut self.state else { return };
        task.ponder = false;
        task.offered |= draw;
        self.engine.ponder_hit();
        if let Some(conclusion) = task.release() {
            self.conclude(conclusion);
        }
    }

    /// Handles an event of the search.
    pub(super) fn receive_event(&mut self, event: Event) {
        let State::Thinking(task) = &mut self.state else { return };
        match event {
            // Some GUIs cannot parse a line without a move.
            Event::Line(report) if report.pv.is_empty() => {}
            Event::Line(report) => {
                task.show(Some(&report));
                self.say_line(&report);
            }
            Event::Progress(progress) => {
                task.show(None);
                self.output.send(&Reply::Progress(&progress));
            }
            Event::Done(conclusion) => self.conclude(conclusion),
            // A reply without a move would lose the game.
            Event::Failed => {
                let fault = "the search has failed, which is an error in the engine; playing the first legal move";
                self.output.inform(fault);
                let moves = self.engine.game().position().legal_moves();
                let allowed = moves.iter().find(|mv| !self.banned.contains(mv)).or(moves.first());
                self.conclude(Conclusion { best: allowed.copied(), ..Conclusion::default() });
            }
        }
    }

    fn say_line(&mut self, report: &Report) {
        let several = self.settings.engine.multipv > 1;
        let chances = self.settings.show_wdl.then(|| Chances::of(report.score, self.engine.game().position()));
        self.output.send(&Reply::Line { report, several, chances });
    }

    /// Replies to `go`, or stores the result until a reply is allowed.
    pub(super) fn conclude(&mut self, conclusion: Conclusion) {
        let State::Thinking(task) = &mut self.state else { return };
        let Some(conclusion) = task.answer(conclusion) else { return };
        let State::Thinking(task) = std::mem::replace(&mut self.state, State::Idle) else { return };
        self.stop_may_be_late = true;
        match conclusion.best {
            Some(best) => {
                task.last_lines(&conclusion).for_each(|line| self.say_line(line));
                let settings = CourtesySettings { offers: self.settings.offer_draws, resign: self.settings.resign };
                let courtesy = self.courtesy.answer(settings, &conclusion, self.engine.game(), task.offered);
                self.output.send(&Reply::Best { best, ponder: conclusion.ponder, courtesy });
            }
            None => {
                if task.lacks_score() {
                    self.output.send(&Reply::Static(score::mated_in(0)));
                }
                self.output.send(&Reply::NoMove);
            }
        }
    }
}
