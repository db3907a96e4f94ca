//! Sides, kinds and pieces.

use super::square::{Rank, Square};
use crate::words::{Key, Language};
use alloc::{
    borrow::ToOwned,
    string::{String, ToString},
};

/// Side of a game; Red moves first and starts on rank 0.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Side {
    Red,
    Black,
}

impl Side {
    /// Both sides, Red first.
    pub const ALL: [Side; 2] = [Side::Red, Side::Black];

    /// Returns 0 for Red, 1 for Black.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Returns `red` or `black`.
    pub const fn name(self) -> &'static str {
        match self {
            Side::Red => "red",
            Side::Black => "black",
        }
    }

    /// Returns the name used in sentences: `Red`, 红方.
    pub fn title(self, language: Language) -> &'static str {
        language.word(if self == Side::Red { Key::Red } else { Key::Black })
    }

    /// Returns the rank from this side's point of view: 0 is its own back rank, 9 the opponent's.
    pub fn rank(self, square: Square) -> Rank {
        match self {
            Side::Red => square.rank(),
            Side::Black => square.flipped().rank(),
        }
    }

    /// Returns `true` if the square lies beyond the river for this side.
    pub fn has_crossed(self, square: Square) -> bool {
        self.rank(square) >= Rank::R5
    }
}

/// Returns the other side.
impl core::ops::Not for Side {
    type Output = Side;

    fn not(self) -> Side {
        match self {
            Side::Red => Side::Black,
            Side::Black => Side::Red,
        }
    }
}

/// Kind of piece, regardless of its side.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Kind {
    King,
    Advisor,
    Elephant,
    Horse,
    Rook,
    Cannon,
    Pawn,
}

impl Kind {
    /// All seven kinds, the king first.
    pub const ALL: [Kind; 7] =
        [Kind::King, Kind::Advisor, Kind::Elephant, Kind::Horse, Kind::Rook, Kind::Cannon, Kind::Pawn];

    /// Returns the index of the kind, 0–6.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Returns the number of pieces of this kind that one side has in a full set.
    pub const fn in_a_set(self) -> u32 {
        match self {
            Kind::King => 1,
            Kind::Pawn => 5,
            _ => 2,
        }
    }

    /// Returns the English name in lower case.
    pub const fn name(self) -> &'static str {
        match self {
            Kind::King => "king",
            Kind::Advisor => "advisor",
            Kind::Elephant => "elephant",
            Kind::Horse => "horse",
            Kind::Rook => "rook",
            Kind::Cannon => "cannon",
            Kind::Pawn => "pawn",
        }
    }
}

/// A piece of one side.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Piece {
    RedKing,
    RedAdvisor,
    RedElephant,
    RedHorse,
    RedRook,
    RedCannon,
    RedPawn,
    BlackKing,
    BlackAdvisor,
    BlackElephant,
    BlackHorse,
    BlackRook,
    BlackCannon,
    BlackPawn,
}

const LETTERS: &[u8; 14] = b"KABNRCPkabnrcp";
const CHARACTERS: [char; 14] = ['帅', '仕', '相', '马', '车', '炮', '兵', '将', '士', '象', '马', '车', '炮', '卒'];

impl Piece {
    /// All fourteen pieces, Red's first, in the order of [`Kind::ALL`].
    pub const ALL: [Piece; 14] = [
        Piece::RedKing,
        Piece::RedAdvisor,
        Piece::RedElephant,
        Piece::RedHorse,
        Piece::RedRook,
        Piece::RedCannon,
        Piece::RedPawn,
        Piece::BlackKing,
        Piece::BlackAdvisor,
        Piece::BlackElephant,
        Piece::BlackHorse,
        Piece::BlackRook,
        Piece::BlackCannon,
        Piece::BlackPawn,
    ];

    /// Creates a piece from a side and a kind.
    pub const fn new(side: Side, kind: Kind) -> Piece {
        Piece::ALL[side.index() * 7 + kind.index()]
    }

    /// Returns the index of the piece, 0–13.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Returns the side.
    pub const fn side(self) -> Side {
        if self.index() < 7 { Side::Red } else { Side::Black }
    }

    /// Returns the kind.
    pub const fn kind(self) -> Kind {
        Kind::ALL[self.index() % 7]
    }

    /// Returns the letter in a FEN: `K A B N R C P`, lower case for Black.
    pub const fn letter(self) -> char {
        LETTERS[self.index()] as char
    }

    /// Returns the Chinese character.
    pub const fn character(self) -> char {
        CHARACTERS[self.index()]
    }

    /// Returns the noun used in sentences: `rook`, 车.
    pub fn noun(self, language: Language) -> String {
        match language {
            Language::English => self.kind().name().to_owned(),
            Language::Chinese => self.character().to_string(),
        }
    }

    /// Returns the noun with its owner: `Red's rook`, 红车.
    pub fn noun_with_owner(self, language: Language) -> String {
        let key = if self.side() == Side::Red { Key::RedPiece } else { Key::BlackPiece };
        language.say(key, &[("piece", &self.noun(language))])
    }

    /// Parses a FEN letter. `E` is also accepted for an elephant, `H` for a horse, `G` (general) for a king
    /// and `S` (soldier) for a pawn.
    pub fn from_letter(letter: char) -> Option<Piece> {
        let kind = match letter.to_ascii_uppercase() {
            'K' | 'G' => Kind::King,
            'A' => Kind::Advisor,
            'B' | 'E' => Kind::Elephant,
            'N' | 'H' => Kind::Horse,
            'R' => Kind::Rook,
            'C' => Kind::Cannon,
            'P' | 'S' => Kind::Pawn,
            _ => return None,
        };
        Some(Piece::new(if letter.is_ascii_uppercase() { Side::Red } else { Side::Black }, kind))
    }
}
