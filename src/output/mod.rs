//! Results as text: aligned tables, Markdown, CSV, JSON lines, SVG plots, progress bars.
//!
//! These modules are given rows and numbers; they know nothing of moves or searches. Results go to standard
//! output or a file, a `Progress` bar to standard error.

pub mod csv;
#[cfg(feature = "cli")]
pub mod json;

#[cfg(feature = "cli")]
mod beside;
mod closed;
mod histogram;
mod plot;
#[cfg(feature = "cli")]
mod progress;
#[cfg(feature = "cli")]
mod screen;
mod table;
#[cfg(feature = "cli")]
mod terminal;

#[cfg(feature = "cli")]
pub use beside::{beside, fold};
pub use closed::is_closed;
pub use histogram::{Histogram, bars};
pub use plot::{Plot, Scale, Series};
#[cfg(feature = "cli")]
pub use progress::Progress;
#[cfg(feature = "cli")]
pub use screen::{Screen, say};
pub use table::{Align, Table, plain, steers};
#[cfg(feature = "cli")]
pub use terminal::{colour, width};
