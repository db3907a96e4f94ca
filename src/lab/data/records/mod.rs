//! Games as training records: moves and scores, exactly as played. The layout is documented in
//! `docs/7-training.md`.
//!
//! A file is a [`Header`] followed by entropy-coded blocks of games, each with a checksum; files of older
//! versions contain single games, each with a checksum. Files are only appended to, so an interruption can
//! damage only the end. [`Writer`] writes such files. [`Reader`] checks, replays and returns the games, and
//! reports the position and the cause of any damage.

mod block;
mod coder;
mod game;
mod header;
mod opinion;
mod policy;
mod reader;
mod writer;

pub use game::{GameFault, MAX_PLIES, Ply, RecordedPosition, TrainingRecord, WrongEnd};
pub use header::{Encoding, HEADER_SIZE, Header, HeaderError, MAGIC};
pub use reader::{Damage, Reader};
pub use writer::Writer;
