//! Errors in game files, with their locations.

use super::diagram::Diagram;
use super::record::Record;
use chuhe_board::FenError;
use chuhe_board::notation::NoSuchMove;
use std::fmt;
use thiserror::Error;

/// Error in a game that cannot be read completely.
#[derive(Clone, PartialEq, Debug, Error)]
#[error("{location}: {problem}")]
pub struct RecordFault {
    /// Location.
    pub location: Location,
    /// Reason.
    pub problem: Problem,
    /// Readable part of the game; `None` if no game had begun.
    pub game: Option<Box<Record>>,
    /// Diagram that was read instead of a game.
    pub diagram: Option<Box<Diagram>>,
}

/// Location in a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Location {
    /// Line of a text file, from 1.
    Line(usize),
    /// Byte offset in a binary file, from 0.
    Byte(usize),
}

/// Reason for an error.
#[derive(Clone, PartialEq, Debug, Error)]
pub enum Problem {
    /// A tag that is not `[Name "value"]`.
    #[error("{0:?} is not a tag such as [Name \"value\"]")]
    Tag(String),
    /// A comment without an end.
    #[error("a comment is not closed")]
    OpenComment,
    /// A `)` without a `(`, or the end of the game within a variation or a comment.
    #[error("the brackets don't match")]
    Brackets,
    /// The starting position is invalid.
    #[error("FEN: {0}")]
    Fen(FenError),
    /// A move is invalid.
    #[error("{0:?} {1}")]
    Move(String, NoSuchMove),
    /// The source contains moves, but none could be read.
    #[error("none of the moves could be read")]
    NoMoves,
    /// A part of the file is longer or more deeply nested than allowed; contains its name.
    #[error("{0}: exceeds the limit of a game")]
    TooMuch(&'static str),
    /// The file ends within this part, or a length points beyond the end of the file.
    #[error("the file ends inside {0}")]
    Cut(&'static str),
    /// Another violation of the format.
    #[error("{0}")]
    Form(String),
    /// The system cannot read the file.
    #[error("{0}")]
    Read(String),
}

impl RecordFault {
    /// Creates an error at a line.
    pub(crate) fn at_line(line: usize, problem: Problem) -> RecordFault {
        RecordFault { location: Location::Line(line), problem, game: None, diagram: None }
    }

    /// Creates an error at a byte.
    pub fn at_byte(byte: usize, problem: Problem) -> RecordFault {
        RecordFault { location: Location::Byte(byte), problem, game: None, diagram: None }
    }

    /// Adds the readable part of the game.
    pub(crate) fn with_game(self, game: Record) -> RecordFault {
        RecordFault { game: Some(Box::new(game)), ..self }
    }
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Location::Line(line) => write!(f, "line {line}"),
            Location::Byte(byte) => write!(f, "byte {byte}"),
        }
    }
}
