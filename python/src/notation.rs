//! Move notations.

use crate::errors::{AmbiguousMoveError, IllegalMoveError, InvalidMoveError};
use crate::moves::Move;
use chuhe::board::{self, Position};
use chuhe::notation::{self, Form, NoSuchMove, Ranks};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use std::str::FromStr;

/// Notation of a move: `"uci"` (h2e2), `"uci1"` (h3e3, ranks from 1 to 10), `"iccs"` (H2-E2), `"wxf"` (C2=5)
/// or `"chinese"` (炮二平五).
#[derive(Clone, Copy)]
pub enum Notation {
    Squares(Ranks),
    Form(Form),
}

impl FromStr for Notation {
    type Err = String;

    fn from_str(name: &str) -> Result<Notation, String> {
        match name {
            "uci" => Ok(Notation::Squares(Ranks::FromZero)),
            "uci1" => Ok(Notation::Squares(Ranks::FromOne)),
            _ => name
                .parse()
                .map(Notation::Form)
                .map_err(|_| format!("unknown notation {name:?}; use one of uci, uci1, iccs, wxf, chinese")),
        }
    }
}

impl Notation {
    /// Notation used in Chinese publications.
    pub const CHINESE: Notation = Notation::Form(Form::Chinese);
    /// The usual notation in Latin letters.
    pub const WXF: Notation = Notation::Form(Form::Wxf);

    /// Writes a legal move of the position.
    pub fn write(self, position: &Position, mv: board::Move) -> String {
        match self {
            Notation::Squares(ranks) => ranks.write(mv),
            Notation::Form(form) => notation::write(position, mv, form),
        }
    }
}

/// A move passed from Python: a `Move`, or a string in any notation.
pub enum MoveArgument<'a> {
    /// A `Move`.
    Move(board::Move),
    /// A string.
    Text(&'a str),
}

impl<'a> MoveArgument<'a> {
    /// Reads an argument.
    pub fn of(given: &'a Bound<PyAny>) -> PyResult<MoveArgument<'a>> {
        if let Ok(mv) = given.cast::<Move>() {
            return Ok(MoveArgument::Move(mv.get().0));
        }
        match given.extract::<&str>() {
            Ok(text) => Ok(MoveArgument::Text(text)),
            Err(_) => {
                let given = given.get_type().name()?;
                Err(PyTypeError::new_err(format!("a Move or a str is expected, not {given}")))
            }
        }
    }

    /// Returns the move if it is legal in a position.
    pub fn legal(self, position: &Position) -> PyResult<board::Move> {
        match self {
            MoveArgument::Move(mv) if position.is_legal(mv) => Ok(mv),
            MoveArgument::Move(mv) => Err(illegal(position, mv)),
            MoveArgument::Text(text) => read(position, text, Ranks::FromZero),
        }
    }
}

/// Returns a legal move, specified by a `Move` or by a string in any notation.
pub fn legal_move(position: &Position, given: &Bound<PyAny>) -> PyResult<board::Move> {
    MoveArgument::of(given)?.legal(position)
}

/// Parses a legal move in any notation.
pub fn read(position: &Position, text: &str, ranks: Ranks) -> PyResult<board::Move> {
    notation::read_in(position, text, ranks.into()).map_err(|refusal| {
        let message = format!("{text:?} {refusal}, in {position}");
        match refusal {
            NoSuchMove::Illegal => IllegalMoveError::new_err(message),
            NoSuchMove::Ambiguous => AmbiguousMoveError::new_err(message),
            // Invalid text, and errors that later versions of the library may add.
            _ => InvalidMoveError::new_err(message),
        }
    })
}

/// Returns the exception for a move that is illegal in a position.
pub fn illegal(position: &Position, mv: board::Move) -> PyErr {
    IllegalMoveError::new_err(format!("{} is not legal in {position}", Move(mv).uci(false)))
}

/// Writes a sequence of moves.
pub fn write_line(position: &Position, line: &[Bound<PyAny>], notation: Notation) -> PyResult<Vec<String>> {
    let mut position = position.clone();
    let write = |given: &Bound<PyAny>| {
        let mv = legal_move(&position, given)?;
        let text = notation.write(&position, mv);
        position.make(mv);
        Ok(text)
    };
    line.iter().map(write).collect()
}

/// Writes a sequence of moves that is known to be legal.
pub fn write_legal_line(start: &Position, line: impl Iterator<Item = board::Move>, notation: Notation) -> Vec<String> {
    let mut position = start.clone();
    line.map(|mv| {
        let text = notation.write(&position, mv);
        position.make(mv);
        text
    })
    .collect()
}
