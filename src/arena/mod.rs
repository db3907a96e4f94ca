//! Matches between engines, and what their results prove.

pub mod balanced;
pub mod client;
pub mod contest;
pub mod date;
pub mod journal;
pub mod openings;
pub mod play;
pub mod player;
pub mod schedule;
pub mod standings;
pub mod statistics;
pub mod transcript;
pub mod wire;
