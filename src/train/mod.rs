//! Fitting the evaluation to records: what was seen on the board against what came of it.

pub mod samples;
