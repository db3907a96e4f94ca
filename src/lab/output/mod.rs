//! Output of measurements: CSV, JSON lines, histograms and SVG plots. Tables are in [`chuhe_engine::output`].

pub mod csv;
#[cfg(feature = "matches")]
pub mod json;

mod histogram;
mod plot;

pub use chuhe_engine::output::{Align, Table, is_closed, plain, steers};
pub use histogram::{Histogram, bars};
pub use plot::{Plot, Scale, Series};
