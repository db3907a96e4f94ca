//! Games: positions with their history, which is required to judge repetitions.

use crate::arguments::{GameArgument, Reduced, Word, colour, whole};
use crate::moves::Move;
use crate::notation::{self, Notation, legal_move};
use crate::position::Position;
use crate::results::build;
use crate::rules::{RulesArgument, Ruling, outcome};
use chuhe::board;
use chuhe::book::Opening;
use chuhe::notation::Ranks;
use chuhe::picture::{Picture, Pieces};
use chuhe::records::GameResult;
use chuhe::rules::{self, RuleSet, Terms, Verdict, counted_plies, judge, rule, warnings};
use chuhe::words::Language;
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;

/// A game: a starting position, the moves, and the rulings on them.
///
/// `Game()` begins at the initial position; `Game(start)` begins with a FEN, or with a `Position` and the
/// moves pushed on it. Then `moves` are pushed. Raises `InvalidFenError`, and the exceptions of `push`.
///
/// The argument `rules` is a `Rules` or the name of a rule set: `"asian"`, `"chinese"`, `"league"`,
/// `"computer"`, `"simple"` or `"draw"`.
#[pyclass(module = "chuhe")]
pub struct Game(rules::Game);

/// Default rules.
pub const ASIAN: RulesArgument = RulesArgument(RuleSet::Asian.terms());

/// Returns the result of a game under these rules, in the form used by records.
pub fn result(game: &rules::Game, terms: Terms) -> &'static str {
    match judge(game, terms) {
        Verdict::Open => GameResult::Unknown.text(),
        Verdict::Over(outcome, _) => GameResult::of(outcome, game.position().side()).text(),
    }
}

/// Returns how often the last position has occurred, including the current occurrence.
pub fn occurrences(game: &rules::Game) -> usize {
    1 + game.occurrences().count()
}

impl Game {
    /// Wraps a game of the Rust library.
    pub fn of(game: rules::Game) -> Game {
        Game(game)
    }

    /// Returns the game of the Rust library.
    pub fn inner(&self) -> &rules::Game {
        &self.0
    }

    /// Returns the position before the first move.
    pub fn start_position(&self) -> board::Position {
        let mut start = self.0.clone();
        start.take_back_to(0);
        start.position().clone()
    }

    /// Returns an iterator over the moves.
    pub fn line(&self) -> impl Iterator<Item = board::Move> {
        self.0.plies().iter().filter_map(|ply| ply.mv)
    }
}

#[pymethods]
impl Game {
    #[new]
    #[pyo3(signature = (start = None, moves = Vec::new()))]
    fn new(start: Option<GameArgument>, moves: Vec<Bound<PyAny>>) -> PyResult<Game> {
        let mut game = Game(match start {
            Some(start) => start.0,
            None => rules::Game::new(board::Position::start()),
        });
        moves.iter().try_for_each(|mv| game.push(mv).map(drop))?;
        Ok(game)
    }

    /// A copy of the current position; its stack is empty.
    #[getter]
    fn position(&self) -> Position {
        Position::of(self.0.position().clone())
    }

    /// The position before the first move.
    #[getter]
    fn start(&self) -> Position {
        Position::of(self.start_position())
    }

    /// The moves played, as a new list.
    #[getter]
    fn move_stack(&self) -> Vec<Move> {
        self.line().map(Move).collect()
    }

    /// Returns the moves as strings, in the notation `"uci"`, `"uci1"`, `"iccs"`, `"wxf"` or `"chinese"`.
    #[pyo3(signature = (notation = Word(Notation::CHINESE)))]
    fn write_moves(&self, notation: Word<Notation>) -> Vec<String> {
        notation::write_legal_line(&self.start_position(), self.line(), notation.0)
    }

    /// The side to move.
    #[getter]
    fn turn(&self) -> bool {
        colour(self.0.position().side())
    }

    /// Returns the FEN of the current position.
    fn fen(&self) -> String {
        self.0.position().to_string()
    }

    /// The legal moves in the current position; the repetition rules do not restrict them.
    #[getter]
    fn legal_moves(&self) -> Vec<Move> {
        crate::moves::moves(&self.0.position().legal_moves())
    }

    /// Plays a move, which is a `Move` or a string in any notation, and returns it.
    ///
    /// Raises `IllegalMoveError`, `InvalidMoveError` or `AmbiguousMoveError`, and then changes nothing.
    #[pyo3(signature = (r#move, /))]
    fn push(&mut self, r#move: &Bound<PyAny>) -> PyResult<Move> {
        let mv = legal_move(self.0.position(), r#move)?;
        self.0.make(mv);
        Ok(Move(mv))
    }

    /// Plays a move in any notation; equivalent to `push` with a string.
    fn push_san(&mut self, text: &str) -> PyResult<Move> {
        let mv = notation::read(self.0.position(), text, Ranks::FromZero)?;
        self.0.make(mv);
        Ok(Move(mv))
    }

    /// Returns the last move. Raises `IndexError` if there is none.
    fn peek(&self) -> PyResult<Move> {
        self.line().last().map(Move).ok_or_else(|| PyIndexError::new_err("no move has been played"))
    }

    /// Takes back the last move and returns it. Raises `IndexError` if there is none.
    fn pop(&mut self) -> PyResult<Move> {
        let last = self.line().last().ok_or_else(|| PyIndexError::new_err("no move to take back"))?;
        self.0.unmake();
        Ok(Move(last))
    }

    /// Returns how often the current position has occurred, including the current occurrence.
    fn occurrences(&self) -> usize {
        occurrences(&self.0)
    }

    /// Returns `True` if the last position has occurred at least `count` times, including the current
    /// occurrence.
    #[pyo3(signature = (count = 3))]
    fn is_repetition(&self, #[pyo3(from_py_with = whole)] count: usize) -> bool {
        self.occurrences() >= count
    }

    /// Returns `True` if the side to move is in check.
    fn is_check(&self) -> bool {
        self.0.position().in_check()
    }

    /// Returns `True` if the side to move is checkmated: in check, without a legal move.
    fn is_checkmate(&self) -> bool {
        self.is_check() && !self.0.position().has_moves()
    }

    /// Returns `True` if the side to move has no legal move and is not in check. In Xiangqi, it has lost.
    fn is_stalemate(&self) -> bool {
        !self.is_check() && !self.0.position().has_moves()
    }

    /// Returns the number of plies that count towards the natural limit.
    #[pyo3(signature = (rules = ASIAN))]
    fn counted_plies(&self, rules: RulesArgument) -> u16 {
        counted_plies(&self.0, rules.0)
    }

    /// Returns the outcome of the game by the rules, or `None` if it is not over.
    #[pyo3(signature = (rules = ASIAN))]
    fn outcome<'py>(&self, py: Python<'py>, rules: RulesArgument) -> PyResult<Option<Bound<'py, PyAny>>> {
        outcome(py, judge(&self.0, rules.0), self.0.position().side())
    }

    /// Returns `True` if the game is over by the rules.
    #[pyo3(signature = (rules = ASIAN))]
    fn is_game_over(&self, rules: RulesArgument) -> bool {
        judge(&self.0, rules.0) != Verdict::Open
    }

    /// Returns `"1-0"`, `"0-1"`, `"1/2-1/2"`, or `"*"` if the game is not over.
    #[pyo3(signature = (rules = ASIAN))]
    fn result(&self, rules: RulesArgument) -> &'static str {
        result(&self.0, rules.0)
    }

    /// Returns the ruling on the game with its reasons: the effect of every move in a repetition.
    #[pyo3(signature = (rules = ASIAN))]
    fn ruling(&self, rules: RulesArgument) -> Ruling {
        Ruling(rule(&self.0, rules.0))
    }

    /// Returns the legal moves that repeat a position, with the ruling if the repetition continues.
    #[pyo3(signature = (rules = ASIAN))]
    fn warnings<'py>(&self, py: Python<'py>, rules: RulesArgument) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let found = warnings(&self.0, rules.0).into_iter();
        found
            .map(|warning| {
                let (loses, left) = (warning.loses(), warning.returns_left);
                build(py, "Warning", (Move(warning.mv), loses, left, Ruling(warning.ruling)))
            })
            .collect()
    }

    /// Returns the opening, or `None` if it has no name. Openings are identified by position, so
    /// transpositions have the same name.
    fn opening<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let opening = Opening::of_game(&self.0);
        opening.map(|opening| build(py, "Opening", (opening.code, opening.english, opening.chinese))).transpose()
    }

    /// Returns a copy with the whole history.
    fn copy(&self) -> Game {
        Game(self.0.clone())
    }

    fn __copy__(&self) -> Game {
        self.copy()
    }

    fn __deepcopy__(&self, _memo: &Bound<PyAny>) -> Game {
        self.copy()
    }

    fn _repr_svg_(&self) -> String {
        Picture::new(self.0.position()).with_last_move(self.line().last()).svg(Pieces::Traditional, Language::English)
    }

    /// Returns the number of moves played.
    fn __len__(&self) -> usize {
        self.0.plies().len()
    }

    fn __bool__(&self) -> bool {
        true
    }

    /// Returns `True` if two games have the same first position and the same moves.
    fn __eq__(&self, other: &Bound<PyAny>) -> bool {
        let other = other.cast::<Game>().ok().and_then(|other| other.try_borrow().ok());
        other.is_some_and(|other| other.start_position() == self.start_position() && other.line().eq(self.line()))
    }

    fn __repr__(&self) -> String {
        let moves: Vec<String> = self.line().map(|mv| format!("'{mv}'")).collect();
        format!("Game('{}', [{}])", self.start_position(), moves.join(", "))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> Reduced<'py, (String, Vec<Move>)> {
        let game = slf.try_borrow()?;
        Ok((slf.get_type().into_any(), (game.start_position().to_string(), game.move_stack())))
    }
}
