//! Communication with a GUI: converts lines of text to typed commands, and replies to lines.
//!
//! All dialects share one grammar, because GUIs mix them; the dialect determines the rank numbering, the
//! options offered and the form of replies.
//!
//! ```text
//! standard input → lines → command::read → session → the engine
//! standard output ← ucci::write or uci::write ← Reply ← session ← its events
//! ```

// Only `quit` may end the session, so panics must be impossible.
#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::unreachable,
        clippy::todo,
        clippy::unimplemented
    )
)]

mod command;
mod courtesy;
mod go;
mod go_state;
pub mod lines;
mod opening;
mod options;
mod output;
mod position;
mod queue;
mod reply;
mod session;
mod talk;
mod terminal;
mod ucci;
mod uci;
mod work;

pub use options::is_known as knows_option;
pub use talk::{Talk, run};

use chuhe_board::notation::Ranks;

/// Dialect of the protocol.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dialect {
    /// UCCI 3.0.
    Ucci,
    /// UCI as used by Xiangqi programs, ranks 0–9.
    Uci,
    /// UCI as used by multi-variant programs: ranks 1–10, and an option that names the variant.
    UciVariant,
}

impl Dialect {
    /// Returns the numbering of ranks.
    pub fn ranks(self) -> Ranks {
        match self {
            Dialect::Ucci | Dialect::Uci => Ranks::FromZero,
            Dialect::UciVariant => Ranks::FromOne,
        }
    }
}
