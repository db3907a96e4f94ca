//! Training data: `.games` files and PGN with scores, game by game or as arrays, and self-play by the engine.

use crate::arguments::{value_error, whole, within};
use crate::arrays::board_of;
use crate::engine::MAX_THREADS;
use crate::errors::RecordError;
use crate::moves::Move;
use crate::network::Network;
use crate::position::Position;
use crate::results::dataset;
use crate::rules::Rules;
use crate::signals::work;
use chuhe::board::Side;
use chuhe::data::filter::Filter;
use chuhe::data::records::{Encoding, Header, TrainingRecord};
use chuhe::data::selfplay::{Goal, Plan, generate};
use chuhe::data::source::{GameError, Source};
use chuhe::eval::nnue::embedded;
use numpy::ndarray::Array;
use numpy::{IntoPyArray, PyArray1};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// An iterator over the games in a `.games` file, or in PGN with scores, as `PlayedGame`.
///
/// Raises `RecordError` if the file cannot be opened, or when damaged data is reached; nothing after it is
/// read.
#[pyclass(module = "chuhe")]
pub struct PlayedGames(Mutex<Source>, PathBuf);

fn open(path: &Path) -> PyResult<Source> {
    Source::open(path).map_err(|error| RecordError::new_err(error.to_string()))
}

/// Returns the exception for an unreadable game.
fn unreadable(path: &Path, trouble: &GameError) -> PyErr {
    RecordError::new_err(format!("{}: {trouble}", path.display()))
}

impl PlayedGames {
    fn source(&mut self) -> &mut Source {
        self.0.get_mut().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the conditions of the games. Raises `ValueError` if the file, such as PGN, does not contain
    /// them.
    pub fn header(&mut self) -> PyResult<Header> {
        let header = self.source().header().copied();
        header.ok_or_else(|| value_error(format!("{} does not contain the conditions of its games", self.1.display())))
    }
}

#[pymethods]
impl PlayedGames {
    #[new]
    fn new(path: PathBuf) -> PyResult<PlayedGames> {
        open(&path).map(|source| PlayedGames(Mutex::new(source), path))
    }

    fn __iter__(slf: Bound<Self>) -> Bound<Self> {
        slf
    }

    /// `True` for a `.games` file with blocks of packed games, `False` for PGN and for files of older
    /// versions.
    #[getter]
    fn packed(&mut self) -> bool {
        matches!(self.source(), Source::Records(reader) if reader.encoding() == Encoding::Coded)
    }

    /// Conditions of the games: a new dictionary with `seed`, `file`, `nodes`, `most_nodes` and `rules`;
    /// `None` for PGN.
    #[getter]
    fn conditions<'py>(&mut self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let Some(header) = self.source().header().copied() else { return Ok(None) };
        let conditions = PyDict::new(py);
        conditions.set_item("seed", header.seed)?;
        conditions.set_item("file", header.file)?;
        conditions.set_item("nodes", header.nodes)?;
        conditions.set_item("most_nodes", header.most_nodes)?;
        conditions.set_item("rules", Rules(header.terms))?;
        Ok(Some(conditions))
    }

    fn __next__<'py>(&mut self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let source = self.source();
        let Some(next) = py.detach(|| source.next()) else { return Ok(None) };
        let record = next.map_err(|trouble| unreadable(&self.1, &trouble))?;
        let moves: Vec<Move> = record.plies.iter().map(|ply| Move(ply.mv)).collect();
        let scores = PyArray1::from_iter(py, record.plies.iter().map(|ply| ply.score));
        let start = Position::of(record.start);
        let (result, end) = (f32::from(record.result.half_points()) / 2.0, record.end.to_string());
        let fields =
            (start, moves, scores, result, end, record.random_plies, record.starts_in_endgame, record.played_out);
        dataset(py, "PlayedGame", fields).map(Some)
    }
}

/// Columns of `Samples`.
#[derive(Default)]
struct Columns {
    boards: Vec<u8>,
    turns: Vec<bool>,
    quiet_plies: Vec<u16>,
    moves: Vec<u8>,
    scores: Vec<i32>,
    results: Vec<f32>,
    plies: Vec<u16>,
    games: Vec<u32>,
}

impl Columns {
    fn add(&mut self, record: &TrainingRecord, game: u32, filter: &Filter) {
        for sample in record.samples().filter(|sample| filter.keeps(sample)) {
            self.boards.extend(board_of(&sample.position));
            self.turns.push(sample.position.side() == Side::Red);
            self.quiet_plies.push(sample.position.quiet_plies());
            self.moves.extend([sample.mv.from.index() as u8, sample.mv.to.index() as u8]);
            self.scores.push(sample.score);
            self.results.push(f32::from(sample.result.half_points()) / 2.0);
            self.plies.push(sample.ply as u16);
            self.games.push(game);
        }
    }
}

/// Returns the positions in `.games` files, or in PGN with scores, as `Samples`.
///
/// Unless `everything` is true, skips the first eight plies of each game, and positions in which the side to
/// move is in check, makes a capture, or has a score that is due to the repetition rules only. Raises
/// `RecordError`. Releases the GIL while it works.
#[pyfunction]
#[pyo3(signature = (*paths, everything = false))]
pub fn load_samples<'py>(py: Python<'py>, paths: Vec<PathBuf>, everything: bool) -> PyResult<Bound<'py, PyAny>> {
    let filter = if everything { Filter::NONE } else { Filter::default() };
    let sources: Vec<Source> = paths.iter().map(|path| open(path)).collect::<PyResult<_>>()?;
    let columns = work(py, |stop| {
        let mut columns = Columns::default();
        let records = paths.iter().zip(sources).flat_map(|(path, source)| source.map(move |record| (path, record)));
        for (game, (path, record)) in (0..).zip(records) {
            columns.add(&record.map_err(|trouble| unreadable(path, &trouble))?, game, &filter);
            if stop.load(std::sync::atomic::Ordering::Relaxed) {
                break;
            }
        }
        Ok::<Columns, PyErr>(columns)
    })??;
    let Columns { boards, turns, quiet_plies, moves, scores, results, plies, games } = columns;
    let count = turns.len();
    let boards = Array::from_shape_vec((count, 90), boards).map_err(value_error)?.into_pyarray(py);
    let moves = Array::from_shape_vec((count, 2), moves).map_err(value_error)?.into_pyarray(py);
    let told = (scores.into_pyarray(py), results.into_pyarray(py), plies.into_pyarray(py), games.into_pyarray(py));
    let (scores, results, plies, games) = told;
    let (turns, quiet_plies) = (turns.into_pyarray(py), quiet_plies.into_pyarray(py));
    dataset(py, "Samples", (boards, turns, quiet_plies, moves, scores, results, plies, games))
}

/// Plays `games` self-play games of the engine and writes them to `folder`, one `.games` file per thread;
/// returns the paths.
///
/// Each move is searched for about `nodes` nodes; `seed` determines the openings. Uses `network`, or the
/// built-in network if `network` is `None`. The files must not exist. Raises `RecordError`. Releases the GIL
/// while it works.
#[pyfunction]
#[pyo3(signature = (folder, games, *, nodes = 1000, threads = 1, seed = 1, network = None))]
pub fn generate_games(
    py: Python,
    folder: PathBuf,
    #[pyo3(from_py_with = whole)] games: u64,
    #[pyo3(from_py_with = whole)] nodes: u32,
    #[pyo3(from_py_with = whole)] threads: i128,
    #[pyo3(from_py_with = whole)] seed: u64,
    network: Option<&Network>,
) -> PyResult<Vec<PathBuf>> {
    let threads = within("threads", threads, MAX_THREADS)?;
    if nodes == 0 {
        return Err(value_error("nodes is 0; it must be 1 or more"));
    }
    let network = network.map(|network| network.0.clone()).or_else(embedded);
    let header =
        Header { network: network.as_ref().map_or(0, |network| network.hash()), ..Header::with_defaults(seed, nodes) };
    let book = Vec::new();
    let plan =
        Plan { header, threads, book, goal: Goal::Games(games), hash_mb: 8, folder: folder.clone(), resume: false };
    work(py, |stop| generate(&plan, network.as_ref(), stop, &mut |_| {}))?
        .map_err(|error| RecordError::new_err(error.to_string()))?;
    Ok((0..threads).map(|file| folder.join(chuhe::data::run::file_name(seed, file))).collect())
}
