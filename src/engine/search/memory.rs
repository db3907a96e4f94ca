//! State that persists between searches: the transposition table, and the threads with their histories.

use super::clock::Delays;
use super::threads::Threads;
use super::transposition::TranspositionTable;
use chuhe_board::Position;
use std::io;
use std::sync::Arc;

/// State kept between searches. It is valid for one evaluation, one rule set and one set of parameters, and
/// must be cleared when any of them changes.
pub struct Memory {
    /// Transposition table, shared by all threads and by probes during a search.
    pub hash_table: Arc<TranspositionTable>,
    /// Search threads.
    pub threads: Threads,
    /// Delays measured so far.
    pub(super) delays: Delays,
    /// Position after the best move of the last search, from which the opponent is expected to reply.
    pub(super) expected: Option<Position>,
    /// `true` if there is anything to clear.
    pub(super) used: bool,
}

impl Memory {
    /// Allocates a transposition table of `hash_mb` MB, and `threads` threads.
    ///
    /// # Errors
    /// Returns an error if memory or threads are not available.
    pub fn new(hash_mb: usize, threads: usize) -> io::Result<Memory> {
        let hash_table = Arc::new(TranspositionTable::new(hash_mb)?);
        let threads = Threads::new(threads)?;
        hash_table.clear();
        Ok(Memory { hash_table, threads, delays: Delays::default(), expected: None, used: false })
    }

    /// Replaces the transposition table, releasing the old one first.
    pub(crate) fn replace_hash_table(&mut self, hash_table: TranspositionTable) {
        self.hash_table = Arc::new(hash_table);
        self.hash_table.clear();
    }

    /// Clears the table and the histories; does nothing if there was no search since the last call.
    pub fn forget(&mut self) {
        self.expected = None;
        if std::mem::take(&mut self.used) {
            self.hash_table.clear();
            self.threads.forget();
        }
    }
}
