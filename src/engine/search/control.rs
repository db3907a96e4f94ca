//! Control of a running search: stop and ponder hit.

use super::limits::Limits;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Control of a running search, for the thread that started it.
#[derive(Debug, Default)]
pub struct Control {
    stopped: AtomicBool,
    pondering: AtomicBool,
}

impl Control {
    /// Stops the search within milliseconds.
    pub fn stop(&self) {
        self.stopped.store(true, Relaxed);
    }

    /// Reports that the opponent has played the expected move, which starts the clock.
    pub(crate) fn ponder_hit(&self) {
        self.pondering.store(false, Relaxed);
    }

    /// Resets the control for a new search.
    pub fn start(&self, pondering: bool) {
        self.pondering.store(pondering, Relaxed);
        self.stopped.store(false, Relaxed);
    }

    pub(super) fn is_stopped(&self) -> bool {
        self.stopped.load(Relaxed)
    }

    pub(super) fn is_pondering(&self) -> bool {
        self.pondering.load(Relaxed)
    }

    /// Returns `true` if the search must not return its result yet.
    pub(super) fn must_wait(&self, limits: &Limits) -> bool {
        !self.is_stopped() && (limits.is_infinite() || self.is_pondering())
    }
}

/// Guard that stops the search if its thread panics; otherwise the other threads would never end.
pub(super) struct StopAtPanic<'c>(pub &'c Control);

impl Drop for StopAtPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.stop();
        }
    }
}
