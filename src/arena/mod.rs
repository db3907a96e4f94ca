//! Matches between engines, and what their results prove.

pub mod statistics;
