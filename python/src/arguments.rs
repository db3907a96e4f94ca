//! Conversion of Python arguments: squares, sides, kinds of piece, and names from fixed lists.

use crate::game::Game;
use crate::position::Position;
use chuhe::board::{Kind, Side, Square};
use chuhe::rules;
use chuhe::words::Language;
use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use std::fmt::Display;
use std::str::FromStr;

/// Returns a `ValueError` with the library's message.
pub fn value_error(reason: impl Display) -> PyErr {
    PyValueError::new_err(reason.to_string())
}

/// Converts a whole number. Raises `ValueError` if it is out of range, where pyo3 raises `OverflowError`.
pub fn whole<T: TryFrom<i128>>(object: &Bound<PyAny>) -> PyResult<T> {
    let number = match object.extract::<i128>() {
        Err(error) if !error.is_instance_of::<PyOverflowError>(object.py()) => return Err(error),
        number => number.ok().and_then(|number| number.try_into().ok()),
    };
    number.ok_or_else(|| value_error(format!("{object} is out of range")))
}

/// A number converted by [`whole`], where an argument is optional or a sequence.
#[derive(Clone, Copy)]
pub struct Whole<T>(pub T);

impl<'py, T: TryFrom<i128>> FromPyObject<'_, 'py> for Whole<T> {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        whole(&object).map(Whole)
    }
}

/// Returns the number if it is between 1 and the maximum; otherwise raises `ValueError`.
pub fn within(name: &str, number: i128, maximum: usize) -> PyResult<usize> {
    let inside = usize::try_from(number).ok().filter(|number| (1..=maximum).contains(number));
    inside.ok_or_else(|| value_error(format!("{name} is {number}; it must be 1 to {maximum}")))
}

/// Result of `__reduce__`: the class and the arguments that create an equal object.
pub type Reduced<'py, A> = PyResult<(Bound<'py, PyAny>, A)>;

/// A square: 0 to 89, or `"a0"` to `"i9"`.
pub struct SquareArgument(pub Square);

impl<'py> FromPyObject<'_, 'py> for SquareArgument {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(name) = object.extract::<&str>() {
            return name.parse().map(SquareArgument).map_err(|_| value_error(format!("{name:?} is not a square")));
        }
        let number: i128 = whole(&object)?;
        let square = usize::try_from(number).ok().and_then(|number| Square::ALL.get(number));
        square.copied().map(SquareArgument).ok_or_else(|| value_error(format!("{number} is not a square (0 to 89)")))
    }
}

/// A side: `chuhe.RED` is `True`, `chuhe.BLACK` is `False`.
pub struct SideArgument(pub Side);

impl<'py> FromPyObject<'_, 'py> for SideArgument {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        Ok(SideArgument(if object.extract()? { Side::Red } else { Side::Black }))
    }
}

/// Returns the Python value of a side.
pub fn colour(side: Side) -> bool {
    side == Side::Red
}

/// A kind of piece: `chuhe.KING`, 1, to `chuhe.PAWN`, 7.
pub struct KindArgument(pub Kind);

impl<'py> FromPyObject<'_, 'py> for KindArgument {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let number: i128 = whole(&object)?;
        let kind = Kind::ALL.into_iter().find(|&kind| i128::from(piece_type(kind)) == number);
        kind.map(KindArgument).ok_or_else(|| value_error(format!("{number} is not a type of piece (1 to 7)")))
    }
}

/// Returns the Python value of a kind of piece.
pub fn piece_type(kind: Kind) -> i64 {
    kind.index() as i64 + 1
}

/// A name from a fixed list, such as a language or a format.
pub struct Word<T>(pub T);

impl<'py, T: FromStr<Err: Display>> FromPyObject<'_, 'py> for Word<T> {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        object.extract::<&str>()?.parse().map(Word).map_err(value_error)
    }
}

/// `"en"` or `"zh"`.
pub type LanguageArgument = Word<Language>;

/// A position: a `Position`, the last position of a `Game`, or a FEN.
pub struct PositionArgument(pub chuhe::board::Position);

impl<'py> FromPyObject<'_, 'py> for PositionArgument {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(position) = object.cast::<Position>() {
            return Ok(PositionArgument(position.try_borrow()?.board()?.clone()));
        }
        Ok(PositionArgument(GameArgument::extract(object)?.0.position().clone()))
    }
}

/// A game: a `Game`, a `Position` with the moves pushed on it, or a FEN.
pub struct GameArgument(pub rules::Game);

impl<'py> FromPyObject<'_, 'py> for GameArgument {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(game) = object.cast::<Game>() {
            Ok(GameArgument(game.try_borrow()?.inner().clone()))
        } else if let Ok(position) = object.cast::<Position>() {
            Ok(GameArgument(position.try_borrow()?.game()?))
        } else if let Ok(fen) = object.extract::<&str>() {
            Ok(GameArgument(rules::Game::new(crate::position::read_fen(fen)?)))
        } else {
            let given = object.get_type().name()?;
            Err(PyTypeError::new_err(format!("a Position, a Game or a FEN is expected, not {given}")))
        }
    }
}
