//! Chuhe as a WebAssembly module: a handful of functions, and a buffer for text, for the JavaScript around it (`src/wasm/package`).
//!
//! The module has one thread and no event loop. While a function lasts it calls the host now and then, to say something and to ask whether
//! anything was said; that is how `stop` comes through. What the host has to offer is listed in `host`.

#![cfg(target_family = "wasm")]

#[cfg(feature = "desk")]
mod desk;
mod host;
mod talk;

use chuhe_engine::bench as run_bench;
use std::cell::RefCell;

thread_local! {
    /// Where the host puts text for us.
    static BUFFER: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Room for so many bytes of text, for the host to fill before it calls a function that reads them.
#[unsafe(no_mangle)]
extern "C" fn room(bytes: usize) -> *mut u8 {
    BUFFER.with_borrow_mut(|buffer| {
        buffer.clear();
        buffer.resize(bytes, 0);
        buffer.as_mut_ptr()
    })
}

/// The nodes of the fixed search to a depth, the signature of the engine; negative if it fails.
#[unsafe(no_mangle)]
extern "C" fn bench(depth: u32) -> f64 {
    prepare();
    run_bench(depth, |_, _| {}).map_or(-1.0, |bench| bench.nodes as f64)
}

/// Obeys the line of UCI or UCCI in the buffer, to the end of what it asks for, and whatever is said meanwhile. Returns 0 when the talk is
/// over: after `quit`, or if there is no memory for it.
#[unsafe(no_mangle)]
extern "C" fn hear() -> u32 {
    prepare();
    u32::from(talk::hear(&text()))
}

/// Answers the question in the buffer, a message of the desk, with one or several events. Whatever is said meanwhile ends the search.
#[cfg(feature = "desk")]
#[unsafe(no_mangle)]
extern "C" fn ask() {
    prepare();
    desk::ask(&text());
}

fn prepare() {
    host::prepare(give_way);
}

/// The text that the host has put into the buffer.
fn text() -> String {
    BUFFER.with_borrow(|buffer| String::from_utf8_lossy(buffer).into_owned())
}

/// What happens while something lasts: news are told, and what was said is heard.
fn give_way() {
    talk::catch_up();
    while host::has_heard() {
        #[cfg(feature = "desk")]
        if desk::stop() {
            continue;
        }
        talk::said(&text());
    }
}
