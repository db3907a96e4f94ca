//! A position database: positions with the scores of all their moves, backed up from millions of analysed
//! positions.
//!
//! # Values
//!
//! The database is a graph. Its nodes are the analysed positions; a position and its mirror image are one
//! node. An edge is a move from one analysed position to another; every other move of a position is a leaf
//! with its own score, given by the engine. The value of a position is a score with a number of plies, and
//! satisfies these equations:
//!
//! 1. A leaf has its own score and one ply.
//! 2. An edge has the negated score of the position after it and one ply more; mate distances also grow by
//!    one.
//! 3. A score of zero has no plies. A line of more than [`MAX_LINE`] plies has the score zero.
//! 4. A position has the value of its best move: the highest score, then the shortest win or the longest
//!    loss.
//!
//! The plies make the solution unique: a score above or below zero must come from a leaf in a finite number
//! of plies, so two positions of a cycle cannot support each other's score, and all remaining positions are
//! draws by repetition. If values are sorted by the absolute score and then by plies, each value depends only
//! on earlier ones. Therefore there is exactly one solution, and updates in any order reach it.
//!
//! Repetitions that are not draws: if the best moves of a position with the score zero lead into a cycle in
//! which the referee finds one side at fault (perpetual check, perpetual chase), one move of the offender on
//! the cycle is barred, and counts as lost. It is the move in the position whose best other move has the
//! highest score or, if equal, in the position with the smallest key; this choice suffices, since the
//! offender can reach this position from all its other positions on the cycle. This is repeated until no such
//! cycle is left. Bars are recomputed for each strongly connected component, after the components below it,
//! so they do not depend on the order of updates either.
//!
//! # Costs
//!
//! [`Store::lease`] returns the leaf that is cheapest to reach from a root. A move costs its loss compared
//! with the best move in the position, plus a tenth of the margin; a move that loses more than the margin is
//! not explored.

mod analyst;
mod check;
mod error;
mod export;
mod graph;
mod lease;
mod path;
mod place;
mod played_positions;
mod session;
mod store;
mod value;
mod view;

pub use analyst::{Analyst, Effort, stored};
pub use check::{Checked, Fault};
pub use error::Error;
pub use export::Extent;
pub use graph::update_values;
pub use lease::{Choice, Leaf, Selection};
pub use place::Place;
pub use played_positions::PlayedPositions;
pub use session::{Edge, Referee};
pub use store::{Added, Analysis, MARGIN, Store, is_explored};

pub use value::{Costs, MAX_LINE, State, UNREACHABLE, Value};
pub use view::{MoveView, View};
