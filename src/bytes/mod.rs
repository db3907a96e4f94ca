//! Bytes on disk: files that users name, read within bounds and replaced in one piece.

mod file;

pub use file::{LONGEST_FILE, open_file, read_file, replace_file};
