//! Positions: the board, its moves, and what can be asked of both.

use crate::arguments::{KindArgument, Reduced, SideArgument, SquareArgument, Word, colour, piece_type, value_error};
use crate::errors::InvalidFenError;
use crate::moves::{Move, moves};
use crate::notation::{self, Notation, legal_move};
use crate::pieces::Piece;
use crate::signals::work;
use chuhe::board::perft::perft;
use chuhe::board::{self, Bitboard, FenError, STARTPOS, Setup, Undo};
use chuhe::notation::Ranks;
use chuhe::picture::{Picture, Pieces, Style};
use chuhe::rules;
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// The deepest perft that can be asked for, in plies.
const MOST_DEPTH: u32 = 20;

/// A position, which moves can be pushed on and popped from. It is always one that a game can reach.
///
/// `Position()` is the start of a game; `Position(fen)` reads a FEN in any spelling (`E` or `B`, `H` or `N`, `w` or `r`), and `moves` are
/// pushed on it. Raises `InvalidFenError` with all faults, and what `push` raises.
///
/// Squares are 0 (a0) to 89 (i9), rank by rank, from Red's edge; where one is wanted, its name will do.
#[pyclass(module = "chuhe")]
pub struct Position {
    board: board::Position,
    stack: Vec<(board::Move, Undo)>,
}

/// Reads a FEN, or `startpos`.
pub fn read_fen(fen: &str) -> PyResult<board::Position> {
    if fen.trim() == "startpos" {
        return Ok(board::Position::start());
    }
    fen.parse().map_err(|error: FenError| InvalidFenError::new_err(format!("{error}, in {fen:?}")))
}

/// Perft that ends soon after it is told to stop: a few million positions are counted in one piece.
fn perft_until(board: &mut board::Position, depth: u32, stop: &AtomicBool) -> u64 {
    if depth <= 4 {
        return perft(board, depth);
    }
    let moves = board.legal_moves();
    let going = moves.into_iter().take_while(|_| !stop.load(Relaxed));
    going
        .map(|mv| {
            let undo = board.make(mv);
            let nodes = perft_until(board, depth - 1, stop);
            board.unmake(mv, undo);
            nodes
        })
        .sum()
}

/// Numbers of squares, for Python.
pub fn squares(set: Bitboard) -> Vec<usize> {
    set.into_iter().map(board::Square::index).collect()
}

impl Position {
    /// A position without moves on its stack.
    pub fn of(board: board::Position) -> Position {
        Position { board, stack: Vec::new() }
    }

    /// The position as the library has it.
    pub fn board(&self) -> &board::Position {
        &self.board
    }

    /// The position before the moves on the stack.
    fn start(&self) -> board::Position {
        let mut start = self.board.clone();
        self.stack.iter().rev().for_each(|&(mv, undo)| start.unmake(mv, undo));
        start
    }

    /// The game of the moves on the stack.
    pub fn game(&self) -> rules::Game {
        let mut game = rules::Game::new(self.start());
        self.stack.iter().for_each(|&(mv, _)| game.make(mv));
        game
    }

    fn make(&mut self, mv: board::Move) {
        let undo = self.board.make(mv);
        self.stack.push((mv, undo));
    }
}

#[pymethods]
impl Position {
    #[new]
    #[pyo3(signature = (fen = STARTPOS, moves = Vec::new()))]
    fn new(fen: &str, moves: Vec<Bound<PyAny>>) -> PyResult<Position> {
        let mut position = Position::of(read_fen(fen)?);
        moves.iter().try_for_each(|mv| position.push(mv).map(drop))?;
        Ok(position)
    }

    /// A position from pieces on squares. Raises `InvalidFenError` if no game can reach it.
    #[staticmethod]
    #[pyo3(signature = (pieces, turn = SideArgument(board::Side::Red)))]
    fn from_piece_map(pieces: BTreeMap<i64, Py<Piece>>, turn: SideArgument) -> PyResult<Position> {
        let mut setup = Setup { side: turn.0, ..Setup::empty() };
        for (square, piece) in pieces {
            let slot = usize::try_from(square).ok().and_then(|square| setup.board.get_mut(square));
            *slot.ok_or_else(|| value_error(format!("{square} is not a square (0 to 89)")))? = Some(piece.get().0);
        }
        let position = board::Position::new(&setup).map_err(FenError::Impossible);
        position.map(Position::of).map_err(|error| InvalidFenError::new_err(error.to_string()))
    }

    /// The FEN, as UCCI writes it.
    fn fen(&self) -> String {
        self.board.to_string()
    }

    /// The side to move: `chuhe.RED` or `chuhe.BLACK`.
    #[getter]
    fn turn(&self) -> bool {
        colour(self.board.side())
    }

    /// Plies since the last capture.
    #[getter]
    fn halfmove_clock(&self) -> u16 {
        self.board.quiet_plies()
    }

    /// The number of the move, from 1, counted up after Black's.
    #[getter]
    fn fullmove_number(&self) -> u16 {
        self.board.move_number()
    }

    /// A key of 64 bits: pieces and side to move, not the counters. It is the same in every version of the program.
    #[getter]
    fn key(&self) -> u64 {
        self.board.key()
    }

    /// All legal moves, a new list.
    #[getter]
    fn legal_moves(&self) -> Vec<Move> {
        moves(&self.board.legal_moves())
    }

    /// How many legal moves there are, without making a list of them.
    fn count_legal_moves(&self) -> u64 {
        self.board.count_moves()
    }

    /// Whether a move is legal here.
    #[pyo3(signature = (r#move, /))]
    fn is_legal(&self, r#move: &Move) -> bool {
        self.board.is_legal(r#move.0)
    }

    /// Plays a move: a `Move`, or a text in any notation (`h2e2`, `H2-E2`, `C2=5`, `炮二平五`). Returns the move.
    ///
    /// Raises `IllegalMoveError`, `InvalidMoveError` or `AmbiguousMoveError`; then nothing has changed.
    #[pyo3(signature = (r#move, /))]
    fn push(&mut self, r#move: &Bound<PyAny>) -> PyResult<Move> {
        let mv = legal_move(&self.board, r#move)?;
        self.make(mv);
        Ok(Move(mv))
    }

    /// Takes the last move back, and returns it. Raises `IndexError` if there is none.
    fn pop(&mut self) -> PyResult<Move> {
        let (mv, undo) = self.stack.pop().ok_or_else(|| PyIndexError::new_err("no move to take back"))?;
        self.board.unmake(mv, undo);
        Ok(Move(mv))
    }

    /// The last move. Raises `IndexError` if there is none.
    fn peek(&self) -> PyResult<Move> {
        self.stack.last().map(|&(mv, _)| Move(mv)).ok_or_else(|| PyIndexError::new_err("no move has been pushed"))
    }

    /// The moves that were pushed, a new list.
    #[getter]
    fn move_stack(&self) -> Vec<Move> {
        self.stack.iter().map(|&(mv, _)| Move(mv)).collect()
    }

    /// Reads a legal move in any notation, without playing it. With `ranks_from_one`, squares count from 1: `h3e3`.
    ///
    /// Raises `InvalidMoveError`, `IllegalMoveError` or `AmbiguousMoveError`.
    #[pyo3(signature = (text, *, ranks_from_one = false))]
    fn parse(&self, text: &str, ranks_from_one: bool) -> PyResult<Move> {
        let ranks = if ranks_from_one { Ranks::FromOne } else { Ranks::FromZero };
        notation::read(&self.board, text, ranks).map(Move)
    }

    /// A legal move as text: `"uci"` (h2e2), `"uci1"` (h3e3), `"iccs"` (H2-E2), `"wxf"` (C2=5) or `"chinese"` (炮二平五).
    #[pyo3(signature = (r#move, notation = Word(Notation::CHINESE)))]
    fn write(&self, r#move: &Bound<PyAny>, notation: Word<Notation>) -> PyResult<String> {
        Ok(notation.0.write(&self.board, legal_move(&self.board, r#move)?))
    }

    /// Moves that follow one another, as texts. Raises what `push` raises.
    #[pyo3(signature = (moves, notation = Word(Notation::CHINESE)))]
    fn write_line(&self, moves: Vec<Bound<PyAny>>, notation: Word<Notation>) -> PyResult<Vec<String>> {
        notation::write_line(&self.board, &moves, notation.0)
    }

    /// The piece on a square, or `None`.
    fn piece_at(&self, square: SquareArgument) -> Option<Piece> {
        self.board.piece_on(square.0).map(Piece)
    }

    /// The kind of the piece on a square, or `None`.
    fn piece_type_at(&self, square: SquareArgument) -> Option<i64> {
        self.board.piece_on(square.0).map(|piece| piece_type(piece.kind()))
    }

    /// The side of the piece on a square, or `None`.
    fn color_at(&self, square: SquareArgument) -> Option<bool> {
        self.board.piece_on(square.0).map(|piece| colour(piece.side()))
    }

    /// All pieces by their squares.
    fn piece_map(&self) -> BTreeMap<usize, Piece> {
        let pieces = self.board.occupancy().all().into_iter();
        pieces.filter_map(|at| Some((at.index(), Piece(self.board.piece_on(at)?)))).collect()
    }

    /// The squares of a side's pieces of one kind.
    fn pieces(&self, piece_type: KindArgument, color: SideArgument) -> Vec<usize> {
        squares(self.board.pieces(color.0, piece_type.0))
    }

    /// The same as a bitboard: an integer in which bit n stands for square n.
    fn pieces_mask(&self, piece_type: KindArgument, color: SideArgument) -> u128 {
        self.board.pieces(color.0, piece_type.0).bits()
    }

    /// All pieces, or those of one side, as a bitboard.
    #[pyo3(signature = (color = None))]
    fn occupied_mask(&self, color: Option<SideArgument>) -> u128 {
        color.map_or(self.board.occupancy().all(), |color| self.board.of_side(color.0)).bits()
    }

    /// The square of a side's king.
    fn king(&self, color: SideArgument) -> usize {
        self.board.king(color.0).index()
    }

    /// The squares of a side's pieces that attack a square.
    fn attackers(&self, color: SideArgument, square: SquareArgument) -> Vec<usize> {
        squares(self.board.attackers(color.0, square.0))
    }

    /// The squares of the pieces that give check.
    fn checkers(&self) -> Vec<usize> {
        squares(self.board.checkers())
    }

    /// Whether the side to move is in check.
    fn is_check(&self) -> bool {
        self.board.in_check()
    }

    /// Whether the side to move is in check without a legal move. It has lost.
    fn is_checkmate(&self) -> bool {
        self.board.in_check() && !self.board.has_moves()
    }

    /// Whether the side to move has no legal move and is not in check. In Xiangqi it has lost.
    fn is_stalemate(&self) -> bool {
        !self.board.in_check() && !self.board.has_moves()
    }

    /// Whether a legal move gives check.
    #[pyo3(signature = (r#move, /))]
    fn gives_check(&self, r#move: &Bound<PyAny>) -> PyResult<bool> {
        Ok(self.board.gives_check(legal_move(&self.board, r#move)?))
    }

    /// Whether a legal move takes a piece.
    #[pyo3(signature = (r#move, /))]
    fn is_capture(&self, r#move: &Bound<PyAny>) -> PyResult<bool> {
        Ok(self.board.piece_on(legal_move(&self.board, r#move)?.to).is_some())
    }

    /// What a legal move wins, in centipawns, if both sides go on taking on its square as long as that pays.
    #[pyo3(signature = (r#move, /))]
    fn exchange(&self, r#move: &Bound<PyAny>) -> PyResult<i32> {
        Ok(self.board.exchange(legal_move(&self.board, r#move)?))
    }

    /// How many positions `depth` plies lead to, 0 to 20. The GIL is free meanwhile.
    fn perft(&self, py: Python, depth: u32) -> PyResult<u64> {
        if depth > MOST_DEPTH {
            return Err(value_error(format!("a depth of {depth} is too much (0 to {MOST_DEPTH})")));
        }
        let mut board = self.board.clone();
        work(py, |stop| perft_until(&mut board, depth, stop))
    }

    /// The position in a mirror: left and right swapped. The stack is empty.
    fn mirrored(&self) -> Position {
        Position::of(self.board.mirrored())
    }

    /// The position with Red and Black swapped, the board turned round. The stack is empty.
    fn flipped(&self) -> Position {
        Position::of(self.board.flipped())
    }

    /// A copy, with its stack.
    fn copy(&self) -> Position {
        Position { board: self.board.clone(), stack: self.stack.clone() }
    }

    fn __copy__(&self) -> Position {
        self.copy()
    }

    fn __deepcopy__(&self, _memo: &Bound<PyAny>) -> Position {
        self.copy()
    }

    /// The board as an SVG document. The last move is marked; `arrow` is a move that is proposed. `pieces` are `"traditional"`,
    /// `"simplified"` or `"pictograms"`.
    #[pyo3(signature = (*, pieces = Word(Pieces::Traditional), arrow = None))]
    fn svg(&self, pieces: Word<Pieces>, arrow: Option<&Move>) -> String {
        let last_move = self.stack.last().map(|&(mv, _)| mv);
        Picture::new(&self.board).with_last_move(last_move).with_arrow(arrow.map(|mv| mv.0)).svg(pieces.0)
    }

    fn _repr_svg_(&self) -> String {
        self.svg(Word(Pieces::Traditional), None)
    }

    /// Whether two positions have the same FEN.
    fn __eq__(&self, other: &Bound<PyAny>) -> bool {
        let other = other.cast::<Position>().ok().and_then(|other| other.try_borrow().ok());
        other.is_some_and(|other| other.board == self.board)
    }

    fn __str__(&self) -> String {
        Picture::new(&self.board).board(Style { letters: true, ..Style::default() })
    }

    fn __repr__(&self) -> String {
        format!("Position('{}')", self.board)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> Reduced<'py, (String, Vec<Move>)> {
        let position = slf.try_borrow()?;
        Ok((slf.get_type().into_any(), (position.start().to_string(), position.move_stack())))
    }
}
