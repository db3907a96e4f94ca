//! Game files: a record is a tree of moves with tags, and each module reads or writes one format.

pub mod cbf;
pub mod cbl;
pub mod cbr;
mod cursor;
pub mod dhtmlxq;
mod diagram;
pub mod epd;
mod fault;
mod format;
mod games;
mod headings;
mod html;
pub mod lines;
mod lookahead;
mod nodes;
pub mod old_cbl;
mod page;
pub mod pgn;
mod record;
mod sheet;
mod start;
pub mod tags;
mod text;
mod tree;
pub mod wxf;
pub mod xqf;

pub use cursor::Cursor;
pub use diagram::Diagram;
pub use encoding_rs::Encoding;
pub use fault::{Location, Problem, RecordFault};
pub use format::{Format, SUFFIXES, UnknownFormat, Unreadable, Written};
pub use games::RecordReader;
pub use record::{GameResult, Record};
pub use text::{Lines, MAX_WHOLE, Shortened, UnknownEncoding, decode_lines, encoding};
pub(crate) use tree::GLYPHS;
pub use tree::{Full, MAX_NODES, NodeId, Step, Steps, Tree};
