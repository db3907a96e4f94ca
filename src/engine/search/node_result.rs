//! Scores with the part of the line on which they depend.
//!
//! The score of a repetition is valid only for the line by which it was reached; on another line, the first
//! occurrence is missing. A score that depends on such a repetition must not be stored in the transposition
//! table, where other lines would find it (the graph-history interaction problem). Therefore each score
//! contains the earliest ply on which it depends.

use chuhe_board::score::Score;
use std::ops::Neg;

/// [`NodeResult::rests_on`] of a path-independent score.
pub(super) const PATH_INDEPENDENT: i32 = i32::MAX;
/// [`NodeResult::rests_on`] of a score that depends on moves before the root, for example on all moves since
/// the last capture.
pub(super) const GAME: i32 = -1;

/// Result of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct NodeResult {
    /// Score from the point of view of the side to move; fail-soft: outside the window it is a bound.
    pub score: Score,
    /// Earliest ply of the line, counted from the root, on whose position the score depends; or
    /// [`PATH_INDEPENDENT`], or [`GAME`].
    pub rests_on: i32,
}

impl NodeResult {
    /// Creates a path-independent result.
    pub(super) const fn anywhere(score: Score) -> NodeResult {
        NodeResult { score, rests_on: PATH_INDEPENDENT }
    }

    /// Returns `true` if the score of a node at this ply is valid on any line to it. A repetition within the
    /// node's subtree does not depend on the path.
    pub(super) const fn is_path_independent(self, ply: usize) -> bool {
        self.rests_on >= ply as i32
    }
}

/// Returns the result from the other side's point of view.
impl Neg for NodeResult {
    type Output = NodeResult;

    fn neg(self) -> NodeResult {
        NodeResult { score: -self.score, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_repetition_that_closes_below_a_node_is_no_matter_of_its_path() {
        let found = NodeResult { score: 0, rests_on: 4 };
        assert!(!found.is_path_independent(5), "the node lies between the two occurrences");
        assert!(found.is_path_independent(4) && found.is_path_independent(3));
        assert!(!NodeResult { score: 0, rests_on: GAME }.is_path_independent(0));
        assert!(NodeResult::anywhere(17).is_path_independent(100));
    }

    #[test]
    fn the_other_side_sees_the_opposite_score_for_the_same_reason() {
        assert_eq!(-NodeResult { score: 30, rests_on: 2 }, NodeResult { score: -30, rests_on: 2 });
    }
}
