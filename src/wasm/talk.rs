//! A UCI or UCCI session, line by line.

use super::host::Speaker;
use chuhe_engine::machine::work_off;
use chuhe_engine::protocol::Talk;
use std::cell::RefCell;

thread_local! {
    /// The session, created by the first line.
    static TALK: RefCell<Option<Talk<Speaker>>> = const { RefCell::new(None) };
}

/// Executes a line to completion; returns `false` when the session has ended.
pub(crate) fn hear(line: &str) -> bool {
    TALK.with_borrow_mut(|talk| {
        if talk.is_none() {
            *talk = Talk::new(Speaker::default(), None).ok();
        }
    });
    said(line);
    loop {
        if !with_talk(|talk| talk.catch_up().is_ok() && !talk.is_over()) {
            return false;
        }
        // The session is not borrowed at this point, so lines that arrive meanwhile can be handled.
        if !work_off() {
            return true;
        }
    }
}

/// Handles a line, even while the engine is searching.
pub(crate) fn said(line: &str) {
    with_talk(|talk| talk.hear(line).is_ok());
}

/// Sends the engine's pending output.
pub(crate) fn catch_up() {
    with_talk(|talk| talk.catch_up().is_ok());
}

/// Runs an action on the session; returns `false` without a session, or if it is already in use.
fn with_talk(action: impl FnOnce(&mut Talk<Speaker>) -> bool) -> bool {
    TALK.with(|talk| talk.try_borrow_mut().is_ok_and(|mut talk| talk.as_mut().is_some_and(action)))
}
