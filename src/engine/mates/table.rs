//! Transposition table of the solver with a fixed number of entries.

/// Infinity: the proof number of a disproved node and the disproof number of a proved node.
pub(super) const NEVER: u32 = 1 << 30;

/// Proof and disproof numbers of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ProofNumbers {
    /// Minimum number of leaves that must be proved to prove the node; 0 if proved, [`NEVER`] if disproved.
    pub proof: u32,
    /// Minimum number of leaves that must be disproved to disprove the node; 0 if disproved, [`NEVER`] if
    /// proved.
    pub disproof: u32,
    /// For a proved node, plies to the mate found. For a disproved node, the earliest ply of the path on
    /// which the disproof depends, or [`NOTHING`] if the disproof is valid on every path.
    pub note: u16,
}

/// Marks a disproof that does not depend on the path.
pub(super) const NOTHING: u16 = u16::MAX;

impl ProofNumbers {
    pub(super) const fn open(proof: u32, disproof: u32) -> ProofNumbers {
        ProofNumbers { proof, disproof, note: 0 }
    }

    /// Returns the value of a mate in `plies` plies.
    pub(super) const fn proved(plies: u16) -> ProofNumbers {
        ProofNumbers { proof: 0, disproof: NEVER, note: plies }
    }

    /// Returns the value of a disproof that depends on the path from ply `rests_on`.
    pub(super) const fn disproved(rests_on: u16) -> ProofNumbers {
        ProofNumbers { proof: NEVER, disproof: 0, note: rests_on }
    }

    pub(super) const fn is_proved(self) -> bool {
        self.proof == 0
    }

    pub(super) const fn is_disproved(self) -> bool {
        self.disproof == 0
    }

    pub(super) const fn is_solved(self) -> bool {
        self.is_proved() || self.is_disproved()
    }
}

/// A table entry of 24 bytes.
#[derive(Clone, Copy)]
struct ProofEntry {
    key: u64,
    value: ProofNumbers,
    /// Number of nodes searched for the entry; 0 for an empty entry.
    effort: u32,
}

const EMPTY: ProofEntry = ProofEntry { key: 0, value: ProofNumbers::open(1, 1), effort: 0 };

/// Number of entries per bucket; in a full bucket, the entry with the smallest effort is replaced.
const BUCKET: usize = 4;

/// Entries by key.
pub(super) struct ProofTable {
    entries: Vec<ProofEntry>,
    /// Number of used entries.
    used: usize,
}

impl ProofTable {
    /// Creates a table of at most `megabytes` MB, with at least 4096 entries.
    ///
    /// # Errors
    /// Returns an error if the memory cannot be allocated.
    pub(super) fn new(megabytes: usize) -> Result<ProofTable, std::collections::TryReserveError> {
        let buckets = ((megabytes << 20) / (BUCKET * size_of::<ProofEntry>())).max(1024);
        let mut entries = Vec::new();
        entries.try_reserve_exact(buckets * BUCKET)?;
        entries.resize(buckets * BUCKET, EMPTY);
        Ok(ProofTable { entries, used: 0 })
    }

    fn bucket(&self, key: u64) -> usize {
        let buckets = (self.entries.len() / BUCKET) as u64;
        ((u128::from(key) * u128::from(buckets)) >> 64) as usize * BUCKET
    }

    /// Returns the value of a position.
    pub(super) fn probe(&self, key: u64) -> Option<ProofNumbers> {
        let at = self.bucket(key);
        let found = self.entries[at..at + BUCKET].iter().find(|entry| entry.key == key && entry.effort > 0);
        found.map(|entry| entry.value)
    }

    /// Stores a value found by searching `effort` nodes.
    pub(super) fn store(&mut self, key: u64, value: ProofNumbers, effort: u32) {
        if self.used > self.entries.len() / 8 * 7 {
            self.clean();
        }
        let at = self.bucket(key);
        let bucket = &mut self.entries[at..at + BUCKET];
        let known = bucket.iter().position(|entry| entry.key == key && entry.effort > 0);
        let cheapest = || (0..BUCKET).min_by_key(|&index| bucket[index].effort).unwrap_or(0);
        let index = known.unwrap_or_else(cheapest);
        let entry = &mut bucket[index];
        self.used += usize::from(entry.effort == 0);
        // The efforts of repeated searches of a position are added up.
        let before = if known.is_some() { entry.effort } else { 0 };
        *entry = ProofEntry { key, value, effort: before.saturating_add(effort.max(1)) };
    }

    /// Removes the half of the entries that have the smallest effort.
    fn clean(&mut self) {
        let mut efforts: Vec<u32> =
            self.entries.iter().step_by(7).map(|entry| entry.effort).filter(|&effort| effort > 0).collect();
        let middle = efforts.len() / 2;
        let median = *efforts.select_nth_unstable(middle).1;
        for entry in &mut self.entries {
            // The effort of the remaining entries is reduced, so that old entries are eventually replaced.
            entry.effort = if entry.effort > median { entry.effort / 2 + 1 } else { 0 };
        }
        self.used = self.entries.iter().filter(|entry| entry.effort > 0).count();
    }

    /// Clears the table.
    pub(super) fn clear(&mut self) {
        self.entries.fill(EMPTY);
        self.used = 0;
    }
}
