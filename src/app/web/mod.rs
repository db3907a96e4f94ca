//! The page in the browser, and its server, which only this machine can reach.
//!
//! [`Server`] listens on the loopback interface only. `guard` decides what may come in, in the `hall` they wait who have not said hello, `files` has the page, `connection` carries the
//! messages of [`crate::desk`] over a WebSocket, and `engine` those for engines of other makers. `docs/10-board.md` tells what it is safe against, and how.

mod connection;
mod engine;
mod files;
mod guard;
mod hall;
mod lines;
mod server;
mod worker;

pub use files::{File, files};
pub use server::{Ender, PORT, Server, Settings};
