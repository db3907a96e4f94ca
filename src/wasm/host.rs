//! Functions imported from the JavaScript host, and their wrappers.

use chuhe_engine::machine::{Host, set_host};
use std::fmt::Display;
use std::io::{self, Write};
use std::sync::Once;

/// The imported functions.
mod imports {
    #[link(wasm_import_module = "chuhe")]
    unsafe extern "C" {
        /// Returns the time in milliseconds since an arbitrary moment.
        pub(super) safe fn now() -> f64;
        /// Returns 32 random bits.
        pub(super) safe fn random_bits() -> u32;
        /// Waits for at most this number of milliseconds.
        pub(super) safe fn sleep(milliseconds: f64);
        /// Copies a line that has arrived into the buffer (see `allocate_input`) and returns 1; returns 0 if
        /// there is none.
        pub(super) safe fn take_line() -> u32;
        /// Receives output in UTF-8, always as whole lines.
        pub(super) fn write_output(text: *const u8, bytes: usize);
        /// Receives an event of the desk as JSON in UTF-8.
        #[cfg(feature = "desk")]
        pub(super) fn send_event(text: *const u8, bytes: usize);
        /// Receives the reason for a failure.
        pub(super) fn report_failure(text: *const u8, bytes: usize);
    }
}

/// Initialises the host; must be called first. `give_way` is called repeatedly during long work.
pub(crate) fn prepare(give_way: fn()) {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        set_host(Host {
            now: || imports::now(),
            sleep: |milliseconds| imports::sleep(milliseconds),
            give_way,
            random_bits: || u64::from(imports::random_bits()) << 32 | u64::from(imports::random_bits()),
        });
        std::panic::set_hook(Box::new(|reason| report_failure(reason)));
    });
}

/// Sends an event of the desk to the host.
#[cfg(feature = "desk")]
pub(crate) fn send_event(text: &str) {
    // SAFETY: the text has this length, and the host only reads it.
    unsafe { imports::send_event(text.as_ptr(), text.len()) };
}

/// Reports the reason for a failure to the host.
pub(crate) fn report_failure(reason: impl Display) {
    let text = reason.to_string();
    // SAFETY: the text has this length, and the host only reads it.
    unsafe { imports::report_failure(text.as_ptr(), text.len()) };
}

/// Returns `true` if a line has arrived; the line is then in the buffer.
pub(crate) fn has_line() -> bool {
    imports::take_line() != 0
}

/// Output of UCI and UCCI.
#[derive(Default)]
pub(crate) struct Output(Vec<u8>);

impl Write for Output {
    fn write(&mut self, text: &[u8]) -> io::Result<usize> {
        self.0.extend_from_slice(text);
        Ok(text.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        // SAFETY: the text has this length, and the host only reads it.
        unsafe { imports::write_output(self.0.as_ptr(), self.0.len()) };
        self.0.clear();
        Ok(())
    }
}
