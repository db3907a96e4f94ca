//! An integer-quantised network and its self-describing file format.
//!
//! ```text
//! bytes        content, little endian
//! 8            "CHUHENET"
//! 2            version: 5, or 4 without threats; version 3 has no attack buckets and no differences either
//! 2            H: hidden units per perspective, a multiple of 32
//! 1            mirroring: 0 by the side's own king, 1 also by other pieces if that king is on the middle file
//! 6            king bucket by the rank and file of the side's own king
//! 1            1 if there are attack buckets, otherwise 0; absent in version 3
//! 1            T: hidden units connected to the threats, divided by 32; absent in versions 3 and 4
//! 1            output buckets: 0 one for all positions, 1 by the balance of rooks
//! 2            centipawns for an output of 1 before the logistic curve
//! 2            U: scale of the output weights; U represents 1
//! 2 · H        bias of the hidden units, 510 = 1
//! 2 · H · I    their weights, 510 = 1, input by input; I = buckets · 689; buckets after the first as
//!              differences from it, which compress better
//! 32 · T · J   8-bit weights of the threats, 510 = 1, by attacked piece and square, then by attacking piece
//!              (own horse, rook, cannon, pawn, then the enemy's); J = 8 · 689
//! 2 · 2H · O   weights of the output, U = 1, bucket by bucket: for the mover's units, then for the other's
//! 4 · O        bias of the output, 510 · U = 1
//! 8            FNV-1a of all preceding bytes
//! ```

use super::error::{BadNetwork, BadShape};
use super::features::{Mirroring, Outputs, SLOTS, Shape};
use super::numbers::{Numbers, UNIT, check_sums, counts_of};
use super::simd::{Block, SimdLevel, SmallBlock, output};
use crate::bytes::{Fields, fnv};
use chuhe_board::score::{EVALUATION_LIMIT, Score};
use std::fmt;

const MAGIC: [u8; 8] = *b"CHUHENET";
const VERSION: u16 = 5;
/// First version with attack buckets.
const WITH_ATTACK_BUCKETS: u16 = 4;
/// First version with threats.
const WITH_THREATS: u16 = 5;
/// Oldest version that can be read.
const OLDEST_VERSION: u16 = 3;
/// Length of the header of this version in bytes.
const HEAD: usize = 26;
/// Maximum number of hidden units in a file.
const MAX_HIDDEN: usize = 4096;

/// A network ready for inference.
#[derive(Clone, PartialEq, Eq)]
pub struct Network {
    shape: Shape,
    scale: i32,
    /// Scale of the output weights; this value represents 1.
    output_unit: i32,
    /// Bias by hidden unit.
    bias: Vec<Block>,
    /// Weights by input and hidden unit.
    weights: Vec<Block>,
    /// Weights by threat and connected hidden unit.
    threats: Vec<SmallBlock>,
    /// Output weights by output bucket, mover or other, and hidden unit.
    output: Vec<Block>,
    /// Output bias by output bucket.
    output_bias: Vec<i32>,
    hash: u64,
}

impl Network {
    /// Creates a network from its parameters. `scale` is the score in centipawns for an output of 1.
    pub fn new(shape: Shape, scale: i32, numbers: &Numbers) -> Result<Network, BadNetwork> {
        check_shape(&shape, scale)?;
        let Numbers { bias, weights, threats, output, output_bias, .. } = numbers;
        let counts = [bias.len(), weights.len(), threats.len(), output.len(), output_bias.len()];
        let wanted = counts_of(&shape);
        if counts != wanted {
            return Err(BadShape::Counts { found: counts, wanted }.into());
        }
        check_sums(&shape, numbers)?;
        let mut network = Network {
            shape,
            scale,
            output_unit: numbers.output_unit.into(),
            bias: blocks(&numbers.bias),
            weights: blocks(&numbers.weights),
            threats: threats.as_chunks().0.iter().copied().map(SmallBlock).collect(),
            output: blocks(&numbers.output),
            output_bias: numbers.output_bias.clone(),
            hash: 0,
        };
        network.hash = fnv(&network.body());
        Ok(network)
    }

    /// Parses the bytes of a network file.
    pub fn decode(bytes: &[u8]) -> Result<Network, BadNetwork> {
        let mut fields = Fields::new(bytes);
        if fields.take() != Some(MAGIC) {
            return Err(BadNetwork::NoNetwork);
        }
        let version = fields.u16().ok_or(BadNetwork::NoNetwork)?;
        if !(OLDEST_VERSION..=VERSION).contains(&version) {
            return Err(BadNetwork::Version(version));
        }
        let head = HEAD - usize::from(VERSION - version);
        let cut = || BadNetwork::Length { needed: head, found: bytes.len() };
        let hidden = fields.u16().ok_or_else(cut)?.into();
        let [mirroring] = fields.take().ok_or_else(cut)?;
        let mirroring = Mirroring::from_number(mirroring).ok_or(BadShape::Mirroring(mirroring))?;
        let king_buckets = fields.take().ok_or_else(cut)?;
        let mut byte_since = |first| if version < first { Ok([0]) } else { fields.take().ok_or_else(cut) };
        let [attack_buckets] = byte_since(WITH_ATTACK_BUCKETS)?;
        if attack_buckets > 1 {
            return Err(BadShape::AttackBuckets(attack_buckets).into());
        }
        let [threat_blocks] = byte_since(WITH_THREATS)?;
        let [outputs] = fields.take().ok_or_else(cut)?;
        let outputs = Outputs::from_number(outputs).ok_or(BadShape::Outputs)?;
        let (attack_buckets, threat_units) = (attack_buckets == 1, 32 * usize::from(threat_blocks));
        let shape = Shape { hidden, mirroring, king_buckets, attack_buckets, threat_units, outputs };
        let (scale, output_unit) = fields.u16().zip(fields.u16()).ok_or_else(cut)?;
        check_shape(&shape, scale.into())?;
        let counts = counts_of(&shape);
        let [bias, weights, threats, output, output_bias] = counts;
        let needed = head + 2 * (bias + weights + output) + threats + 4 * output_bias + 8;
        let length = || BadNetwork::Length { needed, found: bytes.len() };
        let bias = numbers_from(&mut fields, bias, i16::from_le_bytes).ok_or_else(length)?;
        let mut weights = numbers_from(&mut fields, weights, i16::from_le_bytes).ok_or_else(length)?;
        let threats = numbers_from(&mut fields, threats, i8::from_le_bytes).ok_or_else(length)?;
        let output = numbers_from(&mut fields, output, i16::from_le_bytes).ok_or_else(length)?;
        let output_bias = numbers_from(&mut fields, output_bias, i32::from_le_bytes).ok_or_else(length)?;
        if version >= WITH_ATTACK_BUCKETS {
            let (first, others) = weights.split_at_mut(SLOTS * shape.hidden);
            for weights in others.chunks_mut(first.len()) {
                weights.iter_mut().zip(&*first).for_each(|(weight, first)| *weight = weight.wrapping_add(*first));
            }
        }
        let checksum = fields.u64().filter(|_| fields.rest().is_empty()).ok_or_else(length)?;
        if fnv(&bytes[..needed - 8]) != checksum {
            return Err(BadNetwork::Checksum);
        }
        Network::new(shape, scale.into(), &Numbers { bias, weights, threats, output_unit, output, output_bias })
    }

    /// Returns the bytes of the network's file.
    pub fn encode(&self) -> Vec<u8> {
        let mut bytes = self.body();
        bytes.extend(fnv(&bytes).to_le_bytes());
        bytes
    }

    fn body(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        // Networks without threats keep their hashes, and older programs can read them.
        let version = if self.shape.threat_units > 0 { VERSION } else { WITH_THREATS - 1 };
        bytes.extend(version.to_le_bytes());
        bytes.extend((self.shape.hidden as u16).to_le_bytes());
        bytes.push(self.shape.mirroring as u8);
        bytes.extend(self.shape.king_buckets);
        bytes.push(self.shape.attack_buckets.into());
        if self.shape.threat_units > 0 {
            bytes.push((self.shape.threat_units / 32) as u8);
        }
        bytes.push(self.shape.outputs as u8);
        bytes.extend((self.scale as u16).to_le_bytes());
        bytes.extend((self.output_unit as u16).to_le_bytes());
        let mut add = |number: i16| bytes.extend(number.to_le_bytes());
        let (first, others) = self.weights.split_at(SLOTS * self.width());
        numbers(&self.bias).chain(numbers(first)).for_each(&mut add);
        for weights in others.chunks(first.len()) {
            let differences = numbers(weights).zip(numbers(first)).map(|(weight, first)| weight.wrapping_sub(first));
            differences.for_each(&mut add);
        }
        bytes.extend(self.threats.iter().flat_map(|block| block.0).map(|weight| weight as u8));
        numbers(&self.output).for_each(|number| bytes.extend(number.to_le_bytes()));
        bytes.extend(self.output_bias.iter().flat_map(|number| number.to_le_bytes()));
        bytes
    }

    /// Returns the architecture.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// Returns the scale in centipawns for an output of 1.
    pub fn scale(&self) -> i32 {
        self.scale
    }

    /// Returns a hash of the network; never 0.
    pub fn hash(&self) -> u64 {
        self.hash.max(1)
    }

    /// Returns the first half of the hash in hexadecimal digits, which identifies the network.
    pub fn name(&self) -> String {
        format!("{:08x}", self.hash() >> 32)
    }

    /// Returns the number of blocks in one set of hidden units.
    pub(super) fn width(&self) -> usize {
        self.shape.hidden / 32
    }

    pub(super) fn bias(&self) -> &[Block] {
        &self.bias
    }

    /// Returns the weights of an input.
    #[inline]
    pub(super) fn row(&self, input: usize) -> &[Block] {
        let width = self.width();
        &self.weights[input * width..][..width]
    }

    /// Returns the number of blocks of hidden units connected to the threats.
    pub(super) fn threat_width(&self) -> usize {
        self.shape.threat_units / 32
    }

    /// Returns the weights of the threats, threat by threat.
    #[inline]
    pub(super) fn threats(&self) -> &[SmallBlock] {
        &self.threats
    }

    /// Returns the score from the hidden units of both perspectives, using the weights of an output bucket.
    #[inline]
    pub(super) fn score(&self, level: SimdLevel, bucket: usize, mover: [&[Block]; 2], other: [&[Block]; 2]) -> Score {
        let width = self.width();
        let mut weights = &self.output[bucket * 2 * width..][..2 * width];
        let mut sum = 0;
        for units in mover.into_iter().chain(other) {
            let (for_units, rest) = weights.split_at(units.len());
            // Each sum fits in 32 bits, and so does their total: see `check_sums`.
            sum += output(level, units, for_units);
            weights = rest;
        }
        let in_units = i64::from(sum) * 8 / i64::from(UNIT) + i64::from(self.output_bias[bucket]);
        let score = in_units * i64::from(self.scale) / i64::from(UNIT * self.output_unit);
        score.clamp(-i64::from(EVALUATION_LIMIT), EVALUATION_LIMIT.into()) as Score
    }
}

#[cfg(test)]
impl Network {
    /// Returns a copy of the weights and the bias of an output, for tests.
    pub(super) fn output_of(&self, bucket: usize) -> (Vec<i16>, i32) {
        let blocks = &self.output[bucket * 2 * self.width()..][..2 * self.width()];
        (blocks.iter().flat_map(|block| block.0).collect(), self.output_bias[bucket])
    }
}

impl fmt::Debug for Network {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.debug_struct("Network").field("name", &self.name()).field("shape", &self.shape).finish_non_exhaustive()
    }
}

fn check_shape(shape: &Shape, scale: i32) -> Result<(), BadShape> {
    let hidden = shape.hidden;
    if hidden == 0 || !hidden.is_multiple_of(32) || hidden > MAX_HIDDEN {
        return Err(BadShape::HiddenUnits { found: hidden, most: MAX_HIDDEN });
    }
    if shape.king_bucket_count() > 6 {
        return Err(BadShape::KingBuckets);
    }
    if shape.threat_units > hidden || !shape.threat_units.is_multiple_of(32) {
        return Err(BadShape::ThreatUnits { found: shape.threat_units, most: hidden });
    }
    if scale <= 0 || scale > i32::from(u16::MAX) {
        return Err(BadShape::Scale(scale));
    }
    Ok(())
}

/// Reads `count` numbers of N bytes each.
fn numbers_from<const N: usize, T>(fields: &mut Fields, count: usize, number: fn([u8; N]) -> T) -> Option<Vec<T>> {
    Some(fields.list(count)?.iter().copied().map(number).collect())
}

fn numbers(blocks: &[Block]) -> impl Iterator<Item = i16> {
    blocks.iter().flat_map(|block| block.0)
}

fn blocks(numbers: &[i16]) -> Vec<Block> {
    numbers.as_chunks().0.iter().map(|chunk| Block(*chunk)).collect()
}

/// Creates a network with small random weights for tests.
#[cfg(test)]
pub(super) fn random_network(shape: Shape, seed: u64) -> Network {
    let mut random = chuhe_board::random::SplitMix64::new(seed);
    let mut list = |count: usize, most: i64| -> Vec<i16> {
        (0..count).map(|_| (random.below(2 * most as u64 + 1) as i64 - most) as i16).collect()
    };
    let [bias, weights, threats, output, output_bias] = counts_of(&shape);
    let numbers = Numbers {
        bias: list(bias, 200),
        weights: list(weights, 120),
        threats: list(threats, 60).into_iter().map(|weight| weight as i8).collect(),
        output_unit: 64,
        output: list(output, 60),
        output_bias: list(output_bias, 3000).into_iter().map(i32::from).collect(),
    };
    Network::new(shape, 400, &numbers).expect("a small network can play")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn network() -> Network {
        random_network(Shape::new(32, Mirroring::Wings, Outputs::Rooks), 1)
    }

    #[test]
    fn what_was_written_is_read_again() {
        let bytes = network().encode();
        assert_eq!(bytes.len(), HEAD - 1 + 2 * 32 * (1 + 689 + 2 * 8) + 4 * 8 + 8);
        assert_eq!(Network::decode(&bytes), Ok(network()));
        let six = Shape { king_buckets: [0, 1, 2, 3, 4, 5], ..Shape::new(64, Mirroring::King, Outputs::One) };
        let buckets = Shape { attack_buckets: true, ..six.clone() };
        for shape in [Shape { threat_units: 32, ..buckets.clone() }, buckets, six] {
            let network = random_network(shape, 2);
            assert_eq!(Network::decode(&network.encode()), Ok(network));
        }
    }

    #[test]
    fn files_of_older_versions_are_read() {
        let mut old = network().encode();
        assert_eq!(old[8], 4);
        old.truncate(old.len() - 8);
        old[8] = 3;
        assert_eq!(old.remove(19), 0);
        let checksum = fnv(&old);
        old.extend(checksum.to_le_bytes());
        let read = Network::decode(&old).expect("a network of an older version");
        assert_eq!(read.encode(), network().encode());
    }

    #[test]
    fn wrong_files_are_named() {
        let bytes = network().encode();
        let with = |at: usize, byte: u8| {
            let mut changed = bytes.clone();
            changed[at] = byte;
            Network::decode(&changed).expect_err("a wrong file")
        };
        assert_eq!(Network::decode(b""), Err(BadNetwork::NoNetwork));
        assert_eq!(Network::decode(&[0; 5000]), Err(BadNetwork::NoNetwork));
        assert_eq!(with(0, b'c'), BadNetwork::NoNetwork);
        assert_eq!(with(8, 9), BadNetwork::Version(9));
        assert!(matches!(with(10, 33), BadNetwork::Shape(_)));
        assert!(matches!(with(12, 7), BadNetwork::Shape(_)));
        assert!(matches!(with(19, 2), BadNetwork::Shape(_)));
        assert!(matches!(with(10, 64), BadNetwork::Length { .. }));
        assert_eq!(with(5000, bytes[5000] ^ 1), BadNetwork::Checksum);
        let mut threats = random_network(Shape { threat_units: 32, ..network().shape }, 1).encode();
        threats[20] = 2;
        assert!(matches!(Network::decode(&threats), Err(BadNetwork::Shape(BadShape::ThreatUnits { .. }))));
        let short = &bytes[..bytes.len() - 1];
        assert!(matches!(Network::decode(short), Err(BadNetwork::Length { .. })));
        for cut in 0..HEAD + 8 {
            assert!(Network::decode(&bytes[..cut]).is_err());
        }
    }
}
