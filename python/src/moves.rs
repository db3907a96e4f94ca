//! Moves.

use crate::arguments::{Reduced, SquareArgument};
use crate::errors::InvalidMoveError;
use chuhe::board;
use chuhe::notation::Ranks;
use pyo3::prelude::*;

/// A move from one square to another; `Position.is_legal` checks it.
///
/// `Move(from_square, to_square)` accepts numbers (0 to 89) or names (`"h2"`); `Move.from_uci("h2e2")` parses
/// a string. `Move.null()` is the only falsy move.
#[pyclass(module = "chuhe", frozen, eq, hash)]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Move(pub board::Move);

impl Move {
    /// The null move, with the squares used by `chess`.
    pub const NULL: board::Move = board::Move { from: board::Square::A0, to: board::Square::A0 };
}

/// The text of the null move.
const NULL: &str = "0000";

/// Returns `true` for the null move.
pub fn is_null(mv: board::Move) -> bool {
    mv == Move::NULL
}

#[pymethods]
impl Move {
    #[new]
    fn new(from_square: SquareArgument, to_square: SquareArgument) -> Move {
        Move(board::Move::new(from_square.0, to_square.0))
    }

    /// Returns the null move, `0000`; when pushed on a position, it changes only the side to move.
    #[staticmethod]
    fn null() -> Move {
        Move(Move::NULL)
    }

    /// Parses `h2e2`, `H2-E2` or `0000`; with `ranks_from_one`, `h3e3` and `a10a9`, as written by pyffish.
    ///
    /// Raises `InvalidMoveError`.
    #[staticmethod]
    #[pyo3(signature = (text, *, ranks_from_one = false))]
    fn from_uci(text: &str, ranks_from_one: bool) -> PyResult<Move> {
        if text.trim() == NULL {
            return Ok(Move::null());
        }
        let read = ranks(ranks_from_one).read(text);
        read.map(Move).map_err(|error| InvalidMoveError::new_err(format!("{text:?} is {error}")))
    }

    /// The origin, 0 to 89.
    #[getter(from_square)]
    fn origin(&self) -> usize {
        self.0.from.index()
    }

    /// The target, 0 to 89.
    #[getter(to_square)]
    fn target(&self) -> usize {
        self.0.to.index()
    }

    /// Returns `h2e2`, or `h3e3` with `ranks_from_one`; `0000` for the null move.
    #[pyo3(signature = (*, ranks_from_one = false))]
    pub fn uci(&self, ranks_from_one: bool) -> String {
        if is_null(self.0) { NULL.to_owned() } else { ranks(ranks_from_one).write(self.0) }
    }

    /// Returns the mirror image of the move, with left and right swapped.
    fn mirrored(&self) -> Move {
        Move(self.0.mirrored())
    }

    /// Returns the corresponding move of the other side, with the ranks reversed.
    fn flipped(&self) -> Move {
        Move(self.0.flipped())
    }

    fn __bool__(&self) -> bool {
        !is_null(self.0)
    }

    fn __str__(&self) -> String {
        self.uci(false)
    }

    fn __repr__(&self) -> String {
        format!("Move.from_uci('{}')", self.uci(false))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> Reduced<'py, (usize, usize)> {
        Ok((slf.get_type().into_any(), (slf.get().origin(), slf.get().target())))
    }
}

fn ranks(from_one: bool) -> Ranks {
    if from_one { Ranks::FromOne } else { Ranks::FromZero }
}

/// Converts moves to Python objects.
pub fn moves(line: &[board::Move]) -> Vec<Move> {
    line.iter().copied().map(Move).collect()
}
