//! Pieces.

use crate::arguments::{KindArgument, Reduced, SideArgument, colour, piece_type, value_error};
use chuhe::board;
use pyo3::prelude::*;

/// A piece of one side: `Piece(ROOK, RED)`, or `Piece.from_symbol("R")`.
#[pyclass(module = "chuhe", frozen, eq, hash)]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Piece(pub board::Piece);

#[pymethods]
impl Piece {
    #[new]
    fn new(piece_type: KindArgument, color: SideArgument) -> Piece {
        Piece(board::Piece::new(color.0, piece_type.0))
    }

    /// Parses a FEN letter; upper case is Red. `H` is read as `N`, `E` as `B`.
    #[staticmethod]
    fn from_symbol(symbol: char) -> PyResult<Piece> {
        let piece = board::Piece::from_letter(symbol);
        piece.map(Piece).ok_or_else(|| value_error(format!("{symbol:?} is not a piece")))
    }

    /// The kind: `chuhe.KING` (1) to `chuhe.PAWN` (7).
    #[getter]
    fn piece_type(&self) -> i64 {
        piece_type(self.0.kind())
    }

    /// The side.
    #[getter]
    fn color(&self) -> bool {
        colour(self.0.side())
    }

    /// The plane in `chuhe.planes` and the value in `Samples.boards`: 0 to 6 for Red's king to pawn, 7 to 13
    /// for Black's.
    #[getter]
    fn index(&self) -> usize {
        self.0.index()
    }

    /// Returns the letter of the piece in a FEN: `"R"`, `"r"`.
    fn symbol(&self) -> char {
        self.0.letter()
    }

    /// Returns the Chinese character of the piece: `"俥"`, `"車"`.
    fn unicode_symbol(&self) -> char {
        self.0.character()
    }

    fn __str__(&self) -> char {
        self.symbol()
    }

    fn __repr__(&self) -> String {
        format!("Piece.from_symbol('{}')", self.0.letter())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> Reduced<'py, (i64, bool)> {
        Ok((slf.get_type().into_any(), (slf.get().piece_type(), slf.get().color())))
    }
}
