//! Xiangqi games: records in every common format, a game library, names of openings, reviews and puzzles.
//!
//! A [`records::Record`] is a tree of moves with its tags.
//!
//! ```
//! use chuhe_games::records::{Format, RecordReader};
//! ```

mod duplicates;
#[cfg(feature = "library")]
pub mod explore;
#[cfg(feature = "library")]
pub mod library;
#[cfg(any(feature = "library", feature = "review"))]
pub mod names;
pub mod openings;
pub mod puzzles;
pub mod records;
#[cfg(feature = "review")]
pub mod review;
#[cfg(feature = "library")]
mod sqlite;

pub use duplicates::Duplicates;
