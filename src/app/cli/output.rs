//! Output files.

use super::{Done, Failure, interrupt};
use crate::output::{json, plain, say};
use chuhe_engine::bytes::{NewFile, replace_file};
use serde::Serialize;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Creates a file that is written piece by piece. It appears under its name when kept; Ctrl-C leaves no part
/// of it.
pub fn new_file(path: &Path) -> Result<NewFile, Failure> {
    interrupt::tidy();
    NewFile::create(path).map_err(|error| Failure::file(path, &error))
}

/// Writes a file atomically: readers see the old file or the new one.
pub fn write_file(path: &Path, bytes: &[u8]) -> Done {
    interrupt::tidy();
    replace_file(path, bytes).map_err(|error| Failure::file(path, &error))
}

/// Checks, before a long run, that an output file can be written. An existing file is unchanged.
pub fn check_writable(path: Option<&PathBuf>) -> Done {
    let Some(path) = path else { return Ok(()) };
    new_file(path).map(drop)
}

/// Returns a path for printing, with characters that control the terminal replaced, including colours.
pub fn shown(path: &Path) -> String {
    plain(format!("{}", path.display()))
}

/// An unreadable input as JSON.
#[derive(Serialize)]
struct Unread {
    /// Location and reason.
    error: String,
}

/// Reports that one of many inputs cannot be read: for scripts among the results, for users on standard
/// error.
pub fn tell_unread(error: String, json: bool, out: &mut dyn Write) -> io::Result<()> {
    if json {
        return json::write_line(out, &Unread { error });
    }
    say(format!("chuhe: {}", plain(error)));
    Ok(())
}
