//! Iterative widening, named once in the slides: the best few moves of each node first, then more. Inexact.

use super::alpha_beta::fail_soft;
use super::study::{Answer, INFINITY};
use super::tree::Moves;
use super::{Study, Tree};

/// Tries `width` moves a node, then twice as many, until twice as many change nothing. What is left out may be the best move, so the
/// value is a guess, better the better the order of moves.
pub fn widening<T: Tree>(study: &mut Study<T>, depth: i32, width: usize) -> Answer {
    let mut previous = None;
    study.width = width.max(1);
    loop {
        // What the table knows of narrower trees is about other trees.
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
