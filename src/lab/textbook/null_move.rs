//! The null move, after Moreland's page: if the value is at least beta even after a null move, some real move
//! will also reach beta.

use super::study::{Answer, Search};
use super::tree::MATE_RANGE;
use super::{Study, Tree, Verify};

/// Result of a null move.
pub enum Pass {
    /// The node is cut off with this value.
    Cut(i32),
    /// The moves must be searched, to this depth.
    On(i32),
}

impl<T: Tree> Study<T> {
    /// Tries a null move before generating moves, at a node that `search` would search to `depth` with this
    /// beta.
    pub fn pass(&mut self, search: Search<T>, depth: i32, beta: i32) -> Option<Pass> {
        let on = Some(Pass::On(depth - 1));
        let Some(null) = self.techniques.null_move else { return on };
        let standing = self.tree.value();
        // A null move is not tried at the root (which must find a move), in check, after another null move,
        // near the horizon, if the mover is behind by about a horse or more, or if beta requires a mate,
        // since a null move cannot prove a mate.
        if self.ply == 0
            || self.verifying
            || self.passes >= null.in_a_row
            || depth <= null.horizon
            || beta.abs() >= MATE_RANGE
            || standing + 4 * self.tree.pawn() < beta
            || self.tree.in_check()
        {
            return on;
        }
        let value = -self.after_pass(|study| search(study, depth - 1 - null.reduction, -beta, 1 - beta))?;
        if value >= beta {
            let doubtful = match null.verify {
                Verify::Never => false,
                Verify::Thin => self.tree.is_thin(),
                Verify::Always => true,
            };
            // Moreland returns beta here, since his alpha-beta is fail-hard. Fail-soft may return more;
            // `fail_hard` clamps it. The value is limited, since a mate after a null move does not prove a
            // mate.
            let cut = Some(Pass::Cut(value.min(MATE_RANGE - 1)));
            if !doubtful {
                return cut;
            }
            return Some(match self.without_passes(|study| search(study, depth - null.reduction, beta - 1, beta))? {
                verified if verified >= beta => Pass::Cut(verified),
                _ => Pass::On(depth - 1),
            });
        }
        // A null move that loses a horse or the game reveals a threat, so the node is extended by one ply,
        // but never beyond twice the nominal depth.
        let threat = value <= -MATE_RANGE || value + 4 * self.tree.pawn() <= standing.min(beta);
        let room = self.ply < 2 * self.root_depth as usize;
        Some(Pass::On(if null.extend && threat && room { depth } else { depth - 1 }))
    }

    fn after_pass(&mut self, search: impl FnOnce(&mut Study<T>) -> Answer) -> Answer {
        let undo = self.tree.pass();
        self.passes += 1;
        self.ply += 1;
        let answer = search(self);
        self.ply -= 1;
        self.passes -= 1;
        self.tree.undo_pass(undo);
        answer
    }

    /// Searches this node with real moves only, throughout the subtree. If null moves were allowed there,
    /// each would cost R plies, and a long zugzwang would never be found. Without them, it is found with at
    /// most R additional plies.
    fn without_passes(&mut self, search: impl FnOnce(&mut Study<T>) -> Answer) -> Answer {
        self.verifying = true;
        let answer = search(self);
        self.verifying = false;
        answer
    }
}
