//! Handles that stop a running search from another thread.

use chuhe_engine::search::Control;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Stops the search of one request, before or after it has started. Copies stop the same search.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<Mutex<State>>);

#[derive(Debug, Default)]
struct State {
    asked: bool,
    /// Control of the running search.
    control: Option<Arc<Control>>,
}

impl Stop {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Stops the search within milliseconds. A search that has not started ends as soon as it has a result.
    pub fn ask(&self) {
        let mut state = self.state();
        state.asked = true;
        if let Some(control) = &state.control {
            control.stop();
        }
    }

    /// Returns `true` if a stop was requested.
    pub fn is_asked(&self) -> bool {
        self.state().asked
    }

    /// Returns `true` while another copy exists, such as the copy held by the running request.
    pub fn is_shared(&self) -> bool {
        Arc::strong_count(&self.0) > 1
    }

    /// Prepares a search's control, and stops it at once if a stop was already requested.
    pub(super) fn begin(&self, control: &Arc<Control>) {
        let mut state = self.state();
        control.start(false);
        if state.asked {
            control.stop();
        }
        state.control = Some(Arc::clone(control));
    }

    /// Releases the control after a search.
    pub(super) fn end(&self) {
        self.state().control = None;
    }
}
