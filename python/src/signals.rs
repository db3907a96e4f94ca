//! Work without the GIL that Ctrl-C ends, and whatever else Python wants to raise meanwhile.

use crate::errors::EngineError;
use chuhe::search::STACK;
use pyo3::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

/// How often a waiting call looks for signals and stops.
pub const PATIENCE: Duration = Duration::from_millis(20);

/// What a signal has raised since the work began.
#[derive(Default)]
pub struct Signals(Option<PyErr>);

impl Signals {
    /// Runs the handlers of signals that have come; whether one has raised. Python does this in its main thread only.
    pub fn have_raised(&mut self) -> bool {
        if self.0.is_none() {
            self.0 = Python::attach(|py| py.check_signals()).err();
        }
        self.0.is_some()
    }

    /// The result of the work, or what was raised during it.
    pub fn or<T>(self, result: T) -> PyResult<T> {
        self.0.map_or(Ok(result), Err)
    }
}

/// Works on a thread with the deep stack that a search needs, without the GIL, until the job is done; when a signal raises, the flag that the job
/// was given is set.
pub fn work<T: Send>(py: Python, job: impl FnOnce(&AtomicBool) -> T + Send) -> PyResult<T> {
    let (stop, mut signals) = (AtomicBool::new(false), Signals::default());
    py.detach(|| {
        thread::scope(|scope| {
            let (working, finished) = mpsc::channel::<()>();
            let run = || {
                let _working = working;
                job(&stop)
            };
            let worker = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, run)?;
            while finished.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
                if signals.have_raised() {
                    stop.store(true, Relaxed);
                }
            }
            let result = worker.join().map_err(|_| EngineError::new_err("a thread has panicked"))?;
            signals.or(result)
        })
    })
}
