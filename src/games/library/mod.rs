//! The library: many games in one database of SQLite, found by position, players, events and openings.
//!
//! [`Library::add`] takes games, [`Library::search`] answers a [`Query`], [`Library::moves`] tells what was played in a position, and [`Library::table`] counts
//! results. `docs/records.md` describes the tables for other programs.

mod add;
mod find;
mod index;
mod moves;
mod query;
mod spelling;
mod store;
mod table;

pub use add::Added;
pub use find::{Hit, Match};
pub use index::{BATCH, Place};
pub use moves::Continuation;
pub use query::{Pattern, Pieces, Query};
pub use spelling::fold;
pub use store::{Library, is_library};
pub use table::{Group, Results, Row};
