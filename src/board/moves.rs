//! Moves from one square to another. Xiangqi has no promotion, castling or en passant.

use super::square::Square;
use arrayvec::ArrayVec;
use core::fmt;
use core::str::FromStr;
use thiserror::Error;

/// A move, stored in two bytes; `Option<Move>` also takes two bytes.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub struct Move {
    pub from: Square,
    pub to: Square,
}

const _: () = assert!(size_of::<Option<Move>>() == 2);

/// Maximum number of moves in a position, rounded up: two rooks and two cannons with 17 moves each, two
/// horses with 8, five pawns with 3, two elephants and two advisors with 4 and a king with 4 make a total of
/// 119.
pub const MAX_MOVES: usize = 128;

/// The moves of one position.
pub type MoveList = ArrayVec<Move, MAX_MOVES>;

impl Move {
    /// Creates the move between two squares.
    pub const fn new(from: Square, to: Square) -> Move {
        Move { from, to }
    }

    /// Returns the mirror image of the move, with left and right swapped.
    #[inline]
    pub fn mirrored(self) -> Move {
        Move::new(self.from.mirrored(), self.to.mirrored())
    }

    /// Returns the move from the opponent's point of view, with the ranks mirrored.
    #[inline]
    pub fn flipped(self) -> Move {
        Move::new(self.from.flipped(), self.to.flipped())
    }
}

/// Writes the move as UCCI does, such as `h2e2`.
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

/// Error for a string that is not a move such as `h2e2`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("not a move such as h2e2")]
pub struct NotAMove;

/// Error for a move that is not legal in the position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("{0} is not legal in this position")]
pub struct Illegal(pub Move);

/// Parses `h2e2` in either case, and the ICCS form `H2-E2`. Legality is not checked.
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
