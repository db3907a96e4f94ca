//! Tuning: games between two settings of the search's numbers say where the numbers should go.
//!
//! [`spsa`] is the method, [`state`] a run and its file, [`sparring`] the games.

pub mod sparring;
pub mod spsa;
pub mod state;
