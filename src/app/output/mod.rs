//! Terminal output: results go to standard output or a file, a [`Progress`] bar to standard error.

mod beside;
mod progress;
mod screen;
mod terminal;

pub use beside::{beside, fitted, fold};
pub use chuhe_engine::output::*;
pub use chuhe_lab::output::*;
pub use progress::Progress;
pub use screen::{Screen, say};
pub use terminal::{colour, width};
