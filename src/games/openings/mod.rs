//! Openings: their names, and opening books made from games.

mod build;
mod names;

pub use build::{Builder, Weighing};
pub use names::Opening;
