//! The library: a database of games, searchable by position, players, events and openings.

use crate::arguments::{PositionArgument, Whole, whole};
use crate::calls::items;
use crate::errors::LibraryError;
use crate::moves::Move;
use crate::records::{Record, result_of};
use crate::results::build;
use crate::shared::{Kind, Shared};
use chuhe::games::{self, Pattern, Query};
use pyo3::prelude::*;
use std::fmt::Display;
use std::path::PathBuf;

const KIND: Kind = Kind { noun: "library", error: LibraryError::new_err::<String> };

/// A library of games in a single SQLite file.
///
/// `Library(path)` opens a library for reading, `Library(path, add=True)` opens or creates one for adding
/// games. Raises `LibraryError`.
#[pyclass(module = "chuhe", frozen)]
pub struct Library(Shared<games::Library>);

/// Conditions on games: the fields of the dataclass `Query`.
#[derive(FromPyObject, Default)]
struct Conditions {
    player: Option<String>,
    red: Option<String>,
    black: Option<String>,
    event: Option<String>,
    since: Option<Whole<i64>>,
    until: Option<Whole<i64>>,
    result: Option<String>,
    opening: Option<String>,
}

impl Conditions {
    fn query(self, pattern: Option<Pattern>) -> PyResult<Query> {
        let Conditions { player, red, black, event, since, until, result, opening } = self;
        let result = result.map(|text| result_of(&text)).transpose()?;
        let (since, until) = (since.map(|year| year.0), until.map(|year| year.0));
        Ok(Query { player, red, black, event, since, until, result, opening, pattern, ..Query::default() })
    }
}

impl Library {
    /// Waits for this thread's turn and runs a job on the database, without holding the GIL.
    fn with<T: Send, E: Display + Send>(
        &self,
        py: Python,
        job: impl FnOnce(&mut games::Library) -> Result<T, E> + Send,
    ) -> PyResult<T> {
        self.0.with(py, job)?.map_err(|error| LibraryError::new_err(error.to_string()))
    }
}

#[pymethods]
impl Library {
    #[new]
    #[pyo3(signature = (path, *, add = false))]
    fn new(py: Python, path: PathBuf, add: bool) -> PyResult<Library> {
        let open = || if add { games::Library::open_to_add(&path) } else { games::Library::open(&path) };
        let library = py.detach(open).map_err(|error| {
            let (error, path) = (error.to_string(), path.display().to_string());
            LibraryError::new_err(if error.contains(&path) { error } else { format!("{path}: {error}") })
        })?;
        Ok(Library(Shared::new(library, KIND)))
    }

    /// Adds records, and returns the number of new games. A game with the same first position and the same
    /// moves is not added twice. A longer version of a game between the same players replaces the shorter one
    /// and is counted as new. If it raises `LibraryError`, for example for variations nested too deeply, it
    /// says which record is the cause, and no game is added.
    fn add(&self, py: Python, records: &Bound<PyAny>) -> PyResult<usize> {
        let record = |item: Bound<PyAny>| Ok(item.cast::<Record>()?.try_borrow()?.inner().clone());
        let records: Vec<_> = items(records)?.iter().map(record).collect::<PyResult<_>>()?;
        self.with(py, |library| library.add_all(&records)).map(|added| added.games)
    }

    /// Returns up to `limit` games that match a `Query`, as a list of `FoundGame`. If `position` is given, it
    /// or its mirror image must occur in the game. Raises `LibraryError`.
    #[pyo3(signature = (query = None, position = None, *, limit = 100))]
    fn find<'py>(
        &self,
        py: Python<'py>,
        query: Option<Conditions>,
        position: Option<PositionArgument>,
        #[pyo3(from_py_with = whole)] limit: usize,
    ) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let pattern = position.map(|position| Pattern::position(&position.0, true));
        let query = query.unwrap_or_default().query(pattern)?;
        let hits = self.with(py, |library| {
            let matches = library.search(&query)?;
            library.hits(&matches[..matches.len().min(limit)])
        })?;
        let found = |hit: games::Hit| {
            let ply = hit.place.map(|place| place.ply);
            let names = (hit.id, hit.red, hit.black, hit.event, hit.date);
            let (id, red, black, event, date) = names;
            build(py, "FoundGame", (id, red, black, event, date, hit.result.text(), hit.plies, hit.opening, ply))
        };
        hits.into_iter().map(found).collect()
    }

    /// Returns the moves played in a position and in its mirror image in the games that match a `Query`, most
    /// frequent first, as a list of `Continuation`. If the query has a `player`, only that player's moves are
    /// counted. Raises `LibraryError`.
    #[pyo3(signature = (position, query = None))]
    fn moves<'py>(
        &self,
        py: Python<'py>,
        position: PositionArgument,
        query: Option<Conditions>,
    ) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let query = query.unwrap_or_default().query(None)?;
        let moves = self.with(py, |library| library.moves(&position.0, &query))?;
        let found = |played: games::Continuation| {
            let results = (played.results.won, played.results.drawn, played.results.lost, played.results.unknown);
            build(py, "Continuation", (Move(played.mv), results, played.players, played.last))
        };
        moves.into_iter().map(found).collect()
    }

    /// Returns the game with this number, including tags, variations and comments; `None` if there is none.
    /// Raises `LibraryError`.
    fn game(&self, py: Python, #[pyo3(from_py_with = whole)] id: i64) -> PyResult<Option<Record>> {
        Ok(self.with(py, |library| library.game(id))?.map(Record::of))
    }

    /// Returns the numbers of all games. Raises `LibraryError`.
    fn ids(&self, py: Python) -> PyResult<Vec<i64>> {
        self.with(py, |library| library.ids())
    }

    fn __len__(&self, py: Python) -> PyResult<usize> {
        Ok(self.with(py, |library| library.count())? as usize)
    }

    fn __bool__(&self) -> bool {
        true
    }
}
