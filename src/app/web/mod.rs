//! The page in the browser and its local server.
//!
//! The server listens on the loopback interface only. `guard` checks requests, connections wait in `hall`
//! until they send `hello`, `files` contains the page, `connection` carries the messages of [`crate::desk`]
//! over a WebSocket, `engine` runs external engines (`analysis`, `play_time`), and `keeper` adds and removes them. `docs/10-board.md`
//! describes the threat model.

mod analysis;
mod connection;
mod engine;
mod files;
mod guard;
mod hall;
mod keeper;
mod lines;
mod play_time;
mod roster;
mod server;
mod worker;

pub use files::{File, files};
pub(crate) use server::{PORT, Server, Settings};
