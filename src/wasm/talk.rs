//! A UCI or UCCI session, line by line.

use super::host::Speaker;
use chuhe_engine::machine::work_off;
use chuhe_engine::protocol::Talk;
use std::cell::RefCell;

thread_local! {
    /// From the first line on.
    static TALK: RefCell<Option<Talk<Speaker>>> = const { RefCell::new(None) };
}

/// Obeys a line, to the end of what it asks for; false when the talk is over.
pub fn hear(line: &str) -> bool {
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
        // The talk is free meanwhile: what is said then reaches it.
        if !work_off() {
            return true;
        }
    }
}

/// A line is said; while the engine works too.
pub fn said(line: &str) {
    with_talk(|talk| talk.hear(line).is_ok());
}

/// Says what the engine has to say by now.
pub fn catch_up() {
    with_talk(|talk| talk.catch_up().is_ok());
}

/// Does something with the talk; false without one, and while something else is being done with it.
fn with_talk(action: impl FnOnce(&mut Talk<Speaker>) -> bool) -> bool {
    TALK.with(|talk| talk.try_borrow_mut().is_ok_and(|mut talk| talk.as_mut().is_some_and(action)))
}
