//! Training records: whole games with four bytes per ply and a checksum each. `docs/7-training.md` documents
//! the layout.
//!
//! A file is a [`Header`] followed by games. It only grows at its end, so the games before an interruption
//! are complete. [`Reader`] returns them, each checked and replayed, and reports where and why it had to
//! stop.

mod game;
mod header;
mod reader;

pub use game::{Fault, MOST_PLIES, Ply, Record, Sample};
pub use header::{HEADER_SIZE, Header, MAGIC};
pub use reader::{Damage, Reader};
