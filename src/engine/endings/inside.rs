//! Embedded tables of outcomes for one side to move. The outcomes for the other side follow from a one-ply
//! search.
//!
//! The file is a sequence of endings: a name, the side to move, the longest distance to a capture or mate,
//! and an LZMA stream of bits in index order. Each row of positions that differ only in the innermost digit
//! starts at a byte boundary. Similar rows then consist of similar bytes, which reduces the size of the
//! compressed file to a third. `studies/endings_inside.py` writes the file.

use super::{Index, Material};
use crate::bytes::Fields;
use chuhe_board::rules::Outcome;
use chuhe_board::{Position, Side};
use lzma_rust2::LzmaReader;
use std::collections::BTreeMap;
use std::io::{self, Read};
use std::sync::{LazyLock, OnceLock};

static FILE: &[u8] = include_bytes!("../embedded/endings.lzma");

/// Tables by ending; each is unpacked on first use.
static TABLES: LazyLock<BTreeMap<Material, Inside>> = LazyLock::new(|| {
    let tables: BTreeMap<Material, Inside> = read(FILE).into_iter().map(|table| (table.material, table)).collect();
    debug_assert!(!tables.is_empty());
    tables
});

/// Maximum memory for unpacking, in kB.
const MAX_MEMORY: u32 = 1 << 15;

/// An embedded table.
#[derive(Debug)]
struct Inside {
    material: Material,
    /// Side to move in the positions of the table.
    side: Side,
    longest: u16,
    packed: &'static [u8],
    unpacked: OnceLock<Option<Unpacked>>,
}

#[derive(Debug)]
struct Unpacked {
    index: Index,
    /// Number of positions per row.
    row: usize,
    bits: Vec<u8>,
}

impl Inside {
    /// Returns the unpacked table, or `None` if the program file is damaged.
    fn unpacked(&self) -> Option<&Unpacked> {
        self.unpacked.get_or_init(|| Unpacked::of(self).ok()).as_ref()
    }
}

impl Unpacked {
    fn of(inside: &Inside) -> io::Result<Unpacked> {
        let index = Index::new(inside.material);
        let row = index.row();
        let mut bits = Vec::with_capacity(index.size() / row * row.div_ceil(8));
        LzmaReader::new_mem_limit(inside.packed, MAX_MEMORY, None)?.read_to_end(&mut bits)?;
        match bits.len() == bits.capacity() {
            true => Ok(Unpacked { index, row, bits }),
            false => Err(io::ErrorKind::InvalidData.into()),
        }
    }

    fn is_decided(&self, number: usize) -> bool {
        let (row, place) = (number / self.row, number % self.row);
        self.bits[row * self.row.div_ceil(8) + place / 8] >> (place % 8) & 1 == 1
    }
}

/// Parses the tables in a file up to the first damaged table.
fn read(file: &'static [u8]) -> Vec<Inside> {
    let mut tables = Vec::new();
    let mut fields = Fields::new(file);
    while let Some(table) = read_one(&mut fields) {
        tables.push(table);
    }
    tables
}

fn read_one(fields: &mut Fields<'static>) -> Option<Inside> {
    let name: [u8; 12] = fields.take()?;
    let material = std::str::from_utf8(&name).ok()?.trim_end_matches('\0').parse().ok()?;
    let side = *Side::ALL.get(usize::from(fields.u16()?))?;
    let longest = fields.u16()?;
    let length = fields.u32()? as usize;
    let packed = fields.list::<1>(length)?.as_flattened();
    Some(Inside { material, side, longest, packed, unpacked: OnceLock::new() })
}

/// Returns the embedded endings.
pub(super) fn endings() -> impl Iterator<Item = &'static Material> {
    TABLES.keys()
}

/// Returns the longest distance to a capture or mate in an ending, in plies; `None` if the ending is not
/// embedded.
pub(crate) fn longest(material: Material) -> Option<u16> {
    TABLES.get(&material).map(|table| table.longest)
}

/// Returns the outcome; `None` if the ending is not embedded.
pub(crate) fn outcome(position: &Position) -> Option<Outcome> {
    let (material, flipped) = Material::of(position).normal();
    if material.is_dead() {
        return Some(if position.has_moves() { Outcome::Draw } else { Outcome::Loss });
    }
    let table = TABLES.get(&material)?;
    let side = if flipped { !position.side() } else { position.side() };
    if side != table.side {
        return outcome_by_moves(position);
    }
    let unpacked = table.unpacked()?;
    let number = unpacked.index.number(flipped, |side, kind| position.pieces(side, kind));
    Some(match (unpacked.is_decided(number), side) {
        (false, _) => Outcome::Draw,
        (true, Side::Red) => Outcome::Win,
        (true, Side::Black) => Outcome::Loss,
    })
}

/// Returns the best outcome among all moves.
fn outcome_by_moves(position: &Position) -> Option<Outcome> {
    let mut best = Outcome::Loss;
    for mv in position.legal_moves() {
        let mut after = position.clone();
        after.make(mv);
        match outcome(&after)? {
            Outcome::Loss => return Some(Outcome::Win),
            Outcome::Draw => best = Outcome::Draw,
            Outcome::Win => {}
        }
    }
    Some(best)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_table_unpacks_and_captures_lead_to_others() {
        assert_eq!(read(FILE).len(), 89);
        for table in TABLES.values() {
            assert!(table.unpacked().is_some(), "{}", table.material);
            assert!(table.material.captures().iter().all(|sub| TABLES.contains_key(sub)), "{}", table.material);
            assert!(table.longest <= chuhe_board::rules::NATURAL_LIMIT, "{}", table.material);
        }
    }
}
