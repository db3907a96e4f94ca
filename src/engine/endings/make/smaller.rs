//! Unpacked tables of the smaller endings reached by captures, used during generation.

use super::cells::{LOSS, OPEN, WIN};
use crate::endings::file::{Table, TableFault};
use crate::endings::{Content, Folder, Index, Material};
use chuhe_board::rules::Outcome;
use chuhe_board::{Bitboard, Kind, Side};

/// All endings reachable by one capture.
pub(super) struct Smaller {
    /// Tables by side and kind of the captured piece; `None` if the resulting ending is drawn by rule.
    after: [[Option<One>; 7]; 2],
}

struct One {
    index: Index,
    /// `true` if Black is the stronger side.
    flipped: bool,
    /// Cells with outcome and plies to mate, by side to move from the table's point of view.
    cells: [Vec<u16>; 2],
}

impl Smaller {
    /// Reads the tables from a folder.
    ///
    /// # Errors
    /// Returns an error if a table is missing or damaged.
    pub(crate) fn read(material: Material, folder: &Folder) -> Result<Smaller, TableFault> {
        let mut after: [[Option<One>; 7]; 2] = Default::default();
        for side in Side::ALL {
            for kind in Kind::ALL.into_iter().filter(|kind| material.count(side, *kind) > 0) {
                let (left, flipped) = material.without(side, kind).normal();
                if !left.is_dead() {
                    let index = Index::new(left);
                    let cells = read_cells(&folder.open(left, Content::Wins)?, &folder.open(left, Content::Mate)?)?;
                    after[side.index()][kind.index()] = Some(One { index, flipped, cells });
                }
            }
        }
        Ok(Smaller { after })
    }

    /// Returns the size in bytes of the unpacked tables that are read for an ending.
    pub(crate) fn bytes(material: Material) -> u64 {
        let pieces = Side::ALL.into_iter().flat_map(|side| Kind::ALL.map(|kind| (side, kind)));
        let there = pieces.filter(|(side, kind)| material.count(*side, *kind) > 0);
        let left = there.map(|(side, kind)| material.without(side, kind).normal().0);
        left.filter(|left| !left.is_dead()).map(|left| 4 * Index::new(left).size() as u64).sum()
    }

    /// Returns the cell after the capture of a piece of `side`; `pieces` returns the squares of the remaining
    /// pieces.
    pub(crate) fn cell(&self, side: Side, taken: Kind, pieces: impl Fn(Side, Kind) -> Bitboard) -> u16 {
        let Some(one) = &self.after[side.index()][taken.index()] else { return OPEN };
        let to_move = if one.flipped { !side } else { side };
        one.cells[to_move.index()][one.index.number(one.flipped, pieces)]
    }
}

fn read_cells(wins: &Table, mates: &Table) -> Result<[Vec<u16>; 2], TableFault> {
    let mut sides = Side::ALL.into_iter();
    let mut read = || {
        let side = sides.next().unwrap_or(Side::Red);
        let distances = mates.distances(side)?;
        let outcomes = wins.outcomes(side)?;
        let cell = |(outcome, plies): (Outcome, u16)| match outcome {
            Outcome::Win => WIN | plies,
            Outcome::Loss => LOSS | plies,
            Outcome::Draw => OPEN,
        };
        Ok(outcomes.into_iter().zip(distances).map(cell).collect())
    };
    Ok([read()?, read()?])
}
