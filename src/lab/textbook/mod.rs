//! The textbook: the search algorithms from the literature, for study, as an oracle for tests, and for `chuhe
//! compare`.
//!
//! Each algorithm is a short function that follows its source. It works on a [`Study`], which makes the moves
//! of a [`Tree`], counts nodes, and applies the enabled [`Techniques`]. This module and the engine's search
//! are independent of each other. `docs/5-textbook.md` describes it.

mod alpha_beta;
mod aspiration;
mod gallery;
mod horizon;
mod lists;
mod mtd;
mod negamax;
mod null_move;
mod oracle;
mod order;
mod pvs;
mod study;
mod synthetic;
mod table;
mod techniques;
mod tree;
mod widening;
mod xiangqi;
mod zero_width;

pub use alpha_beta::{fail_hard, fail_soft, two_maxima};
pub use aspiration::{Widening, aspiration};
pub use gallery::{Algorithm, Outcome, run};
pub use lists::Finder;
pub use negamax::negamax;
pub use pvs::{PvsVariant, pvs};
pub use study::{Answer, Counts, INFINITY, Limits, Search, Study};
pub use synthetic::Synthetic;
pub use techniques::{NullMove, Order, Reward, Techniques, UsableEntries, Verify};
pub use tree::{MATE, Moves, Tree};
pub use widening::widening;
pub use xiangqi::{Evaluation, Xiangqi, from_score, material, placement};
pub use zero_width::zero_width;
