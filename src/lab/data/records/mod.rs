//! Games as training records: moves and scores, exactly as played. The layout is documented in
//! `docs/7-training.md`.
//!
//! A file is a [`Header`] followed by blocks of games, entropy-coded, with a checksum each; files of older
//! versions contain single games with a checksum each. Files are only appended to, so an interruption damages
//! at most the end. [`Writer`] writes such files. [`Reader`] returns the games, each checked and replayed,
//! and the position and reason of any damage.

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
