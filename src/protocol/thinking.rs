//! From `go` to its answer: starting a search, ending it, and reporting what it finds.

use super::courtesy::Wishes;
use super::go::Go;
use super::opening::Opening;
use super::options::Settings;
use super::reply::Reply;
use super::session::{Input, Session, State};
use super::task::Task;
use crate::eval::Chances;
use crate::rules::{Verdict, judge, rule};
use crate::score;
use crate::search::{Conclusion, Event, Limits, Report};
use crate::words::Language;
use std::io::{self, Write};
use std::sync::atomic::Ordering;
use std::sync::mpsc::SyncSender;

/// Passes the events of a search on. If the search ends without an answer, it says that instead.
struct Listener {
    to_session: SyncSender<Input>,
    done: bool,
}

impl Listener {
    fn receive(&mut self, event: Event) {
        self.done |= matches!(event, Event::Done(_));
        // No one listens after `quit`.
        let _ = self.to_session.send(Input::Engine(event));
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        if !self.done {
            let _ = self.to_session.send(Input::Lost);
        }
    }
}

impl<W: Write> Session<W> {
    /// Begins to think, or to count.
    pub(super) fn go(&mut self, go: &Go) -> io::Result<()> {
        for fault in &go.faults {
            self.complain(fault)?;
        }
        if let Some(depth) = go.perft {
            return self.count(depth);
        }
        let position = self.engine.game().position();
        let mut limits = go.limits(position.side(), self.settings.milliseconds);
        let searchmoves: Vec<&str> = go.searchmoves.iter().map(String::as_str).collect();
        let (only, fault) = self.read_root_moves(&searchmoves);
        // A search without an end for moves that are not there would never be answered.
        let is_nothing = only.is_empty() && !searchmoves.is_empty();
        let endless = go.infinite || limits.is_infinite() && go.depth != Some(0) && !is_nothing;
        if self.settings.batch && (endless || go.ponder) {
            return self.complain("go: infinite and ponder would never end in batch mode; ignored");
        }
        if let Some(fault) = fault {
            let rest =
                if is_nothing { "; no other is to be searched, so that there is no move to answer with" } else { "" };
            self.complain(&format!("go: searchmoves: {fault}{rest}"))?;
        }
        limits.only = only;
        limits.banned = self.banned.clone();
        self.remark(&format!("thinking with {:?}, {} banned moves", limits.time, limits.banned.len()))?;
        if go.depth != Some(0) {
            self.tell_if_over()?;
        }
        let from_book = if endless || is_nothing || go.asks_for_a_search() { None } else { self.book_move(&limits)? };
        self.state = State::Thinking(Task::new(go, endless));
        if go.depth == Some(0) {
            return self.static_score();
        }
        if is_nothing {
            return self.no_move();
        }
        if let Some(conclusion) = from_book {
            return self.conclude(conclusion);
        }
        let mut listener = Listener { to_session: self.sender.clone(), done: false };
        self.engine.go(limits, move |event| listener.receive(event));
        Ok(())
    }

    /// Opens the books that the settings ask for.
    pub(super) fn open_books(&mut self, settings: &Settings) -> io::Result<()> {
        if !settings.use_book {
            self.opening = Opening::default();
            return Ok(());
        }
        let faults = self.opening.open(&settings.book_files);
        faults.iter().try_for_each(|fault| self.complain(fault))
    }

    /// The move of a book, if one is asked and has one.
    fn book_move(&mut self, limits: &Limits) -> io::Result<Option<Conclusion>> {
        let (answer, fault) = self.opening.answer(self.engine.game(), &self.settings, limits);
        if let Some(fault) = fault {
            self.complain(&format!("book: {fault}"))?;
        }
        Ok(answer)
    }

    /// Says so if the game is over by the rules: the search goes on all the same, for an answer was asked for.
    pub(super) fn tell_if_over(&mut self) -> io::Result<()> {
        let (game, terms) = (self.engine.game(), self.settings.engine.terms());
        if !game.position().has_moves() || judge(game, terms) == Verdict::Open {
            return Ok(());
        }
        let ruling = rule(game, terms).say(Language::English);
        self.complain(&format!("the game is over: {ruling}; searching as if it began here"))
    }

    /// `go depth 0`: the static score, and no move.
    pub(super) fn static_score(&mut self) -> io::Result<()> {
        let has_moves = self.engine.game().position().has_moves();
        let score = if has_moves { self.engine.static_score() } else { score::mated_in(0) };
        self.say(&Reply::Static(score))?;
        if let State::Thinking(task) = &mut self.state {
            task.show_score();
        }
        self.conclude(Conclusion::default())
    }

    /// None of the moves that were asked for can be played. It is no mate, so that there is no score.
    fn no_move(&mut self) -> io::Result<()> {
        if let State::Thinking(task) = &mut self.state {
            task.show_score();
        }
        self.conclude(Conclusion::default())
    }

    /// The enemy has played the expected move.
    pub(super) fn ponder_hit(&mut self, draw: bool) -> io::Result<()> {
        let State::Thinking(task) = &mut self.state else { return Ok(()) };
        task.ponder = false;
        task.offered |= draw;
        self.engine.ponder_hit();
        match task.release() {
            Some(conclusion) => self.conclude(conclusion),
            None => Ok(()),
        }
    }

    /// `stop`: ends the search. While idle UCCI answers it, so that a confused GUI does not wait forever; but if nothing was said since
    /// our last answer, the two have crossed on the wire, and a `nobestmove` would be taken for the answer to the next `go`.
    pub(super) fn stop(&mut self) -> io::Result<()> {
        match &self.state {
            State::Thinking(_) => self.end_search(),
            State::Working(cancelled) => {
                cancelled.store(true, Ordering::Relaxed);
                Ok(())
            }
            State::Idle if std::mem::take(&mut self.answered) => self.remark("a late stop"),
            State::Idle => self.say(&Reply::NothingToStop),
            // A `stop` waits for its end.
            State::Preparing(_) => Ok(()),
        }
    }

    /// Asks the search to answer now.
    pub(super) fn end_search(&mut self) -> io::Result<()> {
        match &mut self.state {
            State::Thinking(task) => {
                task.stopped = true;
                match task.release() {
                    Some(conclusion) => self.conclude(conclusion),
                    None => {
                        self.engine.stop();
                        Ok(())
                    }
                }
            }
            State::Working(cancelled) => {
                cancelled.store(true, Ordering::Relaxed);
                Ok(())
            }
            State::Idle | State::Preparing(_) => Ok(()),
        }
    }

    /// News of the search.
    pub(super) fn receive_event(&mut self, event: Event) -> io::Result<()> {
        match event {
            // Scripts stumble over a line without a move.
            Event::Line(report) if report.pv.is_empty() => Ok(()),
            Event::Line(report) => {
                if let State::Thinking(task) = &mut self.state {
                    task.show(Some(&report));
                }
                self.say_line(&report)
            }
            Event::Progress(progress) => {
                if let State::Thinking(task) = &mut self.state {
                    task.show(None);
                }
                self.say(&Reply::Progress(&progress))
            }
            Event::Done(conclusion) => self.conclude(conclusion),
        }
    }

    pub(super) fn say_line(&mut self, report: &Report) -> io::Result<()> {
        let several = self.settings.engine.multipv > 1;
        let chances = self.settings.show_wdl.then(|| Chances::of(report.score, self.engine.game().position()));
        self.say(&Reply::Line { report, several, chances })
    }

    /// Answers `go`, or holds the answer back while it may not be given.
    pub(super) fn conclude(&mut self, conclusion: Conclusion) -> io::Result<()> {
        let State::Thinking(task) = &mut self.state else { return Ok(()) };
        let Some(conclusion) = task.answer(conclusion) else { return Ok(()) };
        let State::Thinking(task) = std::mem::replace(&mut self.state, State::Idle) else { return Ok(()) };
        self.answered = true;
        match conclusion.best {
            Some(best) => {
                task.last_lines(&conclusion).try_for_each(|line| self.say_line(line))?;
                let Settings { offer_draws, resign, .. } = self.settings;
                let wishes = Wishes { offers: offer_draws, resign };
                let courtesy = self.manners.answer(wishes, &conclusion, self.engine.game(), task.offered);
                self.say(&Reply::Best { best, ponder: conclusion.ponder, courtesy })
            }
            None => {
                if task.lacks_score() {
                    self.say(&Reply::Static(score::mated_in(0)))?;
                }
                self.say(&Reply::NoMove)
            }
        }
    }

    /// The search has failed: any move is better than none.
    pub(super) fn lost(&mut self) -> io::Result<()> {
        self.complain("the search has failed, which is an error in the engine; playing the first legal move")?;
        let moves = self.engine.game().position().legal_moves();
        let allowed = moves.iter().find(|mv| !self.banned.contains(mv)).or(moves.first());
        self.conclude(Conclusion { best: allowed.copied(), ..Conclusion::default() })
    }
}
