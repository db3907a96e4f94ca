//! Puzzles: positions with one clearly best move, how hard it is to find, and what they are about.
//!
//! A [`Maker`] finds them in games, [`themes`] says what they are about. A file of puzzles is EPD with a line of moves (`pv`), the `rating`
//! and the `themes`: [`Puzzle::read`] and [`Puzzle`]'s text. [docs/15-puzzles.md] explains all of it.
//!
//! [docs/15-puzzles.md]: https://github.com/chuhe-xiangqi/chuhe/blob/main/docs/15-puzzles.md

mod make;
mod puzzle;
mod themes;

pub use make::Maker;
pub use puzzle::{BadPuzzle, Puzzle, Wrong, built_in};
pub use themes::{Aim, Theme, themes};
