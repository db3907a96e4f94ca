//! Ctrl-C and SIGTERM: the first ends a long run with the results so far, the second ends it at once.

use std::sync::atomic::{AtomicBool, Ordering};

static ASKED: AtomicBool = AtomicBool::new(false);

/// A flag that Ctrl-C sets from now on. Where signals can't be caught, they end the program as usual.
pub fn flag() -> &'static AtomicBool {
    tell(|| {});
    &ASKED
}

/// Calls `heard` when Ctrl-C comes.
pub fn tell(heard: impl Fn() + Send + 'static) {
    let _ = ctrlc::set_handler(move || {
        if ASKED.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
        heard();
    });
}
