//! Sets of squares in one 128-bit number, bit `9 · rank + file`.

use super::square::Square;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

/// A set of squares.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Bitboard(u128);

const BOARD: u128 = (1 << 90) - 1;

impl Bitboard {
    /// No square.
    pub const EMPTY: Bitboard = Bitboard(0);
    /// All 90 squares.
    pub const ALL: Bitboard = Bitboard(BOARD);

    /// The set of these bits; bits past the board are dropped.
    pub const fn from_bits(bits: u128) -> Bitboard {
        Bitboard(bits & BOARD)
    }

    /// The set as a number, bit `9 · rank + file`.
    pub const fn bits(self) -> u128 {
        self.0
    }

    /// One square alone.
    pub const fn of(square: Square) -> Bitboard {
        Bitboard(1 << square as u32)
    }

    /// The set with one square more.
    pub const fn with(self, square: Square) -> Bitboard {
        Bitboard(self.0 | 1 << square as u32)
    }

    /// Whether the square is in the set.
    pub const fn has(self, square: Square) -> bool {
        self.0 >> square as u32 & 1 != 0
    }

    /// Whether the set is empty.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether the set has any square.
    pub const fn has_any(self) -> bool {
        self.0 != 0
    }

    /// Whether it has more than one square.
    pub const fn several(self) -> bool {
        self.0 & self.0.wrapping_sub(1) != 0
    }

    /// How many squares it has.
    pub const fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// The first square of a set that is not empty.
    pub fn first(self) -> Option<Square> {
        if self.is_empty() { None } else { Some(Square::from_bit(self.0.trailing_zeros())) }
    }
}

/// The squares of a set, from a0 to i9.
#[derive(Clone)]
pub struct Squares(Bitboard);

impl Iterator for Squares {
    type Item = Square;

    fn next(&mut self) -> Option<Square> {
        let square = self.0.first()?;
        self.0.0 &= self.0.0 - 1;
        Some(square)
    }
}

impl IntoIterator for Bitboard {
    type Item = Square;
    type IntoIter = Squares;

    fn into_iter(self) -> Squares {
        Squares(self)
    }
}

impl FromIterator<Square> for Bitboard {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Bitboard {
        squares.into_iter().fold(Bitboard::EMPTY, Bitboard::with)
    }
}

macro_rules! operator {
    ($trait:ident $method:ident, $assign:ident $assign_method:ident, $op:tt) => {
        impl $trait for Bitboard {
            type Output = Bitboard;
            fn $method(self, other: Bitboard) -> Bitboard {
                Bitboard(self.0 $op other.0)
            }
        }
        impl $assign for Bitboard {
            fn $assign_method(&mut self, other: Bitboard) {
                *self = *self $op other;
            }
        }
    };
}

operator!(BitAnd bitand, BitAndAssign bitand_assign, &);
operator!(BitOr bitor, BitOrAssign bitor_assign, |);
operator!(BitXor bitxor, BitXorAssign bitxor_assign, ^);

/// The squares that are not in the set.
impl Not for Bitboard {
    type Output = Bitboard;

    fn not(self) -> Bitboard {
        Bitboard(!self.0 & BOARD)
    }
}

/// Draws the set as ten rows, Black's edge on top.
impl std::fmt::Debug for Bitboard {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        for rank in (0..10).rev() {
            let row: String = (0..9).map(|file| if self.0 >> (rank * 9 + file) & 1 != 0 { 'x' } else { '.' }).collect();
            writeln!(f, "{row}")?;
        }
        Ok(())
    }
}
