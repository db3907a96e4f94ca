//! Tablebases.

use crate::arguments::PositionArgument;
use crate::errors::TablesError;
use crate::moves::{Move, moves};
use crate::results::build;
use chuhe::endings::{self, ProbeResult};
use pyo3::prelude::*;
use std::path::PathBuf;

/// Tablebases: the built-in ones, and tables in folders that are separated by `;`. Raises `TablesError`.
#[pyclass(module = "chuhe", frozen)]
pub struct Tables(endings::Tables);

fn tables_error(fault: endings::file::TableFault) -> PyErr {
    TablesError::new_err(fault.to_string())
}

#[pymethods]
impl Tables {
    #[new]
    #[pyo3(signature = (path = PathBuf::new()))]
    fn new(path: PathBuf) -> PyResult<Tables> {
        endings::Tables::of_path(&path).map(Tables).map_err(tables_error)
    }

    /// Returns the tablebase entry of a position as an `Ending`, or `None` if no table contains it. Raises
    /// `TablesError`.
    fn probe<'py>(&self, py: Python<'py>, position: PositionArgument) -> PyResult<Option<Bound<'py, PyAny>>> {
        let position = position.0;
        let answer = py.detach(|| self.0.answer(&position)).map_err(tables_error)?;
        let Some(ProbeResult { outcome, capture, mate, perpetual, .. }) = answer else { return Ok(None) };
        let wdl = i32::from(outcome.half_points()) - 1;
        build(py, "Ending", (wdl, capture, mate, perpetual)).map(Some)
    }

    /// Returns the best moves: the wins with the shortest distance to a capture or mate; without a win, all
    /// draws; otherwise the losses with the longest known distance to mate. Returns `None` if no table
    /// contains the position or one of its successors, or if a perpetual chase could change the result. Raises
    /// `TablesError`.
    fn best_moves(&self, py: Python, position: PositionArgument) -> PyResult<Option<Vec<Move>>> {
        let best = py.detach(|| self.0.best_moves(&position.0)).map_err(tables_error)?;
        Ok(best.map(|best| moves(&best)))
    }

    /// Maximum number of pieces in the positions of these tablebases, including the kings.
    #[getter]
    fn most_pieces(&self) -> u32 {
        self.0.most_pieces()
    }

    fn __repr__(&self) -> String {
        format!("<Tables: up to {} pieces>", self.0.most_pieces())
    }
}
