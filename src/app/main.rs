//! The binary `chuhe`: everything else is in the library.

use std::process::ExitCode;

/// A server runs for days, and pages come and go: this allocator gives back what they leave, where glibc keeps it (docs/10-board.md).
#[cfg(feature = "mimalloc")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    chuhe::cli::run()
}
