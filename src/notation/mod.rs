//! Moves as people write them: ICCS, `H2-E2`; more forms stand beside it.

mod iccs;

pub use iccs::write_iccs;

use crate::board::{Move, Position};
use std::fmt;
use std::str::FromStr;

/// The forms in which moves are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Form {
    /// `H2-E2`: the squares.
    #[default]
    Iccs,
}

impl Form {
    /// As the `Format` tag of records names it.
    pub fn tag(self) -> &'static str {
        match self {
            Form::Iccs => "ICCS",
        }
    }
}

impl FromStr for Form {
    type Err = String;

    fn from_str(text: &str) -> Result<Form, String> {
        match text.to_ascii_lowercase().as_str() {
            "iccs" => Ok(Form::Iccs),
            _ => Err(format!("no notation is called {text:?}")),
        }
    }
}

/// Why a text is no move of a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NoSuchMove {
    /// The text is in no form that is known.
    Unreadable,
    /// It names no legal move.
    Illegal,
}

impl fmt::Display for NoSuchMove {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            NoSuchMove::Unreadable => "is not a move in a known notation",
            NoSuchMove::Illegal => "is not legal there",
        })
    }
}

impl std::error::Error for NoSuchMove {}

/// A legal move of the position as text.
pub fn write(_position: &Position, mv: Move, form: Form) -> String {
    match form {
        Form::Iccs => write_iccs(mv),
    }
}

/// Reads a legal move in any known form.
///
/// # Errors
/// The text is no move, or the move is not legal.
pub fn read(position: &Position, text: &str) -> Result<Move, NoSuchMove> {
    let mv: Move = text.parse().map_err(|_| NoSuchMove::Unreadable)?;
    if position.is_legal(mv) { Ok(mv) } else { Err(NoSuchMove::Illegal) }
}
