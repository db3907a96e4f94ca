//! Why a request fails, as a code and in words.

use super::wording::{say_fen, say_no_move};
use chuhe_board::FenError;
use chuhe_board::notation::NoSuchMove;
use chuhe_board::rules::IllegalMove;
use chuhe_board::words::{Key, Language};

/// Why a question has no answer.
#[derive(Clone, PartialEq, Debug)]
pub enum Refusal {
    /// The text is not JSON: why.
    NotJson(String),
    /// There is no number to answer under.
    NoId,
    /// An unknown request: its name.
    UnknownRequest(String),
    /// A field is missing or wrong: which and why.
    Bad(String),
    /// The start is no position.
    Fen(FenError),
    /// A move can't be played.
    IllegalMove(IllegalMove),
    /// A game has more plies than this.
    TooLong(usize),
    /// A text is no move.
    NoSuchMove(String, NoSuchMove),
    /// The side to move is in check and may not pass.
    InCheck,
    /// The game is over: why, as a clause.
    GameOver(String),
    /// The search was ended before it had an answer.
    Stopped,
    /// A file has no games, or can't be written: why.
    File(String),
    /// There is no library of games.
    NoLibrary,
    /// Nobody may add games to the library.
    ReadOnly,
    /// The machine can't do it, or the engine failed: why.
    Failed(String),
    /// There is no engine of another maker with this name.
    NoEngine(String),
    /// Another maker's engine failed: how, its name, and what it did.
    Engine(Key, String, String),
    /// Another does the same, and there is room for one only.
    Busy,
    /// The first message must be a hello with the right token.
    Token,
}

impl Refusal {
    /// A field that is wrong.
    pub fn bad(reason: impl Into<String>) -> Refusal {
        Refusal::Bad(reason.into())
    }

    /// A move of a list that can't be played, counted from 1.
    pub fn illegal(number: usize, text: &str) -> Refusal {
        Refusal::IllegalMove(IllegalMove { number, text: text.chars().take(20).collect() })
    }

    /// The name that programs read.
    pub const fn code(&self) -> &'static str {
        match self {
            Refusal::NotJson(_) => "not_json",
            Refusal::NoId => "no_id",
            Refusal::UnknownRequest(_) => "unknown_request",
            Refusal::Bad(_) => "bad_request",
            Refusal::Fen(_) => "bad_start",
            Refusal::IllegalMove(_) => "illegal_move",
            Refusal::TooLong(_) => "too_long",
            Refusal::NoSuchMove(_, NoSuchMove::Illegal) => "illegal",
            Refusal::NoSuchMove(_, NoSuchMove::Ambiguous) => "ambiguous",
            Refusal::NoSuchMove(_, NoSuchMove::Unreadable) => "unreadable",
            Refusal::InCheck => "in_check",
            Refusal::GameOver(_) => "game_over",
            Refusal::Stopped => "stopped",
            Refusal::File(_) => "bad_file",
            Refusal::NoLibrary => "no_library",
            Refusal::ReadOnly => "read_only",
            Refusal::Failed(_) => "failed",
            Refusal::NoEngine(_) => "no_engine",
            Refusal::Engine(..) => "engine",
            Refusal::Busy => "busy",
            Refusal::Token => "token",
        }
    }

    /// Which move of a list it is about, from 1.
    pub const fn at(&self) -> Option<usize> {
        match self {
            Refusal::IllegalMove(illegal) => Some(illegal.number),
            _ => None,
        }
    }

    /// Why, as a sentence.
    pub fn say(&self, language: Language) -> String {
        let because = |key: Key, reason: &str| language.say(key, &[("reason", &reason)]);
        language.sentence(&match self {
            Refusal::NotJson(reason) => because(Key::NotJson, reason),
            Refusal::NoId => language.word(Key::NoId).to_owned(),
            Refusal::UnknownRequest(name) => language.say(Key::UnknownRequest, &[("name", name)]),
            Refusal::Bad(reason) => because(Key::BadRequest, reason),
            Refusal::Fen(error) => because(Key::BadStart, &say_fen(error, language)),
            Refusal::IllegalMove(IllegalMove { number, text }) => {
                language.say(Key::MoveIsIllegal, &[("number", number), ("move", text)])
            }
            Refusal::TooLong(plies) => language.say(Key::GameTooLong, &[("plies", plies)]),
            Refusal::NoSuchMove(text, why) => say_no_move(text, *why, language),
            Refusal::InCheck => language.word(Key::NoPassInCheck).to_owned(),
            Refusal::GameOver(ruling) => language.say(Key::IsOver, &[("ruling", ruling)]),
            Refusal::Stopped => language.word(Key::SearchStopped).to_owned(),
            Refusal::File(reason) => because(Key::FileRefused, reason),
            Refusal::Failed(reason) => because(Key::EngineFailed, reason),
            Refusal::NoEngine(name) => language.say(Key::NoEngine, &[("name", name)]),
            Refusal::Engine(how, name, what) => language.say(*how, &[("name", name), ("what", what)]),
            Refusal::NoLibrary => language.word(Key::NoLibrary).to_owned(),
            Refusal::ReadOnly => language.word(Key::LibraryReadOnly).to_owned(),
            Refusal::Busy => language.word(Key::EngineBusy).to_owned(),
            Refusal::Token => language.word(Key::WrongToken).to_owned(),
        })
    }
}
