//! The binary `chuhe`: everything else is in the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    chuhe::cli::run()
}
