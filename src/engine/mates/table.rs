//! The solver's memory: what is known of positions, in a fixed number of entries.

/// A number that stands for "never": a proof number of a disproved node, a disproof number of a proved one.
pub(super) const NEVER: u32 = 1 << 30;

/// How far a node is from being proved and from being disproved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Value {
    /// The least number of leaves that must be proved to prove the node; 0 proved, [`NEVER`] disproved.
    pub proof: u32,
    /// The least number of leaves that must be disproved to disprove the node; 0 disproved, [`NEVER`] proved.
    pub disproof: u32,
    /// Of a proved node: the plies to the mate in the tree that was found. Of a disproved one: the earliest ply of the path that the disproof rests on,
    /// [`NOTHING`] if it holds everywhere.
    pub note: u16,
}

/// A disproof that rests on no earlier position of the path.
pub(super) const NOTHING: u16 = u16::MAX;

impl Value {
    pub(super) const fn open(proof: u32, disproof: u32) -> Value {
        Value { proof, disproof, note: 0 }
    }

    /// Mate in so many plies.
    pub(super) const fn proved(plies: u16) -> Value {
        Value { proof: 0, disproof: NEVER, note: plies }
    }

    /// No mate, as far as it rests on the path from this ply.
    pub(super) const fn disproved(rests_on: u16) -> Value {
        Value { proof: NEVER, disproof: 0, note: rests_on }
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

/// What is known of a position, 24 bytes.
#[derive(Clone, Copy)]
struct Entry {
    key: u64,
    value: Value,
    /// How many nodes its search took; 0 where the entry is empty.
    effort: u32,
}

const EMPTY: Entry = Entry { key: 0, value: Value::open(1, 1), effort: 0 };

/// As many entries share a place; of a full place the one that is cheapest to find again goes.
const BUCKET: usize = 4;

/// Entries by key.
pub(super) struct Table {
    entries: Vec<Entry>,
    /// Entries in use.
    used: usize,
}

impl Table {
    /// A table of at most so many megabytes, at least 4096 entries.
    ///
    /// # Errors
    /// The memory can't be had.
    pub(super) fn new(megabytes: usize) -> Result<Table, std::collections::TryReserveError> {
        let buckets = ((megabytes << 20) / (BUCKET * size_of::<Entry>())).max(1024);
        let mut entries = Vec::new();
        entries.try_reserve_exact(buckets * BUCKET)?;
        entries.resize(buckets * BUCKET, EMPTY);
        Ok(Table { entries, used: 0 })
    }

    fn bucket(&self, key: u64) -> usize {
        let buckets = (self.entries.len() / BUCKET) as u64;
        ((u128::from(key) * u128::from(buckets)) >> 64) as usize * BUCKET
    }

    /// What is known of a position.
    pub(super) fn probe(&self, key: u64) -> Option<Value> {
        let at = self.bucket(key);
        let found = self.entries[at..at + BUCKET].iter().find(|entry| entry.key == key && entry.effort > 0);
        found.map(|entry| entry.value)
    }

    /// Remembers a value that took `effort` nodes to find.
    pub(super) fn store(&mut self, key: u64, value: Value, effort: u32) {
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
        // What is known of a position only grows; its effort adds up.
        let before = if known.is_some() { entry.effort } else { 0 };
        *entry = Entry { key, value, effort: before.saturating_add(effort.max(1)) };
    }

    /// Forgets the cheaper half of all entries.
    fn clean(&mut self) {
        let mut efforts: Vec<u32> =
            self.entries.iter().step_by(7).map(|entry| entry.effort).filter(|&effort| effort > 0).collect();
        let middle = efforts.len() / 2;
        let median = *efforts.select_nth_unstable(middle).1;
        for entry in &mut self.entries {
            // Those that stay count for less the next time, so that old ones go in the end.
            entry.effort = if entry.effort > median { entry.effort / 2 + 1 } else { 0 };
        }
        self.used = self.entries.iter().filter(|entry| entry.effort > 0).count();
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.entries.fill(EMPTY);
        self.used = 0;
    }
}
