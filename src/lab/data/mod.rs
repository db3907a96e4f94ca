//! Training data: self-play games, their storage, and the selection of training positions.
//!
//! [`records`] is the file format, [`filter`] selects positions, [`census`] computes statistics. [`selfplay`]
//! plays games into the files of a [`run`], from the starting positions of `openings`; [`adjudication`] ends
//! decided games early.

pub mod adjudication;
pub mod census;
pub mod end;
mod error;
pub mod filter;
pub(crate) mod openings;
pub mod pgn;
pub mod records;
pub mod run;
pub mod selfplay;
pub mod source;

pub use error::{Error, FileError};
