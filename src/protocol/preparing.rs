//! Changing the engine: options that it takes, and games that it forgets. It does so on its own thread, because that takes time and `quit` must work meanwhile.

use super::options::{self, Change, Settings};
use super::session::{Input, Session, State};
use crate::engine::Error;
use std::io::{self, Write};
use std::sync::mpsc::SyncSender;

/// Says how a change of the engine went, when it is dropped: after a panic too.
struct Preparation {
    to_session: SyncSender<Input>,
    done: Result<(), Error>,
}

impl Preparation {
    fn is_done(&mut self, done: Result<(), Error>) {
        self.done = done;
    }
}

impl Drop for Preparation {
    fn drop(&mut self) {
        // No one listens after `quit`.
        let _ = self.to_session.send(Input::Prepared(self.done.clone()));
    }
}

impl<W: Write> Session<W> {
    /// Gets the memory that the options ask for: after the greeting, for a GUI does not wait long for that.
    pub(super) fn prepare_first(&mut self) {
        self.prepare(self.settings.clone());
    }

    /// Sets an option: of the talk, or of the engine.
    pub(super) fn set(&mut self, change: &Change) -> io::Result<()> {
        let mut settings = self.settings.clone();
        change.apply(&mut settings);
        self.open_books(&settings)?;
        if settings.engine == self.settings.engine {
            self.settings = settings;
        } else {
            self.prepare(settings);
        }
        Ok(())
    }

    /// Lets the engine take other options, on its own thread: that can last, and `quit` must be heard meanwhile.
    pub(super) fn prepare(&mut self, settings: Settings) {
        let (options, to_session) = (settings.engine.clone(), self.sender.clone());
        self.state = State::Preparing(Box::new(settings));
        let mut preparation = Preparation { to_session, done: Err(Error::SearchFailed) };
        self.engine.begin(move |searcher| preparation.is_done(searcher.set_options(options)));
    }

    /// Lets the engine forget everything.
    pub(super) fn new_game(&mut self) {
        self.manners.new_game();
        let mut settings = self.settings.clone();
        settings.renew_seed();
        let (options, to_session) = (settings.engine.clone(), self.sender.clone());
        self.state = State::Preparing(Box::new(settings));
        let mut preparation = Preparation { to_session, done: Err(Error::SearchFailed) };
        self.engine.begin(move |searcher| {
            searcher.forget();
            preparation.is_done(searcher.set_options(options));
        });
    }

    /// The engine has changed, or stayed as it was.
    pub(super) fn prepared(&mut self, done: Result<(), Error>) -> io::Result<()> {
        let State::Preparing(settings) = std::mem::replace(&mut self.state, State::Idle) else { return Ok(()) };
        match done {
            Ok(()) => self.settings = *settings,
            Err(error) => {
                // The table of the first moments is small; the settings say what there is.
                self.settings.engine.hash_mb = self.engine.options().hash_mb;
                let has = self.settings.engine.hash_mb;
                return self
                    .complain(&format!("setoption: {error}; everything stays as it was, with {has} MB of hash"));
            }
        }
        let (threads, cores) = (self.settings.engine.threads, options::cores());
        if threads > cores && !self.warned {
            self.warned = true;
            return self
                .complain(&format!("{threads} threads on {cores} cores: more threads than cores make play weaker"));
        }
        Ok(())
    }
}
