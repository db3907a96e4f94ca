//! The loops of the network, for the widest registers that the processor has. Every width gives the same numbers.

#[cfg(target_arch = "aarch64")]
use super::neon::Sum;
use std::sync::OnceLock;

/// Thirty-two units: one 512-bit register, two of 256 bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(64))]
pub struct Block(pub [i16; 32]);

impl Block {
    /// All zero.
    pub const ZERO: Block = Block([0; 32]);
}

/// Vector registers, by width.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Registers {
    /// What the compiler makes of the plain loops: SSE4 on x86-64, NEON on 64-bit ARM, 128 bits in WebAssembly.
    Plain,
    /// 128 bits of 64-bit ARM, by hand where that helps.
    #[cfg(target_arch = "aarch64")]
    Neon,
    /// 256 bits.
    #[cfg(target_arch = "x86_64")]
    Avx2,
    /// 512 bits.
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

/// Registers that this processor has. Only [`Level::available`] makes one, after it has asked the processor: the holder of a level may
/// run its instructions.
///
/// ```compile_fail
/// use chuhe_engine::eval::nnue::simd::{Level, Registers};
/// let level = Level(Registers::Plain);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Level(Registers);

impl Level {
    /// All that this machine has, the narrowest first.
    pub fn available() -> Vec<Level> {
        let known = [
            (Registers::Plain, true),
            #[cfg(target_arch = "aarch64")]
            (Registers::Neon, std::arch::is_aarch64_feature_detected!("neon")),
            #[cfg(target_arch = "x86_64")]
            (Registers::Avx2, is_x86_feature_detected!("avx2")),
            #[cfg(target_arch = "x86_64")]
            (Registers::Avx512, is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512bw")),
        ];
        known.into_iter().filter(|(_, has)| *has).map(|(registers, _)| Level(registers)).collect()
    }

    /// Its registers.
    pub fn registers(self) -> Registers {
        self.0
    }

    /// The widest, found once. To compare them, the environment can ask for less: `CHUHE_SIMD=plain`, `neon`, `avx2` or `avx512`.
    pub fn best() -> Level {
        static BEST: OnceLock<Level> = OnceLock::new();
        *BEST.get_or_init(|| {
            let wanted = std::env::var("CHUHE_SIMD").unwrap_or_default().to_lowercase();
            let levels = Level::available().into_iter().rev();
            let name = |level: &Level| format!("{:?}", level.registers()).to_lowercase();
            let mut fitting = levels.filter(|level| wanted.is_empty() || name(level) == wanted);
            fitting.next().unwrap_or(Level(Registers::Plain))
        })
    }
}

/// `into = from + added − removed`, for a piece that moves.
#[inline(always)]
fn move_plain(into: &mut [Block], from: &[Block], added: &[Block], removed: &[Block]) {
    for (((into, from), added), removed) in into.iter_mut().zip(from).zip(added).zip(removed) {
        for lane in 0..32 {
            into.0[lane] = from.0[lane].wrapping_add(added.0[lane]).wrapping_sub(removed.0[lane]);
        }
    }
}

/// `into = from + added − removed − taken`, for a piece that takes another.
#[inline(always)]
fn take_plain(into: &mut [Block], from: &[Block], added: &[Block], removed: &[Block], taken: &[Block]) {
    for ((((into, from), added), removed), taken) in into.iter_mut().zip(from).zip(added).zip(removed).zip(taken) {
        for lane in 0..32 {
            let sum = from.0[lane].wrapping_add(added.0[lane]);
            into.0[lane] = sum.wrapping_sub(removed.0[lane]).wrapping_sub(taken.0[lane]);
        }
    }
}

/// `sum += added`.
#[inline(always)]
fn add_plain(sum: &mut [Block], added: &[Block]) {
    for (sum, added) in sum.iter_mut().zip(added) {
        for lane in 0..32 {
            sum.0[lane] = sum.0[lane].wrapping_add(added.0[lane]);
        }
    }
}

/// `sum −= removed`.
#[inline(always)]
fn remove_plain(sum: &mut [Block], removed: &[Block]) {
    for (sum, removed) in sum.iter_mut().zip(removed) {
        for lane in 0..32 {
            sum.0[lane] = sum.0[lane].wrapping_sub(removed.0[lane]);
        }
    }
}

/// A hidden unit, clipped to 0–510 and squared, in eighths: at most 32512. Only 16 bits are needed on the way.
#[inline(always)]
pub fn squared(unit: i16) -> i16 {
    let half = unit.clamp(0, 510) as u16 >> 1;
    (half.wrapping_mul(half) >> 1) as i16
}

/// The sum of `weight · squared(unit)`. Loading has made sure that it fits 32 bits.
#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
#[inline(always)]
fn output_plain(units: &[Block], weights: &[Block]) -> i32 {
    let mut sums = [0i32; 16];
    for (units, weights) in units.iter().zip(weights) {
        for pair in 0..16 {
            let term = |lane: usize| i32::from(squared(units.0[lane])) * i32::from(weights.0[lane]);
            sums[pair] = sums[pair].wrapping_add(term(2 * pair).wrapping_add(term(2 * pair + 1)));
        }
    }
    sums.iter().fold(0, |sum, part| sum.wrapping_add(*part))
}

/// The same with the one instruction of WebAssembly that multiplies and adds pairs, which the compiler does not find in the loop.
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
fn output_plain(units: &[Block], weights: &[Block]) -> i32 {
    use std::arch::wasm32::{
        i16x8_max, i16x8_min, i16x8_mul, i16x8_splat, i32x4_add, i32x4_dot_i16x8, i32x4_extract_lane, i32x4_splat,
        u16x8_shr, v128,
    };
    let vectors = |block: &Block| -> [v128; 4] {
        // SAFETY: 32 numbers of 16 bits are four vectors of 128 bits, and any bits are a vector.
        unsafe { std::mem::transmute(*block) }
    };
    let mut sums = [i32x4_splat(0); 4];
    for (units, weights) in units.iter().zip(weights) {
        for (sum, (unit, weight)) in sums.iter_mut().zip(vectors(units).into_iter().zip(vectors(weights))) {
            let half = u16x8_shr(i16x8_min(i16x8_max(unit, i16x8_splat(0)), i16x8_splat(510)), 1);
            *sum = i32x4_add(*sum, i32x4_dot_i16x8(u16x8_shr(i16x8_mul(half, half), 1), weight));
        }
    }
    let sum = i32x4_add(i32x4_add(sums[0], sums[1]), i32x4_add(sums[2], sums[3]));
    let pairs = i32x4_extract_lane::<0>(sum).wrapping_add(i32x4_extract_lane::<1>(sum));
    pairs.wrapping_add(i32x4_extract_lane::<2>(sum)).wrapping_add(i32x4_extract_lane::<3>(sum))
}

/// The plain loops once more, compiled for wider registers.
#[cfg(target_arch = "x86_64")]
macro_rules! compiled_for {
    ($name:ident, $features:literal) => {
        mod $name {
            use super::*;

            #[target_feature(enable = $features)]
            pub fn moved(into: &mut [Block], from: &[Block], added: &[Block], removed: &[Block]) {
                move_plain(into, from, added, removed);
            }

            #[target_feature(enable = $features)]
            pub fn taken(into: &mut [Block], from: &[Block], added: &[Block], removed: &[Block], taken: &[Block]) {
                take_plain(into, from, added, removed, taken);
            }

            #[target_feature(enable = $features)]
            pub fn add(sum: &mut [Block], added: &[Block]) {
                add_plain(sum, added);
            }

            #[target_feature(enable = $features)]
            pub fn remove(sum: &mut [Block], removed: &[Block]) {
                remove_plain(sum, removed);
            }

            #[target_feature(enable = $features)]
            pub fn output(units: &[Block], weights: &[Block]) -> i32 {
                output_plain(units, weights)
            }
        }
    };
}

#[cfg(target_arch = "x86_64")]
compiled_for!(avx2, "avx2");
#[cfg(target_arch = "x86_64")]
compiled_for!(avx512, "avx512f,avx512bw");

/// The plain loops, of which the compiler makes NEON, and the output by hand.
#[cfg(target_arch = "aarch64")]
mod on_neon {
    use super::*;

    #[inline]
    pub fn moved(into: &mut [Block], from: &[Block], added: &[Block], removed: &[Block]) {
        move_plain(into, from, added, removed);
    }

    #[inline]
    pub fn taken(into: &mut [Block], from: &[Block], added: &[Block], removed: &[Block], taken: &[Block]) {
        take_plain(into, from, added, removed, taken);
    }

    #[inline]
    pub fn add(sum: &mut [Block], added: &[Block]) {
        add_plain(sum, added);
    }

    #[inline]
    pub fn remove(sum: &mut [Block], removed: &[Block]) {
        remove_plain(sum, removed);
    }

    #[target_feature(enable = "neon")]
    pub fn output(units: &[Block], weights: &[Block]) -> i32 {
        let mut sum = Sum::new();
        for (units, weights) in units.iter().zip(weights) {
            sum.add(&units.0, &weights.0);
        }
        sum.total()
    }
}

/// One function that calls the loop compiled for a level.
macro_rules! chosen {
    ($(#[$doc:meta])* $name:ident, $plain:ident, ($($argument:ident: $type:ty),*) $(-> $output:ty)?) => {
        $(#[$doc])*
        #[inline]
        pub fn $name(level: Level, $($argument: $type),*) $(-> $output)? {
            match level.registers() {
                Registers::Plain => $plain($($argument),*),
                // SAFETY: `Level::available` makes such a level only where the processor has its instructions.
                #[cfg(target_arch = "aarch64")]
                #[allow(unused_unsafe)]
                Registers::Neon => unsafe { on_neon::$name($($argument),*) },
                // SAFETY: as above.
                #[cfg(target_arch = "x86_64")]
                Registers::Avx2 => unsafe { avx2::$name($($argument),*) },
                // SAFETY: as above.
                #[cfg(target_arch = "x86_64")]
                Registers::Avx512 => unsafe { avx512::$name($($argument),*) },
            }
        }
    };
}

chosen!(
    /// `into = from + added − removed`, for a piece that moves.
    moved, move_plain, (into: &mut [Block], from: &[Block], added: &[Block], removed: &[Block])
);
chosen!(
    /// `into = from + added − removed − taken`, for a piece that takes another.
    taken, take_plain, (into: &mut [Block], from: &[Block], added: &[Block], removed: &[Block], taken: &[Block])
);
chosen!(
    /// `sum += added`.
    add, add_plain, (sum: &mut [Block], added: &[Block])
);
chosen!(
    /// `sum −= removed`.
    remove, remove_plain, (sum: &mut [Block], removed: &[Block])
);
chosen!(
    /// The sum of `weight · squared(unit)`.
    output, output_plain, (units: &[Block], weights: &[Block]) -> i32
);

#[cfg(test)]
mod tests {
    use super::*;
    use chuhe_board::random::SplitMix64;

    fn blocks(random: &mut SplitMix64, count: usize, most: i64) -> Vec<Block> {
        let mut number = || (random.below(2 * most as u64 + 1) as i64 - most) as i16;
        (0..count).map(|_| Block(std::array::from_fn(|_| number()))).collect()
    }

    #[test]
    fn every_level_gives_the_same_numbers() {
        let mut random = SplitMix64::new(11);
        for count in [1, 2, 4, 8, 16] {
            for _ in 0..50 {
                let mut units = || blocks(&mut random, count, 1200);
                let (from, added, removed, gone) = (units(), units(), units(), units());
                let weights = blocks(&mut random, count, 60_000 / (32 * count as i64));
                let results = Level::available().into_iter().map(|level| {
                    let (mut one, mut two) = (vec![Block::ZERO; count], vec![Block::ZERO; count]);
                    moved(level, &mut one, &from, &added, &removed);
                    taken(level, &mut two, &from, &added, &removed, &gone);
                    let (mut three, mut four) = (from.clone(), from.clone());
                    add(level, &mut three, &added);
                    remove(level, &mut four, &removed);
                    let out = output(level, &from, &weights);
                    (one, two, three, four, out)
                });
                let results: Vec<_> = results.collect();
                assert!(results.windows(2).all(|pair| pair[0] == pair[1]));
            }
        }
    }

    #[test]
    fn the_output_is_the_sum_it_says() {
        let mut random = SplitMix64::new(12);
        let (units, weights) = (blocks(&mut random, 4, 1200), blocks(&mut random, 4, 500));
        let slow: i64 = (0..128)
            .map(|unit| {
                let value = i64::from(units[unit / 32].0[unit % 32]).clamp(0, 510);
                (value / 2).pow(2) / 2 * i64::from(weights[unit / 32].0[unit % 32])
            })
            .sum();
        for level in Level::available() {
            assert_eq!(i64::from(output(level, &units, &weights)), slow);
        }
    }
}
