//! Tuning the parameters of the search by games between two settings of them.
//!
//! [`spsa`] is the method, [`state`] a run and its file, [`sparring`] the games.

pub mod sparring;
pub mod spsa;
pub mod state;
