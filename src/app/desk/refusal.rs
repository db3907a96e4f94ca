//! Reasons for failed requests, as codes and as sentences.

use crate::translation::translate_to;
use chuhe_board::FenError;
use chuhe_board::notation::NoSuchMove;
use chuhe_board::rules::IllegalMove;
use chuhe_board::words::{Key, Language};

/// Reason why a request fails.
#[derive(Clone, PartialEq, Debug)]
pub enum Refusal {
    /// The text is not JSON, with the reason.
    NotJson(String),
    /// The request has no number.
    NoId,
    /// Unknown request name.
    UnknownRequest(String),
    /// A field is missing or invalid, with the reason.
    Bad(String),
    /// The starting position is illegal.
    Fen(FenError),
    /// A move is illegal.
    IllegalMove(IllegalMove),
    /// The game exceeds this number of plies.
    TooLong(usize),
    /// A string is not a move.
    NoSuchMove(String, NoSuchMove),
    /// The side to move is in check and must not pass.
    InCheck,
    /// The game is over, with the reason as a clause.
    GameOver(String),
    /// The search was stopped before it had a result.
    Stopped,
    /// A file cannot be read or written, or contains no games; with the reason.
    File(String),
    /// No library is open.
    NoLibrary,
    /// The library is read-only.
    ReadOnly,
    /// A spelling that already belongs to another player, whose name follows.
    Taken(String, String),
    /// More games than this number match a filter.
    TooMany(usize),
    /// The games that match a filter exceed this number of megabytes.
    TooLarge(usize),
    /// Resources are not available or the engine failed, with the reason.
    Failed(String),
    /// Unknown name of an external engine.
    NoEngine(String),
    /// An external engine failed; contains the message, the engine's name, and its output.
    Engine(Key, String, String),
    /// An external engine with this name exists.
    EngineTaken(String),
    /// The page must not change the list of external engines, or this engine is not in it.
    EnginesFixed,
    /// A program cannot be used; contains the message and the path.
    Program(Key, String),
    /// The resource is in use by another request.
    Busy,
    /// The first message is not a hello with the correct token.
    Token,
}

impl Refusal {
    /// Creates a refusal for an invalid field.
    pub fn bad(reason: impl Into<String>) -> Refusal {
        Refusal::Bad(reason.into())
    }

    /// Creates a refusal for an illegal move in a list; `number` starts at 1.
    pub fn illegal(number: usize, text: &str) -> Refusal {
        Refusal::IllegalMove(IllegalMove { number, text: text.chars().take(20).collect() })
    }

    /// Returns the code for programs.
    pub const fn code(&self) -> &'static str {
        match self {
            Refusal::NotJson(_) => "not_json",
            Refusal::NoId => "no_id",
            Refusal::UnknownRequest(_) => "unknown_request",
            Refusal::Bad(_) => "bad_request",
            Refusal::Fen(_) => "bad_start",
            Refusal::IllegalMove(_) => "illegal_move",
            Refusal::TooLong(_) => "too_long",
            Refusal::NoSuchMove(_, why) => why.code(),
            Refusal::InCheck => "in_check",
            Refusal::GameOver(_) => "game_over",
            Refusal::Stopped => "stopped",
            Refusal::File(_) => "bad_file",
            Refusal::NoLibrary => "no_library",
            Refusal::ReadOnly => "read_only",
            Refusal::Taken(..) => "taken",
            Refusal::TooMany(_) => "too_many",
            Refusal::TooLarge(_) => "too_large",
            Refusal::Failed(_) => "failed",
            Refusal::NoEngine(_) => "no_engine",
            Refusal::Engine(..) => "engine",
            Refusal::EngineTaken(_) => "taken",
            Refusal::EnginesFixed => "engines_fixed",
            Refusal::Program(..) => "program",
            Refusal::Busy => "busy",
            Refusal::Token => "token",
        }
    }

    /// Returns the number of the move in question, from 1.
    pub const fn at(&self) -> Option<usize> {
        match self {
            Refusal::IllegalMove(illegal) => Some(illegal.number),
            _ => None,
        }
    }

    /// Returns the reason as a sentence.
    pub fn say(&self, language: Language) -> String {
        let because = |key: Key, reason: &str| language.say(key, &[("reason", &translate_to(language, reason))]);
        language.sentence(&match self {
            Refusal::NotJson(reason) => because(Key::NotJson, reason),
            Refusal::NoId => language.word(Key::NoId).to_owned(),
            Refusal::UnknownRequest(name) => language.say(Key::UnknownRequest, &[("name", name)]),
            Refusal::Bad(reason) => because(Key::BadRequest, reason),
            Refusal::Fen(error) => because(Key::BadStart, &error.say(language)),
            Refusal::IllegalMove(IllegalMove { number, text }) => {
                language.say(Key::MoveIsIllegal, &[("number", number), ("move", text)])
            }
            Refusal::TooLong(plies) => language.say(Key::GameTooLong, &[("plies", plies)]),
            Refusal::NoSuchMove(text, why) => why.say(text, language),
            Refusal::InCheck => language.word(Key::NoPassInCheck).to_owned(),
            Refusal::GameOver(ruling) => language.say(Key::IsOver, &[("ruling", ruling)]),
            Refusal::Stopped => language.word(Key::SearchStopped).to_owned(),
            Refusal::File(reason) => because(Key::FileRefused, reason),
            Refusal::Failed(reason) => because(Key::EngineFailed, reason),
            Refusal::NoEngine(name) => language.say(Key::NoEngine, &[("name", name)]),
            Refusal::Engine(how, name, what) => language.say(*how, &[("name", name), ("what", what)]),
            Refusal::EngineTaken(name) => language.say(Key::EngineTaken, &[("name", name)]),
            Refusal::EnginesFixed => language.word(Key::EnginesFixed).to_owned(),
            Refusal::Program(why, what) => language.say(*why, &[("what", what)]),
            Refusal::NoLibrary => language.word(Key::NoLibrary).to_owned(),
            Refusal::ReadOnly => language.word(Key::LibraryReadOnly).to_owned(),
            Refusal::Taken(spelling, name) => {
                language.say(Key::SpellingTaken, &[("spelling", spelling), ("name", name)])
            }
            Refusal::TooMany(count) => language.say(Key::TooManyGames, &[("count", count)]),
            Refusal::TooLarge(megabytes) => language.say(Key::GamesTooLarge, &[("megabytes", megabytes)]),
            Refusal::Busy => language.word(Key::EngineBusy).to_owned(),
            Refusal::Token => language.word(Key::WrongToken).to_owned(),
        })
    }
}
