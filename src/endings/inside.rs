//! The tables that the program carries: who wins with one attacker against any guards, with a cannon and advisors of its own, and with two pawns, or
//! cannon and pawn, against few guards.
//!
//! The file is a row of `.wins` files, each as `chuhe endings make` has written it.

use super::header::{Header, LENGTH};
use super::{Content, Material};

static ALL: &[u8] = include_bytes!("../../positions/endings.wins");

/// Their endings and bytes.
pub fn tables() -> Vec<(Material, &'static [u8])> {
    let mut rest = ALL;
    let mut tables = Vec::new();
    while let Some(header) = rest.first_chunk::<LENGTH>().and_then(Header::read)
        && let Some((table, after)) = rest.split_at_checked(header.length() as usize)
        && header.content == Content::Wins
    {
        tables.push((header.material, table));
        rest = after;
    }
    debug_assert!(rest.is_empty());
    tables
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::endings::file::Table;

    #[test]
    fn every_table_inside_is_whole_and_verified() {
        let tables = tables();
        assert_eq!(tables.len(), 63);
        for (material, bytes) in tables {
            let table = Table::inside(bytes).expect("a table");
            assert!(table.header().verified.is_some(), "{material}");
            for block in 0..table.blocks() {
                table.block(block).unwrap_or_else(|fault| panic!("{material}: {fault}"));
            }
        }
    }
}
