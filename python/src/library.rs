//! The library: many games in one database, found by position, players, events and openings.

use crate::arguments::PositionArgument;
use crate::errors::LibraryError;
use crate::moves::Move;
use crate::records::{Record, result_of};
use crate::results::build;
use chuhe::games::{self, Pattern, Query};
use pyo3::prelude::*;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A library of games: one file, a database of SQLite.
///
/// `Library(path)` opens it for reading, `Library(path, add=True)` for adding games, and begins it if there is none. Raises `LibraryError`.
#[pyclass(module = "chuhe", frozen)]
pub struct Library(Mutex<games::Library>);

/// What a game must be like: the fields of the dataclass `Query`.
#[derive(FromPyObject, Default)]
struct Conditions {
    player: Option<String>,
    red: Option<String>,
    black: Option<String>,
    event: Option<String>,
    since: Option<i64>,
    until: Option<i64>,
    result: Option<String>,
    opening: Option<String>,
}

impl Conditions {
    fn query(self, pattern: Option<Pattern>) -> PyResult<Query> {
        let Conditions { player, red, black, event, since, until, result, opening } = self;
        let result = result.map(|text| result_of(&text)).transpose()?;
        Ok(Query { player, red, black, event, since, until, result, opening, pattern, ..Query::default() })
    }
}

impl Library {
    fn library(&self) -> MutexGuard<'_, games::Library> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl Library {
    #[new]
    #[pyo3(signature = (path, *, add = false))]
    fn new(py: Python, path: PathBuf, add: bool) -> PyResult<Library> {
        let open = || if add { games::Library::open_to_add(&path) } else { games::Library::open(&path) };
        py.detach(open).map(|library| Library(Mutex::new(library))).map_err(LibraryError::new_err)
    }

    /// Adds records, and returns how many were new: a game with the same start and the same moves is not added twice. Raises `LibraryError`;
    /// then none was added.
    fn add(&self, py: Python, records: &Bound<PyAny>) -> PyResult<usize> {
        let record = |item: PyResult<Bound<PyAny>>| Ok(item?.cast::<Record>()?.try_borrow()?.inner().clone());
        let records: Vec<_> = records.try_iter()?.map(record).collect::<PyResult<_>>()?;
        let added = py.detach(|| self.library().add(&records));
        added.map(|added| added.games).map_err(LibraryError::new_err)
    }

    /// The games that meet a `Query`, a list of `FoundGame`, at most `limit` of them. If `position` is given, it or its mirror image must have
    /// occurred in the game. Raises `LibraryError`.
    #[pyo3(signature = (query = None, position = None, *, limit = 100))]
    fn find<'py>(
        &self,
        py: Python<'py>,
        query: Option<Conditions>,
        position: Option<PositionArgument>,
        limit: usize,
    ) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let pattern = position.map(|position| Pattern::position(&position.0, true));
        let query = query.unwrap_or_default().query(pattern)?;
        let hits = py.detach(|| {
            let library = self.library();
            let matches = library.search(&query)?;
            library.hits(&matches[..matches.len().min(limit)])
        });
        let found = |hit: games::Hit| {
            let ply = hit.place.map(|place| place.ply);
            let names = (hit.id, hit.red, hit.black, hit.event, hit.date);
            let (id, red, black, event, date) = names;
            build(py, "FoundGame", (id, red, black, event, date, hit.result.text(), hit.plies, hit.opening, ply))
        };
        hits.map_err(LibraryError::new_err)?.into_iter().map(found).collect()
    }

    /// The moves that were played in a position and in its mirror image, in the games that meet a `Query`, the most played first: a list of
    /// `Continuation`. Raises `LibraryError`.
    #[pyo3(signature = (position, query = None))]
    fn moves<'py>(
        &self,
        py: Python<'py>,
        position: PositionArgument,
        query: Option<Conditions>,
    ) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let query = query.unwrap_or_default().query(None)?;
        let moves = py.detach(|| self.library().moves(&position.0, &query)).map_err(LibraryError::new_err)?;
        let found = |played: games::Continuation| {
            let results = (played.results.won, played.results.drawn, played.results.lost, played.results.unknown);
            build(py, "Continuation", (Move(played.mv), results, played.players, played.last))
        };
        moves.into_iter().map(found).collect()
    }

    /// A game by its number, with tags, variations and comments; `None` if there is none. Raises `LibraryError`.
    fn game(&self, py: Python, id: i64) -> PyResult<Option<Record>> {
        let game = py.detach(|| self.library().game(id)).map_err(LibraryError::new_err)?;
        Ok(game.map(Record::of))
    }

    /// The numbers of all games. Raises `LibraryError`.
    fn ids(&self, py: Python) -> PyResult<Vec<i64>> {
        py.detach(|| self.library().ids()).map_err(LibraryError::new_err)
    }

    fn __len__(&self, py: Python) -> PyResult<usize> {
        let count = py.detach(|| self.library().count()).map_err(LibraryError::new_err)?;
        Ok(count as usize)
    }

    fn __bool__(&self) -> bool {
        true
    }
}
