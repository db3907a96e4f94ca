//! Chuhe (楚河), a Xiangqi engine: the library that is everything; the binary `chuhe` is a thin door to it.
//!
//! The modules stand in storeys, lowest first; each uses only modules of a lower storey (`tests/layers.rs`).

pub mod bytes;
pub mod output;
pub mod random;
pub mod score;
pub mod words;

pub mod board;

pub mod eval;
pub mod notation;
pub mod picture;
pub mod rules;

pub mod records;

pub mod search;
pub mod textbook;

pub mod engine;

pub mod protocol;

#[cfg(feature = "cli")]
pub mod arena;

#[cfg(feature = "cli")]
pub mod data;

#[cfg(feature = "cli")]
pub mod train;
#[cfg(feature = "cli")]
pub mod tune;

#[cfg(feature = "cli")]
pub mod cli;
