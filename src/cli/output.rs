//! Files of results.

use super::{Done, Failure};
use std::path::{Path, PathBuf};

/// Writes a file in one piece: whoever reads it meanwhile sees the old one or the new one.
pub fn write_file(path: &Path, bytes: &[u8]) -> Done {
    let mut beside = path.as_os_str().to_owned();
    beside.push(".new");
    let beside = PathBuf::from(beside);
    let written = std::fs::write(&beside, bytes).and_then(|()| std::fs::rename(&beside, path));
    written.map_err(|error| Failure::file(path, &error))
}
