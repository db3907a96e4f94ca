//! Why a text is not a move.

use std::fmt;

/// Why a text is not a legal move of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoSuchMove {
    /// The text is in no form that is known.
    Unreadable,
    /// It names no legal move.
    Illegal,
    /// It names several legal moves.
    Ambiguous,
}

impl fmt::Display for NoSuchMove {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            NoSuchMove::Unreadable => "is not a move in a known notation",
            NoSuchMove::Illegal => "is not legal there",
            NoSuchMove::Ambiguous => "is ambiguous there",
        })
    }
}

impl std::error::Error for NoSuchMove {}
