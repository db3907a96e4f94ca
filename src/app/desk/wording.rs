//! Errors in game files, and losses of writing them, formatted as clauses.

use crate::translation::translate_to;
use chuhe_board::words::{Key, Language};
use chuhe_games::records::{Format, Location, Problem, RecordFault, Written, tags};
use serde::Serialize;

/// Error in a file.
#[derive(Debug, Serialize)]
pub(crate) struct FileFault {
    pub text: String,
}

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

/// Describes what a format could not store of a game, one clause for each kind.
pub(crate) fn say_losses(format: Format, written: &Written, language: Language) -> Vec<String> {
    let shortened = written.shortened.iter().map(|short| {
        let tag = tags::title(short.tag, language);
        language.say(Key::TextShortened, &[("tag", &tag), ("kept", &short.kept), ("of", &short.of)])
    });
    let omitted = [
        (Key::MovesLost, written.moves_lost),
        (Key::CommentsLost, written.comments_lost),
        (Key::SignsLost, written.signs_lost),
        (Key::PiecesLost, written.pieces_lost),
    ];
    let omitted = omitted.into_iter().filter(|(_, count)| *count > 0);
    let omitted = omitted.map(|(key, count)| language.say(key, &[("format", &format), ("count", &count)]));
    shortened.chain(omitted).collect()
}
