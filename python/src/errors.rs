//! The exceptions, which are Python classes of `chuhe/errors.py`.

use pyo3::import_exception;

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
