//! Changing options and clearing the engine. Both take time, so they run on the engine's thread while the
//! session can handle `quit`.

use super::{Input, Session, State};
use crate::Error;
use crate::protocol::options::{self, Change, SessionSettings};
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
    pub(super) fn set(&mut self, change: &Change) {
        let mut settings = self.settings.clone();
        change.apply(&mut settings);
        for fault in self.opening.follow(&settings) {
            self.output.inform(&fault);
        }
        if settings.engine == self.settings.engine {
            self.settings = settings;
        } else {
            self.prepare(settings, false);
        }
    }

    /// Applies options to the engine, after clearing it if necessary.
    fn prepare(&mut self, settings: SessionSettings, forgets: bool) {
        let (options, to_session) = (settings.engine.clone(), self.sender.clone());
        self.state = State::Preparing(Box::new(settings));
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
        let State::Preparing(settings) = std::mem::replace(&mut self.state, State::Idle) else { return };
        if let Err(error) = done {
            // The initial hash table is small; the settings must contain its actual size.
            let has = self.engine.options().hash_mb;
            self.settings.engine.hash_mb = has;
            let fault = format!("setoption: {error}; no option was changed, the hash table has {has} MB");
            return self.output.inform(&fault);
        }
        self.settings = *settings;
        let (threads, cores) = (self.settings.engine.threads, options::cores());
        if threads > cores && !self.warned_of_threads {
            self.warned_of_threads = true;
            let warning = format!("{threads} threads on {cores} cores: more threads than cores make play weaker");
            self.output.inform(&warning);
        }
    }
}
