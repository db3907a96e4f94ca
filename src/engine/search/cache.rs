//! Recent evaluations of one thread: iterations return to the same positions, and evaluation is the most expensive step of most nodes.

use super::pages::prefetch;
use chuhe_board::score::Score;

/// Entries: 256 KB, which the second-level cache of the processor holds beside everything else.
const ENTRIES: usize = 1 << 15;

/// By key: the evaluation of the position that was last looked at in this place.
///
/// An entry of zeros is wrong for 1 position in 2^48, which is as rare as two positions of one key.
pub struct EvaluationCache([u64; ENTRIES]);

/// The part of a key that an entry keeps; its other bits say where it lies.
const KEY: u64 = !0xFFFF;

impl EvaluationCache {
    fn place(key: u64) -> usize {
        key as usize % ENTRIES
    }

    /// Asks the memory for an entry, which will be wanted soon.
    pub fn prefetch(&self, key: u64) {
        prefetch(&self.0[Self::place(key)]);
    }

    /// The evaluation of a position, made by `evaluate` unless it is still known.
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
            // Another position of the same place takes it over.
            let other = key ^ 1 << 40;
            assert_eq!(cache.get_or_insert(other, || -score), -score);
            assert_eq!(cache.get_or_insert(key, || score), score);
        }
    }
}
