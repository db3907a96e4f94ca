//! What the JavaScript around the module offers, and the module's use of it.

use chuhe_engine::machine::{Host, set_host};
use std::io::{self, Write};
use std::sync::Once;

#[link(wasm_import_module = "chuhe")]
unsafe extern "C" {
    /// Milliseconds since some moment.
    safe fn now() -> f64;
    /// 32 random bits.
    safe fn chance() -> u32;
    /// Waits so many milliseconds, or less.
    safe fn rest(milliseconds: f64);
    /// If a line was said meanwhile, puts it into the buffer (see `room`) and returns 1.
    safe fn heard() -> u32;
    /// Takes text of whole lines in UTF-8.
    fn say(text: *const u8, bytes: usize);
    /// Takes an event of the desk, as JSON in UTF-8.
    #[cfg(feature = "desk")]
    fn tell(text: *const u8, bytes: usize);
    /// Takes the reason why the module is about to end.
    fn fault(text: *const u8, bytes: usize);
}

/// Must have been called before anything else. `give_way` is called now and then while something lasts.
pub fn prepare(give_way: fn()) {
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

/// Hands an event of the desk over.
#[cfg(feature = "desk")]
pub fn tell_text(text: &str) {
    // SAFETY: so many bytes lie there, and the host only reads them.
    unsafe { tell(text.as_ptr(), text.len()) };
}

/// Hands over why something can't go on.
pub fn fault_text(text: &str) {
    // SAFETY: so many bytes lie there, and the host only reads them.
    unsafe { fault(text.as_ptr(), text.len()) };
}

/// Whether a line was said; it is in the buffer.
pub fn has_heard() -> bool {
    heard() != 0
}

/// Where lines of UCI and UCCI are written.
#[derive(Default)]
pub struct Speaker(Vec<u8>);

impl Write for Speaker {
    fn write(&mut self, text: &[u8]) -> io::Result<usize> {
        self.0.extend_from_slice(text);
        Ok(text.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        // SAFETY: so many bytes lie there, and the host only reads them.
        unsafe { say(self.0.as_ptr(), self.0.len()) };
        self.0.clear();
        Ok(())
    }
}
