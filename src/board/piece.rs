//! The two sides, the seven kinds of pieces and the fourteen pieces.

use super::square::{Rank, Square};
use crate::words::{Key, Language};

/// Red moves first and sits at rank 0.
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

    /// 0 for Red, 1 for Black.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// `red` or `black`.
    pub const fn name(self) -> &'static str {
        match self {
            Side::Red => "red",
            Side::Black => "black",
        }
    }

    /// `Red`, 红方: as sentences name it.
    pub fn title(self, language: Language) -> &'static str {
        language.word(if self == Side::Red { Key::Red } else { Key::Black })
    }

    /// A rank as this side counts it: 0 is its own back rank, 9 the enemy's.
    pub fn rank(self, square: Square) -> Rank {
        match self {
            Side::Red => square.rank(),
            Side::Black => square.flipped().rank(),
        }
    }

    /// Whether the square lies beyond the river, seen from this side.
    pub fn has_crossed(self, square: Square) -> bool {
        self.rank(square) >= Rank::R5
    }
}

/// The other side.
impl std::ops::Not for Side {
    type Output = Side;

    fn not(self) -> Side {
        match self {
            Side::Red => Side::Black,
            Side::Black => Side::Red,
        }
    }
}

/// The kind of a piece, without its side.
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
    /// All seven, the king first.
    pub const ALL: [Kind; 7] =
        [Kind::King, Kind::Advisor, Kind::Elephant, Kind::Horse, Kind::Rook, Kind::Cannon, Kind::Pawn];

    /// The number of the kind, 0–6.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// How many of the kind one side has in a full set.
    pub const fn in_a_set(self) -> u32 {
        match self {
            Kind::King => 1,
            Kind::Pawn => 5,
            _ => 2,
        }
    }

    /// The English name, in lower case.
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
    /// All fourteen, Red's first, in the order of [`Kind::ALL`].
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

    /// The piece of a side and a kind.
    pub const fn new(side: Side, kind: Kind) -> Piece {
        Piece::ALL[side.index() * 7 + kind.index()]
    }

    /// The number of the piece, 0–13.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Whose it is.
    pub const fn side(self) -> Side {
        if self.index() < 7 { Side::Red } else { Side::Black }
    }

    /// What it is.
    pub const fn kind(self) -> Kind {
        Kind::ALL[self.index() % 7]
    }

    /// Its letter in a FEN: `K A B N R C P`, lower case for Black.
    pub const fn letter(self) -> char {
        LETTERS[self.index()] as char
    }

    /// Its Chinese character.
    pub const fn character(self) -> char {
        CHARACTERS[self.index()]
    }

    /// `rook`, 车: as sentences name it.
    pub fn noun(self, language: Language) -> String {
        match language {
            Language::English => self.kind().name().to_owned(),
            Language::Chinese => self.character().to_string(),
        }
    }

    /// `Red's rook`, 红车.
    pub fn owned(self, language: Language) -> String {
        let key = if self.side() == Side::Red { Key::RedPiece } else { Key::BlackPiece };
        language.say(key, &[("piece", &self.noun(language))])
    }

    /// Reads a FEN letter; `E` is also an elephant, `H` a horse, `G` (general) a king and `S` (soldier) a pawn.
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
