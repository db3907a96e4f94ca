//! The communication with a GUI: lines of text on its side, typed commands and replies on ours.
//!
//! All dialects share one grammar, because GUIs mix them; the dialect decides only how an answer is worded.
//!
//! ```text
//! standard input → lines → command::read → session → the engine
//! standard output ← ucci::write or uci::write ← Reply ← session ← its events
//! ```

// Nothing that a GUI says may end the talk but `quit`.
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
pub mod lines;
mod opening;
mod options;
mod position;
mod queue;
mod reply;
mod session;
mod talk;
mod task;
mod terminal;
mod ucci;
mod uci;
mod voice;
mod work;

pub use options::is_known as knows_option;
pub use talk::{Talk, run};

use chuhe_board::notation::Ranks;

/// How answers are worded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dialect {
    /// UCCI 3.0.
    Ucci,
    /// UCI as Xiangqi programs speak it, ranks 0–9.
    Uci,
    /// UCI as programs of many variants speak it: ranks 1–10, and an option that names the variant.
    UciVariant,
}

impl Dialect {
    /// How squares are written.
    pub fn ranks(self) -> Ranks {
        match self {
            Dialect::Ucci | Dialect::Uci => Ranks::FromZero,
            Dialect::UciVariant => Ranks::FromOne,
        }
    }
}
