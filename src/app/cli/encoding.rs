//! `--encoding`: the encoding of records and texts read by a command.

use chuhe_games::records::Encoding;
use std::sync::OnceLock;

static NAMED: OnceLock<&'static Encoding> = OnceLock::new();

/// Stores the encoding selected by the user; called before the command runs.
pub(super) fn set(encoding: &'static Encoding) {
    let _ = NAMED.set(encoding);
}

/// Returns the encoding selected by the user; `None` if it is to be detected.
pub(super) fn named() -> Option<&'static Encoding> {
    NAMED.get().copied()
}
