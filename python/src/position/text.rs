//! Text formats of moves and boards.

use super::Position;
use crate::arguments::{SquareArgument, Word};
use crate::errors::InvalidMoveError;
use crate::moves::Move;
use crate::notation::{self, Notation, illegal, legal_move};
use chuhe::board;
use chuhe::notation::Ranks;
use chuhe::picture::{Picture, Style};
use pyo3::prelude::*;

fn ranks(from_one: bool) -> Ranks {
    if from_one { Ranks::FromOne } else { Ranks::FromZero }
}

#[pymethods]
impl Position {
    /// Parses a legal move in any notation, without playing it. With `ranks_from_one`, ranks are numbered
    /// from 1: `h3e3`.
    ///
    /// Raises `InvalidMoveError`, `IllegalMoveError` or `AmbiguousMoveError`.
    #[pyo3(signature = (text, *, ranks_from_one = false))]
    fn parse(&self, text: &str, ranks_from_one: bool) -> PyResult<Move> {
        notation::read(self.board()?, text, ranks(ranks_from_one)).map(Move)
    }

    /// Parses a legal move in any notation; alias of `parse`.
    fn parse_san(&self, text: &str) -> PyResult<Move> {
        self.parse(text, false)
    }

    /// Parses a legal move such as `h2e2`. Raises `InvalidMoveError` or `IllegalMoveError`.
    fn parse_uci(&self, text: &str) -> PyResult<Move> {
        let mv = Ranks::FromZero.read(text);
        let mv = mv.map_err(|error| InvalidMoveError::new_err(format!("{text:?} is {error}")))?;
        let board = self.board()?;
        if board.is_legal(mv) { Ok(Move(mv)) } else { Err(illegal(board, mv)) }
    }

    /// Plays a move in any notation; equivalent to `push` with a string.
    fn push_san(slf: &Bound<Self>, text: &str) -> PyResult<Move> {
        let mv = slf.try_borrow()?.parse_san(text)?;
        slf.try_borrow_mut()?.push(Bound::new(slf.py(), mv)?.as_any())
    }

    /// Plays a move such as `h2e2`, and returns it. Raises the exceptions of `parse_uci`.
    fn push_uci(slf: &Bound<Self>, text: &str) -> PyResult<Move> {
        let mv = slf.try_borrow()?.parse_uci(text)?;
        slf.try_borrow_mut()?.push(Bound::new(slf.py(), mv)?.as_any())
    }

    /// Returns the legal move between two squares. Raises `IllegalMoveError` if there is none.
    fn find_move(&self, from_square: SquareArgument, to_square: SquareArgument) -> PyResult<Move> {
        let (board, mv) = (self.board()?, board::Move::new(from_square.0, to_square.0));
        if board.is_legal(mv) { Ok(Move(mv)) } else { Err(illegal(board, mv)) }
    }

    /// Writes a legal move as `"uci"` (h2e2), `"uci1"` (h3e3), `"iccs"` (H2-E2), `"wxf"` (C2=5) or
    /// `"chinese"` (炮二平五).
    #[pyo3(signature = (r#move, notation = Word(Notation::CHINESE)))]
    fn write(&self, r#move: &Bound<PyAny>, notation: Word<Notation>) -> PyResult<String> {
        let board = self.board()?;
        Ok(notation.0.write(board, legal_move(board, r#move)?))
    }

    /// Writes a legal move in WXF notation, the most common one in Latin letters: `C2=5`.
    #[pyo3(signature = (r#move, /))]
    fn san(&self, r#move: &Bound<PyAny>) -> PyResult<String> {
        self.write(r#move, Word(Notation::WXF))
    }

    /// Writes a legal move as `h2e2`. Raises `IllegalMoveError`.
    #[pyo3(signature = (r#move, /))]
    fn uci(&self, r#move: &Bound<PyAny>) -> PyResult<String> {
        Ok(legal_move(self.board()?, r#move)?.to_string())
    }

    /// Writes a sequence of moves as a list of strings. Raises the exceptions of `push`.
    #[pyo3(signature = (moves, notation = Word(Notation::CHINESE)))]
    fn write_line(&self, moves: Vec<Bound<PyAny>>, notation: Word<Notation>) -> PyResult<Vec<String>> {
        notation::write_line(self.board()?, &moves, notation.0)
    }

    /// Writes a sequence of moves with move numbers, in WXF notation: `1. C2=5 H8+7 2. H2+3`. Raises the
    /// exceptions of `push`.
    fn variation_san(&self, variation: Vec<Bound<PyAny>>) -> PyResult<String> {
        let texts = self.write_line(variation, Word(Notation::WXF))?;
        let mut line = String::new();
        for (ply, text) in (self.ply()..).zip(texts) {
            let number = ply / 2 + 1;
            match (ply % 2, line.is_empty()) {
                (0, true) => line += &format!("{number}. "),
                (0, false) => line += &format!(" {number}. "),
                (_, true) => line += &format!("{number}... "),
                (_, false) => line += " ",
            }
            line += &text;
        }
        Ok(line)
    }

    /// Returns the board drawn with Chinese characters and lines.
    fn unicode(&self) -> PyResult<String> {
        Ok(Picture::new(self.board()?).board(Style::default()))
    }

    fn __str__(&self) -> String {
        match self.board() {
            Ok(board) => Picture::new(board).board(Style { letters: true, ..Style::default() }),
            Err(_) => self.fen(),
        }
    }
}
