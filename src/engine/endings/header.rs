//! Header of a table file: the ending, the content of the values, and the position of the blocks.

use super::{Content, Material};
use crate::bytes::{Fields, crc32};

/// Signature of a table file.
const MAGIC: [u8; 8] = *b"ChuheEnd";
/// Version of the file format.
const FORMAT_VERSION: u16 = 1;

/// Returns the version of the rules by which positions are judged: mate and stalemate lose, kings must not
/// face each other, and endings without attackers are drawn. In version 2, perpetual check also loses, which
/// matters only if both sides have attackers.
fn rules_version(material: Material) -> u16 {
    if material.both_attack() { 2 } else { 1 }
}

/// Length of a header in bytes.
pub(super) const LENGTH: usize = 256;
/// Maximum length of the name of an ending or of a verifier, in bytes.
const MAX_NAME: usize = 24;

/// Header of a table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Header {
    /// Ending.
    pub material: Material,
    /// Content of the values.
    pub content: Content,
    /// Bits per value: 1 or 2 for outcomes, 8 or 16 for distances.
    pub bits: u32,
    /// Number of indices for each side to move.
    pub size: u64,
    /// Counts of positions; mirror images are counted separately.
    pub counts: Counts,
    /// Natural limit used for the counts, in plies.
    pub limit: u16,
    /// Longest distance in plies and the index of a position with this distance, by side to move. In a table
    /// of outcomes, it is the distance to the next capture or mate.
    pub longest: [(u16, u64); 2],
    /// Size of an unpacked block in bytes.
    pub block: u32,
    /// Number of blocks.
    pub blocks: u32,
    /// Offset of the list of blocks.
    pub list_at: u64,
    /// Checksum of the list of blocks.
    pub list_sum: u32,
    /// Name of the program that verified the table, if any.
    pub verified: Option<String>,
}

/// Counts of positions by side to move, Red first; mirror images are counted separately.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[allow(missing_docs)]
pub struct Counts {
    pub legal: [u64; 2],
    pub won: [u64; 2],
    pub lost: [u64; 2],
    /// Wins and losses that the natural limit turns into draws.
    pub cursed: [u64; 2],
    /// Reserved for draws that the defender may hold only by perpetual chase. Always 0, since tables ignore
    /// perpetual chase.
    pub undecided: [u64; 2],
    /// Wins and losses in which one side must give perpetual check or lose in another way.
    pub perpetual: [u64; 2],
}

impl Header {
    /// Returns the bytes of the header.
    pub fn to_bytes(&self) -> [u8; LENGTH] {
        let mut bytes = Vec::with_capacity(LENGTH);
        bytes.extend(MAGIC);
        bytes.extend(FORMAT_VERSION.to_le_bytes());
        bytes.extend(rules_version(self.material).to_le_bytes());
        bytes.extend((self.content as u16).to_le_bytes());
        bytes.extend((self.bits as u16).to_le_bytes());
        bytes.extend(text(&self.material.to_string()));
        bytes.extend(self.size.to_le_bytes());
        let counts = &self.counts;
        for pair in [counts.legal, counts.won, counts.lost, counts.cursed, counts.undecided] {
            pair.iter().for_each(|count| bytes.extend(count.to_le_bytes()));
        }
        bytes.extend(self.limit.to_le_bytes());
        for (plies, number) in self.longest {
            bytes.extend(plies.to_le_bytes());
            bytes.extend(number.to_le_bytes());
        }
        bytes.extend(self.block.to_le_bytes());
        bytes.extend(self.blocks.to_le_bytes());
        bytes.extend(self.list_at.to_le_bytes());
        bytes.extend(self.list_sum.to_le_bytes());
        bytes.extend(text(self.verified.as_deref().unwrap_or_default()));
        // This count was added to the format last, in place of unused zeros.
        counts.perpetual.iter().for_each(|count| bytes.extend(count.to_le_bytes()));
        bytes.resize(LENGTH - 4, 0);
        bytes.extend(crc32(&bytes).to_le_bytes());
        let mut header = [0; LENGTH];
        header.copy_from_slice(&bytes);
        header
    }

    /// Parses a header; `None` if it is invalid, damaged or of an unsupported version.
    pub fn read(bytes: &[u8; LENGTH]) -> Option<Header> {
        let (content, sum) = bytes.split_last_chunk::<4>()?;
        if crc32(content) != u32::from_le_bytes(*sum) {
            return None;
        }
        let mut fields = Fields::new(content);
        if fields.take()? != MAGIC || fields.u16()? != FORMAT_VERSION {
            return None;
        }
        let version = fields.u16()?;
        let content = Content::ALL.into_iter().nth(usize::from(fields.u16()?))?;
        let bits = u32::from(fields.u16()?);
        let material =
            read_text(&fields.take()?)?.parse().ok().filter(|material| rules_version(*material) == version)?;
        let size = fields.u64()?;
        let mut pair = || Some([fields.u64()?, fields.u64()?]);
        let (legal, won, lost, cursed, undecided) = (pair()?, pair()?, pair()?, pair()?, pair()?);
        let limit = fields.u16()?;
        let longest = [(fields.u16()?, fields.u64()?), (fields.u16()?, fields.u64()?)];
        let (block, blocks, list_at, list_sum) = (fields.u32()?, fields.u32()?, fields.u64()?, fields.u32()?);
        let verified = Some(read_text(&fields.take()?)?).filter(|name| !name.is_empty());
        let perpetual = [fields.u64()?, fields.u64()?];
        let counts = Counts { legal, won, lost, cursed, undecided, perpetual };
        Some(Header {
            material,
            content,
            bits,
            size,
            counts,
            limit,
            longest,
            block,
            blocks,
            list_at,
            list_sum,
            verified,
        })
    }

    /// Returns the length of the whole file in bytes.
    pub(crate) fn length(&self) -> u64 {
        self.list_at.saturating_add(12 * u64::from(self.blocks))
    }

    /// Returns the number of values per block.
    pub(crate) fn values_in_a_block(&self) -> u64 {
        u64::from(self.block) * 8 / u64::from(self.bits.max(1))
    }
}

/// Encodes a short string as a field of fixed length.
fn text(name: &str) -> [u8; MAX_NAME] {
    let mut field = [0; MAX_NAME];
    let length = name.len().min(MAX_NAME);
    field[..length].copy_from_slice(&name.as_bytes()[..length]);
    field
}

fn read_text(field: &[u8; MAX_NAME]) -> Option<String> {
    let end = field.iter().position(|byte| *byte == 0).unwrap_or(MAX_NAME);
    String::from_utf8(field[..end].to_vec()).ok()
}
