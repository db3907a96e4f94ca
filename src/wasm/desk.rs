//! Requests of the board application, which are handled sequentially.

use super::host;
use chuhe::desk::{Event, Message, RequestHandler, Stop};
use std::cell::RefCell;

thread_local! {
    static HANDLER: RefCell<RequestHandler> = RefCell::new(RequestHandler::default());
    /// Handle that stops the current search.
    static STOP: RefCell<Option<Stop>> = const { RefCell::new(None) };
}

/// Handles a message, to which it responds with one or more events.
pub(crate) fn handle(message: &str) {
    let stop = Stop::default();
    STOP.set(Some(stop.clone()));
    match Message::read(message) {
        Ok(message) => HANDLER.with_borrow_mut(|handler| handler.handle(&message, &stop, &mut |event| send(&event))),
        Err((id, refusal)) => send(&Event::refused(id, &refusal, HANDLER.with_borrow(RequestHandler::language))),
    }
    STOP.set(None);
}

/// Stops the current search, which then responds with its result so far; returns `false` if there is none.
pub(crate) fn stop() -> bool {
    STOP.with_borrow(|stop| stop.as_ref().map(Stop::ask).is_some())
}

fn send(event: &Event) {
    match serde_json::to_string(event) {
        Ok(json) => host::send_event(&json),
        Err(error) => host::report_failure(error),
    }
}
