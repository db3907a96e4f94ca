//! Changing options and clearing the engine. Both take time, so they run on the engine's thread while the
//! session can handle `quit`.

use super::{Input, Session, State};
use crate::Error;
use crate::machine::Instant;
use crate::protocol::options::{self, SessionSettings, SetOption};
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};

impl<W: Write> Session<W> {
    /// Allocates the memory for the options. This happens after the handshake, because GUIs do not wait long
    /// for the end of the handshake.
    pub(super) fn prepare_first(&mut self) {
        self.prepare(self.settings.clone(), false);
    }

    /// Clears the engine for a new game.
    pub(super) fn new_game(&mut self) {
        self.courtesy.new_game();
        let mut settings = self.settings.clone();
        settings.renew_seed();
        self.prepare(settings, true);
    }

    /// Sets an option of the session or of the engine.
    pub(super) fn set(&mut self, change: &SetOption) {
        let mut settings = self.settings.clone();
        change.apply(&mut settings);
        if settings.engine == self.settings.engine {
            self.adopt(settings);
        } else {
            self.prepare(settings, false);
        }
    }

    /// Applies settings that the engine has accepted, and opens their books.
    fn adopt(&mut self, settings: SessionSettings) {
        for fault in self.opening.follow(&settings) {
            self.output.inform(&fault);
        }
        self.settings = settings;
    }

    /// Applies options to the engine, after clearing it if necessary.
    fn prepare(&mut self, settings: SessionSettings, forgets: bool) {
        let (options, to_session) = (settings.engine.clone(), self.sender.clone());
        self.state = State::Preparing(Box::new(settings), Instant::now());
        self.engine.begin(move |searcher| {
            let change = || {
                if forgets {
                    searcher.forget();
                }
                searcher.set_options(options)
            };
            let done = catch_unwind(AssertUnwindSafe(change)).unwrap_or_else(|_| {
                // The search state may be inconsistent after a panic.
                searcher.forget();
                Err(Error::SearchFailed)
            });
            // The receiver no longer exists after `quit`.
            let _ = to_session.send(Input::Prepared(done));
        });
    }

    /// Handles the result of a change.
    pub(super) fn prepared(&mut self, done: Result<(), Error>) {
        let State::Preparing(settings, since) = std::mem::replace(&mut self.state, State::Idle) else { return };
        self.prepared += since.elapsed();
        // Updates the options and the evaluation that the engine reports.
        self.engine.wait();
        if let Err(error) = done {
            // The initial hash table is small; the settings must contain its actual size.
            let has = self.engine.options().hash_mb;
            self.settings.engine.hash_mb = has;
            let size = if settings.engine.hash_mb == has { "" } else { &format!(", the hash table has {has} MB") };
            return self.output.inform(&format!("setoption: {error}; no option was changed{size}"));
        }
        self.adopt(*settings);
        let (threads, cores) = (self.settings.engine.threads, options::cores());
        if threads > cores && !self.warned_of_threads {
            self.warned_of_threads = true;
            let warning = format!("{threads} threads on {cores} cores: more threads than cores weaken play");
            self.output.inform(&warning);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::Dialect;
    use crate::protocol::lines::ReadLine;
    use crate::search::Limits;
    use std::sync::mpsc::sync_channel;
    use std::time::Duration;

    #[test]
    fn each_go_is_charged_for_the_preparations_since_its_arrival() {
        let (sender, receiver) = sync_channel(16);
        let mut session = Session::new(Vec::new(), sender, Some(Dialect::Uci)).expect("a session");
        let wait = |session: &mut Session<Vec<u8>>| {
            while !matches!(session.state, State::Idle) {
                session.handle(receiver.recv().expect("the engine works")).expect("the output is written");
            }
        };
        let perft = || Input::Gui(ReadLine::Line("go perft 1".to_owned()));
        session.handle(perft()).expect("the output is written");
        assert_eq!(session.arrivals.len(), 1, "it waits for the first preparation");
        wait(&mut session);
        assert!(session.arrivals.is_empty() && !session.prepared.is_zero());
        let seconds = Duration::from_secs;
        (session.prepared, session.arrivals) = (seconds(5), [seconds(2), seconds(5)].into());
        assert_eq!([(); 2].map(|()| session.time_prepared_since_arrival()), [seconds(3), Duration::ZERO]);
    }

    #[test]
    fn books_are_opened_only_if_the_engine_accepts_the_settings() {
        let (sender, receiver) = sync_channel(16);
        let mut session = Session::new(Vec::new(), sender, Some(Dialect::Uci)).expect("a session");
        let mut plays_from_book = |done: Result<(), Error>| {
            receiver.recv().expect("the engine is prepared");
            session.handle(Input::Prepared(done)).expect("the output is written");
            let (game, settings) = (session.engine.game().clone(), session.settings.clone());
            let plays = session.opening.answer(&game, &settings, &Limits::default()).0.is_some();
            let enable = ReadLine::Line("setoption name OwnBook value true".to_owned());
            session.handle(Input::Gui(enable)).expect("the output is written");
            plays
        };
        assert!(!plays_from_book(Ok(())));
        assert!(!plays_from_book(Err(Error::SearchFailed)), "no option was changed");
        assert!(plays_from_book(Ok(())));
    }
}
