//! Why a text is not a move.

use thiserror::Error;

/// Why a text is not a legal move of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum NoSuchMove {
    /// The text is in no form that is known.
    #[error("is not a move in a known notation")]
    Unreadable,
    /// It names no legal move.
    #[error("is not legal there")]
    Illegal,
    /// It names several legal moves.
    #[error("is ambiguous there")]
    Ambiguous,
}
