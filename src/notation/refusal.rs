//! Why a text is not a move, and how ranks are counted.

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

/// How a text counts the ranks of squares.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Ranks {
    /// 0 to 9, as Xiangqi programs do.
    #[default]
    FromZero,
    /// 1 to 10, as programs for many kinds of chess do.
    FromOne,
}
