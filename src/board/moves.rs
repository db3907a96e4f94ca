//! Moves: from one square to another. Xiangqi has no promotion, no castling and no en passant, so that is all.

use super::square::Square;
use arrayvec::ArrayVec;
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// A move, two bytes; `Option<Move>` is two bytes as well.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub struct Move {
    pub from: Square,
    pub to: Square,
}

const _: () = assert!(size_of::<Option<Move>>() == 2);

/// More than any position has: two rooks and two cannons with 17 moves each, two horses with 8, five pawns with 3, two elephants
/// and two advisors with 4 and a king with 4 make 119.
pub const MAX_MOVES: usize = 128;

/// The moves of one position.
pub type MoveList = ArrayVec<Move, MAX_MOVES>;

impl Move {
    /// The move between two squares.
    pub const fn new(from: Square, to: Square) -> Move {
        Move { from, to }
    }

    /// The move seen in a mirror: left and right swapped.
    #[inline]
    pub fn mirrored(self) -> Move {
        Move::new(self.from.mirrored(), self.to.mirrored())
    }

    /// The move as the other side would play it: ranks swapped.
    #[inline]
    pub fn flipped(self) -> Move {
        Move::new(self.from.flipped(), self.to.flipped())
    }
}

/// Writes `h2e2`, as UCCI does.
impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}{}", self.from, self.to)
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The text is not a move such as `h2e2`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("not a move such as h2e2")]
pub struct NotAMove;

/// A move that the position does not allow.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("{0} is not legal in this position")]
pub struct Illegal(pub Move);

/// Reads `h2e2`, in either case, and the ICCS form `H2-E2`. Whether the move is legal is the position's business.
impl FromStr for Move {
    type Err = NotAMove;

    fn from_str(text: &str) -> Result<Move, NotAMove> {
        let (from, to) = match text.len() {
            4 if text.is_ascii() => text.split_at(2),
            5 => text.split_once('-').ok_or(NotAMove)?,
            _ => return Err(NotAMove),
        };
        match (from.parse(), to.parse()) {
            (Ok(from), Ok(to)) => Ok(Move { from, to }),
            _ => Err(NotAMove),
        }
    }
}
