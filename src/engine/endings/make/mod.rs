//! Making a table: retrograde analysis, and what it has found on disk.

mod cells;
mod men;
mod perpetual;
mod smaller;
mod solve;

use super::file::{Facts, Fault, write};
use super::header::Counts;
use super::{Content, Folder, Index, Material, PERPETUAL};
use cells::{ILLEGAL, LOSS, WIN, kind, plies, share_out};
use chuhe_board::Side;
use chuhe_board::rules::NATURAL_LIMIT;
use smaller::Smaller;
use solve::Solver;
use std::sync::atomic::Ordering::Relaxed;

/// What is needed to make a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Needs {
    /// Numbers of both sides to move.
    pub positions: u64,
    /// Bytes of memory.
    pub memory: u64,
}

/// What is needed to make the table of an ending, without the smaller ones.
pub fn needs(material: Material) -> Needs {
    let size = Index::new(material).size() as u64;
    let losers = Side::ALL.into_iter().filter(|side| material.attackers(!*side) > 0).count() as u64;
    Needs { positions: 2 * size, memory: (4 + losers) * size + Smaller::bytes(material) }
}

/// Makes the tables of an ending in a folder, where the smaller ones are already. The wins are written last, so that an ending whose wins are
/// there is whole.
///
/// # Errors
/// A smaller table is missing or damaged, or a file can't be written.
pub fn make(material: Material, folder: &Folder, threads: usize) -> Result<(), Fault> {
    let index = Index::new(material);
    let smaller = Smaller::read(material, folder)?;
    let mut solver = Solver::solve(&index, &smaller, threads);
    if material.both_attack() {
        perpetual::judge(&mut solver);
    }
    let found = survey(&index, &solver, threads);
    let save = |solver: &Solver, content: Content, found: &Survey| {
        let bits = match content {
            Content::Wins => {
                if found.counts.lost[0] + found.counts.won[1] > 0 {
                    2
                } else {
                    1
                }
            }
            _ => {
                if found.longest.iter().all(|(plies, _)| *plies < 0x100) && found.counts.perpetual == [0; 2] {
                    8
                } else {
                    16
                }
            }
        };
        let facts = Facts { material, content, bits, counts: found.counts, longest: found.longest };
        let value = |side: Side, number: usize| {
            let cell = solver.cells(side)[number].load(Relaxed);
            match (kind(cell), content) {
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
    // A capture that leads to a perpetual check is as near as any, the mate is not.
    let by_mate = survey(&index, &solver, threads);
    let counts = Counts { perpetual: by_mate.counts.perpetual, ..found.counts };
    let mates = Survey { longest: by_mate.longest, counts };
    save(&solver, Content::Mate, &mates)?;
    save(&solver, Content::Wins, &found)?;
    Ok(())
}

/// What a look at all cells finds.
#[derive(Clone, Copy, Default)]
struct Survey {
    counts: Counts,
    /// By side to move: the longest distance and the first number that has it.
    longest: [(u16, u64); 2],
}

fn survey(index: &Index, solver: &Solver, threads: usize) -> Survey {
    let mut all = Survey::default();
    let look = |numbers: std::ops::Range<usize>, found: &mut Survey| {
        for number in numbers {
            // All but twins stand for their mirror images, too.
            let weight = if index.is_twin(number) { 1 } else { 2 };
            for side in Side::ALL {
                let cell = solver.cells(side)[number].load(Relaxed);
                if kind(cell) == ILLEGAL {
                    continue;
                }
                let counts = &mut found.counts;
                counts.legal[side.index()] += weight;
                if kind(cell) != WIN && kind(cell) != LOSS {
                    continue;
                }
                let decided = if kind(cell) == WIN { &mut counts.won } else { &mut counts.lost };
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
    share_out(index, threads, look, |found: Survey| all = all.with(&found));
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
        // Of several equally long ones the first, whichever thread found it.
        let key = |(plies, number): (u16, u64)| (plies, std::cmp::Reverse(number));
        let longer = |side: usize| std::cmp::max_by_key(self.longest[side], other.longest[side], |one| key(*one));
        Survey { counts, longest: [longer(0), longer(1)] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The counts and the longest mates of an independent generator.
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
