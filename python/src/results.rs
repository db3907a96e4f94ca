//! Creation of the Python dataclasses for results.

use crate::calls::call_in;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

/// Creates a dataclass of `chuhe/results.py` with these fields, in order.
pub fn build<'py, A>(py: Python<'py>, name: &str, fields: A) -> PyResult<Bound<'py, PyAny>>
where
    A: IntoPyObject<'py, Target = PyTuple, Output = Bound<'py, PyTuple>, Error: Into<PyErr>>,
{
    call_in(py, "chuhe.results", name, fields)
}

/// Creates a dataclass of `chuhe/datasets.py` with these fields, in order.
pub fn dataset<'py, A>(py: Python<'py>, name: &str, fields: A) -> PyResult<Bound<'py, PyAny>>
where
    A: IntoPyObject<'py, Target = PyTuple, Output = Bound<'py, PyTuple>, Error: Into<PyErr>>,
{
    call_in(py, "chuhe.datasets", name, fields)
}
