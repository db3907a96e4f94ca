//! Piece-by-piece setup of a position.

use super::{Position, read_fen};
use crate::arguments::{SideArgument, SquareArgument, Whole, value_error};
use crate::errors::InvalidFenError;
use crate::pieces::Piece;
use chuhe::board::{self, BadFen, Impossible, Setup};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Pieces by square.
type Board = [Option<board::Piece>; 90];

/// Returns the board described by a dictionary.
pub(super) fn board_of(pieces: &Bound<PyDict>) -> PyResult<Board> {
    let mut board = [None; 90];
    for (square, piece) in pieces {
        board[square.extract::<SquareArgument>()?.0.index()] = Some(piece.cast::<Piece>()?.get().0);
    }
    Ok(board)
}

/// Checks the range of a FEN counter; the maximum leaves room for the moves of a game.
fn counter(name: &str, number: i128, minimum: u16) -> PyResult<u16> {
    let range = minimum..=u16::MAX / 2;
    let inside = u16::try_from(number).ok().filter(|number| range.contains(number));
    inside.ok_or_else(|| value_error(format!("{name} is {number}; it must be {minimum} to {}", range.end())))
}

impl Position {
    /// Replaces the position and clears the stack.
    fn set_up(&mut self, setup: Setup) {
        self.stack.clear();
        match board::Position::new(&setup) {
            Ok(board) => (self.board, self.draft) = (board, None),
            Err(_) => self.draft = Some(Box::new(setup)),
        }
    }

    fn change(&mut self, change: impl FnOnce(&mut Setup)) {
        let mut setup = self.setup();
        change(&mut setup);
        self.set_up(setup);
    }
}

#[pymethods]
impl Position {
    /// Sets up a FEN and clears the stack. If it raises `InvalidFenError`, nothing is changed.
    fn set_fen(&mut self, fen: &str) -> PyResult<()> {
        *self = Position::of(read_fen(fen)?);
        Ok(())
    }

    /// Sets up the initial position and clears the stack.
    fn reset(&mut self) {
        *self = Position::of(board::Position::start());
    }

    /// Removes all pieces and sets Red to move, for a new setup.
    fn clear(&mut self) {
        self.set_up(Setup::empty());
    }

    /// Removes all pieces; the side to move is unchanged.
    fn clear_board(&mut self) {
        self.change(|setup| setup.board = [None; 90]);
    }

    /// Sets up the pieces of the initial position; the side to move is unchanged.
    fn reset_board(&mut self) {
        self.change(|setup| setup.board = board::Position::start().setup().board);
    }

    /// Returns the piece placement, the first field of the FEN.
    fn board_fen(&self) -> String {
        self.fen().split(' ').next().unwrap_or_default().to_owned()
    }

    /// Sets up the piece placement of a FEN; the side to move is unchanged. If it raises `InvalidFenError`,
    /// nothing is changed.
    fn set_board_fen(&mut self, fen: &str) -> PyResult<()> {
        let read: Result<Setup, BadFen> = fen.parse();
        let read = read.map_err(|error| InvalidFenError::new_err(format!("{error}, in {fen:?}")))?;
        self.change(|setup| setup.board = read.board);
        Ok(())
    }

    /// Places a piece on a square, or empties the square if the piece is `None`. Clears the stack.
    #[pyo3(signature = (square, piece))]
    fn set_piece_at(&mut self, square: SquareArgument, piece: Option<&Piece>) {
        let piece = piece.map(|piece| piece.0);
        self.change(|setup| setup.board[square.0.index()] = piece);
    }

    /// Removes the piece on a square and returns it; `None` if there is none. Clears the stack.
    fn remove_piece_at(&mut self, square: SquareArgument) -> Option<Piece> {
        let found = self.setup().board[square.0.index()].map(Piece);
        self.change(|setup| setup.board[square.0.index()] = None);
        found
    }

    /// Replaces all pieces; the side to move is unchanged. Clears the stack.
    fn set_piece_map(&mut self, pieces: &Bound<PyDict>) -> PyResult<()> {
        let board = board_of(pieces)?;
        self.change(|setup| setup.board = board);
        Ok(())
    }

    #[setter]
    fn set_turn(&mut self, color: SideArgument) {
        self.change(|setup| setup.side = color.0);
    }

    #[setter]
    fn set_halfmove_clock(&mut self, plies: Whole<i128>) -> PyResult<()> {
        let plies = counter("halfmove_clock", plies.0, 0)?;
        self.change(|setup| setup.quiet_plies = plies);
        Ok(())
    }

    #[setter]
    fn set_fullmove_number(&mut self, number: Whole<i128>) -> PyResult<()> {
        let number = counter("fullmove_number", number.0, 1)?;
        self.change(|setup| setup.move_number = number);
        Ok(())
    }

    /// Returns `True` if a game can reach the position.
    fn is_valid(&self) -> bool {
        self.draft.is_none()
    }

    /// Returns all reasons, in English, why no game can reach the position; an empty list if a game can.
    fn status(&self) -> Vec<String> {
        let reasons = self.draft.as_deref().map(Setup::impossibilities).unwrap_or_default();
        reasons.iter().map(Impossible::to_string).collect()
    }
}
