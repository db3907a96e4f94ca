//! The binary `chuhe`; all its code is in the library.

use std::process::ExitCode;

/// Unlike glibc's allocator, mimalloc returns memory to the system after browser pages are closed, which
/// matters for a server that runs for days (docs/10-board.md).
#[cfg(feature = "mimalloc")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    chuhe::cli::run()
}
