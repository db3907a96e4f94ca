//! Tables as text, Markdown and plain columns, and what a terminal must not receive.

mod closed;
mod table;

pub use closed::is_closed;
pub use table::{Align, Table, pad, plain, steers};
