//! Matches between engines, and their statistics.

pub mod balanced;
pub mod claim;
pub mod client;
pub mod concurrent;
pub mod date;
pub mod dialect;
pub mod end_reason;
pub mod error;
pub mod fastchess;
pub mod fault;
mod handshake;
pub mod journal;
pub mod match_run;
pub mod merge;
pub mod offer;
pub mod openings;
pub mod play;
pub mod played;
pub mod player;
mod report;
pub mod schedule;
pub mod standings;
pub mod statistics;
mod summary;
pub mod transcript;
pub mod wire;
