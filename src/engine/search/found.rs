//! A score together with the part of the line that it rests on.
//!
//! A repetition is worth what the rules say only for the line by which it was reached: on another line the first occurrence is missing.
//! A score that depends on such a repetition must not be stored in the transposition table, where other lines would find it. This is
//! the graph-history interaction problem. So each score carries the earliest ply that it depends on.

use chuhe_board::score::Score;
use std::ops::Neg;

/// The score rests on no earlier position: it is path-independent.
pub(super) const NOTHING: i32 = i32::MAX;
/// The score rests on moves that were played before the root, such as all those since the last capture.
pub(super) const GAME: i32 = -1;

/// What a node found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Found {
    /// From the view of the side to move; fail-soft: outside the window it is a bound.
    pub score: Score,
    /// The earliest ply of the line, counted from the root, whose position the score depends on; or [`NOTHING`], or [`GAME`].
    pub rests_on: i32,
}

impl Found {
    /// A score that holds however the position was reached.
    pub(super) const fn anywhere(score: Score) -> Found {
        Found { score, rests_on: NOTHING }
    }

    /// Whether the score of a node at this ply holds on any line to it: a repetition that closes below the node is part of the node's own
    /// tree, whatever came before.
    pub(super) const fn is_path_independent(self, ply: usize) -> bool {
        self.rests_on >= ply as i32
    }
}

/// The same from the other side.
impl Neg for Found {
    type Output = Found;

    fn neg(self) -> Found {
        Found { score: -self.score, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_repetition_that_closes_below_a_node_is_no_matter_of_its_path() {
        let found = Found { score: 0, rests_on: 4 };
        assert!(!found.is_path_independent(5), "the node lies between the two occurrences");
        assert!(found.is_path_independent(4) && found.is_path_independent(3));
        assert!(!Found { score: 0, rests_on: GAME }.is_path_independent(0));
        assert!(Found::anywhere(17).is_path_independent(100));
    }

    #[test]
    fn the_other_side_sees_the_opposite_score_for_the_same_reason() {
        assert_eq!(-Found { score: 30, rests_on: 2 }, Found { score: -30, rests_on: 2 });
    }
}
