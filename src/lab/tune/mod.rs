//! Tuning of search parameters by games between two settings.
//!
//! [`spsa`] is the method, [`state`] contains a run and its file, and [`sparring`] plays the games.

pub mod sparring;
pub mod spsa;
pub mod state;
