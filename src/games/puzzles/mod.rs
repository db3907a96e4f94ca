//! Puzzles: positions with one clearly best move, with ratings and themes.
//!
//! A [`Maker`] finds them in games, [`themes`] determines their themes. A puzzle file is EPD with a line of
//! moves (`pv`), the `rating` and the `themes`: [`Puzzle::read`] parses it, and the `Display` implementation
//! of [`Puzzle`] writes a line. See [docs/15-puzzles.md].
//!
//! [docs/15-puzzles.md]: https://github.com/chuhe-xiangqi/chuhe/blob/main/docs/15-puzzles.md

mod lesson;
mod make;
mod puzzle;
mod themes;

pub use lesson::{Lesson, lessons};
pub use make::Maker;
pub use puzzle::{BadPuzzle, Puzzle, Wrong, built_in};
pub use themes::{Aim, Theme, themes};
