//! How much of the machine a desk may take.

/// How much of the machine a desk may take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Room {
    /// The most threads of a search.
    pub threads: usize,
    /// The largest hash table, in MB.
    pub hash_mb: usize,
}

impl Default for Room {
    fn default() -> Room {
        Room { threads: 1, hash_mb: 64 }
    }
}
