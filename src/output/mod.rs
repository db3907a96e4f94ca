//! Results as text: aligned tables, Markdown, CSV, JSON lines, SVG plots, progress bars.
//!
//! Everything here is given rows and numbers; nothing here knows what a move or a search is. Results go to standard
//! output or a file, a `Progress` bar to standard error.

pub mod csv;
#[cfg(feature = "cli")]
pub mod json;

mod histogram;
mod plot;
#[cfg(feature = "cli")]
mod progress;
mod table;
#[cfg(feature = "cli")]
mod terminal;

pub use histogram::{Histogram, bars};
pub use plot::{Plot, Scale, Series};
#[cfg(feature = "cli")]
pub use progress::Progress;
pub use table::{Align, Table, plain};
#[cfg(feature = "cli")]
pub use terminal::{colour, width};
