//! Games as files.

pub mod pgn;
