//! The game library: games in an SQLite database, searchable by position, player, event and opening.
//!
//! [`Library::add`] adds games, [`Library::search`] executes a [`Query`], [`Library::moves`] lists the moves
//! played in a position, and [`Library::table`] counts results. [`Change`] stores, replaces and removes
//! single games. `docs/records.md` documents the tables for use by other programs.

mod add;
mod change;
mod error;
mod find;
mod index;
mod moves;
mod own;
mod query;
mod rows;
mod store;
mod table;
mod year;

pub use add::Added;
pub use change::Change;
pub use error::Error;
pub use find::{Hit, Match};
pub use index::{BATCH, Occurrence};
pub use moves::Continuation;
pub use own::OwnResults;
pub use query::{Pattern, PatternError, Pieces, Query};
pub use store::{Library, is_library};
pub use table::{Group, ResultRow, Results, ResultsFor};
