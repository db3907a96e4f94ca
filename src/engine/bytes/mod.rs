//! File access: bounded reading, atomic replacement, fields and checksums.

mod checksum;
mod fields;
mod file;

use std::io;

pub use checksum::{crc32, fnv};
pub use fields::Fields;
#[cfg(feature = "sqlite-books")]
pub(crate) use file::check_regular;
pub(crate) use file::replace_file_by;
pub use file::{
    Existing, MAX_FILE, NewFile, open_file, read_file, read_open, remove_unfinished, replace_file, update_file,
    write_new_file,
};

/// Creates the error for invalid data.
pub(crate) fn damaged(what: impl Into<String>) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what.into())
}
