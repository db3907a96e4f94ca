//! Files that users name: whole, as text, or as positions in EPD (a FEN with operations after semicolons).

use super::{Failure, looks};
use crate::bytes::{LONGEST_FILE, read_file};
use std::io::Read;
use std::path::Path;

/// A whole file.
pub fn read_bytes(path: &Path) -> Result<Vec<u8>, Failure> {
    read_file(path, LONGEST_FILE).map_err(|error| Failure::file(path, &error))
}

/// A whole file of text, which must be UTF-8; a byte order mark is left out.
pub fn read_text(path: &Path) -> Result<String, Failure> {
    let bytes = read_bytes(path)?;
    let text = std::str::from_utf8(&bytes).map_err(|error| {
        let line = 1 + bytes[..error.valid_up_to()].iter().filter(|byte| **byte == b'\n').count();
        Failure::at(format!("{}:{line}", path.display()), "not UTF-8 text")
    })?;
    Ok(text.trim_start_matches('\u{feff}').to_owned())
}

/// One position of a file.
pub struct EpdLine {
    /// `file:line`, for messages.
    pub place: String,
    /// The FEN, unchecked, perhaps with moves.
    pub fen: String,
    /// The operations, trimmed: `D1 44`, `bm h2e2`.
    pub operations: Vec<String>,
}

impl EpdLine {
    /// What stands behind an operation's name: `h2e2` for `bm`.
    pub fn operation(&self, name: &str) -> Option<&str> {
        let words = self.operations.iter().filter_map(|operation| operation.split_once(char::is_whitespace));
        words.into_iter().find(|(known, _)| *known == name).map(|(_, words)| words.trim())
    }
}

/// The positions of a file, or of standard input for `-`. Empty lines and lines that begin with `#` are left out. Bytes that are not
/// UTF-8 spoil their line alone.
pub fn read_epd(path: &Path) -> Result<Vec<EpdLine>, Failure> {
    let (name, bytes) = if path == Path::new("-") {
        let (name, mut bytes) = ("standard input".to_owned(), Vec::new());
        let read = std::io::stdin().take(LONGEST_FILE + 1).read_to_end(&mut bytes);
        read.map_err(|error| Failure::at(&name, error))?;
        if bytes.len() as u64 > LONGEST_FILE {
            return Err(Failure::at(&name, format!("too long: more than {LONGEST_FILE} bytes")));
        }
        (name, bytes)
    } else {
        (path.display().to_string(), read_bytes(path)?)
    };
    if let Some(kind) = looks::file(&bytes) {
        return Err(Failure::at(&name, format!("no positions; it looks like {kind}")));
    }
    let text = String::from_utf8_lossy(&bytes);
    let lines = text.trim_start_matches('\u{feff}').lines().enumerate().map(|(index, line)| (index + 1, line.trim()));
    let positions = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#')).map(|(number, line)| {
        let mut fields = line.split(';').map(|field| field.trim().to_owned());
        let fen = fields.next().unwrap_or_default();
        EpdLine {
            place: format!("{name}:{number}"),
            fen,
            operations: fields.filter(|field| !field.is_empty()).collect(),
        }
    });
    Ok(positions.collect())
}
