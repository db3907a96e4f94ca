//! Keys in the header.

use crate::records::lookahead::find;
use crate::records::tags;

/// Start of the first line, before the kind of notation.
pub(super) const FORMAT: &str = "FORMAT";
/// Keys in the header, and their tags.
pub(super) const TEXTS: [(&str, &str); 11] = [
    ("GAME", tags::TITLE),
    ("EVENT", tags::EVENT),
    ("ROUND", tags::ROUND),
    ("DATE", tags::DATE),
    ("PLACE", tags::SITE),
    ("SITE", tags::SITE),
    ("RED", tags::RED),
    ("BLACK", tags::BLACK),
    ("OPEN", tags::OPENING),
    ("ECCO", tags::ECCO),
    ("AUTHOR", tags::AUTHOR),
];

/// Splits a header line into its key and value.
pub(super) fn key(line: &str) -> (&str, &str) {
    let line = line.trim_start();
    let end = find!(line, |c: char| !c.is_ascii_alphabetic()).unwrap_or(line.len());
    line.split_at(end)
}
