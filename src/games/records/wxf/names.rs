//! Keys of the header.

use crate::records::look::find;

/// Start of the first line, before the kind of notation.
pub(super) const FIRST: &str = "FORMAT";
/// Keys of the header and their tags.
pub(super) const TEXTS: [(&str, &str); 11] = [
    ("GAME", "Title"),
    ("EVENT", "Event"),
    ("ROUND", "Round"),
    ("DATE", "Date"),
    ("PLACE", "Site"),
    ("SITE", "Site"),
    ("RED", "Red"),
    ("BLACK", "Black"),
    ("OPEN", "Opening"),
    ("ECCO", "ECCO"),
    ("AUTHOR", "Author"),
];

/// Splits a header line into its key and value.
pub(super) fn key(line: &str) -> (&str, &str) {
    let line = line.trim_start();
    let end = find!(line, |c: char| !c.is_ascii_alphabetic()).unwrap_or(line.len());
    line.split_at(end)
}
