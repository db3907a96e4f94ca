//! Perft and bench on a separate thread, so that the session can handle `stop` and `quit`.

use super::{Input, Session, State};
use crate::machine;
use crate::protocol::work;
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Maximum depth of `go perft` in plies. Not even positions with bare kings can be counted to this depth, so
/// larger values are typing errors.
const MAX_PERFT_DEPTH: u32 = 60;

impl<W: Write> Session<W> {
    /// Counts the leaves of the game tree.
    pub(super) fn count(&mut self, depth: u32) {
        if depth > MAX_PERFT_DEPTH {
            let fault = format!("go: perft must be a number from 0 to {MAX_PERFT_DEPTH}, not {depth}");
            return self.output.inform(&fault);
        }
        let (position, ranks) = (self.engine.game().position().clone(), self.ranks());
        self.start_work(move |cancelled, tell| work::count(&position, depth, ranks, cancelled, tell));
    }

    /// Starts a task. The task reports its output through its second argument, and ends early when the flag
    /// is set.
    pub(super) fn start_work(&mut self, action: impl FnOnce(&AtomicBool, &dyn Fn(String)) + Send + 'static) {
        let cancelled = Arc::new(AtomicBool::new(false));
        self.state = State::Working(cancelled.clone());
        let to_session = self.sender.clone();
        let worker = move || {
            // The receiver no longer exists after `quit`.
            let tell = |text| _ = to_session.send(Input::Text(text));
            if catch_unwind(AssertUnwindSafe(|| action(&cancelled, &tell))).is_err() {
                tell("the command has failed, which is a bug in the engine".to_owned());
            }
            let _ = to_session.send(Input::WorkDone);
        };
        if let Err(error) = machine::spawn("work", worker) {
            self.state = State::Idle;
            self.output.inform(&format!("cannot create a thread: {error}"));
        }
    }
}
