//! Errors in game files, formatted as clauses.

use crate::translation::translate_to;
use chuhe_board::words::{Key, Language};
use chuhe_games::records::{Location, Problem, RecordFault};

/// Describes an error in a game file, and its location, as a clause.
pub(crate) fn say_fault(fault: &RecordFault, language: Language) -> String {
    let translated = |text: &str| translate_to(language, text);
    let problem = match &fault.problem {
        Problem::Tag(text) => language.say(Key::BadTag, &[("text", text)]),
        Problem::OpenComment => language.word(Key::OpenComment).to_owned(),
        Problem::NoMoves => language.word(Key::NoneOfTheMoves).to_owned(),
        Problem::Brackets => language.word(Key::WrongBrackets).to_owned(),
        Problem::Fen(error) => error.say(language),
        Problem::Move(text, why) => why.say(text, language),
        Problem::TooMuch(what) => language.say(Key::TooMuch, &[("what", &translated(what))]),
        Problem::Cut(what) => language.say(Key::FileEndsInside, &[("what", &translated(what))]),
        Problem::Form(text) | Problem::Read(text) => translated(text),
    };
    let (key, place) = match fault.location {
        Location::Line(line) => (Key::AtLine, line),
        Location::Byte(byte) => (Key::AtByte, byte),
    };
    language.say(key, &[("place", &place), ("problem", &problem)])
}
