//! Errors in FENs, setups and moves, as clauses in the user's language and as machine-readable names.

use crate::notation::{self, NoSuchMove};
use crate::words::{Key, Language};
use crate::{BadFen, FenError, Impossible, Side, Square};
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

/// Implements `Display`, as the clause in English.
macro_rules! display {
    ($($error:ty),*) => {
        $(impl fmt::Display for $error {
            fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str(&self.say(Language::English))
            }
        })*
    };
}

display!(FenError, BadFen, Impossible);

impl Square {
    /// Returns the square of a piece as written in sentences: `c1` in English; in Chinese, the file as
    /// numbered by the piece's owner, such as 七路 or ３路.
    pub fn spoken(self, owner: Side, language: Language) -> String {
        match language {
            Language::English => self.to_string(),
            Language::Chinese => format!("{}路", notation::file_in_chinese(owner, self)),
        }
    }
}

impl FenError {
    /// Returns the error as a clause, with every reason.
    pub fn say(&self, language: Language) -> String {
        match self {
            FenError::Text(bad) => bad.say(language),
            FenError::Impossible(reasons) => {
                let gap = if language == Language::Chinese { "；" } else { "; " };
                reasons.iter().map(|why| why.say(language)).collect::<Vec<_>>().join(gap)
            }
        }
    }
}

impl BadFen {
    /// Returns the machine-readable name of the error.
    pub const fn code(&self) -> &'static str {
        match self {
            BadFen::Empty => "fen_empty",
            BadFen::RankCount(_) => "fen_ranks",
            BadFen::FileCount { .. } => "fen_files",
            BadFen::Character { .. } => "fen_character",
            BadFen::Side(_) => "fen_side",
        }
    }

    /// Returns the error as a clause.
    pub fn say(&self, language: Language) -> String {
        match self {
            BadFen::Empty => language.word(Key::FenEmpty).to_owned(),
            BadFen::RankCount(count) => language.say(Key::FenRanks, &[("count", count)]),
            BadFen::FileCount { rank, count } => language.say(Key::FenFiles, &[("rank", rank), ("count", count)]),
            BadFen::Character { rank, column, character } => {
                let character = character.escape_debug();
                language.say(Key::FenCharacter, &[("rank", rank), ("column", column), ("character", &character)])
            }
            BadFen::Side(text) => language.say(Key::FenSide, &[("side", &text.escape_debug())]),
        }
    }
}

impl Impossible {
    /// Returns the machine-readable name of the reason.
    pub const fn code(&self) -> &'static str {
        match self {
            Impossible::KingMissing(_) => "king_missing",
            Impossible::TooMany(..) => "too_many",
            Impossible::Misplaced(..) => "misplaced",
            Impossible::KingsFacing => "kings_facing",
            Impossible::LeftInCheck(_) => "left_in_check",
        }
    }

    /// Returns the square of the offending piece, if the reason concerns one.
    pub const fn square(&self) -> Option<Square> {
        match self {
            Impossible::Misplaced(_, square) => Some(*square),
            _ => None,
        }
    }

    /// Returns the reason as a clause.
    pub fn say(&self, language: Language) -> String {
        match *self {
            Impossible::KingMissing(side) => language.say(Key::KingMissing, &[("side", &side.title(language))]),
            Impossible::TooMany(piece, count) => {
                let side = piece.side().title(language);
                let (maximum, piece) = (piece.kind().in_a_set(), piece.noun(language));
                let arguments: [(&str, &dyn fmt::Display); 4] =
                    [("side", &side), ("count", &count), ("piece", &piece), ("most", &maximum)];
                language.say(Key::TooManyPieces, &arguments)
            }
            Impossible::Misplaced(piece, square) => {
                language.say(Key::PieceMisplaced, &[("piece", &piece.noun_with_owner(language)), ("square", &square)])
            }
            Impossible::KingsFacing => language.word(Key::KingsFacing).to_owned(),
            Impossible::LeftInCheck(side) => {
                language.say(Key::LeftInCheck, &[("side", &side.title(language)), ("other", &(!side).title(language))])
            }
        }
    }
}

impl NoSuchMove {
    /// Returns the machine-readable name of the error.
    pub const fn code(self) -> &'static str {
        match self {
            NoSuchMove::Illegal => "illegal",
            NoSuchMove::Ambiguous => "ambiguous",
            NoSuchMove::Unreadable => "unreadable",
        }
    }

    /// Returns the error in parsing `text` as a clause.
    pub fn say(self, text: &str, language: Language) -> String {
        let key = match self {
            NoSuchMove::Illegal => Key::TextIsIllegal,
            NoSuchMove::Ambiguous => Key::TextIsAmbiguous,
            NoSuchMove::Unreadable => Key::TextIsUnreadable,
        };
        language.say(key, &[("move", &text)])
    }
}
