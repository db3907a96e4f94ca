//! What is wrong with a file of games, and where.

use super::diagram::Diagram;
use super::record::Record;
use chuhe_board::FenError;
use chuhe_board::notation::NoSuchMove;
use std::fmt;
use thiserror::Error;

/// A game that can't be read to its end.
#[derive(Clone, PartialEq, Debug, Error)]
#[error("{place}: {problem}")]
pub struct Fault {
    /// Where.
    pub place: Place,
    /// Why.
    pub problem: Problem,
    /// The game as far as it could be read, if it had begun.
    pub game: Option<Box<Record>>,
    /// Instead of a game, a record whose position cannot be played from.
    pub diagram: Option<Box<Diagram>>,
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
#[derive(Clone, PartialEq, Debug, Error)]
pub enum Problem {
    /// A tag that is not `[Name "value"]`.
    #[error("{0:?} is not a tag such as [Name \"value\"]")]
    Tag(String),
    /// A comment without an end.
    #[error("a comment is not closed")]
    OpenComment,
    /// A `)` without a `(`, or the end of the game inside brackets: a variation or a comment.
    #[error("the brackets don't match")]
    Brackets,
    /// The position at the start.
    #[error("FEN: {0}")]
    Fen(FenError),
    /// A move.
    #[error("{0:?} {1}")]
    Move(String, NoSuchMove),
    /// A record whose source has moves, none of which could be read.
    #[error("none of the moves could be read")]
    NoMoves,
    /// Longer or deeper than a game is: what is.
    #[error("{0}: more than a game can have")]
    TooMuch(&'static str),
    /// The file ends, or a length points behind its end, inside this.
    #[error("the file ends inside {0}")]
    Cut(&'static str),
    /// Something else that is not as the format has it.
    #[error("{0}")]
    Form(String),
    /// The system can't read on.
    #[error("{0}")]
    Read(String),
}

impl Fault {
    /// A fault in a line.
    pub fn at_line(line: usize, problem: Problem) -> Fault {
        Fault { place: Place::Line(line), problem, game: None, diagram: None }
    }

    /// A fault at a byte.
    pub fn at_byte(byte: usize, problem: Problem) -> Fault {
        Fault { place: Place::Byte(byte), problem, game: None, diagram: None }
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
