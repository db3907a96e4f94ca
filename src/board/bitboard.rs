//! Sets of squares, each stored as a 128-bit number in which bit `9 · rank + file` represents a square.

use super::piece::Side;
use super::square::{File, Rank, Square};
use alloc::string::String;
use core::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

/// A set of squares.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Bitboard(u128);

const BOARD: u128 = (1 << 90) - 1;
const RANK_0: u128 = (1 << 9) - 1;
/// The ten squares of file a.
const FILE_A: u128 = BOARD / RANK_0;

impl Bitboard {
    /// The empty set.
    pub const EMPTY: Bitboard = Bitboard(0);
    /// All 90 squares.
    pub const ALL: Bitboard = Bitboard(BOARD);

    /// Creates a set from its bits; bits beyond the board are dropped.
    pub const fn from_bits(bits: u128) -> Bitboard {
        Bitboard(bits & BOARD)
    }

    /// Returns the set as a number; bit `9 · rank + file` represents a square.
    pub const fn bits(self) -> u128 {
        self.0
    }

    /// Returns the set that contains only `square`.
    pub const fn of(square: Square) -> Bitboard {
        Bitboard(bit(square))
    }

    /// Returns the set with `square` added.
    pub const fn with(self, square: Square) -> Bitboard {
        Bitboard(self.0 | bit(square))
    }

    /// Returns `true` if the set contains `square`.
    pub const fn has(self, square: Square) -> bool {
        if cfg!(target_family = "wasm") {
            return self.0 & bit(square) != 0;
        }
        self.0 >> square as u32 & 1 != 0
    }

    /// Returns `true` if the set is empty.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns `true` if the set contains at least one square.
    pub const fn has_any(self) -> bool {
        self.0 != 0
    }

    /// Returns `true` if the set contains more than one square.
    pub const fn several(self) -> bool {
        self.0 & self.0.wrapping_sub(1) != 0
    }

    /// Returns the number of squares in the set.
    pub const fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// Returns all squares of a file.
    pub const fn of_file(file: File) -> Bitboard {
        Bitboard(FILE_A << file as u32)
    }

    /// Returns all squares of a rank.
    pub const fn of_rank(rank: Rank) -> Bitboard {
        Bitboard(RANK_0 << (9 * rank as u32))
    }

    /// Returns the ranks beyond the river for `side`.
    pub const fn beyond_river(side: Side) -> Bitboard {
        const RED_HALF: u128 = (1 << 45) - 1;
        match side {
            Side::Red => Bitboard(BOARD & !RED_HALF),
            Side::Black => Bitboard(RED_HALF),
        }
    }

    /// Shifts the set one rank forward for `side`; squares that leave the board are dropped.
    pub const fn ahead(self, side: Side) -> Bitboard {
        match side {
            Side::Red => Bitboard(self.0 << 9 & BOARD),
            Side::Black => Bitboard(self.0 >> 9),
        }
    }

    /// Shifts the set one file towards file a; squares that leave the board are dropped.
    pub const fn left(self) -> Bitboard {
        Bitboard((self.0 & !FILE_A) >> 1)
    }

    /// Shifts the set one file towards file i; squares that leave the board are dropped.
    pub const fn right(self) -> Bitboard {
        Bitboard(self.0 << 1 & !FILE_A & BOARD)
    }

    /// Returns the first square, or `None` if the set is empty.
    pub fn first(self) -> Option<Square> {
        if self.is_empty() { None } else { Some(Square::from_bit(self.0.trailing_zeros())) }
    }
}

/// Returns the bit of a square.
const fn bit(square: Square) -> u128 {
    // In WebAssembly, a 128-bit shift by a variable is a function call, so a table is faster.
    if cfg!(target_family = "wasm") { BITS[square as usize] } else { 1 << square as u32 }
}

static BITS: [u128; 90] = {
    let mut bits = [0; 90];
    let mut place = 0;
    while place < 90 {
        bits[place] = 1 << place;
        place += 1;
    }
    bits
};

/// Iterator over the squares in a set, from a0 to i9.
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

/// Complement: the squares that are not in the set.
impl Not for Bitboard {
    type Output = Bitboard;

    fn not(self) -> Bitboard {
        Bitboard(!self.0 & BOARD)
    }
}

/// Formats the set as ten rows, with Black's back rank on top.
impl core::fmt::Debug for Bitboard {
    fn fmt(&self, f: &mut core::fmt::Formatter) -> core::fmt::Result {
        for rank in (0..10).rev() {
            let row: String = (0..9).map(|file| if self.0 >> (rank * 9 + file) & 1 != 0 { 'x' } else { '.' }).collect();
            writeln!(f, "{row}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shifted_sets_are_the_neighbours_on_the_board() {
        for square in Square::ALL {
            let neighbour = |files, ranks| square.offset(files, ranks).into_iter().collect::<Bitboard>();
            let set = Bitboard::of(square);
            assert_eq!(set.ahead(Side::Red), neighbour(0, 1), "{square}");
            assert_eq!(set.ahead(Side::Black), neighbour(0, -1), "{square}");
            assert_eq!((set.left(), set.right()), (neighbour(-1, 0), neighbour(1, 0)), "{square}");
            for other in Square::ALL {
                assert_eq!(Bitboard::of_file(square.file()).has(other), square.file() == other.file());
                assert_eq!(Bitboard::of_rank(square.rank()).has(other), square.rank() == other.rank());
            }
        }
    }
}
