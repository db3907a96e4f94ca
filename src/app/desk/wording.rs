//! Reasons for rejected positions, moves and files, as clauses.

use chuhe_board::notation::NoSuchMove;
use chuhe_board::words::{Key, Language};
use chuhe_board::{BadFen, FenError, Impossible};
use chuhe_games::records::{Fault, Place, Problem};

/// Returns the reason why a FEN is invalid, as a clause.
pub fn say_fen(error: &FenError, language: Language) -> String {
    match error {
        FenError::Text(bad) => say_bad(bad, language),
        FenError::Impossible(reasons) => {
            let gap = if language == Language::Chinese { "；" } else { "; " };
            reasons.iter().map(|why| say_impossible(why, language)).collect::<Vec<_>>().join(gap)
        }
    }
}

/// Returns the reason why a text is not a move, as a clause.
pub fn say_no_move(text: &str, why: NoSuchMove, language: Language) -> String {
    let key = match why {
        NoSuchMove::Illegal => Key::TextIsIllegal,
        NoSuchMove::Ambiguous => Key::TextIsAmbiguous,
        NoSuchMove::Unreadable => Key::TextIsUnreadable,
    };
    language.say(key, &[("move", &text)])
}

/// Returns the error in a file of games, and its location, as a clause.
pub fn say_fault(fault: &Fault, language: Language) -> String {
    let problem = match &fault.problem {
        Problem::Tag(text) => language.say(Key::BadTag, &[("text", text)]),
        Problem::OpenComment => language.word(Key::OpenComment).to_owned(),
        Problem::NoMoves => language.word(Key::NoneOfTheMoves).to_owned(),
        Problem::Brackets => language.word(Key::WrongBrackets).to_owned(),
        Problem::Fen(error) => say_fen(error, language),
        Problem::Move(text, why) => say_no_move(text, *why, language),
        Problem::TooMuch(what) => language.say(Key::TooMuch, &[("what", what)]),
        Problem::Cut(what) => language.say(Key::FileEndsInside, &[("what", what)]),
        Problem::Form(text) | Problem::Read(text) => text.clone(),
    };
    let (key, place) = match fault.place {
        Place::Line(line) => (Key::AtLine, line),
        Place::Byte(byte) => (Key::AtByte, byte),
    };
    language.say(key, &[("place", &place), ("problem", &problem)])
}

/// Returns the error in the text of a FEN, as a clause.
pub(super) fn say_bad(bad: &BadFen, language: Language) -> String {
    match bad {
        BadFen::Empty => language.word(Key::FenEmpty).to_owned(),
        BadFen::RankCount(count) => language.say(Key::FenRanks, &[("count", count)]),
        BadFen::FileCount(rank, count) => language.say(Key::FenFiles, &[("rank", rank), ("count", count)]),
        BadFen::Character { rank, column, character } => {
            language.say(Key::FenCharacter, &[("rank", rank), ("column", column), ("character", character)])
        }
        BadFen::Side(text) => language.say(Key::FenSide, &[("side", text)]),
    }
}

/// Returns the reason why no game reaches a board, as a clause.
pub(super) fn say_impossible(why: &Impossible, language: Language) -> String {
    match *why {
        Impossible::KingMissing(side) => language.say(Key::KingMissing, &[("side", &side.title(language))]),
        Impossible::TooMany(piece, count) => {
            let (side, most, piece) = (piece.side().title(language), piece.kind().in_a_set(), piece.noun(language));
            language.say(Key::TooManyPieces, &[("side", &side), ("count", &count), ("piece", &piece), ("most", &most)])
        }
        Impossible::Misplaced(piece, square) => {
            language.say(Key::PieceMisplaced, &[("piece", &piece.owned(language)), ("square", &square)])
        }
        Impossible::KingsFacing => language.word(Key::KingsFacing).to_owned(),
        Impossible::LeftInCheck(side) => {
            language.say(Key::LeftInCheck, &[("side", &side.title(language)), ("other", &(!side).title(language))])
        }
    }
}
