//! What outlives a search: the transposition table, and the threads with what each has learnt.

use super::history::Histories;
use super::threads::Threads;
use super::transposition::TranspositionTable;
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
    /// A message if the memory or the threads can't be had.
    pub fn new(hash_mb: usize, threads: usize) -> Result<Memory, String> {
        let table = Arc::new(TranspositionTable::new(hash_mb)?);
        Ok(Memory { table, threads: Threads::new(threads)?, used: false })
    }

    /// Lets the system give the memory now, so that the first search does not wait for it; of a huge table a part.
    pub fn touch(&mut self) {
        self.table.touch();
        self.threads.histories.iter_mut().for_each(Histories::touch);
    }

    /// Forgets everything learnt. Costs nothing if there was no search since the last time.
    pub fn forget(&mut self) {
        if std::mem::take(&mut self.used) {
            self.table.clear(&self.threads);
            self.threads.forget();
        }
    }
}
