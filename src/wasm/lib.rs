//! Chuhe as a WebAssembly module: a few exported functions and a text buffer for the surrounding JavaScript
//! (`src/wasm/package`).
//!
//! The module has one thread and no event loop. During long work, it calls the host repeatedly to send output
//! and to receive input, such as `stop`. `host` lists the functions that the host must provide.
//!
//! The crate is empty for all other targets. `make wasm` builds the module, and `tests/wasm` tests it.

#![cfg(target_family = "wasm")]

#[cfg(feature = "desk")]
mod desk;
mod host;
mod talk;

use chuhe_engine::bench as run_bench;
use std::cell::RefCell;

thread_local! {
    /// Input buffer filled by the host.
    static BUFFER: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Allocates `bytes` bytes in the buffer, which the host fills before it calls a function that reads them.
#[unsafe(no_mangle)]
extern "C" fn allocate_input(bytes: usize) -> *mut u8 {
    BUFFER.with_borrow_mut(|buffer| {
        buffer.clear();
        buffer.resize(bytes, 0);
        buffer.as_mut_ptr()
    })
}

/// Returns the number of nodes of a fixed search to this depth, which is the engine's signature. A negative
/// number indicates a failure, whose reason is reported to the host.
#[unsafe(no_mangle)]
extern "C" fn bench(depth: u32) -> f64 {
    prepare();
    match run_bench(depth, |_, _| {}) {
        Ok(bench) => bench.nodes as f64,
        Err(error) => {
            host::report_failure(error);
            -1.0
        }
    }
}

/// Executes the UCI or UCCI line in the buffer to completion, including lines that arrive in the meantime.
/// Returns 0 when the session has ended: after `quit`, or if there is not enough memory.
#[unsafe(no_mangle)]
extern "C" fn execute_line() -> u32 {
    prepare();
    u32::from(talk::execute(&text()))
}

/// Handles the request in the buffer, a message of the desk, and responds with one or more events. Input that
/// arrives in the meantime stops the search.
#[cfg(feature = "desk")]
#[unsafe(no_mangle)]
extern "C" fn handle_request() {
    prepare();
    desk::handle(&text());
}

fn prepare() {
    host::prepare(give_way);
}

/// Returns the text that the host has put into the buffer. It comes from `TextEncoder`, so it is valid UTF-8;
/// commands with replacement characters would be rejected as unknown.
fn text() -> String {
    BUFFER.with_borrow(|buffer| String::from_utf8_lossy(buffer).into_owned())
}

/// Called during long work: sends pending output, then handles received input.
fn give_way() {
    talk::catch_up();
    while host::has_line() {
        #[cfg(feature = "desk")]
        // The only line that a page sends during a request asks to stop it.
        if desk::stop() {
            continue;
        }
        talk::receive(&text());
    }
}
