//! Mates, proved: is there a mate by checks, or with a few quiet moves, whatever the defender answers?
//!
//! A proof-number search (df-pn) knows the board and the rules, and no evaluation. `solver` asks, `tree` searches, `proof` hands out
//! what was found, and `shortest` looks for the fewest moves and for other solutions. [docs/13-mates.md] explains all of them.
//!
//! [docs/13-mates.md]: https://github.com/chuhe-xiangqi/chuhe/blob/main/docs/13-mates.md

mod moves;
mod path;
mod pattern;
mod proof;
mod shortest;
mod solver;
mod table;
mod tree;

pub use moves::checking_moves;
pub use pattern::Pattern;
pub use proof::{Proof, Step};
pub use shortest::{Shortest, shortest};
pub use solver::{Answer, Limits, Solver};
