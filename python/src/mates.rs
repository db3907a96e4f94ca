//! Mates: proofs by checks or with quiet moves, shortest mates, and the classical names of mating positions.

use crate::arguments::{GameArgument, LanguageArgument, PositionArgument, Word, value_error, whole};
use crate::errors::EngineError;
use crate::moves::{Move, moves};
use crate::notation::legal_move;
use crate::results::build;
use crate::signals::work;
use chuhe::board::MAX_MOVES;
use chuhe::mates::{Limits, Pattern, Solver, SolverResult, shortest};
use chuhe::words::Language;
use pyo3::prelude::*;
use std::sync::atomic::Ordering::Relaxed;

/// Maximum length of a shortest mate, in moves.
const MAX_MATE_MOVES: usize = MAX_MOVES;

/// Searches for a forced mate by the side to move and returns a `MateSolution`. Its `status` is `"mate"`,
/// `"no mate by checks"` (which has been proved) or `"unknown"`.
///
/// `nodes` limits the number of positions searched, and `quiet` the number of moves per line that neither
/// give check nor reply to a check (0 for checks only). The GIL is released during the search.
#[pyfunction]
#[pyo3(signature = (position, *, nodes = 1_000_000, quiet = 0))]
pub fn solve_mate<'py>(
    py: Python<'py>,
    position: GameArgument,
    #[pyo3(from_py_with = whole)] nodes: u64,
    #[pyo3(from_py_with = whole)] quiet: u8,
) -> PyResult<Bound<'py, PyAny>> {
    let game = position.0;
    let (answer, nodes) = work(py, |stop| {
        let mut solver = Solver::new(16)?;
        let answer = solver.solve(&game, Limits { nodes, quiet }, &mut |_| !stop.load(Relaxed));
        Ok((answer, solver.nodes()))
    })?
    .map_err(|error: std::collections::TryReserveError| EngineError::new_err(error.to_string()))?;
    match answer {
        SolverResult::Mate(proof) => build(py, "MateSolution", ("mate", moves(proof.line()), proof.quiet(), nodes)),
        SolverResult::NoMateByChecks => build(py, "MateSolution", ("no mate by checks", Vec::<Move>::new(), 0, nodes)),
        SolverResult::Unknown => build(py, "MateSolution", ("unknown", Vec::<Move>::new(), quiet, nodes)),
    }
}

/// Returns the shortest mate by checks in at most `moves` moves of the side to move: every first move that
/// mates equally fast, and the line with the longest defence. Returns `None` if there is no such mate, or if
/// it is not found within `nodes` positions.
#[pyfunction]
#[pyo3(signature = (position, moves = 5, *, nodes = 1_000_000))]
pub fn shortest_mate(
    py: Python,
    position: PositionArgument,
    #[pyo3(from_py_with = whole)] moves: usize,
    #[pyo3(from_py_with = whole)] nodes: u64,
) -> PyResult<Option<(Vec<Move>, Vec<Move>)>> {
    if moves > MAX_MATE_MOVES {
        return Err(value_error(format!("a mate in {moves} moves is too long (at most {MAX_MATE_MOVES})")));
    }
    let mate = work(py, |_| shortest(&position.0, moves, nodes))?;
    Ok(mate.map(|mate| (self::moves(&mate.keys), self::moves(&mate.line))))
}

/// Returns the classical name of the mate given by a legal move, such as `"horse and cannon"` or 马后炮; `None`
/// if the move does not mate or the mate has no name.
#[pyfunction]
#[pyo3(signature = (position, r#move, language = Word(Language::English)))]
pub fn mate_pattern(
    position: PositionArgument,
    r#move: &Bound<PyAny>,
    language: LanguageArgument,
) -> PyResult<Option<&'static str>> {
    let mv = legal_move(&position.0, r#move)?;
    Ok(Pattern::of(&position.0, mv).map(|pattern| pattern.name(language.0)))
}
