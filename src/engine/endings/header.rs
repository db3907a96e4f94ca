//! The first bytes of a table's file: whose table it is, what it counts, and where its blocks are.

use super::{Content, Material};
use crate::bytes::{Fields, crc32};

/// The first bytes of every table.
const MAGIC: [u8; 8] = *b"ChuheEnd";
/// The version of the form described here.
const FORM: u16 = 1;
/// The rules by which positions are judged: mate and stalemate lose, kings don't face, a side without attackers on the board draws; the second
/// time, perpetual check loses, which only matters where both sides have attackers.
fn rules(material: Material) -> u16 {
    if material.both_attack() { 2 } else { 1 }
}
/// The length of a header, in bytes.
pub const LENGTH: usize = 256;
/// The most letters of a name, and of the name of a verifier.
const LONGEST_NAME: usize = 24;

/// What a table says about itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Header {
    /// The ending.
    pub material: Material,
    /// What the values are.
    pub content: Content,
    /// Bits of each value: 1 or 2 for wins, 8 or 16 for distances.
    pub bits: u32,
    /// How many numbers there are for each side to move.
    pub size: u64,
    /// Counts of positions, mirror images counted apart.
    pub counts: Counts,
    /// The natural limit that the counts heed, in plies.
    pub limit: u16,
    /// By side to move, the longest distance in plies and a number that has it. A table of wins tells those to the next capture or mate.
    pub longest: [(u16, u64); 2],
    /// The bytes of an unpacked block.
    pub block: u32,
    /// How many blocks there are.
    pub blocks: u32,
    /// Where the list of blocks begins.
    pub list_at: u64,
    /// The checksum of the list of blocks.
    pub list_sum: u32,
    /// By which program it was verified, if it was.
    pub verified: Option<String>,
}

/// Counts of positions by side to move, Red first, mirror images counted apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[allow(missing_docs)]
pub struct Counts {
    pub legal: [u64; 2],
    pub won: [u64; 2],
    pub lost: [u64; 2],
    /// Won or lost, but not within the natural limit of any phase: drawn by rule.
    pub cursed: [u64; 2],
    /// Drawn, but perhaps lost for a defender who holds by chasing forever: the table does not decide them.
    pub undecided: [u64; 2],
    /// Won or lost, because one side can only check forever or lose otherwise.
    pub perpetual: [u64; 2],
}

impl Header {
    /// The header as it stands in the file.
    pub fn write(&self) -> [u8; LENGTH] {
        let mut bytes = Vec::with_capacity(LENGTH);
        bytes.extend(MAGIC);
        bytes.extend(FORM.to_le_bytes());
        bytes.extend(rules(self.material).to_le_bytes());
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
        counts.perpetual.iter().for_each(|count| bytes.extend(count.to_le_bytes()));
        bytes.resize(LENGTH - 4, 0);
        bytes.extend(crc32(&bytes).to_le_bytes());
        let mut header = [0; LENGTH];
        header.copy_from_slice(&bytes);
        header
    }

    /// Reads a header; `None` if it is not one, or damaged, or of a form that is not known.
    pub fn read(bytes: &[u8; LENGTH]) -> Option<Header> {
        let (content, sum) = bytes.split_last_chunk::<4>()?;
        if crc32(content) != u32::from_le_bytes(*sum) {
            return None;
        }
        let mut fields = Fields::new(content);
        if fields.take()? != MAGIC || fields.u16()? != FORM {
            return None;
        }
        let judged_by = fields.u16()?;
        let content = Content::ALL.into_iter().nth(usize::from(fields.u16()?))?;
        let bits = u32::from(fields.u16()?);
        let material = read_text(&fields.take()?)?.parse().ok().filter(|material| rules(*material) == judged_by)?;
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

    /// How many bytes the whole file has.
    pub fn length(&self) -> u64 {
        self.list_at.saturating_add(12 * u64::from(self.blocks))
    }

    /// How many values a block holds.
    pub fn values_in_a_block(&self) -> u64 {
        u64::from(self.block) * 8 / u64::from(self.bits.max(1))
    }
}

/// A short text in a field of fixed length.
fn text(name: &str) -> [u8; LONGEST_NAME] {
    let mut field = [0; LONGEST_NAME];
    let length = name.len().min(LONGEST_NAME);
    field[..length].copy_from_slice(&name.as_bytes()[..length]);
    field
}

fn read_text(field: &[u8; LONGEST_NAME]) -> Option<String> {
    let end = field.iter().position(|byte| *byte == 0).unwrap_or(LONGEST_NAME);
    String::from_utf8(field[..end].to_vec()).ok()
}
