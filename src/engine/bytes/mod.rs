//! Bytes on disk: files that users name, read within bounds and replaced in one piece; fields and checksums in them.

mod checksum;
mod fields;
mod file;

use std::io;

pub use checksum::{crc32, fnv};
pub use fields::Fields;
pub use file::{
    LONGEST_FILE, NewFile, open_file, read_file, read_open, remove_unfinished, replace_file, replace_file_by,
    write_new_file,
};

/// The error of bytes that are not what they should be.
pub fn damaged(what: impl Into<String>) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what.into())
}
