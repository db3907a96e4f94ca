//! Files of results.

use super::{Done, Failure, interrupt};
use crate::output::{json, plain, say};
use chuhe_engine::bytes::{NewFile, replace_file};
use serde::Serialize;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// A file that is written piece by piece. It takes its place when it is kept; Ctrl-C leaves nothing of it.
pub fn new_file(path: &Path) -> Result<NewFile, Failure> {
    interrupt::tidy();
    NewFile::create(path).map_err(|error| Failure::file(path, &error))
}

/// Writes a file in one piece: a reader sees the old file or the new one, never half of it.
pub fn write_file(path: &Path, bytes: &[u8]) -> Done {
    interrupt::tidy();
    replace_file(path, bytes).map_err(|error| Failure::file(path, &error))
}

/// Makes sure, before hours are spent on it, that a file of results can be written. An existing file stays as it is.
pub fn check_writable(path: Option<&PathBuf>) -> Done {
    let Some(path) = path else { return Ok(()) };
    new_file(path).map(drop)
}

/// A name as it is printed: what would steer the terminal is replaced, colours too, which boards alone may have.
pub fn shown(path: &Path) -> String {
    plain(format!("{}", path.display()))
}

/// One of many that can't be read, as scripts read it.
#[derive(Serialize)]
struct Unread {
    /// Where it is, and why.
    error: String,
}

/// Tells that one of many can't be read: for scripts among the results, for people beside them.
pub fn tell_unread(error: String, json: bool, out: &mut dyn Write) -> io::Result<()> {
    if json {
        return json::write_line(out, &Unread { error });
    }
    say(format!("chuhe: {}", plain(error)));
    Ok(())
}
