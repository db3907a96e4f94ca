//! The mate solver: proves mates by checks, or with a few quiet moves, against every defence.
//!
//! A proof-number search (df-pn) uses the board and the rules, but no evaluation. `solver` is the interface,
//! `tree` is the search, `proof` extracts the solution, and `shortest` finds the shortest mate and all first
//! moves that achieve it. See [docs/13-mates.md].
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
pub use solver::{Limits, Solver, SolverResult};
