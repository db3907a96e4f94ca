//! Rules for a position: check, end of the game, and exchanges.

use super::Position;
use crate::arguments::whole;
use crate::game::{ASIAN, occurrences, result};
use crate::notation::legal_move;
use crate::rules::{RulesArgument, outcome};
use chuhe::rules::{Verdict, judge};
use pyo3::prelude::*;

#[pymethods]
impl Position {
    /// Returns `True` if the side to move is in check.
    fn is_check(&self) -> PyResult<bool> {
        Ok(self.board()?.in_check())
    }

    /// Returns `True` if the side to move is checkmated: in check, without a legal move.
    fn is_checkmate(&self) -> PyResult<bool> {
        let board = self.board()?;
        Ok(board.in_check() && !board.has_moves())
    }

    /// Returns `True` if the side to move has no legal move and is not in check. In Xiangqi, it has lost.
    fn is_stalemate(&self) -> PyResult<bool> {
        let board = self.board()?;
        Ok(!board.in_check() && !board.has_moves())
    }

    /// Returns the outcome of the game formed by the pushed moves, or `None` if it is not over.
    #[pyo3(signature = (rules = ASIAN))]
    fn outcome<'py>(&self, py: Python<'py>, rules: RulesArgument) -> PyResult<Option<Bound<'py, PyAny>>> {
        outcome(py, judge(&self.game()?, rules.0), self.side())
    }

    /// Returns `True` if the game formed by the pushed moves is over.
    #[pyo3(signature = (rules = ASIAN))]
    fn is_game_over(&self, rules: RulesArgument) -> PyResult<bool> {
        Ok(judge(&self.game()?, rules.0) != Verdict::Open)
    }

    /// Returns `"1-0"`, `"0-1"`, `"1/2-1/2"`, or `"*"` if the game is not over.
    #[pyo3(signature = (rules = ASIAN))]
    fn result(&self, rules: RulesArgument) -> PyResult<&'static str> {
        Ok(result(&self.game()?, rules.0))
    }

    /// Returns the number of times the current position has occurred since the first position on the move
    /// stack, including the current occurrence.
    fn occurrences(&self) -> PyResult<usize> {
        Ok(occurrences(&self.game()?))
    }

    /// Returns `True` if the position has occurred at least `count` times, including the current occurrence.
    #[pyo3(signature = (count = 3))]
    fn is_repetition(&self, #[pyo3(from_py_with = whole)] count: usize) -> PyResult<bool> {
        Ok(self.occurrences()? >= count)
    }

    /// Returns `True` if neither side has a piece that can cross the river: rook, horse, cannon or pawn.
    fn is_insufficient_material(&self) -> PyResult<bool> {
        use chuhe::board::{Kind::Pawn, Side};
        let board = self.board()?;
        let attackers = |side| board.major_pieces(side) | board.pieces(side, Pawn);
        Ok((attackers(Side::Red) | attackers(Side::Black)).is_empty())
    }

    /// Returns `True` if a legal move gives check.
    #[pyo3(signature = (r#move, /))]
    fn gives_check(&self, r#move: &Bound<PyAny>) -> PyResult<bool> {
        let board = self.board()?;
        Ok(board.gives_check(legal_move(board, r#move)?))
    }

    /// Returns `True` if a legal move is a capture.
    #[pyo3(signature = (r#move, /))]
    fn is_capture(&self, r#move: &Bound<PyAny>) -> PyResult<bool> {
        let board = self.board()?;
        Ok(board.piece_on(legal_move(board, r#move)?.to).is_some())
    }

    /// Returns the static exchange evaluation of a legal move in centipawns: its gain if both sides then
    /// capture on its target as long as capturing is profitable.
    #[pyo3(signature = (r#move, /))]
    fn exchange(&self, r#move: &Bound<PyAny>) -> PyResult<i32> {
        let board = self.board()?;
        Ok(board.exchange(legal_move(board, r#move)?))
    }
}
