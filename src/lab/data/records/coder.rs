//! Entropy coding with the range coder of the crate `constriction`.
//!
//! A model describes its data once, as calls to a [`Coder`]. The [`Encoder`] writes the given values; the
//! [`Decoder`] ignores them and returns the decoded values. Therefore encoding and decoding cannot differ.

use super::game::GameFault;
use constriction::BitArray;
use constriction::stream::model::{DecoderModel, EncoderModel, EntropyModel};
use constriction::stream::queue::{DefaultRangeDecoder, DefaultRangeEncoder};
use constriction::stream::{Decode, Encode};
use std::borrow::Borrow;
use std::num::NonZeroU32;

/// Precision of a bit's probability, in binary digits.
const BIT_DIGITS: usize = 16;
/// Precision of the shares of a choice, in binary digits.
const CHOICE_DIGITS: usize = 24;
/// Sum of the shares of a choice.
pub(super) const WHOLE: u32 = 1 << CHOICE_DIGITS;

/// Encoder or decoder of values with probabilities.
pub(super) trait Coder {
    /// Codes a bit that is 1 with probability `chance` / 65,536; `chance` must not be 0.
    fn bit(&mut self, chance: u16, value: bool) -> Result<bool, GameFault>;

    /// Codes an index into `shares`, at least two positive numbers with the sum [`WHOLE`].
    fn choice(&mut self, shares: &[u32], value: usize) -> Result<usize, GameFault>;
}

/// Encoder.
#[derive(Default)]
pub(super) struct Encoder(DefaultRangeEncoder);

impl Encoder {
    /// Returns the code of all values.
    pub(crate) fn finish(self) -> Vec<u8> {
        let words = self.0.into_compressed().unwrap_or_else(|never| match never {});
        words.into_iter().flat_map(u32::to_le_bytes).collect()
    }
}

impl Coder for Encoder {
    fn bit(&mut self, chance: u16, value: bool) -> Result<bool, GameFault> {
        self.0.encode_symbol(value, Chance(chance)).map(|()| value).map_err(|_| GameFault::Code)
    }

    fn choice(&mut self, shares: &[u32], value: usize) -> Result<usize, GameFault> {
        self.0.encode_symbol(value, Shares(shares)).map(|()| value).map_err(|_| GameFault::Code)
    }
}

/// Decoder.
pub(super) struct Decoder(DefaultRangeDecoder);

impl Decoder {
    /// Creates a decoder for the output of [`Encoder::finish`].
    pub(crate) fn new(bytes: &[u8]) -> Decoder {
        let words: Vec<u32> =
            bytes.chunks_exact(4).map(|word| word.iter().rfold(0, |all, byte| all << 8 | u32::from(*byte))).collect();
        Decoder(DefaultRangeDecoder::from_compressed(words).unwrap_or_else(|never| match never {}))
    }
}

impl Coder for Decoder {
    fn bit(&mut self, chance: u16, _: bool) -> Result<bool, GameFault> {
        self.0.decode_symbol(Chance(chance)).map_err(|_| GameFault::Code)
    }

    fn choice(&mut self, shares: &[u32], _: usize) -> Result<usize, GameFault> {
        self.0.decode_symbol(Shares(shares)).map_err(|_| GameFault::Code)
    }
}

/// Probability of a 1.
#[derive(Clone, Copy)]
struct Chance(u16);

impl Chance {
    /// Returns the start and the length of a bit's interval on the scale of probabilities.
    fn part(self, bit: bool) -> (u32, NonZeroU32) {
        let one = u32::from(self.0);
        let (start, size) = if bit { (0, one) } else { (one, (1 << BIT_DIGITS) - one) };
        (start, size.into_nonzero().unwrap_or(NonZeroU32::MIN))
    }
}

impl EntropyModel<BIT_DIGITS> for Chance {
    type Symbol = bool;
    type Probability = u32;
}

impl EncoderModel<BIT_DIGITS> for Chance {
    fn left_cumulative_and_probability(&self, symbol: impl Borrow<bool>) -> Option<(u32, NonZeroU32)> {
        Some(self.part(*symbol.borrow()))
    }
}

impl DecoderModel<BIT_DIGITS> for Chance {
    fn quantile_function(&self, quantile: u32) -> (bool, u32, NonZeroU32) {
        let bit = quantile < u32::from(self.0);
        let (start, size) = self.part(bit);
        (bit, start, size)
    }
}

/// Probabilities of the choices.
#[derive(Clone, Copy)]
struct Shares<'s>(&'s [u32]);

impl EntropyModel<CHOICE_DIGITS> for Shares<'_> {
    type Symbol = usize;
    type Probability = u32;
}

impl EncoderModel<CHOICE_DIGITS> for Shares<'_> {
    fn left_cumulative_and_probability(&self, symbol: impl Borrow<usize>) -> Option<(u32, NonZeroU32)> {
        let symbol = *symbol.borrow();
        Some((self.0.get(..symbol)?.iter().sum(), NonZeroU32::new(*self.0.get(symbol)?)?))
    }
}

impl DecoderModel<CHOICE_DIGITS> for Shares<'_> {
    fn quantile_function(&self, quantile: u32) -> (usize, u32, NonZeroU32) {
        let (mut symbol, mut start) = (0, 0);
        while symbol + 1 < self.0.len() && quantile >= start + self.0[symbol] {
            start += self.0[symbol];
            symbol += 1;
        }
        (symbol, start, NonZeroU32::new(self.0[symbol]).unwrap_or(NonZeroU32::MIN))
    }
}

/// Coder of bits with an adaptive probability.
#[derive(Clone, Copy)]
pub(super) struct Bit {
    chance: u16,
    /// Number of bits coded, up to [`MAX_SEEN`].
    seen: u8,
}

/// Maximum of [`Bit::seen`], which bounds the adaptation rate from below.
const MAX_SEEN: u8 = 100;
/// Minimum distance of the probability from 0 and 1, in 1/65,536: an unexpected bit costs at most 12 bits.
const EDGE: i32 = 24;

impl Default for Bit {
    fn default() -> Bit {
        Bit { chance: 1 << (BIT_DIGITS - 1), seen: 0 }
    }
}

impl Bit {
    pub(crate) fn code(&mut self, coder: &mut impl Coder, value: bool) -> Result<bool, GameFault> {
        let bit = coder.bit(self.chance, value)?;
        let aim = if bit { (1 << BIT_DIGITS) - EDGE } else { EDGE };
        let chance = i32::from(self.chance);
        self.chance = (chance + (aim - chance) / (i32::from(self.seen) + 2)) as u16;
        self.seen = MAX_SEEN.min(self.seen + 1);
        Ok(bit)
    }
}

/// Coder of numbers of at most eight bits, as paths in a binary tree.
#[derive(Clone)]
pub(super) struct Tree<const NODES: usize>([Bit; NODES]);

impl<const NODES: usize> Default for Tree<NODES> {
    fn default() -> Self {
        Tree([Bit::default(); NODES])
    }
}

impl<const NODES: usize> Tree<NODES> {
    /// Codes a number below `NODES`, which is a power of two.
    pub(super) fn code(&mut self, coder: &mut impl Coder, value: u8) -> Result<u8, GameFault> {
        let mut node = 1;
        for place in (0..NODES.trailing_zeros()).rev() {
            node = 2 * node + usize::from(self.0[node].code(coder, value >> place & 1 != 0)?);
        }
        Ok((node - NODES) as u8)
    }
}

/// Number of binary digits of the largest number.
const DIGITS: usize = 17;
/// Number of digits after the first that are modelled. The others are coded with equal probabilities, since
/// the last digits of scores are almost random.
const LEARNED: u32 = 3;

/// Coder of numbers between -131,071 and 131,071 as length, sign and digits.
#[derive(Clone, Default)]
pub(super) struct Number {
    lengths: [Bit; DIGITS],
    signs: [Bit; DIGITS + 1],
    digits: [Tree<8>; DIGITS + 1],
}

impl Number {
    pub(super) fn code(&mut self, coder: &mut impl Coder, value: i32) -> Result<i32, GameFault> {
        let length = digits(value);
        let mut found = 0;
        while found < DIGITS && self.lengths[found].code(coder, length > found)? {
            found += 1;
        }
        if found == 0 {
            return Ok(0);
        }
        let is_negative = self.signs[found].code(coder, value < 0)?;
        let (size, mut read, mut node) = (value.unsigned_abs(), 1, 1);
        for place in (0..found as u32 - 1).rev() {
            let digit = size >> place & 1 != 0;
            let learned = found as u32 - 2 - place < LEARNED;
            let digit = if learned {
                self.digits[found].0[node].code(coder, digit)?
            } else {
                coder.bit(1 << (BIT_DIGITS - 1), digit)?
            };
            node = (2 * node + usize::from(digit)) & 7;
            read = 2 * read + i32::from(digit);
        }
        Ok(if is_negative { -read } else { read })
    }
}

/// Returns the number of binary digits, without the sign.
pub(super) fn digits(value: i32) -> usize {
    (i32::BITS - value.unsigned_abs().leading_zeros()) as usize
}
