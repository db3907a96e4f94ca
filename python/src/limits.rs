//! Search limits.

use crate::arguments::{colour, value_error};
use crate::calls::call_in;
use chuhe::board::{Move, Side};
use chuhe::search::{Limits, Time};
use pyo3::prelude::*;
use std::time::Duration;

/// The fields of the dataclass `Limit`, which checks their ranges.
#[derive(FromPyObject, Default)]
pub struct Limit {
    time: Option<f64>,
    depth: Option<u32>,
    nodes: Option<u64>,
    mate: Option<u32>,
    red_clock: Option<f64>,
    black_clock: Option<f64>,
    red_inc: Option<f64>,
    black_inc: Option<f64>,
    remaining_moves: Option<u32>,
}

impl Limit {
    /// Returns the given limit, or one without limits. Raises `TypeError` for another type.
    pub fn of(given: Option<&Bound<PyAny>>) -> PyResult<Limit> {
        let Some(given) = given else { return Ok(Limit::default()) };
        call_in(given.py(), "chuhe.results", "check_limit", (given,))?;
        given.extract()
    }

    /// Creates a limit with a fixed time in seconds.
    pub fn seconds(time: f64) -> Limit {
        Limit { time: Some(time), ..Limit::default() }
    }

    /// Returns the limits for a search by this side, restricted to these root moves.
    pub fn limits(&self, side: Side, only: Vec<Move>) -> PyResult<Limits> {
        let seconds = |name: &str, number: f64| {
            Duration::try_from_secs_f64(number).map_err(|error| value_error(format!("{name}: {error}")))
        };
        let (left, increment) = match side {
            Side::Red => (self.red_clock, self.red_inc),
            Side::Black => (self.black_clock, self.black_inc),
        };
        let time = match (self.time, left) {
            (Some(time), _) => Time::Fixed(seconds("time", time)?),
            (None, Some(left)) => Time::Clock {
                left: seconds("clock", left)?,
                increment: seconds("inc", increment.unwrap_or_default())?,
                moves_to_go: self.remaining_moves,
            },
            (None, None) => Time::Unlimited,
        };
        Ok(Limits { depth: self.depth, nodes: self.nodes, mate: self.mate, time, only, ..Limits::default() })
    }
}

/// Raises `ValueError` if a search for this side would never end.
pub fn require_limit(limit: Option<&Bound<PyAny>>, side: Side, py: Python) -> PyResult<()> {
    call_in(py, "chuhe.results", "require_limit", (limit, colour(side))).map(drop)
}
