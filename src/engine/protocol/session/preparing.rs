//! Changing the engine: options that it takes, and games that it forgets. It does so on its own thread, because that takes time and `quit` must
//! be heard meanwhile.

use super::{Input, Session, State};
use crate::Error;
use crate::protocol::options::{self, Change, Settings};
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};

impl<W: Write> Session<W> {
    /// Gets the memory that the options ask for: after the greeting, for a GUI does not wait long for that.
    pub(super) fn prepare_first(&mut self) {
        self.prepare(self.settings.clone(), false);
    }

    /// Lets the engine forget everything.
    pub(super) fn new_game(&mut self) {
        self.manners.new_game();
        let mut settings = self.settings.clone();
        settings.renew_seed();
        self.prepare(settings, true);
    }

    /// Sets an option: of the talk, or of the engine.
    pub(super) fn set(&mut self, change: &Change) {
        let mut settings = self.settings.clone();
        change.apply(&mut settings);
        for fault in self.opening.follow(&settings) {
            self.voice.inform(&fault);
        }
        if settings.engine == self.settings.engine {
            self.settings = settings;
        } else {
            self.prepare(settings, false);
        }
    }

    /// Lets the engine take other options, and forget first if it has to.
    fn prepare(&mut self, settings: Settings, forgets: bool) {
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
                // Its state is unknown.
                searcher.forget();
                Err(Error::SearchFailed)
            });
            // No one listens after `quit`.
            let _ = to_session.send(Input::Prepared(done));
        });
    }

    /// The engine has changed, or stayed as it was.
    pub(super) fn prepared(&mut self, done: Result<(), Error>) {
        let State::Preparing(settings) = std::mem::replace(&mut self.state, State::Idle) else { return };
        if let Err(error) = done {
            // The table of the first moments is small; the settings say what there is.
            let has = self.engine.options().hash_mb;
            self.settings.engine.hash_mb = has;
            let fault = format!("setoption: {error}; everything stays as it was, with {has} MB of hash");
            return self.voice.inform(&fault);
        }
        self.settings = *settings;
        let (threads, cores) = (self.settings.engine.threads, options::cores());
        if threads > cores && !self.warned_of_threads {
            self.warned_of_threads = true;
            let warning = format!("{threads} threads on {cores} cores: more threads than cores make play weaker");
            self.voice.inform(&warning);
        }
    }
}
