//! Pieces, attacks and pins of a position.

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

/// A set of squares as the Python class `SquareSet`.
fn square_set(py: Python, set: Bitboard) -> PyResult<Bound<PyAny>> {
    call(SQUARE_SET.import(py, "chuhe.squares", "SquareSet")?, (set.bits(),))
}

/// The numbers of the squares of a set.
pub fn squares(set: Bitboard) -> Vec<usize> {
    set.into_iter().map(Square::index).collect()
}

/// The squares that a piece attacks, occupied by a friendly piece or not: where it could take an enemy piece.
fn attacks(board: &board::Position, from: Square) -> Bitboard {
    match board.piece_on(from) {
        Some(piece) if piece.kind() == Kind::Cannon => board.occupancy().behind_screens(from),
        Some(piece) => board.occupancy().targets(piece.side(), piece.kind(), from),
        None => Bitboard::EMPTY,
    }
}

/// The squares on which a piece keeps its king from attacks that its departure opens; all squares if it is not pinned.
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
    /// The squares whose piece fits.
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
    /// The piece on a square, or `None`.
    fn piece_at(&self, square: SquareArgument) -> Option<Piece> {
        self.piece(square.0).map(Piece)
    }

    /// The kind of the piece on a square, or `None`.
    fn piece_type_at(&self, square: SquareArgument) -> Option<i64> {
        self.piece(square.0).map(|piece| piece_type(piece.kind()))
    }

    /// The side of the piece on a square, or `None`.
    fn color_at(&self, square: SquareArgument) -> Option<bool> {
        self.piece(square.0).map(|piece| colour(piece.side()))
    }

    /// All pieces by their squares.
    fn piece_map(&self) -> BTreeMap<usize, Piece> {
        let squares = Square::ALL.into_iter();
        squares.filter_map(|at| Some((at.index(), Piece(self.piece(at)?)))).collect()
    }

    /// The squares of a side's pieces of one kind, a `SquareSet`.
    fn pieces<'py>(
        &self,
        py: Python<'py>,
        piece_type: KindArgument,
        color: SideArgument,
    ) -> PyResult<Bound<'py, PyAny>> {
        square_set(py, self.pieces_of(color.0, piece_type.0))
    }

    /// The same as a bitboard: an integer in which bit n stands for square n.
    fn pieces_mask(&self, piece_type: KindArgument, color: SideArgument) -> u128 {
        self.pieces_of(color.0, piece_type.0).bits()
    }

    /// All pieces, or those of one side, as a bitboard.
    #[pyo3(signature = (color = None))]
    fn occupied_mask(&self, color: Option<SideArgument>) -> u128 {
        self.occupied(|piece| color.as_ref().is_none_or(|color| piece.side() == color.0)).bits()
    }

    /// The square of a side's king; `None` while there is none.
    fn king(&self, color: SideArgument) -> Option<usize> {
        self.pieces_of(color.0, Kind::King).first().map(Square::index)
    }

    /// The squares that the piece on a square attacks, a `SquareSet`: where it could take an enemy piece.
    fn attacks<'py>(&self, py: Python<'py>, square: SquareArgument) -> PyResult<Bound<'py, PyAny>> {
        square_set(py, attacks(self.board()?, square.0))
    }

    /// The squares of a side's pieces that attack a square, a `SquareSet`.
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

    /// The squares of the pieces that give check, a `SquareSet`.
    fn checkers<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        square_set(py, self.board()?.checkers())
    }

    /// The squares where a side's piece, moved there, would keep its king from being attacked, a `SquareSet`: all squares if it is not pinned.
    fn pin<'py>(&self, py: Python<'py>, color: SideArgument, square: SquareArgument) -> PyResult<Bound<'py, PyAny>> {
        square_set(py, pin(self.board()?, color.0, square.0))
    }

    /// Returns `True` if a side's piece is pinned: some move off its square would expose its king to attack.
    fn is_pinned(&self, color: SideArgument, square: SquareArgument) -> PyResult<bool> {
        Ok(pin(self.board()?, color.0, square.0) != Bitboard::ALL)
    }
}
