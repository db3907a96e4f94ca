//! The referee: rule sets and rulings.

use crate::arguments::{LanguageArgument, Reduced, Whole, colour, value_error, whole};
use crate::game::Game;
use crate::moves::Move;
use crate::pieces::Piece;
use crate::position::squares;
use crate::results::build;
use chuhe::board::Side;
use chuhe::records::GameResult;
use chuhe::rules::{self, Attack, Cycle, CyclePly, Cycles, Deed, RuleSet, Terms, Verdict};
use chuhe::words::Language;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Rules for repetitions and long games.
///
/// `name` is `"asian"`, `"chinese"`, `"league"`, `"computer"`, `"simple"` or `"draw"`; the other arguments
/// default to the values of the rule set: `folds`, the occurrence of a position at which a repetition is
/// judged (at least 2); `natural_limit`, the number of plies without a capture after which a game is drawn;
/// `free_checks`, the number of checks by each side that count towards the natural limit. Raises
/// `ValueError`.
#[pyclass(module = "chuhe", frozen, eq)]
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Rules(pub Terms);

#[pymethods]
impl Rules {
    #[new]
    #[pyo3(signature = (name = "asian", *, folds = None, natural_limit = None, free_checks = None))]
    fn new(
        name: &str,
        folds: Option<Whole<u16>>,
        natural_limit: Option<Whole<u16>>,
        free_checks: Option<Whole<u16>>,
    ) -> PyResult<Rules> {
        let terms = name.parse::<RuleSet>().map_err(value_error)?.terms();
        if folds.is_some_and(|folds| folds.0 < 2) {
            return Err(value_error("a repetition is judged at the second occurrence at the earliest"));
        }
        let folds = folds.map_or(terms.folds(), |folds| folds.0.into());
        let natural_limit = natural_limit.map_or(terms.natural_limit, |plies| plies.0);
        let free_checks = free_checks.map_or(terms.free_checks, |checks| checks.0);
        Ok(Rules(terms.with_folds(folds).with_natural_limit(natural_limit).with_free_checks(free_checks)))
    }

    /// The name of the rule set.
    #[getter]
    fn name(&self) -> &'static str {
        self.0.rules.name()
    }

    /// Occurrence of a position at which a repetition is judged.
    #[getter]
    fn folds(&self) -> usize {
        self.0.folds()
    }

    /// Number of counted plies without a capture after which a game is drawn.
    #[getter]
    fn natural_limit(&self) -> u16 {
        self.0.natural_limit
    }

    /// Number of checks by each side that count towards the natural limit.
    #[getter]
    fn free_checks(&self) -> u16 {
        self.0.free_checks
    }

    fn __hash__(&self) -> u64 {
        let numbers =
            self.0.folds() as u64 ^ u64::from(self.0.natural_limit) << 16 ^ u64::from(self.0.free_checks) << 32;
        (self.0.rules as u64) << 48 ^ numbers
    }

    fn __repr__(&self) -> String {
        let Terms { rules, natural_limit, free_checks, .. } = self.0;
        let folds = self.0.folds();
        format!("Rules('{rules}', folds={folds}, natural_limit={natural_limit}, free_checks={free_checks})")
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> Reduced<'py, (&'static str,)> {
        let (py, rules) = (slf.py(), slf.get());
        // Only keyword arguments set the numbers.
        let numbers = PyDict::new(py);
        numbers.set_item("folds", rules.folds())?;
        numbers.set_item("natural_limit", rules.natural_limit())?;
        numbers.set_item("free_checks", rules.free_checks())?;
        let partial = py.import("functools")?.getattr("partial")?;
        Ok((partial.call((slf.get_type(),), Some(&numbers))?, (rules.name(),)))
    }
}

/// A `rules` argument: `Rules`, or the name of a rule set.
pub struct RulesArgument(pub Terms);

impl<'py> FromPyObject<'_, 'py> for RulesArgument {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(rules) = object.cast::<Rules>() {
            return Ok(RulesArgument(rules.get().0));
        }
        object.extract::<&str>()?.parse::<RuleSet>().map(|rules| RulesArgument(rules.terms())).map_err(value_error)
    }
}

/// Converts a verdict to an `Outcome`, or to `None` if the game is not over; `side` is the side to move.
pub fn outcome<'py>(py: Python<'py>, verdict: Verdict, side: Side) -> PyResult<Option<Bound<'py, PyAny>>> {
    let Verdict::Over(outcome, reason) = verdict else { return Ok(None) };
    let winner = GameResult::of(outcome, side).winner().map(colour);
    build(py, "Outcome", (reason.name(), winner, reason.offender().map(colour))).map(Some)
}

/// A ruling on a game, with its reasons. `str(ruling)` is one clause in English.
#[pyclass(module = "chuhe", frozen)]
pub struct Ruling(pub rules::Ruling);

#[pymethods]
impl Ruling {
    /// Outcome of the game; `None` if it is not over.
    #[getter]
    fn outcome<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        outcome(py, self.0.verdict, self.0.side)
    }

    /// Number of plies after which the game was first over; `None` if it was never over.
    #[getter]
    fn ended_at(&self) -> Option<usize> {
        self.0.ended_at
    }

    /// Number of occurrences of the last position, including the current one.
    #[getter]
    fn occurrences(&self) -> usize {
        self.0.occurrences
    }

    /// The rules applied.
    #[getter]
    fn rules(&self) -> Rules {
        Rules(self.0.terms)
    }

    /// All plies of the judged repetition; empty if the game did not end by repetition.
    #[getter]
    fn cycle<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let plies = self.0.cycle.iter().flat_map(|cycle: &Cycle| &cycle.plies);
        plies.map(|ply| cycle_ply(py, ply)).collect()
    }

    /// The piece that is chased throughout, and its first square; `None` if the ruling does not depend on a
    /// single piece.
    #[getter]
    fn victim(&self) -> Option<(Piece, usize)> {
        let (piece, square) = self.0.cycle.as_ref()?.victim?;
        Some((Piece(piece), square.index()))
    }

    /// Returns the ruling as one clause, in `"en"` or `"zh"`.
    #[pyo3(signature = (language = crate::arguments::Word(Language::English)))]
    fn say(&self, language: LanguageArgument) -> String {
        self.0.say(language.0)
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("<Ruling: {}>", self.0)
    }
}

fn cycle_ply<'py>(py: Python<'py>, ply: &CyclePly) -> PyResult<Bound<'py, PyAny>> {
    let deeds: Vec<Bound<PyAny>> = ply.deeds.iter().map(|deed| deed_of(py, deed)).collect::<PyResult<_>>()?;
    let fields = (ply.number, colour(ply.side), Piece(ply.piece), Move(ply.mv), deeds, squares(ply.aims));
    let (number, color, piece, mv, deeds, aims) = fields;
    build(py, "CyclePly", (number, color, piece, mv, deeds, aims, squares(ply.attacks)))
}

fn deed_of<'py>(py: Python<'py>, deed: &Deed) -> PyResult<Bound<'py, PyAny>> {
    let attack: Option<&Attack> = match deed {
        Deed::Chase(attack)
        | Deed::Exchange(attack)
        | Deed::Follow(attack)
        | Deed::Standing(attack)
        | Deed::Bound(attack) => Some(attack),
        Deed::Check | Deed::Kill | Deed::Block(..) | Deed::Idle => None,
    };
    let attack = attack.map(|attack| {
        let Attack { chaser, from, victim, at, value, is_protected, is_discovered, is_undermining } = *attack;
        let who = (Piece(chaser), from.index(), Piece(victim), at.index());
        let (chaser, from, victim, at) = who;
        build(py, "Attack", (chaser, from, victim, at, value.name(), is_protected, is_discovered, is_undermining))
    });
    build(py, "Deed", (deed.name(), deed.to_string(), attack.transpose()?))
}

/// Returns an iterator over `count` seeded random games for comparing referees. Each game is a cycle of 4 to
/// 8 moves that is played twice.
#[pyfunction]
#[pyo3(signature = (count, seed = 1))]
pub fn sample_cycles(
    #[pyo3(from_py_with = whole)] count: usize,
    #[pyo3(from_py_with = whole)] seed: u64,
) -> SampledCycles {
    SampledCycles(Cycles::new(seed), count)
}

/// Iterator of `sample_cycles`.
#[pyclass(module = "chuhe")]
pub struct SampledCycles(Cycles, usize);

#[pymethods]
impl SampledCycles {
    fn __iter__(slf: Bound<Self>) -> Bound<Self> {
        slf
    }

    fn __next__(&mut self) -> Option<Game> {
        self.1 = self.1.checked_sub(1)?;
        let cycle = self.0.next()?;
        let mut game = rules::Game::new(cycle.start);
        cycle.moves.repeat(2).into_iter().for_each(|mv| game.make(mv));
        Some(Game::of(game))
    }
}
