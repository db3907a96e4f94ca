//! Hash table, killers and history table of the textbook.

use super::tree::{MATE, MATE_RANGE};
use super::{Reward, UsableEntries};

/// Relation of a stored value to the true value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Bound {
    /// The stored value is exact.
    Exact,
    /// The true value is at least the stored value (the search failed high).
    Lower,
    /// The true value is at most the stored value (the search failed low).
    Upper,
}

impl Bound {
    /// Returns the kind of bound that a fail-soft value proves for a search with this window.
    pub(crate) fn of(value: i32, alpha: i32, beta: i32) -> Bound {
        match value {
            _ if value >= beta => Bound::Lower,
            _ if value <= alpha => Bound::Upper,
            _ => Bound::Exact,
        }
    }
}

/// Hash entry: value, bound, depth and move of a position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry<M> {
    key: u64,
    /// Value; mates count from this position, not from the root.
    value: i32,
    depth: i32,
    bound: Bound,
    /// Best move, or the move that caused the cutoff, if known.
    pub mv: Option<M>,
}

/// Hash table with one entry per slot; new entries always replace old ones.
#[derive(Debug)]
pub(crate) struct HashTable<M> {
    slots: Vec<Option<Entry<M>>>,
}

impl<M: Copy> HashTable<M> {
    /// Creates a table of `2^bits` entries.
    pub(crate) fn new(bits: u32) -> HashTable<M> {
        HashTable { slots: vec![None; 1 << bits] }
    }

    fn slot(&self, key: u64) -> usize {
        (key >> 7) as usize & (self.slots.len() - 1)
    }

    /// Returns the entry of a position.
    pub(crate) fn entry(&self, key: u64) -> Option<&Entry<M>> {
        self.slots[self.slot(key)].as_ref().filter(|entry| entry.key == key)
    }

    /// Stores the result of a search with a window. Mates in `value` are counted from the root, `ply` plies
    /// above.
    pub(crate) fn store(&mut self, key: u64, ply: i32, depth: i32, value: i32, bound: Bound, mv: Option<M>) {
        let slot = self.slot(key);
        // A search that failed low has no best move, so the move of an earlier search is kept.
        let known = || self.slots[slot].as_ref().filter(|entry| entry.key == key).and_then(|entry| entry.mv);
        let value = match value {
            _ if value >= MATE_RANGE => value + ply,
            _ if value <= -MATE_RANGE => value - ply,
            _ => value,
        };
        self.slots[slot] = Some(Entry { key, value, depth, bound, mv: mv.or_else(known) });
    }

    /// Clears the table.
    pub(crate) fn clear(&mut self) {
        self.slots.fill(None);
    }
}

impl<M> Entry<M> {
    /// Returns the value that this entry proves for a search with a window, if any. Mates are counted from
    /// the root.
    pub(crate) fn answer(&self, usable: UsableEntries, ply: i32, depth: i32, alpha: i32, beta: i32) -> Option<i32> {
        let deep_enough = match usable {
            UsableEntries::EqualDepth => self.depth == depth,
            UsableEntries::AnyDeeper => self.depth >= depth,
        };
        let value = match self.value {
            value if value >= MATE_RANGE => value - ply,
            value if value <= -MATE_RANGE => value + ply,
            value => value,
        };
        let proves = match self.bound {
            Bound::Exact => true,
            Bound::Lower => value >= beta,
            Bound::Upper => value <= alpha,
        };
        // A bound may lie beyond all mates if the window of a fail-hard search did.
        debug_assert!(self.bound != Bound::Exact || value.abs() <= MATE);
        (deep_enough && proves).then_some(value)
    }
}

/// Quiet moves that caused a cutoff at each ply, most recent first; the oldest is dropped.
#[derive(Debug)]
pub(crate) struct Killers<M> {
    count: usize,
    plies: Vec<Vec<M>>,
}

impl<M: Copy + PartialEq> Killers<M> {
    /// Creates a table of `count` killers per ply.
    pub(crate) fn new(count: usize) -> Killers<M> {
        Killers { count, plies: Vec::new() }
    }

    /// Returns the killers of a ply.
    pub(crate) fn at(&self, ply: usize) -> &[M] {
        self.plies.get(ply).map_or(&[], Vec::as_slice)
    }

    /// Adds a quiet move that caused a cutoff.
    pub(crate) fn add(&mut self, ply: usize, mv: M) {
        if self.count == 0 {
            return;
        }
        if self.plies.len() <= ply {
            self.plies.resize(ply + 1, Vec::new());
        }
        let killers = &mut self.plies[ply];
        killers.retain(|&known| known != mv);
        killers.truncate(self.count - 1);
        killers.insert(0, mv);
    }
}

/// History table `[90][90]`, indexed by the origin and target of a move.
#[derive(Debug)]
pub(crate) struct HistoryTable {
    scores: Vec<[u64; 90]>,
}

impl HistoryTable {
    /// Creates an empty table.
    pub(crate) fn new() -> HistoryTable {
        HistoryTable { scores: vec![[0; 90]; 90] }
    }

    /// Returns the score of a move.
    pub(crate) fn history_score(&self, (from, to): (usize, usize)) -> u64 {
        self.scores[from][to]
    }

    /// Adds a bonus for a move that caused a cutoff or was best at this depth; it grows with the depth.
    pub(crate) fn add_bonus(&mut self, (from, to): (usize, usize), reward: Reward, depth: i32) {
        let depth = depth.clamp(0, 40) as u64;
        self.scores[from][to] += match reward {
            Reward::Power => 1 << depth,
            Reward::Square => depth * depth,
        };
    }
}

impl Default for HistoryTable {
    fn default() -> HistoryTable {
        HistoryTable::new()
    }
}
