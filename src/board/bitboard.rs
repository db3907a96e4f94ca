//! Sets of squares in one 128-bit number, bit `9 · rank + file`.

use super::piece::Side;
use super::square::{File, Rank, Square};
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

/// A set of squares.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Bitboard(u128);

const BOARD: u128 = (1 << 90) - 1;
const RANK_0: u128 = (1 << 9) - 1;
/// Every ninth bit.
const FILE_A: u128 = BOARD / RANK_0;

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
        Bitboard(bit(square))
    }

    /// The set with one square more.
    pub const fn with(self, square: Square) -> Bitboard {
        Bitboard(self.0 | bit(square))
    }

    /// Whether the square is in the set.
    pub const fn has(self, square: Square) -> bool {
        if cfg!(target_family = "wasm") {
            return self.0 & bit(square) != 0;
        }
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

    /// All squares of a file.
    pub const fn of_file(file: File) -> Bitboard {
        Bitboard(FILE_A << file as u32)
    }

    /// All squares of a rank.
    pub const fn of_rank(rank: Rank) -> Bitboard {
        Bitboard(RANK_0 << (9 * rank as u32))
    }

    /// The set one rank further on a side's way; what leaves the board is lost.
    pub const fn ahead(self, side: Side) -> Bitboard {
        match side {
            Side::Red => Bitboard(self.0 << 9 & BOARD),
            Side::Black => Bitboard(self.0 >> 9),
        }
    }

    /// The set one file nearer to file a; what leaves the board is lost.
    pub const fn left(self) -> Bitboard {
        Bitboard((self.0 & !FILE_A) >> 1)
    }

    /// The set one file nearer to file i; what leaves the board is lost.
    pub const fn right(self) -> Bitboard {
        Bitboard(self.0 << 1 & !FILE_A & BOARD)
    }

    /// The first square of a set that is not empty.
    pub fn first(self) -> Option<Square> {
        if self.is_empty() { None } else { Some(Square::from_bit(self.0.trailing_zeros())) }
    }
}

/// The bit of a square.
const fn bit(square: Square) -> u128 {
    // In WebAssembly, a shift of 128 bits by a number unknown before is a call: there it is looked up.
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
