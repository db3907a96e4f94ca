//! Files of results.

use super::{Done, Failure};
use crate::bytes::{NewFile, replace_file};
use std::path::{Path, PathBuf};

/// Writes a file in one piece: a reader sees the old file or the new one, never half of it.
pub fn write_file(path: &Path, bytes: &[u8]) -> Done {
    replace_file(path, bytes).map_err(|error| Failure::file(path, &error))
}

/// Makes sure, before hours are spent on it, that a file of results can be written. An existing file stays as it is.
pub fn check_writable(path: Option<&PathBuf>) -> Done {
    let Some(path) = path else { return Ok(()) };
    NewFile::create(path).map(drop).map_err(|error| Failure::file(path, &error))
}
