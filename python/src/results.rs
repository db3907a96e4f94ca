//! Results that are data and nothing else: Python's dataclasses.

use pyo3::call::PyCallArgs;
use pyo3::prelude::*;

/// A dataclass of `chuhe/results.py` with these fields, in their order.
pub fn build<'py>(py: Python<'py>, name: &str, fields: impl PyCallArgs<'py>) -> PyResult<Bound<'py, PyAny>> {
    py.import("chuhe.results")?.getattr(name)?.call1(fields)
}

/// The same of `chuhe/datasets.py`.
pub fn dataset<'py>(py: Python<'py>, name: &str, fields: impl PyCallArgs<'py>) -> PyResult<Bound<'py, PyAny>> {
    py.import("chuhe.datasets")?.getattr(name)?.call1(fields)
}
