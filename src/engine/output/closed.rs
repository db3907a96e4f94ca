//! Whether no one is listening any more.

use std::io::{Error, ErrorKind};

/// Whether an error of writing says that the reader has gone. Wine says so in words of its own.
pub fn is_closed(error: &Error) -> bool {
    const NOT_CONNECTED: i32 = 233;
    error.kind() == ErrorKind::BrokenPipe || (cfg!(windows) && error.raw_os_error() == Some(NOT_CONNECTED))
}
