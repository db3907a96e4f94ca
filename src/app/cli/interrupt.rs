//! Handling of Ctrl-C, SIGTERM and SIGHUP: the first signal ends a long run with the results so far, the
//! second one ends it at once. Partial files are removed in both cases.

use chuhe_engine::bytes::remove_unfinished;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, Once, PoisonError};

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

type Listener = Box<dyn Fn() + Send>;
static LISTENER: Mutex<Option<Listener>> = Mutex::new(None);

/// Returns a flag that is set by Ctrl-C. If signals cannot be caught, they terminate the program as usual.
pub(super) fn flag() -> &'static AtomicBool {
    on_interrupt(|| {});
    &INTERRUPTED
}

/// Calls `action` on Ctrl-C, unless another handler is installed.
pub(super) fn on_interrupt(action: impl Fn() + Send + 'static) {
    LISTENER.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(Box::new(action));
    install_handler();
}

/// Makes a write beyond the system's file size limit fail, like a write to a full disk, instead of
/// terminating the program.
pub(super) fn survive_file_limits() {
    #[cfg(unix)]
    // With a handler installed, the write returns an error; the flag itself is unused.
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Default::default());
}

/// Installs the handler, which deletes unfinished files before the program terminates.
pub(super) fn install_handler() {
    static HANDLED: Once = Once::new();
    HANDLED.call_once(|| {
        let _ = ctrlc::set_handler(|| match &*LISTENER.lock().unwrap_or_else(PoisonError::into_inner) {
            Some(action) if !INTERRUPTED.swap(true, Ordering::Relaxed) => action(),
            _ => {
                let _no_more_files = remove_unfinished();
                std::process::exit(130);
            }
        });
    });
}
