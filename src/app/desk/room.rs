//! What a host lets a desk take.

use chuhe_games::puzzles::Puzzle;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What a host lets a desk take.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Room {
    /// The most threads of a search.
    pub threads: usize,
    /// The largest hash table, in MB.
    pub hash_mb: usize,
    /// The library, if there is one.
    pub shelf: Option<Shelf>,
    /// Folders of tablebases, with `;` between them, beside the tables in the program.
    pub endings: Option<PathBuf>,
    /// Puzzles in place of those in the program.
    pub puzzles: Option<Arc<[Puzzle]>>,
    /// Engines of other makers that the host has, by name.
    pub engines: Arc<[String]>,
}

/// A library of games for desks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shelf {
    /// Its file. No message can name another one.
    pub path: Arc<Path>,
    /// Whether desks may add games.
    pub may_add: bool,
}

impl Default for Room {
    fn default() -> Room {
        Room { threads: 1, hash_mb: 64, shelf: None, endings: None, puzzles: None, engines: Arc::default() }
    }
}
