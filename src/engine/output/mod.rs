//! Tables as text, Markdown and plain columns, and removal of characters that control a terminal.

mod closed;
mod table;

pub use closed::is_closed;
pub use table::{Align, Table, pad, plain, steers};
