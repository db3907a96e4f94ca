//! Scores: evaluations, mates, wins by the rules and wins by tables in one order.

use crate::arguments::Reduced;
use chuhe::score::{DRAW, INFINITE, RULE_WIN, TABLE_WIN, is_evaluation, is_mate, mate_moves};
use chuhe::{eval::expected_points, score};
use pyo3::prelude::*;

/// A score from the view of the side to move. Scores are ordered: a shorter mate is better than a longer one, and both are better than any
/// evaluation.
///
/// `Score(value)` takes the engine's own number, within ±32,000.
#[pyclass(module = "chuhe", frozen, eq, ord, hash)]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Score {
    /// The engine's own number: centipawns up to ±20,000, then wins by a table, by the rules and by mate.
    #[pyo3(get)]
    pub value: score::Score,
}

#[pymethods]
impl Score {
    #[new]
    fn new(value: score::Score) -> PyResult<Score> {
        match value.checked_abs() {
            Some(0..=INFINITE) => Ok(Score { value }),
            _ => Err(crate::arguments::value_error(format!("{value} is not a score (-{INFINITE} to {INFINITE})"))),
        }
    }

    /// `"cp"` (an evaluation), `"table"` (a tablebase), `"rule"` (the rules of repetition) or `"mate"`.
    #[getter]
    fn kind(&self) -> &'static str {
        match self.value {
            value if is_evaluation(value) => "cp",
            value if is_mate(value) => "mate",
            value if value.abs() <= TABLE_WIN => "table",
            _ => "rule",
        }
    }

    /// Centipawns, a rook is about 1000; `None` unless `kind` is `"cp"`.
    #[getter]
    fn cp(&self) -> Option<score::Score> {
        Some(self.value).filter(|&value| is_evaluation(value))
    }

    /// Moves to mate: positive if the side to move mates, negative if it is mated, 0 if it is mated now; `None` unless `kind` is `"mate"`.
    #[getter]
    fn mate(&self) -> Option<i32> {
        mate_moves(self.value)
    }

    /// Expected points of the side to move: 0.0 (lost) to 1.0 (won).
    fn expectation(&self) -> f64 {
        expected_points(self.value)
    }

    fn __neg__(&self) -> Score {
        Score { value: -self.value }
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
        format!("Score({})", self.value)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> Reduced<'py, (score::Score,)> {
        Ok((slf.get_type().into_any(), (slf.get().value,)))
    }
}
