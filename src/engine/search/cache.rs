//! Per-thread cache of recent evaluations: successive iterations revisit the same positions, and evaluation
//! is the most expensive step at most nodes.

use super::pages::prefetch;
use chuhe_board::score::Score;

/// Number of entries. Their 256 KB fit into the processor's L2 cache together with other data.
const ENTRIES: usize = 1 << 15;

/// Evaluations by key; each slot stores the most recently evaluated position.
///
/// An empty entry is mistaken for a stored one for 1 in 2^48 positions, which is about as rare as two
/// positions with the same key.
pub struct EvaluationCache([u64; ENTRIES]);

/// Mask of the part of a key stored in an entry. The lower 15 bits select the slot. Bit 15 is not compared,
/// because the score occupies the lower 16 bits of an entry.
const KEY: u64 = !0xFFFF;

impl EvaluationCache {
    fn place(key: u64) -> usize {
        key as usize % ENTRIES
    }

    /// Prefetches an entry.
    pub fn prefetch(&self, key: u64) {
        prefetch(&self.0[Self::place(key)]);
    }

    /// Returns the evaluation of a position, computed by `evaluate` unless it is cached.
    pub fn get_or_insert(&mut self, key: u64, evaluate: impl FnOnce() -> Score) -> Score {
        let entry = &mut self.0[Self::place(key)];
        if (*entry ^ key) & KEY != 0 {
            let score = evaluate();
            debug_assert!(i16::try_from(score).is_ok(), "an evaluation is within its limit");
            *entry = key & KEY | u64::from(score as i16 as u16);
        }
        Score::from(*entry as i16)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chuhe_board::random::SplitMix64;
    use chuhe_board::score::EVALUATION_LIMIT;

    #[test]
    fn an_entry_answers_for_its_key_alone() {
        let mut cache = Box::new(EvaluationCache([0; ENTRIES]));
        let mut random = SplitMix64::new(5);
        for _ in 0..1_000 {
            let key = random.next();
            let score = random.below(2 * EVALUATION_LIMIT as u64 + 1) as Score - EVALUATION_LIMIT;
            assert_eq!(cache.get_or_insert(key, || score), score);
            assert_eq!(cache.get_or_insert(key, || panic!("it is known")), score);
            // A different position with the same slot replaces it.
            let other = key ^ 1 << 40;
            assert_eq!(cache.get_or_insert(other, || -score), -score);
            assert_eq!(cache.get_or_insert(key, || score), score);
        }
    }
}
