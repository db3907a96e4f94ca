//! The binary `chuhe`; all its code is in the library.

use std::process::ExitCode;

/// Allocator that returns the memory of closed pages to the system, unlike glibc's, since a server runs for
/// days (docs/10-board.md).
#[cfg(feature = "mimalloc")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    chuhe::cli::run()
}
