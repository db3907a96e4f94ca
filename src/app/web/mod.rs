//! The page in the browser and its local server.
//!
//! The server listens on the loopback interface only. `guard` checks requests, connections wait in `waiting`
//! until they send `hello`, `files` contains the page, `connection` carries the messages of [`crate::desk`]
//! over a WebSocket, `engine` runs external engines (`analysis`, `play_time`), and `engine_list_handler` adds
//! and removes them. `docs/10-board.md` describes the threat model.

mod analysis;
mod connection;
mod engine;
mod engine_list_handler;
mod files;
mod guard;
mod lines;
mod play_time;
mod roster;
mod server;
mod waiting;
mod worker;

pub use files::{File, files};
pub(crate) use server::{PORT, Server, Settings};
