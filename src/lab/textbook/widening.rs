//! Iterative widening, mentioned once in the slides: searches only a few best moves of each node first, then
//! more. The value is inexact.

use super::alpha_beta::fail_soft;
use super::study::{Answer, INFINITY};
use super::tree::Moves;
use super::{Study, Tree};

/// Tries `width` moves per node, then twice as many, until doubling changes nothing. The best move may be
/// omitted, so the value is an estimate whose quality depends on the move order.
pub fn widening<T: Tree>(study: &mut Study<T>, depth: i32, width: usize) -> Answer {
    let mut previous = None;
    study.width = width.max(1);
    loop {
        // Entries from narrower trees are invalid for this tree.
        if let Some(table) = &mut study.table {
            table.clear();
        }
        let value = fail_soft(study, depth, -INFINITY, INFINITY)?;
        if previous == Some(value) || study.width >= Moves::<T::Move>::new().capacity() {
            return Some(value);
        }
        previous = Some(value);
        study.width *= 2;
    }
}
