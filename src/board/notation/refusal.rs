//! Reasons why a string is not a move.

use thiserror::Error;

/// Reason why a string is not a legal move in a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum NoSuchMove {
    /// The string is not in a known notation.
    #[error("is not a move in a known notation")]
    Unreadable,
    /// The string denotes no legal move.
    #[error("is not legal there")]
    Illegal,
    /// The string denotes several legal moves.
    #[error("is ambiguous there")]
    Ambiguous,
}
