//! `--encoding`: the encoding of the records and texts that a command reads.

use chuhe_games::records::Encoding;
use std::sync::OnceLock;

static NAMED: OnceLock<&'static Encoding> = OnceLock::new();

/// Stores the encoding that the user has named, before the command begins.
pub(super) fn set(encoding: &'static Encoding) {
    let _ = NAMED.set(encoding);
}

/// The encoding that the user has named; `None` if it is to be detected.
pub fn named() -> Option<&'static Encoding> {
    NAMED.get().copied()
}
