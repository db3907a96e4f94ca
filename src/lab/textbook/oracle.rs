//! Exact values of positions, for the best and the worst move order.

use super::Tree;
use super::tree::{MATE, MATE_RANGE};
use chuhe_board::MoveClass;
use std::collections::HashMap;

/// Oracle for minimax values: a plain negamax that stores all results. Its nodes are not counted.
#[derive(Debug, Default)]
pub(crate) struct Oracle {
    known: HashMap<(u64, i32), i32>,
}

impl Oracle {
    /// Returns the value; mates are counted from this position.
    pub(crate) fn value<T: Tree>(&mut self, tree: &mut T, depth: i32) -> i32 {
        if depth <= 0 {
            return tree.value();
        }
        if let Some(&known) = self.known.get(&(tree.key(), depth)) {
            return known;
        }
        let mut best = -MATE;
        for mv in tree.moves(MoveClass::All) {
            let undo = tree.play(mv);
            let value = -self.value(tree, depth - 1);
            tree.undo(mv, undo);
            let later = if value.abs() >= MATE_RANGE { value - value.signum() } else { value };
            best = best.max(later);
        }
        self.known.insert((tree.key(), depth), best);
        best
    }
}
