//! Xiangqi games: records in every common format, a game library, names of openings, reviews and puzzles.
//!
//! A [`records::Record`] is a tree of moves with its tags.
//!
//! ```
//! use chuhe_games::records::{Format, Games};
//! ```

#[cfg(feature = "library")]
pub mod library;
pub mod openings;
pub mod puzzles;
pub mod records;
#[cfg(feature = "review")]
pub mod review;
