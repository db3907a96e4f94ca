//! A UCI or UCCI session, line by line.

use super::host::{self, Output};
use chuhe_engine::machine::work_off;
use chuhe_engine::protocol::Talk;
use std::cell::RefCell;
use std::io;

thread_local! {
    /// The session, created by the first line.
    static TALK: RefCell<Option<Talk<Output>>> = const { RefCell::new(None) };
}

/// Executes a line to completion; returns `false` when the session has ended.
pub(crate) fn execute(line: &str) -> bool {
    if TALK.with_borrow(Option::is_none) {
        match Talk::new(Output::default(), None) {
            Ok(talk) => TALK.set(Some(talk)),
            Err(error) => {
                host::report_failure(error);
                return false;
            }
        }
    }
    receive(line);
    loop {
        if !with_talk(|talk| has_succeeded(talk.catch_up()) && !talk.is_over()) {
            return false;
        }
        // The session is borrowed only by `with_talk`, which runs no search. `work_off` runs the search and
        // calls `give_way`, so lines that arrive in the meantime find the session free.
        if !work_off() {
            return true;
        }
    }
}

/// Handles a line, even while the engine is searching.
pub(crate) fn receive(line: &str) {
    with_talk(|talk| has_succeeded(talk.receive_line(line)));
}

/// Sends the engine's pending output.
pub(crate) fn catch_up() {
    with_talk(|talk| has_succeeded(talk.catch_up()));
}

/// Returns `true` on success; otherwise reports the error to the host.
fn has_succeeded(result: io::Result<()>) -> bool {
    result.map_err(host::report_failure).is_ok()
}

/// Runs an action on the session; returns `false` if there is no session or it is already in use.
fn with_talk(action: impl FnOnce(&mut Talk<Output>) -> bool) -> bool {
    TALK.with(|talk| talk.try_borrow_mut().is_ok_and(|mut talk| talk.as_mut().is_some_and(action)))
}
