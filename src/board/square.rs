//! The 90 points of the board: files a–i from Red's left, ranks 0–9 from Red's side.

use core::fmt;
use core::str::FromStr;
use thiserror::Error;

macro_rules! square_names {
    ($(#[$doc:meta])* $type:ident, $count:literal: $($name:ident)*) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[repr(u8)]
        #[allow(missing_docs)] // the names are self-explanatory
        pub enum $type { $($name),* }

        impl $type {
            /// All values, in order.
            pub const ALL: [$type; $count] = [$($type::$name),*];

            /// Returns the index of the value, from 0.
            pub const fn index(self) -> usize {
                self as usize
            }
        }
    };
}

square_names! {
    /// File; `a` is on Red's left.
    File, 9: A B C D E F G H I
}
square_names! {
    /// Rank: 0 is Red's back rank, 9 Black's; the river runs between 4 and 5.
    Rank, 10: R0 R1 R2 R3 R4 R5 R6 R7 R8 R9
}
square_names! {
    /// Point of the board. Because it is an enum of 90 values, it can index 90-entry tables without bounds
    /// checks.
    Square, 90:
    A0 B0 C0 D0 E0 F0 G0 H0 I0
    A1 B1 C1 D1 E1 F1 G1 H1 I1
    A2 B2 C2 D2 E2 F2 G2 H2 I2
    A3 B3 C3 D3 E3 F3 G3 H3 I3
    A4 B4 C4 D4 E4 F4 G4 H4 I4
    A5 B5 C5 D5 E5 F5 G5 H5 I5
    A6 B6 C6 D6 E6 F6 G6 H6 I6
    A7 B7 C7 D7 E7 F7 G7 H7 I7
    A8 B8 C8 D8 E8 F8 G8 H8 I8
    A9 B9 C9 D9 E9 F9 G9 H9 I9
}

/// Squares by bit number. The table has 128 entries, so that a masked bit number requires neither a bounds
/// check nor `unsafe`; entries beyond 89 are never read.
static BY_BIT: [Square; 128] = {
    let mut table = [Square::I9; 128];
    let mut bit = 0;
    while bit < 90 {
        table[bit] = Square::ALL[bit];
        bit += 1;
    }
    table
};

static FILES: [File; 90] = {
    let mut table = [File::A; 90];
    let mut at = 0;
    while at < 90 {
        table[at] = File::ALL[at % 9];
        at += 1;
    }
    table
};

static RANKS: [Rank; 90] = {
    let mut table = [Rank::R0; 90];
    let mut at = 0;
    while at < 90 {
        table[at] = Rank::ALL[at / 9];
        at += 1;
    }
    table
};

impl Square {
    /// Returns the square on `file` and `rank`.
    pub const fn new(file: File, rank: Rank) -> Square {
        Square::ALL[rank as usize * 9 + file as usize]
    }

    /// Returns the square at a file of 0–8 and a rank of 0–9, or `None` if it is off the board.
    pub const fn at(file: i32, rank: i32) -> Option<Square> {
        if 0 <= file && file < 9 && 0 <= rank && rank < 10 {
            Some(Square::ALL[(rank * 9 + file) as usize])
        } else {
            None
        }
    }

    /// Returns the square with a bit number below 90.
    pub(super) fn from_bit(bit: u32) -> Square {
        debug_assert!(bit < 90);
        BY_BIT[bit as usize & 127]
    }

    /// Returns the file.
    pub fn file(self) -> File {
        FILES[self.index()]
    }

    /// Returns the rank.
    pub fn rank(self) -> Rank {
        RANKS[self.index()]
    }

    /// Returns the mirror image of the square, with left and right swapped.
    pub fn mirrored(self) -> Square {
        Square::new(File::ALL[8 - self.file().index()], self.rank())
    }

    /// Returns the square from the opponent's point of view: the rank is mirrored, the file is unchanged.
    pub fn flipped(self) -> Square {
        Square::new(self.file(), Rank::ALL[9 - self.rank().index()])
    }

    /// Returns the square that is `files` and `ranks` away, or `None` if it is off the board.
    pub const fn offset(self, files: i32, ranks: i32) -> Option<Square> {
        Square::at(self as i32 % 9 + files, self as i32 / 9 + ranks)
    }
}

/// Writes the square, such as `h2`.
impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}{}", (b'a' + self.file() as u8) as char, self.rank() as u8)
    }
}

/// Error for a string that is not a square such as `h2`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("not a square such as h2")]
pub struct NotASquare;

/// Parses `h2` in either case.
impl FromStr for Square {
    type Err = NotASquare;

    fn from_str(text: &str) -> Result<Square, NotASquare> {
        let &[file, rank] = text.as_bytes() else { return Err(NotASquare) };
        let file = i32::from(file.to_ascii_lowercase()) - i32::from(b'a');
        let rank = i32::from(rank) - i32::from(b'0');
        Square::at(file, rank).ok_or(NotASquare)
    }
}
