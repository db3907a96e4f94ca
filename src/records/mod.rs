//! Games as files: a record is a tree of moves with its tags, and each file here reads or writes one format.

mod fault;
pub mod pgn;
mod record;
mod text;
mod tree;

pub use fault::{Fault, Place, Problem};
pub use record::{GameResult, Record};
pub use text::Lines;
pub use tree::{Cursor, Full, Glyphs, MARKS, MAX_NODES, NodeId, Step, Steps, Tree};
