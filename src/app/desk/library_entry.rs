//! Libraries of the host as JSON. Fields without a comment are self-explanatory.

#![allow(missing_docs)]

use serde::Serialize;

/// Game library.
#[derive(Debug, Serialize)]
pub(crate) struct LibraryEntry {
    pub games: u64,
    pub may_add: bool,
    pub may_edit: bool,
}

/// Position database.
#[derive(Debug, Serialize)]
pub(crate) struct ExploredEntry {
    pub positions: u64,
    pub may_add: bool,
}

/// Libraries of the host.
#[derive(Debug, Default)]
pub(super) struct Libraries {
    pub library: Option<LibraryEntry>,
    /// Library of the games played on the page.
    pub mine: Option<LibraryEntry>,
    /// Position database.
    pub explored: Option<ExploredEntry>,
}
