//! Tuning of search parameters by games between two settings.
//!
//! [`spsa`] is the method, [`state`] a run and its file, [`sparring`] plays the games.

pub mod sparring;
pub mod spsa;
pub mod state;
