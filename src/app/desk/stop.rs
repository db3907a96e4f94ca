//! How a running search is ended from elsewhere.

use chuhe_engine::search::Control;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Ends the search of one question, whether it has begun yet or not. Copies end the same search.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<Mutex<State>>);

#[derive(Debug, Default)]
struct State {
    asked: bool,
    /// Of the search that runs.
    control: Option<Arc<Control>>,
}

impl Stop {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends the search within milliseconds; one that has not begun ends as soon as it has something to say.
    pub fn ask(&self) {
        let mut state = self.state();
        state.asked = true;
        if let Some(control) = &state.control {
            control.stop();
        }
    }

    /// Whether it was asked for.
    pub fn is_asked(&self) -> bool {
        self.state().asked
    }

    /// Before a search: its control is made ready, and stopped at once if that was asked for before.
    pub(super) fn begin(&self, control: &Arc<Control>) {
        let mut state = self.state();
        control.start(false);
        if state.asked {
            control.stop();
        }
        state.control = Some(Arc::clone(control));
    }

    /// After a search.
    pub(super) fn end(&self) {
        self.state().control = None;
    }
}
