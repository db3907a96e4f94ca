//! Opening books.

use crate::arguments::PositionArgument;
use crate::errors::BookError;
use crate::moves::Move;
use crate::results::build;
use crate::shared::{Kind, Shared};
use chuhe::book;
use chuhe::words::Language;
use pyo3::prelude::*;
use std::path::PathBuf;

const KIND: Kind = Kind { noun: "book", error: BookError::new_err::<String> };

/// An opening book: the built-in book, a file in the format of Chuhe or ElephantEye (`BOOK.DAT`), or an
/// SQLite database (`.obk`, `.pfBook`, `.yfk`, `.xqb`).
///
/// `Book()` is the built-in book, `Book(path)` opens a file. Raises `BookError`.
#[pyclass(module = "chuhe", frozen)]
pub struct Book(Shared<book::Book>);

#[pymethods]
impl Book {
    #[new]
    #[pyo3(signature = (path = None))]
    fn new(path: Option<PathBuf>) -> PyResult<Book> {
        let book = match path {
            Some(path) => {
                book::Book::open(&path).map_err(|reason| BookError::new_err(format!("{}: {reason}", path.display())))?
            }
            None => book::Book::built_in(),
        };
        Ok(Book(Shared::new(book, KIND)))
    }

    /// Returns the book's legal moves for a position or its mirror image, best first, as a list of
    /// `BookMove`. Raises `BookError`.
    fn moves<'py>(&self, py: Python<'py>, position: PositionArgument) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let moves = self.0.with(py, |book| book.moves(&position.0))?;
        let moves = moves.map_err(|error| BookError::new_err(error.to_string()))?;
        let entry = |found: book::BookMove| {
            let games = found.games.map(|[wins, draws, losses]| (wins, draws, losses));
            build(py, "BookMove", (Move(found.mv), found.weight, found.score, games))
        };
        moves.into_iter().map(entry).collect()
    }

    fn __repr__(&self, py: Python) -> String {
        match self.0.with(py, |book| book.describe(Language::English)) {
            Ok(description) => format!("<Book: {description}>"),
            Err(_) => "<Book of another process>".to_owned(),
        }
    }
}
