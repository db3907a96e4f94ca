//! Settings of a request handler, chosen by the host.

use chuhe_board::words::Language;
use chuhe_games::puzzles::Puzzle;
use chuhe_games::records::Encoding;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Settings of a request handler: resource limits, files and permissions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DeskSettings {
    /// Maximum number of search threads.
    pub threads: usize,
    /// Maximum size of the hash table in MB.
    pub hash_mb: usize,
    /// Game library, if any.
    pub library: Option<DatabaseAccess>,
    /// Library of the games played on the page, if they are stored.
    pub own_games: Option<Arc<Path>>,
    /// Position database, if any.
    pub explored: Option<DatabaseAccess>,
    /// Folders of tablebases, separated by `;`, in addition to the embedded tables.
    pub endings: Option<PathBuf>,
    /// Puzzles that replace the embedded ones.
    pub puzzles: Option<Arc<[Puzzle]>>,
    /// Opening book that replaces the embedded one. Messages cannot select a different book.
    pub book: Option<Arc<Path>>,
    /// URL of a hosted page to which links to games point; by default, they point to the host itself.
    pub public_url: Option<Arc<str>>,
    /// Names of the host's external engines.
    pub engines: Arc<[String]>,
    /// Allows pages to add and remove external engines.
    pub may_add_engines: bool,
    /// Encoding of game files; `None` if it is to be detected.
    pub encoding: Option<&'static Encoding>,
    /// Language of pages whose user has not chosen one; `None` for that of the browser.
    pub language: Option<Language>,
}

/// A game library or a position database, and what pages may change in it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DatabaseAccess {
    /// Path of the file. Messages cannot select a different file.
    pub path: Arc<Path>,
    /// Allows pages to add games or analyses.
    pub may_add: bool,
    /// Allows pages to remove games, to edit their tags and to merge names.
    pub may_edit: bool,
}

impl Default for DeskSettings {
    fn default() -> DeskSettings {
        DeskSettings {
            threads: 1,
            hash_mb: 64,
            library: None,
            own_games: None,
            explored: None,
            endings: None,
            puzzles: None,
            book: None,
            public_url: None,
            engines: Arc::default(),
            may_add_engines: false,
            encoding: None,
            language: None,
        }
    }
}
