//! SplitMix64: a small seeded generator that produces the same numbers on every machine and in every version.
//!
//! It generates Zobrist keys, self-play games and everything else that must be reproducible.

/// 2⁶⁴ divided by the golden ratio, rounded to an odd number. Its multiples are spread evenly over all 64-bit
/// numbers, so multiplying by it mixes small numbers into all bits.
pub const GOLDEN_RATIO: u64 = 0x9E37_79B9_7F4A_7C15;

/// The generator of Steele, Lea and Flood ("Fast splittable pseudorandom number generators", 2014), usable in
/// constants.
#[derive(Clone, Debug)]
pub struct SplitMix64 {
    state: u64,
}

impl SplitMix64 {
    /// Creates a generator; equal seeds give equal numbers.
    pub const fn new(seed: u64) -> Self {
        SplitMix64 { state: seed }
    }

    /// Returns the next 64 random bits.
    pub const fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(GOLDEN_RATIO);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// Returns a number from 0 to `bound` − 1; `bound` must not be 0. The bias is below `bound` / 2⁶⁴.
    pub const fn below(&mut self, bound: u64) -> u64 {
        ((self.next() as u128 * bound as u128) >> 64) as u64
    }

    /// Returns one of `items`, each with equal probability, or `None` if there are none.
    pub const fn pick<'i, T>(&mut self, items: &'i [T]) -> Option<&'i T> {
        if items.is_empty() { None } else { Some(&items[self.below(items.len() as u64) as usize]) }
    }

    /// Returns one of 2⁵³ evenly spaced values in [0, 1).
    pub const fn unit_f64(&mut self) -> f64 {
        const STEP: f64 = 1.0 / (1u64 << 53) as f64;
        (self.next() >> 11) as f64 * STEP
    }

    /// Shuffles `items`; every order is equally likely (Fisher–Yates).
    pub const fn shuffle<T>(&mut self, items: &mut [T]) {
        let mut left = items.len();
        while left > 1 {
            let chosen = self.below(left as u64) as usize;
            left -= 1;
            items.swap(left, chosen);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The five numbers that Rosetta Code ("Pseudo-random numbers/Splitmix64") lists from Vigna's
    /// `splitmix64.c`.
    #[test]
    fn the_published_numbers_come_out() {
        let mut random = SplitMix64::new(1_234_567);
        let published = [
            6_457_827_717_110_365_317,
            3_203_168_211_198_807_973,
            9_817_491_932_198_370_423,
            4_593_380_528_125_082_431,
            16_408_922_859_458_223_821,
        ];
        assert_eq!(published.map(|_| random.next()), published);
    }

    #[test]
    fn constants_can_be_random() {
        const FIRST: u64 = SplitMix64::new(1_234_567).next();
        assert_eq!(FIRST, 6_457_827_717_110_365_317);
    }

    #[test]
    fn below_is_even_over_its_range() {
        let mut random = SplitMix64::new(1);
        let mut counts = [0u32; 7];
        for _ in 0..70_000 {
            counts[random.below(7) as usize] += 1;
        }
        assert!(counts.iter().all(|count| count.abs_diff(10_000) < 400), "{counts:?}");
        assert_eq!(random.below(1), 0);
    }

    #[test]
    fn unit_stays_below_one_and_averages_a_half() {
        let mut random = SplitMix64::new(2);
        let numbers: Vec<f64> = (0..100_000).map(|_| random.unit_f64()).collect();
        assert!(numbers.iter().all(|number| (0.0..1.0).contains(number)));
        let mean = numbers.iter().sum::<f64>() / numbers.len() as f64;
        assert!((mean - 0.5).abs() < 0.005, "{mean}");
    }

    #[test]
    fn shuffling_reaches_every_order_and_loses_nothing() {
        let mut random = SplitMix64::new(3);
        let mut orders = std::collections::HashMap::new();
        for _ in 0..6_000 {
            let mut items = [1, 2, 3];
            random.shuffle(&mut items);
            *orders.entry(items).or_insert(0u32) += 1;
        }
        assert_eq!(orders.len(), 6);
        assert!(orders.values().all(|count| count.abs_diff(1_000) < 150), "{orders:?}");
        random.shuffle::<u8>(&mut []);
    }
}
