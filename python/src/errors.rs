//! Exceptions: the Python classes in `chuhe/errors.py`, and `OSError`.

use pyo3::exceptions::PyOSError;
use pyo3::{PyErr, import_exception};
use std::io;
use std::path::Path;

import_exception!(chuhe.errors, AmbiguousMoveError);
import_exception!(chuhe.errors, BookError);
import_exception!(chuhe.errors, EngineError);
import_exception!(chuhe.errors, IllegalMoveError);
import_exception!(chuhe.errors, InvalidFenError);
import_exception!(chuhe.errors, InvalidMoveError);
import_exception!(chuhe.errors, LibraryError);
import_exception!(chuhe.errors, NetworkError);
import_exception!(chuhe.errors, RecordError);
import_exception!(chuhe.errors, TablesError);

/// Returns an `OSError` with the name of the file.
pub fn os_error(error: &io::Error, path: &Path) -> PyErr {
    let (path, text) = (path.display().to_string(), error.to_string());
    match error.raw_os_error() {
        Some(code) => {
            let reason = text.split(" (os error").next().unwrap_or_default().to_owned();
            if cfg!(windows) {
                PyOSError::new_err((0, reason, path, code))
            } else {
                PyOSError::new_err((code, reason, path))
            }
        }
        None => PyOSError::new_err(format!("{path}: {text}")),
    }
}
