//! What is wrong with a file of games, and where.

use super::record::Record;
use crate::board::FenError;
use crate::notation::NoSuchMove;
use std::fmt;

/// A game that can't be read to its end.
#[derive(Clone, PartialEq, Debug)]
pub struct Fault {
    /// Where.
    pub place: Place,
    /// Why.
    pub problem: Problem,
    /// The game as far as it could be read, if it had begun.
    pub game: Option<Box<Record>>,
}

/// Where in a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// A line of a text, from 1.
    Line(usize),
    /// A byte of a file, from 0.
    Byte(usize),
}

/// What is wrong.
#[derive(Clone, PartialEq, Debug)]
pub enum Problem {
    /// A tag that is not `[Name "value"]`.
    Tag(String),
    /// A comment without an end.
    OpenComment,
    /// A `)` without a `(`, or the end of the game inside brackets: a variation or a comment.
    Brackets,
    /// The position at the start.
    Fen(FenError),
    /// A move.
    Move(String, NoSuchMove),
    /// Longer or deeper than a game is: what is.
    TooMuch(&'static str),
    /// The file ends, or a length points behind its end, inside this.
    Cut(&'static str),
    /// Something else that is not as the format has it.
    Form(String),
    /// The system can't read on.
    Read(String),
}

impl Fault {
    /// A fault in a line.
    pub fn at_line(line: usize, problem: Problem) -> Fault {
        Fault { place: Place::Line(line), problem, game: None }
    }

    /// A fault at a byte.
    pub fn at_byte(byte: usize, problem: Problem) -> Fault {
        Fault { place: Place::Byte(byte), problem, game: None }
    }

    /// The same with the game as far as it was read.
    pub fn with_game(self, game: Record) -> Fault {
        Fault { game: Some(Box::new(game)), ..self }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Place::Line(line) => write!(f, "line {line}"),
            Place::Byte(byte) => write!(f, "byte {byte}"),
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Problem::Tag(text) => write!(f, "{text:?} is not a tag such as [Name \"value\"]"),
            Problem::OpenComment => f.write_str("a comment is not closed"),
            Problem::Brackets => f.write_str("the brackets don't match"),
            Problem::Fen(error) => write!(f, "FEN: {error}"),
            Problem::Move(text, error) => write!(f, "{text:?} {error}"),
            Problem::TooMuch(what) => write!(f, "{what}: more than a game can have"),
            Problem::Cut(what) => write!(f, "the file ends inside {what}"),
            Problem::Form(text) => f.write_str(text),
            Problem::Read(error) => f.write_str(error),
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.problem)
    }
}

impl std::error::Error for Fault {}
