//! Ctrl-C, SIGTERM and SIGHUP: the first ends a long run with the results so far, the second ends it at once. Half a file is left by neither.

use chuhe_engine::bytes::remove_unfinished;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, Once, PoisonError};

static ASKED: AtomicBool = AtomicBool::new(false);

type Listener = Box<dyn Fn() + Send>;
static LISTENER: Mutex<Option<Listener>> = Mutex::new(None);

/// A flag that Ctrl-C sets from now on. Where signals can't be caught, they end the program as usual.
pub fn flag() -> &'static AtomicBool {
    tell(|| {});
    &ASKED
}

/// Calls `heard` when Ctrl-C comes, unless somebody else listens.
pub fn tell(heard: impl Fn() + Send + 'static) {
    LISTENER.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(Box::new(heard));
    tidy();
}

/// From now on, Ctrl-C takes away what is not whole before it ends the program.
pub fn tidy() {
    static HANDLED: Once = Once::new();
    HANDLED.call_once(|| {
        let _ = ctrlc::set_handler(|| match &*LISTENER.lock().unwrap_or_else(PoisonError::into_inner) {
            Some(heard) if !ASKED.swap(true, Ordering::Relaxed) => heard(),
            _ => {
                remove_unfinished();
                std::process::exit(130);
            }
        });
    });
}
