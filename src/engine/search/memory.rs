//! What outlives a search: the transposition table, and the threads with what each has learned.

use super::threads::Threads;
use super::transposition::TranspositionTable;
use std::io;
use std::sync::Arc;

/// What a search keeps between searches. It is valid for one evaluation, one set of rules and one set of parameters; after a change of
/// any of them it must be cleared.
pub struct Memory {
    /// Shared by all threads, and by probes during a search.
    pub table: Arc<TranspositionTable>,
    /// As many as search.
    pub threads: Threads,
    /// Whether there is anything to forget.
    pub(super) used: bool,
}

impl Memory {
    /// A transposition table of `hash_mb` MB, and `threads` threads.
    ///
    /// # Errors
    /// If the memory or the threads can't be had.
    pub fn new(hash_mb: usize, threads: usize) -> io::Result<Memory> {
        let table = Arc::new(TranspositionTable::new(hash_mb)?);
        let threads = Threads::new(threads)?;
        table.clear();
        Ok(Memory { table, threads, used: false })
    }

    /// Takes another table in place of the one it has, which is given back to the system first.
    pub fn replace_table(&mut self, table: TranspositionTable) {
        self.table = Arc::new(table);
        self.table.clear();
    }

    /// Forgets everything learned. Costs nothing if there was no search since the last time.
    pub fn forget(&mut self) {
        if std::mem::take(&mut self.used) {
            self.table.clear();
            self.threads.forget();
        }
    }
}
