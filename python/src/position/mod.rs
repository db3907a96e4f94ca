//! Positions: the board and its moves.

mod edit;
mod pieces;
mod rules;
mod text;

pub use pieces::squares;

use crate::arguments::{Reduced, SideArgument, Word, colour, value_error, whole};
use crate::errors::{IllegalMoveError, InvalidFenError};
use crate::moves::{Move, is_null, moves};
use crate::notation::MoveArgument;
use crate::signals::work;
use chuhe::board::perft::perft_until;
use chuhe::board::{self, FenError, MoveClass, STARTPOS, Setup, Side, Undo};
use chuhe::picture::{Picture, Pieces};
use chuhe::rules::Game;
use chuhe::words::Language;
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Maximum depth of perft, in plies.
const MAX_DEPTH: u32 = 20;

/// A position with a stack of moves, on which moves can be pushed and popped.
///
/// `Position()` is the initial position; `Position(fen)` parses a FEN in any spelling (`E` or `B`, `H` or
/// `N`, `w` or `r`). Then `moves` are pushed on it. Raises `InvalidFenError` with all faults, and the
/// exceptions of `push`.
///
/// During a piece-by-piece setup, the position may be impossible: `is_valid()` and `status()` report this,
/// and methods that require a possible position raise `InvalidFenError`.
///
/// Squares are 0 (a0) to 89 (i9), rank by rank, from Red's edge; their names are accepted as well. Positions
/// are compared and hashed by their FEN; do not change a position that is a dictionary key.
#[pyclass(module = "chuhe")]
pub struct Position {
    board: board::Position,
    stack: Vec<(board::Move, Undo)>,
    /// The pieces as set up, if the position is impossible; `board` is then meaningless.
    draft: Option<Box<Setup>>,
}

/// Parses a FEN, or `startpos`.
pub fn read_fen(fen: &str) -> PyResult<board::Position> {
    if fen.trim() == "startpos" {
        return Ok(board::Position::start());
    }
    fen.parse().map_err(|error: FenError| InvalidFenError::new_err(format!("{error}, in {fen:?}")))
}

fn unmake(board: &mut board::Position, mv: board::Move, undo: Undo) {
    if is_null(mv) { board.unmake_null(undo) } else { board.unmake(mv, undo) }
}

impl Position {
    /// Creates a position with an empty stack.
    pub fn of(board: board::Position) -> Position {
        Position { board, stack: Vec::new(), draft: None }
    }

    /// Returns the position of the Rust library. Fails while the setup is impossible.
    pub fn board(&self) -> PyResult<&board::Position> {
        match &self.draft {
            None => Ok(&self.board),
            Some(setup) => {
                let reasons = FenError::Impossible(setup.impossibilities());
                Err(InvalidFenError::new_err(format!("{reasons}, in {:?}", setup.to_string())))
            }
        }
    }

    fn setup(&self) -> Setup {
        self.draft.as_deref().cloned().unwrap_or_else(|| self.board.setup())
    }

    fn side(&self) -> Side {
        self.draft.as_deref().map_or(self.board.side(), |setup| setup.side)
    }

    /// Returns the position before the moves on the stack.
    fn start(&self) -> board::Position {
        self.before(self.stack.len())
    }

    /// Returns the position before the last `plies` moves.
    fn before(&self, plies: usize) -> board::Position {
        let mut start = self.board.clone();
        self.stack.iter().rev().take(plies).for_each(|&(mv, undo)| unmake(&mut start, mv, undo));
        start
    }

    /// Returns the game formed by the moves on the stack. It begins after the last null move, since
    /// repetitions do not extend across a null move.
    pub fn game(&self) -> PyResult<Game> {
        self.board()?;
        let plies = self.stack.iter().rev().take_while(|(mv, _)| !is_null(*mv)).count();
        let mut game = Game::new(self.before(plies));
        self.stack[self.stack.len() - plies..].iter().for_each(|&(mv, _)| game.make(mv));
        Ok(game)
    }

    fn pass(&mut self) -> PyResult<()> {
        if self.board()?.in_check() {
            return Err(IllegalMoveError::new_err(format!("a side in check can't pass, in {}", self.board)));
        }
        let undo = self.board.make_null();
        self.stack.push((Move::NULL, undo));
        Ok(())
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

    /// Creates a position from a dictionary of squares and pieces. Raises `InvalidFenError` if no game can
    /// reach it.
    #[staticmethod]
    #[pyo3(signature = (pieces, turn = SideArgument(Side::Red)))]
    fn from_piece_map(pieces: &Bound<PyDict>, turn: SideArgument) -> PyResult<Position> {
        let setup = Setup { board: edit::board_of(pieces)?, side: turn.0, ..Setup::empty() };
        let position = board::Position::new(&setup).map_err(FenError::Impossible);
        position.map(Position::of).map_err(|error| InvalidFenError::new_err(error.to_string()))
    }

    /// Returns the FEN in the form used by UCCI.
    pub fn fen(&self) -> String {
        self.setup().to_string()
    }

    /// The side to move: `chuhe.RED` or `chuhe.BLACK`.
    #[getter]
    fn turn(&self) -> bool {
        colour(self.side())
    }

    /// Plies since the last capture.
    #[getter]
    fn halfmove_clock(&self) -> u16 {
        self.setup().quiet_plies
    }

    /// The move number, from 1, incremented after each move by Black.
    #[getter]
    fn fullmove_number(&self) -> u16 {
        self.setup().move_number
    }

    /// A 64-bit key of the pieces and the side to move, without the counters. It is the same in every version
    /// of Chuhe.
    #[getter]
    fn key(&self) -> PyResult<u64> {
        Ok(self.board()?.key())
    }

    /// All legal moves, as a new list.
    #[getter]
    fn legal_moves(&self) -> PyResult<Vec<Move>> {
        Ok(moves(&self.board()?.legal_moves()))
    }

    /// The legal captures, as a new list.
    #[getter]
    fn legal_captures(&self) -> PyResult<Vec<Move>> {
        Ok(moves(&self.board()?.moves(MoveClass::Captures)))
    }

    /// The pseudo-legal moves, as a new list; some may leave the king attacked.
    #[getter]
    fn pseudo_legal_moves(&self) -> PyResult<Vec<Move>> {
        let board = self.board()?;
        let own = board.of_side(board.side());
        let moves = own.into_iter().filter_map(|from| Some((from, board.piece_on(from)?)));
        let moves = moves.flat_map(|(from, piece)| {
            let targets = board.occupancy().targets(piece.side(), piece.kind(), from) & !own;
            targets.into_iter().map(move |to| Move(board::Move::new(from, to)))
        });
        Ok(moves.collect())
    }

    /// Returns the number of legal moves without creating a list.
    fn count_legal_moves(&self) -> PyResult<u64> {
        Ok(self.board()?.count_moves())
    }

    /// Returns `True` if a move is legal in this position.
    #[pyo3(signature = (r#move, /))]
    fn is_legal(&self, r#move: &Move) -> PyResult<bool> {
        Ok(self.board()?.is_legal(r#move.0))
    }

    /// Returns `True` if a move is pseudo-legal; it may leave the king attacked.
    #[pyo3(signature = (r#move, /))]
    fn is_pseudo_legal(&self, r#move: &Move) -> PyResult<bool> {
        Ok(self.pseudo_legal_moves()?.contains(r#move))
    }

    /// Plays a move, which is a `Move` or a string in any notation (`h2e2`, `H2-E2`, `C2=5`, `炮二平五`), and
    /// returns it. `Move.null()` passes.
    ///
    /// Raises `IllegalMoveError`, `InvalidMoveError` or `AmbiguousMoveError`, and then changes nothing.
    #[pyo3(signature = (r#move, /))]
    pub fn push(&mut self, r#move: &Bound<PyAny>) -> PyResult<Move> {
        let mv = match MoveArgument::of(r#move)? {
            MoveArgument::Move(mv) if is_null(mv) => {
                self.pass()?;
                return Ok(Move(mv));
            }
            given => given.legal(self.board()?)?,
        };
        let undo = self.board.make(mv);
        self.stack.push((mv, undo));
        Ok(Move(mv))
    }

    /// Takes back the last move and returns it. Raises `IndexError` if there is none.
    fn pop(&mut self) -> PyResult<Move> {
        let (mv, undo) = self.stack.pop().ok_or_else(|| PyIndexError::new_err("no move to take back"))?;
        unmake(&mut self.board, mv, undo);
        Ok(Move(mv))
    }

    /// Returns the last move. Raises `IndexError` if there is none.
    fn peek(&self) -> PyResult<Move> {
        self.stack.last().map(|&(mv, _)| Move(mv)).ok_or_else(|| PyIndexError::new_err("no move has been pushed"))
    }

    /// The moves on the stack, as a new list.
    #[getter]
    fn move_stack(&self) -> Vec<Move> {
        self.stack.iter().map(|&(mv, _)| Move(mv)).collect()
    }

    /// Clears the stack of moves; the position is unchanged.
    fn clear_stack(&mut self) {
        self.stack.clear();
    }

    /// Returns a copy of the position before the moves on the stack.
    fn root(&self) -> PyResult<Position> {
        self.board().map(|_| Position::of(self.start()))
    }

    /// Returns the number of plies since Red's first move, according to the counters of the FEN.
    fn ply(&self) -> u32 {
        2 * u32::from(self.fullmove_number().max(1) - 1) + u32::from(self.side() == Side::Black)
    }

    /// Returns the number of move sequences of `depth` plies, 0 to 20. Releases the GIL while it works.
    fn perft(&self, py: Python, #[pyo3(from_py_with = whole)] depth: u32) -> PyResult<u64> {
        if depth > MAX_DEPTH {
            return Err(value_error(format!("a depth of {depth} is too much (0 to {MAX_DEPTH})")));
        }
        let mut board = self.board()?.clone();
        work(py, |stop| perft_until(&mut board, depth, stop).unwrap_or_default())
    }

    /// Returns the mirror image of the position, with left and right swapped and an empty stack.
    fn mirrored(&self) -> PyResult<Position> {
        Ok(Position::of(self.board()?.mirrored()))
    }

    /// Returns the position with Red and Black swapped and the board rotated, with an empty stack.
    fn flipped(&self) -> PyResult<Position> {
        Ok(Position::of(self.board()?.flipped()))
    }

    /// Returns a copy, with the stack unless `stack` is false.
    #[pyo3(signature = (*, stack = true))]
    fn copy(&self, stack: bool) -> Position {
        let kept = if stack { self.stack.clone() } else { Vec::new() };
        Position { board: self.board.clone(), stack: kept, draft: self.draft.clone() }
    }

    fn __copy__(&self) -> Position {
        self.copy(true)
    }

    fn __deepcopy__(&self, _memo: &Bound<PyAny>) -> Position {
        self.copy(true)
    }

    /// Returns the board as an SVG document. The last move is marked; `arrow` is a move to be shown as an
    /// arrow. `pieces` is `"traditional"`, `"simplified"` or `"pictograms"`.
    #[pyo3(signature = (*, pieces = Word(Pieces::Traditional), arrow = None))]
    fn svg(&self, pieces: Word<Pieces>, arrow: Option<&Move>) -> PyResult<String> {
        let last_move = self.stack.last().map(|&(mv, _)| mv).filter(|mv| !is_null(*mv));
        let picture = Picture::new(self.board()?).with_last_move(last_move);
        Ok(picture.with_arrow(arrow.map(|mv| mv.0).filter(|mv| !is_null(*mv))).svg(pieces.0, Language::English))
    }

    fn _repr_svg_(&self) -> PyResult<String> {
        self.svg(Word(Pieces::Traditional), None)
    }

    /// Returns `True` if two positions have the same FEN.
    fn __eq__(&self, other: &Bound<PyAny>) -> bool {
        let other = other.cast::<Position>().ok().and_then(|other| other.try_borrow().ok());
        other.is_some_and(|other| match (&self.draft, &other.draft) {
            (None, None) => other.board == self.board,
            (one, two) => one == two,
        })
    }

    fn __hash__(&self) -> u64 {
        let Setup { quiet_plies, move_number, .. } = self.setup();
        let key = if self.draft.is_none() { self.board.key() } else { 0 };
        key ^ u64::from(quiet_plies) << 16 ^ u64::from(move_number)
    }

    fn __repr__(&self) -> String {
        format!("Position('{}')", self.fen())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> Reduced<'py, (String, Vec<Move>)> {
        let position = slf.try_borrow()?;
        position.board()?;
        Ok((slf.get_type().into_any(), (position.start().to_string(), position.move_stack())))
    }
}
