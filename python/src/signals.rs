//! Work without the GIL that can be ended by Ctrl-C, a caller's `stop` or an exception in a callback.

use crate::calls::{call, park};
use crate::errors::EngineError;
use chuhe::search::STACK;
use pyo3::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

/// Interval at which a waiting call checks for signals and stop requests.
pub const PATIENCE: Duration = Duration::from_millis(20);

/// An object with a method `is_set`, such as `threading.Event`; once it is set, the call that received it
/// ends.
pub struct StopArgument(Py<PyAny>);

impl<'py> FromPyObject<'_, 'py> for StopArgument {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        object.getattr("is_set")?;
        Ok(StopArgument(object.to_owned().unbind()))
    }
}

/// Reasons to end one call early: a signal handler that raises, or the caller's `stop`.
#[derive(Default)]
pub struct Interrupts<'a> {
    stop: Option<&'a StopArgument>,
    raised: Option<PyErr>,
    stopped: bool,
}

impl<'a> Interrupts<'a> {
    /// Creates interrupts from signals and this `stop`.
    pub fn new(stop: Option<&'a StopArgument>) -> Interrupts<'a> {
        Interrupts { stop, ..Interrupts::default() }
    }

    /// Runs pending signal handlers (Python does so only in its main thread) and queries `stop`. Returns
    /// `true` if the call must end.
    pub fn pending(&mut self) -> bool {
        if self.raised.is_none() && !self.stopped {
            let stop = self.stop;
            let checked = Python::try_attach(|py| -> PyResult<bool> {
                py.check_signals()?;
                stop.map_or(Ok(false), |stop| call(&stop.0.bind(py).getattr("is_set")?, ())?.is_truthy())
            });
            match checked {
                Some(Ok(stopped)) => self.stopped = stopped,
                Some(Err(error)) => self.raised = Some(error),
                None => park(),
            }
        }
        self.raised.is_some() || self.stopped
    }

    /// Returns the result of the call, or raises the exception of a signal handler.
    pub fn or<T>(self, result: T) -> PyResult<T> {
        self.raised.map_or(Ok(result), Err)
    }

    /// Takes the exception of a signal handler or of `stop.is_set`.
    pub fn take_error(&mut self) -> Option<PyErr> {
        self.raised.take()
    }
}

/// Runs a job without the GIL, on a thread with a stack large enough for a search. Sets the job's flag if a
/// signal handler raises an exception.
pub fn work<T: Send>(py: Python, job: impl FnOnce(&AtomicBool) -> T + Send) -> PyResult<T> {
    let (stop, mut interrupts) = (AtomicBool::new(false), Interrupts::default());
    py.detach(|| {
        thread::scope(|scope| {
            let (working, finished) = mpsc::channel::<()>();
            let run = || {
                let _working = working;
                job(&stop)
            };
            let worker = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, run)?;
            while finished.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
                if interrupts.pending() {
                    stop.store(true, Relaxed);
                }
            }
            let result = worker.join().map_err(|_| EngineError::new_err("a thread has panicked"))?;
            interrupts.or(result)
        })
    })
}
