//! Experiments with the Xiangqi engine Chuhe: matches with statistics, training data and networks, parameter
//! tuning, and the search algorithms from the literature.

#[cfg(feature = "matches")]
pub mod arena;
pub mod data;
pub mod output;
pub mod textbook;
pub mod train;
#[cfg(feature = "matches")]
pub mod tune;
