//! The transposition table: search results by position, shared by all threads without locks.
//!
//! An entry is one 64-bit word, so it is always consistent: 16 bits of the key, the move, the score, the
//! depth (plus one, since quiescence without checks has depth −1), the bound, the PV flag and the age.
//!
//! ```text
//! bit   63…48   47…34       33…18   17…10   9…8     7     6…0
//!       key     from, to    score   depth   bound   pv    age
//! ```

use super::pages::{Pages, prefetch};
use super::report::Bound;
use crate::machine::on_all_cores;
use chuhe_board::score::{self, Score};
use chuhe_board::{Move, Square};
use std::io;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};

/// Number of entries per cluster, half a cache line.
const CLUSTER: usize = 4;
/// Number of distinct ages.
const AGES: u8 = 128;
const NO_SQUARE: u64 = 127;
/// Plies of depth for which an entry loses its value with each search since it was stored.
const AGE_WEIGHT: i32 = 4;
/// Plies by which a bound may be shallower than the result that it replaces.
const DEPTH_MARGIN: i32 = 4;
/// Minimum number of words cleared per core; below it, creating a thread takes longer than clearing.
const MIN_SHARE: usize = (8 << 20) / size_of::<AtomicU64>();

type Cluster = [AtomicU64; CLUSTER];

/// A table of at least one cluster.
pub struct TranspositionTable {
    memory: Pages,
    /// Number of clusters.
    count: usize,
    age: AtomicU8,
}

/// Content of the table for a position. The score is relative to the root; the table itself stores it
/// relative to the position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub struct Entry {
    pub best: Option<Move>,
    pub score: Score,
    pub depth: i32,
    /// Bound of the score; `None` if only the move is known.
    pub bound: Option<Bound>,
    /// `true` if the position was searched in an open window.
    pub pv: bool,
}

impl TranspositionTable {
    /// Allocates a table of `megabytes` of 2^20 bytes. The system commits the memory on first use, or in
    /// [`Self::clear`].
    ///
    /// # Errors
    /// Returns an error if the memory cannot be allocated.
    pub fn new(megabytes: usize) -> io::Result<TranspositionTable> {
        let lacking = |error: io::Error| {
            io::Error::new(error.kind(), format!("cannot allocate a transposition table of {megabytes} MB: {error}"))
        };
        let bytes = megabytes.max(1).checked_mul(1 << 20).ok_or_else(|| lacking(io::ErrorKind::OutOfMemory.into()))?;
        let count = bytes / size_of::<Cluster>();
        let memory = Pages::new(bytes).map_err(lacking)?;
        Ok(TranspositionTable { memory, count, age: AtomicU8::new(0) })
    }

    fn words(&self) -> &[AtomicU64] {
        // SAFETY: the memory is owned by this table, its size covers all clusters, it is aligned to a large
        // page, and every bit pattern is a valid number.
        unsafe { std::slice::from_raw_parts(self.memory.first().cast(), self.count * CLUSTER) }
    }

    /// Clears the table on all cores. This also commits the memory, so that no search waits for it.
    pub fn clear(&self) {
        on_all_cores(self.words(), MIN_SHARE, |part| part.iter().for_each(|word| word.store(0, Relaxed)));
        self.age.store(0, Relaxed);
    }

    /// Starts a new search: entries from older searches may be replaced.
    pub(crate) fn grow_older(&self) {
        self.age.store((self.age.load(Relaxed) + 1) % AGES, Relaxed);
    }

    fn cluster(&self, key: u64) -> &Cluster {
        let index = ((u128::from(key) * self.count as u128) >> 64) as usize;
        self.words()[index * CLUSTER..].first_chunk().expect("a cluster is whole")
    }

    /// Prefetches the entries of a key.
    pub(crate) fn prefetch(&self, key: u64) {
        prefetch(self.cluster(key));
    }

    /// Returns the entry of a position; `ply` is the distance of the position from the root.
    // A call costs more in WebAssembly, where no registers survive it.
    #[cfg_attr(target_family = "wasm", inline(always))]
    pub fn probe(&self, key: u64, ply: usize) -> Option<Entry> {
        let words = self.cluster(key).iter().map(|word| word.load(Relaxed));
        words.filter(|&word| is_used(word)).find(|&word| key_part(word) == key & 0xFFFF).map(|word| unpack(word, ply))
    }

    /// Stores the result for a position. Keeps an existing move if no new one is known.
    pub fn store(&self, key: u64, ply: usize, mut entry: Entry) {
        let age = self.age.load(Relaxed);
        let cluster = self.cluster(key);
        let mut victim = (&cluster[0], i32::MAX);
        for slot in cluster {
            let word = slot.load(Relaxed);
            if !is_used(word) {
                victim = (slot, i32::MIN);
                break;
            }
            if key_part(word) == key & 0xFFFF {
                let old = unpack(word, ply);
                entry.best = entry.best.or(old.best);
                // A result without a bound does not replace an existing score.
                if entry.bound.is_none() {
                    entry = Entry { best: entry.best, ..old };
                }
                // A shallower bound does not replace a deeper result of the same search.
                let is_exact = entry.bound == Some(Bound::Exact);
                if !is_exact && age_of(word) == age && entry.depth + DEPTH_MARGIN < old.depth && old.bound.is_some() {
                    return;
                }
                victim = (slot, i32::MIN);
                break;
            }
            let searches = i32::from((AGES + age - age_of(word)) % AGES);
            let worth = depth_of(word) - AGE_WEIGHT * searches;
            if worth < victim.1 {
                victim = (slot, worth);
            }
        }
        victim.0.store(pack(key, ply, age, entry), Relaxed);
    }

    /// Returns the share of entries used by the current search in per mille, from a sample.
    pub fn hashfull(&self) -> u32 {
        let age = self.age.load(Relaxed);
        let sample = &self.words()[..self.count.min(250) * CLUSTER];
        let words = sample.iter().map(|word| word.load(Relaxed));
        let used = words.filter(|&word| is_used(word) && age_of(word) == age).count();
        (used * 1000 / sample.len()) as u32
    }
}

fn key_part(word: u64) -> u64 {
    word >> 48
}

/// Returns the age: the number of the search that stored the entry, modulo [`AGES`].
fn age_of(word: u64) -> u8 {
    word as u8 & 0x7F
}

fn depth_of(word: u64) -> i32 {
    (word >> 10 & 0xFF) as i32 - 1
}

/// Returns `true` for a used entry, which has a bound or a move; an empty word has neither.
fn is_used(word: u64) -> bool {
    word != 0
}

fn pack(key: u64, ply: usize, age: u8, entry: Entry) -> u64 {
    let squares = entry.best.map_or(NO_SQUARE << 7 | NO_SQUARE, |mv| (mv.from as u64) << 7 | mv.to as u64);
    let bound = match entry.bound {
        None => 0,
        Some(Bound::Exact) => 1,
        Some(Bound::Lower) => 2,
        Some(Bound::Upper) => 3,
    };
    let score = score::from_root(entry.score, ply) as i16 as u16;
    (key & 0xFFFF) << 48
        | squares << 34
        | u64::from(score) << 18
        | ((entry.depth + 1).clamp(0, 255) as u64) << 10
        | bound << 8
        | u64::from(entry.pv) << 7
        | u64::from(age)
}

fn unpack(word: u64, ply: usize) -> Entry {
    let square = |shift: u32| Square::ALL.get((word >> shift & 0x7F) as usize).copied();
    Entry {
        best: square(41).zip(square(34)).map(|(from, to)| Move::new(from, to)),
        score: score::to_root(Score::from((word >> 18 & 0xFFFF) as u16 as i16), ply),
        depth: depth_of(word),
        bound: [None, Some(Bound::Exact), Some(Bound::Lower), Some(Bound::Upper)][(word >> 8 & 3) as usize],
        pv: word >> 7 & 1 != 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chuhe_board::random::SplitMix64;

    #[test]
    fn what_goes_in_comes_out() {
        let table = TranspositionTable::new(1).expect("1 MB can be had");
        let mut random = SplitMix64::new(3);
        for round in 0..2_000 {
            let key = random.next();
            let squares = [0; 2].map(|_| Square::ALL[random.below(90) as usize]);
            let entry = Entry {
                best: (round % 7 != 0).then_some(Move::new(squares[0], squares[1])),
                score: random.below(60_001) as Score - 30_000,
                depth: random.below(120) as i32,
                bound: [None, Some(Bound::Exact), Some(Bound::Lower), Some(Bound::Upper)][random.below(4) as usize],
                pv: round % 2 == 0,
            };
            let ply = random.below(20) as usize;
            let entry =
                Entry { score: score::to_root(score::from_root(entry.score, 0).clamp(-29_900, 29_900), ply), ..entry };
            table.store(key, ply, entry);
            assert_eq!(table.probe(key, ply), Some(entry));
        }
        table.clear();
        assert_eq!(table.hashfull(), 0);
    }

    #[test]
    fn a_move_survives_a_result_without_one() {
        let table = TranspositionTable::new(1).expect("1 MB can be had");
        let best = "h2e2".parse().ok();
        let entry = Entry { best, score: 5, depth: 3, bound: Some(Bound::Lower), pv: false };
        table.store(99, 0, entry);
        table.store(99, 0, Entry { best: None, depth: 4, ..entry });
        assert_eq!(table.probe(99, 0).and_then(|entry| entry.best), best);
    }

    #[test]
    fn a_size_that_cannot_be_had_is_a_message() {
        // The last two sizes overflow to 0 bytes and to 1 MB.
        for megabytes in [usize::MAX >> 21, usize::MAX, 1 << (usize::BITS - 20), (1 << (usize::BITS - 20)) + 1] {
            assert!(TranspositionTable::new(megabytes).is_err(), "{megabytes}");
        }
    }
}
