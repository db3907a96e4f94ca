//! Detection of closed output.

use std::io::{Error, ErrorKind};

/// Returns `true` if a write error means that the reader has closed the connection. Wine then reports
/// `ERROR_PIPE_NOT_CONNECTED` instead of a broken pipe.
pub fn is_closed(error: &Error) -> bool {
    const NOT_CONNECTED: i32 = 233;
    error.kind() == ErrorKind::BrokenPipe || (cfg!(windows) && error.raw_os_error() == Some(NOT_CONNECTED))
}
