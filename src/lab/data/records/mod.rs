//! Games as training records: moves and scores, exactly as played. `docs/7-training.md` has the layout as tables.
//!
//! A file is a [`Header`] and then blocks of games, entropy-coded, with a checksum each; or, as older versions wrote them, single games
//! with a checksum each. It only grows at its end, so what was written before an interruption is whole. [`Writer`] writes such files.
//! [`Reader`] returns the games, each checked and replayed, and the place and reason where it had to stop.

mod block;
mod coder;
mod game;
mod header;
mod opinion;
mod policy;
mod reader;
mod writer;

pub use game::{Fault, MOST_PLIES, Ply, Record, Sample};
pub use header::{Form, HEADER_SIZE, Header, MAGIC};
pub use reader::{Damage, Reader};
pub use writer::Writer;
