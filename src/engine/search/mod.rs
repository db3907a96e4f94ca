//! The search: principal variation search with selective techniques.
//!
//! It prints nothing, but reports to a listener. Read `node` for a single node, step by step, `deepen` for
//! the iterations around it, and `parallel` for the threads.

mod cache;
mod clock;
mod control;
mod deepen;
mod history;
mod history_update;
mod key;
mod limits;
mod mate_search;
mod memory;
mod move_search;
mod node;
mod node_result;
mod node_state;
mod node_type;
mod order;
mod pages;
mod parallel;
pub mod params;
mod path;
mod pruning;
mod quiescence;
mod report;
mod root;
mod selective;
mod settings;
mod shared;
mod tablebase;
mod threads;
mod transposition;
mod value;
mod vote;
mod worker;

pub use control::Control;
pub use history::{Histories, HistoryTable, HistoryTables, PieceTo};
pub(crate) use key::hash_key;
pub use limits::{Limits, Time};
pub use memory::Memory;
pub use order::{MoveFilter, Picker, Sources};
pub use parallel::search;
pub use params::Params;
pub use report::{Bound, Conclusion, Event, Progress, Report};
pub use settings::Settings;
pub use threads::{STACK, Threads, can_allocate};
pub use transposition::{Entry, TranspositionTable};
pub use value::{internal, reported};
