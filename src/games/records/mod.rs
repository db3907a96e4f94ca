//! Games as files: a record is a tree of moves with its tags, and each file here reads or writes one format.

pub mod cbf;
pub mod cbr;
pub mod dhtmlxq;
pub mod epd;
mod fault;
mod format;
pub mod lines;
mod look;
mod nodes;
pub mod pgn;
mod record;
mod text;
mod tree;
pub mod wxf;
pub mod xqf;

pub use fault::{Fault, Place, Problem};
pub use format::{Format, Games, SUFFIXES};
pub use record::{GameResult, Record};
pub use text::Lines;
pub use tree::{Cursor, Full, Glyphs, MARKS, MAX_NODES, NodeId, Step, Steps, Tree};
