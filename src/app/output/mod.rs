//! Terminal output: results go to standard output or a file, a progress bar to standard error.

mod beside;
mod progress;
mod screen;
mod terminal;

pub(crate) use beside::{CLOSING_MARKS, beside, fitted};
pub use chuhe_engine::output::*;
pub use chuhe_lab::output::*;
pub(crate) use progress::Progress;
pub(crate) use screen::{Screen, print_message};
pub(crate) use terminal::{colour, width};
