//! Chuhe (楚河), a Xiangqi engine: the library that is everything; the binary `chuhe` is a thin door to it.
//!
//! The modules stand in storeys, lowest first; each uses only modules of a lower storey (`tests/layers.rs`).

pub mod random;

pub mod output;
pub mod score;

pub mod board;

pub mod rules;

pub mod eval;

pub mod arena;
