//! Generation of tables: retrograde analysis, then writing the results.

mod board;
mod cells;
mod perpetual;
mod smaller;
mod solve;

use super::file::{Facts, TableFault, write};
use super::header::Counts;
use super::{Content, Folder, Index, Material, PERPETUAL};
use cells::{ILLEGAL, LOSS, WIN, plies, state, sweep};
use chuhe_board::Side;
use chuhe_board::rules::NATURAL_LIMIT;
use smaller::Smaller;
use solve::Solver;
use std::sync::atomic::Ordering::Relaxed;

/// Resources needed to generate a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Needs {
    /// Number of indices for both sides to move.
    pub positions: u64,
    /// Memory in bytes.
    pub memory: u64,
}

/// Returns the resources needed to generate the table of an ending once the smaller tables exist.
pub fn needs(material: Material) -> Needs {
    let size = Index::new(material).size() as u64;
    let losers = Side::ALL.into_iter().filter(|side| material.attackers(!*side) > 0).count() as u64;
    Needs { positions: 2 * size, memory: (4 + losers) * size + Smaller::bytes(material) }
}

/// Generates the tables of an ending in a folder that already contains the tables of the smaller endings.
/// Outcomes are written last, so an ending with a table of outcomes is complete.
///
/// # Errors
/// Returns an error if a smaller table is missing or damaged, or if a file cannot be written.
pub fn make(material: Material, folder: &Folder, threads: usize) -> Result<(), TableFault> {
    let index = Index::new(material);
    let smaller = Smaller::read(material, folder)?;
    let mut solver = Solver::solve(&index, &smaller, threads);
    if material.both_attack() {
        perpetual::decide(&mut solver);
    }
    let found = survey(&index, &solver, threads);
    let save = |solver: &Solver, content: Content, found: &Survey| {
        let bits = bits(content, found);
        let facts = Facts { material, content, bits, counts: found.counts, longest: found.longest };
        let value = |side: Side, number: usize| {
            let cell = solver.cells(side)[number].load(Relaxed);
            match (state(cell), content) {
                // `None` repeats the previous value, which compresses well.
                (ILLEGAL, _) => None,
                (WIN | LOSS, Content::Capture | Content::Mate) => Some(plies(cell)),
                (_, Content::Capture | Content::Mate) => None,
                (LOSS, _) if bits == 2 => Some(2),
                (WIN | LOSS, _) => Some(1),
                _ => Some(0),
            }
        };
        write(&folder.file(material, content), &facts, threads, value)
    };
    save(&solver, Content::Capture, &found)?;
    solver.measure_mates();
    // Only distances to mate distinguish a perpetual check after a capture from other results.
    let by_mate = survey(&index, &solver, threads);
    let counts = Counts { perpetual: by_mate.counts.perpetual, ..found.counts };
    let mates = Survey { longest: by_mate.longest, counts };
    save(&solver, Content::Mate, &mates)?;
    save(&solver, Content::Wins, &found)?;
    Ok(())
}

/// Returns the number of bits per value.
fn bits(content: Content, found: &Survey) -> u32 {
    match content {
        // If Black never wins, one bit distinguishes Red's wins from draws.
        Content::Wins if found.counts.lost[0] + found.counts.won[1] == 0 => 1,
        Content::Wins => 2,
        // One byte is sufficient for short distances, but not for `PERPETUAL`.
        _ if found.longest.iter().all(|(plies, _)| *plies < 0x100) && found.counts.perpetual == [0; 2] => 8,
        _ => 16,
    }
}

/// Counts over all cells.
#[derive(Clone, Copy, Default)]
struct Survey {
    counts: Counts,
    /// Longest distance and the first index with this distance, by side to move.
    longest: [(u16, u64); 2],
}

fn survey(index: &Index, solver: &Solver, threads: usize) -> Survey {
    let mut all = Survey::default();
    let look = |numbers: std::ops::Range<usize>, found: &mut Survey| {
        for number in numbers {
            // Every position except a twin also represents its mirror image.
            let weight = if index.is_twin(number) { 1 } else { 2 };
            for side in Side::ALL {
                let cell = solver.cells(side)[number].load(Relaxed);
                if state(cell) == ILLEGAL {
                    continue;
                }
                let counts = &mut found.counts;
                counts.legal[side.index()] += weight;
                if state(cell) != WIN && state(cell) != LOSS {
                    continue;
                }
                let decided = if state(cell) == WIN { &mut counts.won } else { &mut counts.lost };
                decided[side.index()] += weight;
                if plies(cell) >= PERPETUAL {
                    counts.perpetual[side.index()] += weight;
                    continue;
                }
                if plies(cell) > NATURAL_LIMIT {
                    counts.cursed[side.index()] += weight;
                }
                if plies(cell) > found.longest[side.index()].0 {
                    found.longest[side.index()] = (plies(cell), number as u64);
                }
            }
        }
    };
    sweep(index, threads, look, |found: Survey| all = all.with(&found));
    all
}

impl Survey {
    fn with(&self, other: &Survey) -> Survey {
        let sum = |one: [u64; 2], two: [u64; 2]| [one[0] + two[0], one[1] + two[1]];
        let (one, two) = (&self.counts, &other.counts);
        let counts = Counts {
            legal: sum(one.legal, two.legal),
            won: sum(one.won, two.won),
            lost: sum(one.lost, two.lost),
            cursed: sum(one.cursed, two.cursed),
            undecided: sum(one.undecided, two.undecided),
            perpetual: sum(one.perpetual, two.perpetual),
        };
        // Ties are broken by the smallest index, so that the result does not depend on the order in which
        // threads finish.
        let key = |(plies, number): (u16, u64)| (plies, std::cmp::Reverse(number));
        let longer = |side: usize| std::cmp::max_by_key(self.longest[side], other.longest[side], |one| key(*one));
        Survey { counts, longest: [longer(0), longer(1)] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The expected counts and longest mates come from an independent generator.
    #[test]
    fn counts_equal_those_of_an_independent_generator() {
        let path = std::env::temp_dir().join(format!("chuhe-endings-{}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a folder");
        let folder = Folder::new(&path);
        for (name, legal, won, longest) in [("H-A", 21_426, 21_366, 37), ("PP-AA", 590_010, 506_694, 55)] {
            let material: Material = name.parse().expect(name);
            for member in material.family() {
                make(member, &folder, 2).expect("a table");
            }
            let mates = folder.open(material, Content::Mate).expect("the table");
            let header = mates.header();
            assert_eq!(
                (header.counts.legal[0], header.counts.won[0], header.longest[0].0),
                (legal, won, longest),
                "{name}"
            );
        }
        std::fs::remove_dir_all(path).expect("the folder");
    }
}
