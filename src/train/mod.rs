//! Fitting the evaluation to records: what was seen on the board against what came of it.
//!
//! [`samples`] is what the fits learn from, [`linear`] fits the numbers of the hand-written evaluation.

pub mod linear;
pub mod samples;
