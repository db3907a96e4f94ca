//! Functions imported from the JavaScript host, and their wrappers.

use chuhe_engine::machine::{Host, set_host};
use std::io::{self, Write};
use std::sync::Once;

#[link(wasm_import_module = "chuhe")]
unsafe extern "C" {
    /// Returns the time in milliseconds since an arbitrary moment.
    safe fn now() -> f64;
    /// Returns 32 random bits.
    safe fn chance() -> u32;
    /// Waits for at most this number of milliseconds.
    safe fn rest(milliseconds: f64);
    /// Copies a line that has arrived into the buffer (see `room`) and returns 1; returns 0 if there is none.
    safe fn heard() -> u32;
    /// Receives output text of whole lines in UTF-8.
    fn say(text: *const u8, bytes: usize);
    /// Receives an event of the desk as JSON in UTF-8.
    #[cfg(feature = "desk")]
    fn tell(text: *const u8, bytes: usize);
    /// Receives the reason why the module is about to end.
    fn fault(text: *const u8, bytes: usize);
}

/// Initialises the host; must be called first. `give_way` is called repeatedly during long work.
pub(crate) fn prepare(give_way: fn()) {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        set_host(Host {
            now: || now(),
            rest: |milliseconds| rest(milliseconds),
            give_way,
            chance: || u64::from(chance()) << 32 | u64::from(chance()),
        });
        std::panic::set_hook(Box::new(|reason| {
            fault_text(&reason.to_string());
        }));
    });
}

/// Sends an event of the desk to the host.
#[cfg(feature = "desk")]
pub(crate) fn tell_text(text: &str) {
    // SAFETY: the text has this length, and the host only reads it.
    unsafe { tell(text.as_ptr(), text.len()) };
}

/// Reports a fatal error to the host.
pub(crate) fn fault_text(text: &str) {
    // SAFETY: the text has this length, and the host only reads it.
    unsafe { fault(text.as_ptr(), text.len()) };
}

/// Returns `true` if a line has arrived; the line is then in the buffer.
pub(crate) fn has_heard() -> bool {
    heard() != 0
}

/// Output of UCI and UCCI.
#[derive(Default)]
pub(crate) struct Speaker(Vec<u8>);

impl Write for Speaker {
    fn write(&mut self, text: &[u8]) -> io::Result<usize> {
        self.0.extend_from_slice(text);
        Ok(text.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        // SAFETY: the text has this length, and the host only reads it.
        unsafe { say(self.0.as_ptr(), self.0.len()) };
        self.0.clear();
        Ok(())
    }
}
