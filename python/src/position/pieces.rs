//! Pieces, attacks and pins in a position.

use super::Position;
use crate::arguments::{KindArgument, SideArgument, SquareArgument, colour, piece_type};
use crate::calls::call;
use crate::pieces::Piece;
use chuhe::board::{self, Bitboard, Kind, Occupancy, Side, Square, attackers_of_king};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;
use std::collections::BTreeMap;

static SQUARE_SET: PyOnceLock<Py<PyType>> = PyOnceLock::new();

/// Converts a set of squares to the Python class `SquareSet`.
fn square_set(py: Python, set: Bitboard) -> PyResult<Bound<PyAny>> {
    call(SQUARE_SET.import(py, "chuhe.squares", "SquareSet")?, (set.bits(),))
}

/// Returns the indices of the squares in a set.
pub fn squares(set: Bitboard) -> Vec<usize> {
    set.into_iter().map(Square::index).collect()
}

/// Returns the squares that a piece attacks, that is, on which it could capture an enemy piece. They include
/// squares occupied by friendly pieces.
fn attacks(board: &board::Position, from: Square) -> Bitboard {
    match board.piece_on(from) {
        Some(piece) if piece.kind() == Kind::Cannon => board.occupancy().behind_screens(from),
        Some(piece) => board.occupancy().targets(piece.side(), piece.kind(), from),
        None => Bitboard::EMPTY,
    }
}

/// Returns the squares on which a piece would not expose its king; all squares if it is not pinned.
fn pin(board: &board::Position, side: Side, from: Square) -> Bitboard {
    let king = board.king(side);
    if from == king || !board.of_side(side).has(from) {
        return Bitboard::ALL;
    }
    let mut without = *board.occupancy();
    without.toggle(from);
    let enemies = |kind| board.pieces(!side, kind);
    let before = attackers_of_king(king, board.occupancy(), !side, enemies);
    let opened = |occupancy: &Occupancy, taken: Bitboard| {
        let left = |kind| enemies(kind) & !taken;
        (attackers_of_king(king, occupancy, !side, left) & !before).has_any()
    };
    if !opened(&without, Bitboard::EMPTY) {
        return Bitboard::ALL;
    }
    let keeps = |&to: &Square| {
        let mut occupancy = without;
        if !occupancy.all().has(to) {
            occupancy.toggle(to);
        }
        !opened(&occupancy, Bitboard::of(to))
    };
    let free = !(board.of_side(side) & !Bitboard::of(from));
    free.into_iter().filter(keeps).fold(Bitboard::EMPTY, Bitboard::with)
}

impl Position {
    /// Returns the squares of the pieces that match.
    fn occupied(&self, fits: impl Fn(board::Piece) -> bool) -> Bitboard {
        let board = self.setup().board;
        let squares = Square::ALL.into_iter().filter(|at| board[at.index()].is_some_and(&fits));
        squares.fold(Bitboard::EMPTY, Bitboard::with)
    }

    fn piece(&self, square: Square) -> Option<board::Piece> {
        match &self.draft {
            Some(setup) => setup.board[square.index()],
            None => self.board.piece_on(square),
        }
    }

    fn pieces_of(&self, side: Side, kind: Kind) -> Bitboard {
        if self.draft.is_some() {
            return self.occupied(|piece| piece == board::Piece::new(side, kind));
        }
        self.board.pieces(side, kind)
    }
}

#[pymethods]
impl Position {
    /// Returns the piece on a square, or `None`.
    fn piece_at(&self, square: SquareArgument) -> Option<Piece> {
        self.piece(square.0).map(Piece)
    }

    /// Returns the kind of the piece on a square, or `None`.
    fn piece_type_at(&self, square: SquareArgument) -> Option<i64> {
        self.piece(square.0).map(|piece| piece_type(piece.kind()))
    }

    /// Returns the side of the piece on a square, or `None`.
    fn color_at(&self, square: SquareArgument) -> Option<bool> {
        self.piece(square.0).map(|piece| colour(piece.side()))
    }

    /// Returns all pieces by square.
    fn piece_map(&self) -> BTreeMap<usize, Piece> {
        let squares = Square::ALL.into_iter();
        squares.filter_map(|at| Some((at.index(), Piece(self.piece(at)?)))).collect()
    }

    /// Returns the squares of a side's pieces of one kind as a `SquareSet`.
    fn pieces<'py>(
        &self,
        py: Python<'py>,
        piece_type: KindArgument,
        color: SideArgument,
    ) -> PyResult<Bound<'py, PyAny>> {
        square_set(py, self.pieces_of(color.0, piece_type.0))
    }

    /// Returns the squares of a side's pieces of one kind as a bitboard: an integer in which bit n represents
    /// square n.
    fn pieces_mask(&self, piece_type: KindArgument, color: SideArgument) -> u128 {
        self.pieces_of(color.0, piece_type.0).bits()
    }

    /// Returns the squares of all pieces, or of one side's pieces, as a bitboard.
    #[pyo3(signature = (color = None))]
    fn occupied_mask(&self, color: Option<SideArgument>) -> u128 {
        self.occupied(|piece| color.as_ref().is_none_or(|color| piece.side() == color.0)).bits()
    }

    /// Returns the square of a side's king, or `None` if it has no king.
    fn king(&self, color: SideArgument) -> Option<usize> {
        self.pieces_of(color.0, Kind::King).first().map(Square::index)
    }

    /// Returns the squares that the piece on a square attacks, as a `SquareSet`: the squares on which it
    /// could capture an enemy piece.
    fn attacks<'py>(&self, py: Python<'py>, square: SquareArgument) -> PyResult<Bound<'py, PyAny>> {
        square_set(py, attacks(self.board()?, square.0))
    }

    /// Returns the squares of a side's pieces that attack a square, as a `SquareSet`.
    fn attackers<'py>(
        &self,
        py: Python<'py>,
        color: SideArgument,
        square: SquareArgument,
    ) -> PyResult<Bound<'py, PyAny>> {
        square_set(py, self.board()?.attackers(color.0, square.0))
    }

    /// Returns `True` if a side attacks a square.
    fn is_attacked_by(&self, color: SideArgument, square: SquareArgument) -> PyResult<bool> {
        Ok(self.board()?.attackers(color.0, square.0).has_any())
    }

    /// Returns the squares of the pieces that give check, as a `SquareSet`.
    fn checkers<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        square_set(py, self.board()?.checkers())
    }

    /// Returns the squares on which a side's piece would not expose its king, as a `SquareSet`; all squares
    /// if it is not pinned.
    fn pin<'py>(&self, py: Python<'py>, color: SideArgument, square: SquareArgument) -> PyResult<Bound<'py, PyAny>> {
        square_set(py, pin(self.board()?, color.0, square.0))
    }

    /// Returns `True` if a side's piece is pinned, that is, if one of its moves would expose its king.
    fn is_pinned(&self, color: SideArgument, square: SquareArgument) -> PyResult<bool> {
        Ok(pin(self.board()?, color.0, square.0) != Bitboard::ALL)
    }
}
