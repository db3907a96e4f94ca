//! Games as training records: whole games, four bytes a ply, a checksum each. `docs/7-training.md` has the layout as a table.
//!
//! A file is a [`Header`] and then game after game. It only grows at its end, so the games before an interruption are whole. [`Reader`]
//! returns them, each checked and replayed, and says where and why it had to stop.

mod game;
mod header;
mod reader;

pub use game::{Fault, MOST_PLIES, Ply, Record, Sample};
pub use header::{HEADER_SIZE, Header, MAGIC};
pub use reader::{Damage, Reader};
