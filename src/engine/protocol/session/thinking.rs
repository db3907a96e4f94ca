//! From `go` to its reply: starts searches and sends their events.

use super::{Input, Session, State};
use crate::eval::Chances;
use crate::protocol::courtesy::CourtesySettings;
use crate::protocol::go::Go;
use crate::protocol::go_state::{GoState, SearchEnd};
use crate::protocol::position::legal_moves;
use crate::protocol::reply::{Courtesy, Reply};
use crate::search::{Conclusion, Event, Limits, Report};
use chuhe_board::Move;
use chuhe_board::rules::{Verdict, judge, rule};
use chuhe_board::score;
use chuhe_board::words::Language;
use std::io::Write;
use std::time::Duration;

/// Work requested by `go`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum GoKind {
    /// None, because there is no position or no legal move to search.
    Nothing,
    /// The static evaluation of the position, requested by `depth 0`.
    StaticScore,
    /// A search.
    Search,
}

impl GoKind {
    fn end(self, go: &Go, limits: &Limits) -> SearchEnd {
        match self {
            _ if go.infinite => SearchEnd::Never,
            // Without a search, the reply must not wait for `stop`; otherwise `go` might never receive a
            // reply.
            GoKind::Nothing | GoKind::StaticScore => SearchEnd::Limit,
            GoKind::Search if limits.is_infinite() => SearchEnd::Never,
            GoKind::Search if limits.ends_with_a_mate_only() => SearchEnd::Mate,
            GoKind::Search => SearchEnd::Limit,
        }
    }
}

impl<W: Write> Session<W> {
    /// Starts a search or perft. `prepared` is the time for which the engine was being prepared since the command
    /// arrived; the GUI's clock runs meanwhile, unless the search ponders.
    pub(super) fn go(&mut self, go: &Go, prepared: Duration) {
        for fault in &go.faults {
            self.output.inform(fault);
        }
        if go.counts {
            // Without a valid depth, there is nothing to do; a search would have no limit.
            if let Some(depth) = go.perft {
                self.count(depth);
            }
            return;
        }
        let position = self.engine.game().position();
        let mut limits = go.limits(position.side(), !self.settings.seconds);
        if !go.ponder {
            limits.time = limits.time.less(prepared);
        }
        let (only, illegal) = legal_moves(&go.searchmoves, position, self.ranks());
        // If every legal move is banned, the ban is ignored.
        let is_banned = |mv: &Move| self.banned.contains(mv);
        let excludes_all =
            !only.is_empty() && only.iter().all(is_banned) && !position.legal_moves().iter().all(is_banned);
        let kind = match go.depth {
            _ if self.refused => GoKind::Nothing,
            Some(0) => GoKind::StaticScore,
            _ if only.is_empty() && !go.searchmoves.is_empty() || excludes_all => GoKind::Nothing,
            _ => GoKind::Search,
        };
        let end = kind.end(go, &limits);
        if self.settings.batch && (end != SearchEnd::Limit || go.ponder) {
            let reason = "go: a search without a limit and ponder would never end in batch mode; ignored";
            return self.output.inform(reason);
        }
        if self.refused {
            self.output.inform("go: there is no position to search");
        } else if let Some(illegal) = illegal {
            let rest = match kind {
                GoKind::Nothing => "; no other move was requested, so there is no move to return",
                GoKind::StaticScore | GoKind::Search => "",
            };
            self.output.inform(&format!("go: searchmoves: {illegal}{rest}"));
        } else if excludes_all {
            self.output.inform("go: searchmoves: only banned moves were requested, so there is no move to return");
        }
        limits.only = only;
        limits.banned = self.banned.clone();
        self.remark(&format!("thinking with {:?}, {} banned moves", limits.time, limits.banned.len()));
        let mut go_state = GoState::new(go, end);
        let ready = match kind {
            GoKind::Search => {
                self.inform_if_over();
                if end == SearchEnd::Never || go.asks_for_a_search() { None } else { self.book_answer(&limits) }
            }
            GoKind::Nothing | GoKind::StaticScore => {
                if kind == GoKind::StaticScore {
                    self.send_static_score();
                }
                // Otherwise the missing move would be reported as a mate.
                go_state.show_score();
                Some(Conclusion::default())
            }
        };
        self.state = State::Thinking(go_state);
        if let Some(conclusion) = ready {
            return self.conclude(conclusion);
        }
        let to_session = self.sender.clone();
        // The receiver no longer exists after `quit`.
        self.engine.go(limits, move |event| _ = to_session.send(Input::Search(event)));
    }

    /// Returns the move of an opening book, if there is one.
    fn book_answer(&mut self, limits: &Limits) -> Option<Conclusion> {
        let (answer, error) = self.opening.answer(self.engine.game(), &self.settings, limits);
        if let Some(error) = error {
            self.output.inform(&format!("book: {error}"));
        }
        answer
    }

    /// Sends the evaluation of the position without a search.
    fn send_static_score(&mut self) {
        let has_moves = self.engine.game().position().has_moves();
        let score = if has_moves { self.engine.static_score() } else { score::mated_in(0) };
        self.output.send(&Reply::Static(score));
    }

    /// Informs the user if the game is over by the rules. The search runs anyway, since a reply is expected.
    fn inform_if_over(&mut self) {
        let (game, terms) = (self.engine.game(), self.settings.engine.terms());
        if game.position().has_moves() && judge(game, terms) != Verdict::Open {
            let ruling = rule(game, terms).say(Language::English);
            self.output.inform(&format!("the game is over: {ruling}; searching as if it began here"));
        }
    }

    /// Handles `ponderhit`: the opponent has played the expected move.
    pub(super) fn ponder_hit(&mut self, draw: bool) {
        let State::Thinking(go_state) = &mut self.state else { return };
        go_state.ponder = false;
        go_state.offered |= draw;
        self.engine.ponder_hit();
        if let Some(conclusion) = go_state.release() {
            self.conclude(conclusion);
        }
    }

    /// Handles an event of the search.
    pub(super) fn receive_event(&mut self, event: Event) {
        let State::Thinking(go_state) = &mut self.state else { return };
        match event {
            // Some GUIs cannot parse a line without a move.
            Event::Line(report) if report.pv.is_empty() => {}
            Event::Line(report) => {
                go_state.show(Some(&report));
                self.say_line(&report);
            }
            Event::Progress(progress) => {
                go_state.show(None);
                self.output.send(&Reply::Progress(&progress));
            }
            Event::Done(conclusion) => self.conclude(conclusion),
            // A reply without a move would lose the game.
            Event::Failed => {
                let message = "the search has failed, which is a bug in the engine; playing the first legal move";
                self.output.inform(message);
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
        let State::Thinking(go_state) = &mut self.state else { return };
        let Some(conclusion) = go_state.answer(conclusion) else { return };
        let State::Thinking(go_state) = std::mem::replace(&mut self.state, State::Idle) else { return };
        self.stop_may_be_late = true;
        match conclusion.best {
            Some(best) => {
                go_state.last_lines(&conclusion).for_each(|line| self.say_line(line));
                let settings = CourtesySettings { offers: self.settings.offer_draws, resign: self.settings.resign };
                // The reply to a stopped analysis, or to a move that was not played, is no move of the game.
                let courtesy = if go_state.ponder || go_state.end == SearchEnd::Never {
                    Courtesy::Nothing
                } else {
                    self.courtesy.answer(settings, &conclusion, self.engine.game(), go_state.offered)
                };
                self.output.send(&Reply::Best { best, ponder: conclusion.ponder, courtesy });
            }
            None => {
                if go_state.lacks_score() {
                    self.output.send(&Reply::Static(score::mated_in(0)));
                }
                self.output.send(&Reply::NoMove);
            }
        }
    }
}
