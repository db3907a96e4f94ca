//! Searches that an engine performs during one thread's turn.

use crate::errors::{EngineError, NetworkError};
use crate::signals::{Interrupts, PATIENCE};
use chuhe::engine::{self, Error, Level, Options};
use chuhe::rules::Game;
use chuhe::search::{Conclusion, Event, Limits, Report};
use pyo3::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::mpsc::{self, RecvTimeoutError};

/// Exclusive access to the engine for one thread, and the reasons for ending its searches early.
pub struct Session<'a, 's> {
    /// The engine.
    pub engine: &'a mut engine::Engine,
    /// Flag that stops the running search.
    pub stop: &'a AtomicBool,
    /// Signals, and the caller's `stop`.
    pub interrupts: &'a mut Interrupts<'s>,
}

/// Returns the exception for an error of the engine.
pub fn engine_error(error: Error) -> PyErr {
    match error {
        Error::Network { .. } => NetworkError::new_err(error.to_string()),
        _ => EngineError::new_err(error.to_string()),
    }
}

/// Sets the options of an engine.
pub fn set(engine: &mut engine::Engine, options: Options) -> PyResult<()> {
    if options == *engine.options() { Ok(()) } else { engine.set_options(options).map_err(engine_error) }
}

impl Session<'_, '_> {
    /// Searches with different options until the search ends or is stopped. `listen` receives every line, and
    /// returns `false` to stop the search.
    pub fn search(
        &mut self,
        change: impl FnOnce(Options) -> Options,
        game: &Game,
        limits: Limits,
        listen: impl FnMut(Report) -> PyResult<bool>,
    ) -> PyResult<Conclusion> {
        let before = self.engine.options().clone();
        set(self.engine, change(before.clone()))?;
        let found = self.run(game, limits, listen);
        set(self.engine, before)?;
        found
    }

    fn run(
        &mut self,
        game: &Game,
        limits: Limits,
        mut listen: impl FnMut(Report) -> PyResult<bool>,
    ) -> PyResult<Conclusion> {
        let (sender, events) = mpsc::channel();
        self.engine.set_game(game.clone());
        self.engine.go(limits, move |event| {
            let _ = sender.send(event);
        });
        let (mut raised, mut concluded) = (None, None);
        loop {
            match events.recv_timeout(PATIENCE) {
                Ok(Event::Line(line)) if raised.is_none() => match listen(line) {
                    Ok(true) => {}
                    Ok(false) => self.stop.store(true, SeqCst),
                    Err(error) => raised = Some(error),
                },
                Ok(Event::Done(conclusion)) => concluded = Some(conclusion),
                Ok(_) | Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            if self.stop.load(SeqCst) || raised.is_some() || self.interrupts.pending() {
                self.engine.stop();
            }
        }
        self.engine.wait();
        match raised.or_else(|| self.interrupts.take_error()) {
            Some(error) => Err(error),
            None => concluded.ok_or_else(|| engine_error(Error::SearchFailed)),
        }
    }

    /// Returns the best lines at full strength, for a review.
    pub fn lines(&mut self, game: &Game, nodes: u64, count: usize) -> PyResult<Vec<Report>> {
        let change = |options| Options { multipv: count, level: Level::FULL, ..options };
        let conclusion = self.search(change, game, Limits::nodes(nodes), |_| Ok(true))?;
        if self.stop.load(SeqCst) || self.interrupts.pending() {
            let error = self.interrupts.take_error();
            return Err(error.unwrap_or_else(|| EngineError::new_err("the review was stopped")));
        }
        Ok(conclusion.lines)
    }
}
