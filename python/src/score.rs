//! Scores: evaluations, mates, and wins by rule or tablebase, on a single scale.

use crate::arguments::{Reduced, SideArgument, Whole, colour, value_error, whole};
use chuhe::board::Side;
use chuhe::score::{
    DRAW, EVALUATION_LIMIT, INFINITE, RULE_WIN, TABLEBASE_WIN, is_evaluation, is_mate, mate_in, mate_moves, mated_in,
};
use chuhe::{eval::expected_points, score};
use pyo3::prelude::*;
use std::cmp::Ordering;
use std::hash::{Hash, Hasher};

/// Maximum distance of a mate, in moves.
const MAX_MATE: i32 = 499;
const MIN_MATE: i32 = -MAX_MATE;

/// A score from the point of view of one side, usually the side to move. Scores are ordered: a shorter mate
/// is better than a longer one, and both are better than any evaluation. Comparisons ignore `turn`.
///
/// `Score(value)` accepts a score in the engine's internal units, within ±32,000. `turn` is the side from
/// whose point of view the score is given; `None` if that side is unknown.
#[pyclass(module = "chuhe", frozen, eq, ord, hash)]
#[derive(Clone, Copy)]
pub struct Score {
    value: score::Score,
    turn: Option<Side>,
}

impl Score {
    /// Creates a score from the point of view of a side.
    pub fn of(value: score::Score, side: Side) -> Score {
        Score { value, turn: Some(side) }
    }
}

impl PartialEq for Score {
    fn eq(&self, other: &Score) -> bool {
        self.value == other.value
    }
}

impl Eq for Score {}

impl PartialOrd for Score {
    fn partial_cmp(&self, other: &Score) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Score {
    fn cmp(&self, other: &Score) -> Ordering {
        self.value.cmp(&other.value)
    }
}

impl Hash for Score {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.value.hash(state);
    }
}

#[pymethods]
impl Score {
    #[new]
    #[pyo3(signature = (value, turn = None))]
    fn new(#[pyo3(from_py_with = whole)] value: score::Score, turn: Option<SideArgument>) -> PyResult<Score> {
        match value.checked_abs() {
            Some(0..=INFINITE) => Ok(Score { value, turn: turn.map(|side| side.0) }),
            _ => Err(value_error(format!("{value} is not a score (-{INFINITE} to {INFINITE})"))),
        }
    }

    /// Creates an evaluation in centipawns, within ±20,000.
    #[staticmethod]
    #[pyo3(signature = (cp, turn = None))]
    pub fn from_cp(#[pyo3(from_py_with = whole)] cp: score::Score, turn: Option<SideArgument>) -> PyResult<Score> {
        match cp.checked_abs() {
            Some(0..=EVALUATION_LIMIT) => Score::new(cp, turn),
            _ => Err(value_error(format!("{cp} centipawns are not an evaluation (±{EVALUATION_LIMIT})"))),
        }
    }

    /// Creates a mate in this many moves, within ±499: positive if the side mates, negative if it is being
    /// mated, 0 if it is already mated.
    #[staticmethod]
    #[pyo3(signature = (moves, turn = None))]
    pub fn from_mate(#[pyo3(from_py_with = whole)] moves: i32, turn: Option<SideArgument>) -> PyResult<Score> {
        match moves {
            1..=MAX_MATE => Score::new(mate_in(2 * moves as usize - 1), turn),
            MIN_MATE..=0 => Score::new(mated_in(2 * moves.unsigned_abs() as usize), turn),
            _ => Err(value_error(format!("a mate in {moves} moves is too long (±{MAX_MATE})"))),
        }
    }

    /// The score in the engine's internal units: centipawns up to ±20,000, and beyond them wins by tablebase,
    /// by rule and by mate.
    #[getter]
    fn value(&self) -> score::Score {
        self.value
    }

    /// The side from whose point of view the score is given; `None` if that side is unknown.
    #[getter]
    fn turn(&self) -> Option<bool> {
        self.turn.map(colour)
    }

    /// `"cp"` (an evaluation), `"table"` (a tablebase), `"rule"` (the repetition rules) or `"mate"`.
    #[getter]
    fn kind(&self) -> &'static str {
        match self.value {
            value if is_evaluation(value) => "cp",
            value if is_mate(value) => "mate",
            value if value.abs() <= TABLEBASE_WIN => "table",
            _ => "rule",
        }
    }

    /// Score in centipawns (a rook is about 1000); `None` unless `kind` is `"cp"`.
    #[getter]
    pub fn cp(&self) -> Option<score::Score> {
        Some(self.value).filter(|&value| is_evaluation(value))
    }

    /// Moves to mate: positive if the side mates, negative if it is being mated, 0 if it is already mated;
    /// `None` unless `kind` is `"mate"`.
    #[getter]
    pub fn mate(&self) -> Option<i32> {
        mate_moves(self.value)
    }

    /// Returns `True` if the score is a mate for either side.
    fn is_mate(&self) -> bool {
        is_mate(self.value)
    }

    /// Returns the score from Red's point of view. Raises `ValueError` if the side of the score is unknown.
    pub fn red(&self) -> PyResult<Score> {
        self.pov(SideArgument(Side::Red))
    }

    /// Returns the score from Black's point of view. Raises `ValueError` if the side of the score is unknown.
    fn black(&self) -> PyResult<Score> {
        self.pov(SideArgument(Side::Black))
    }

    /// Returns the score from the point of view of a side. Raises `ValueError` if the side of the score is
    /// unknown.
    fn pov(&self, color: SideArgument) -> PyResult<Score> {
        match self.turn {
            Some(turn) if turn == color.0 => Ok(*self),
            Some(_) => Ok(-*self),
            None => Err(value_error(format!("{} has no side: use Score(value, turn)", self.__repr__()))),
        }
    }

    /// Returns the score in centipawns. For a win by mate, rule or tablebase, returns `mate_score` minus the
    /// distance to mate, negated for a loss; `None` if `mate_score` is not given.
    #[pyo3(signature = (*, mate_score = None))]
    fn score(&self, mate_score: Option<Whole<score::Score>>) -> Option<score::Score> {
        let distance = mate_moves(self.value).unwrap_or_default().saturating_abs();
        let decided = |best: score::Score| {
            let worth = best.saturating_sub(distance);
            if self.value > DRAW { worth } else { worth.saturating_neg() }
        };
        self.cp().or_else(|| mate_score.map(|best| decided(best.0)))
    }

    /// Returns the expected points of the side: 0.0 (lost) to 1.0 (won).
    fn expectation(&self) -> f64 {
        expected_points(self.value)
    }

    fn __neg__(&self) -> Score {
        -*self
    }

    fn __pos__(&self) -> Score {
        *self
    }

    fn __abs__(&self) -> Score {
        if self.value < DRAW { -*self } else { *self }
    }

    fn __str__(&self) -> String {
        let verb = if self.value > DRAW { "wins" } else { "loses" };
        match (self.kind(), mate_moves(self.value)) {
            ("cp", _) => format!("{:+}", self.value),
            (_, Some(moves)) => format!("#{moves:+}"),
            ("table", _) => format!("{verb} by a tablebase"),
            _ => format!("{verb} by the rules in {} plies", RULE_WIN - self.value.abs()),
        }
    }

    fn __repr__(&self) -> String {
        match self.turn {
            None => format!("Score({})", self.value),
            Some(Side::Red) => format!("Score({}, True)", self.value),
            Some(Side::Black) => format!("Score({}, False)", self.value),
        }
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> Reduced<'py, (score::Score, Option<bool>)> {
        Ok((slf.get_type().into_any(), (slf.get().value, slf.get().turn())))
    }
}

/// Returns the same score from the opponent's point of view.
impl std::ops::Neg for Score {
    type Output = Score;

    fn neg(self) -> Score {
        Score { value: -self.value, turn: self.turn.map(|turn| !turn) }
    }
}
