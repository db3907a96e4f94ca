//! Writing training data from Python as packed blocks.

use crate::arguments::{PositionArgument, Whole, value_error, whole};
use crate::calls::items;
use crate::datasets::PlayedGames;
use crate::errors::{RecordError, os_error};
use crate::notation::legal_move;
use chuhe::board::Position;
use chuhe::bytes::{Existing, NewFile};
use chuhe::data::end::RecordedEnd;
use chuhe::data::records::{Header, MAX_PLIES, Ply, TrainingRecord, Writer};
use chuhe::rules::Outcome;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use std::io;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

/// A new `.games` file. The games are packed in blocks, which take about 1.3 bytes for each move and its
/// score.
///
/// The conditions stored in the file come from the `PlayedGames` in `like`; without it, they are the
/// conditions of `generate_games` with `nodes` and `seed`. `chuhe train`, `PlayedGames` and `load_samples`
/// can read the file.
///
/// Use it as a context manager: the file is moved to its final name at the end, or removed after an
/// exception. Raises `OSError`, in particular if the file already exists, and `ValueError` if `like` contains
/// no conditions.
#[pyclass(module = "chuhe", frozen)]
pub struct PlayedGamesWriter {
    /// `None` after the file has been closed.
    writer: Mutex<Option<Writer<NewFile>>>,
    path: PathBuf,
}

/// The fields of the dataclass `PlayedGame`.
#[derive(FromPyObject)]
pub struct PlayedGame<'py> {
    start: Bound<'py, PyAny>,
    moves: Bound<'py, PyAny>,
    scores: Bound<'py, PyAny>,
    result: f64,
    termination: String,
    random_plies: i64,
    ending: bool,
    played_out: bool,
}

impl PlayedGame<'_> {
    fn record(&self) -> PyResult<TrainingRecord> {
        let start = self.start.extract::<PositionArgument>()?.0;
        let plies = plies(&start, &self.moves, &self.scores)?;
        let outcomes = [Outcome::Win, Outcome::Draw, Outcome::Loss];
        let result = outcomes.into_iter().find(|outcome| f64::from(outcome.half_points()) == 2.0 * self.result);
        let result =
            result.ok_or_else(|| value_error(format!("result is {}; it must be 1.0, 0.5 or 0.0", self.result)))?;
        let end = (0..=u8::MAX).filter_map(RecordedEnd::of_number).find(|end| end.to_string() == self.termination);
        let end = end.ok_or_else(|| value_error(format!("{:?} is not a termination of a game", self.termination)))?;
        let too_many = |_| value_error(format!("random_plies is {}; it must be 0 to 255", self.random_plies));
        let random_plies = u8::try_from(self.random_plies).map_err(too_many)?;
        let (starts_in_endgame, played_out) = (self.ending, self.played_out);
        Ok(TrainingRecord { start, random_plies, starts_in_endgame, played_out, plies, result, end })
    }
}

/// Returns the moves of a game with their scores.
fn plies(start: &Position, moves: &Bound<PyAny>, scores: &Bound<PyAny>) -> PyResult<Vec<Ply>> {
    let (moves, scores) = (items(moves)?, items(scores)?);
    if moves.len() != scores.len() {
        return Err(value_error(format!("a game with {} moves has {} scores", moves.len(), scores.len())));
    }
    if !(1..=MAX_PLIES).contains(&moves.len()) {
        return Err(value_error(format!("a game has {} moves; it must have 1 to {MAX_PLIES}", moves.len())));
    }
    let mut position = start.clone();
    let ply = |(mv, score): (Bound<PyAny>, Bound<PyAny>)| -> PyResult<Ply> {
        let mv = legal_move(&position, &mv)?;
        position.make(mv);
        Ok(Ply { mv, score: score.extract::<Whole<_>>()?.0 })
    };
    moves.iter().zip(scores.iter()).map(ply).collect()
}

impl PlayedGamesWriter {
    /// Runs a job on the writer, without holding the GIL.
    fn with(
        &self,
        py: Python,
        job: impl FnOnce(&mut Option<Writer<NewFile>>) -> io::Result<()> + Send,
    ) -> PyResult<()> {
        py.detach(|| {
            let mut writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
            job(&mut writer).map_err(|error| os_error(&error, &self.path))
        })
    }
}

#[pymethods]
impl PlayedGamesWriter {
    #[new]
    #[pyo3(signature = (path, like = None, *, nodes = 1000, seed = 1))]
    fn new(
        py: Python,
        path: PathBuf,
        like: Option<Bound<PlayedGames>>,
        #[pyo3(from_py_with = whole)] nodes: u32,
        #[pyo3(from_py_with = whole)] seed: u64,
    ) -> PyResult<PlayedGamesWriter> {
        let header = match like {
            Some(games) => games.try_borrow_mut()?.header()?,
            None => Header::with_defaults(seed, nodes),
        };
        let create = || NewFile::create(&path, Existing::Refuse).and_then(|file| Writer::new(file, &header));
        let writer = py.detach(create).map_err(|error| os_error(&error, &path))?;
        Ok(PlayedGamesWriter { writer: Mutex::new(Some(writer)), path })
    }

    /// Adds a game. Raises `ValueError` for a result, a termination or a number of moves that the format
    /// cannot represent, `IllegalMoveError` for an illegal move, and `RecordError` after `close`.
    fn write(&self, py: Python, game: PlayedGame) -> PyResult<()> {
        let record = game.record()?;
        let mut closed = false;
        self.with(py, |writer| match writer {
            Some(writer) => writer.add(record),
            None => {
                closed = true;
                Ok(())
            }
        })?;
        if closed { Err(RecordError::new_err(format!("{} is closed", self.path.display()))) } else { Ok(()) }
    }

    /// Writes the remaining games and renames the file to its final name. A second call has no effect.
    fn close(&self, py: Python) -> PyResult<()> {
        self.with(py, |writer| match writer.take() {
            Some(writer) => writer.close()?.keep(),
            None => Ok(()),
        })
    }

    fn __enter__(slf: Bound<Self>) -> Bound<Self> {
        slf
    }

    #[pyo3(signature = (*exception))]
    fn __exit__(&self, py: Python, exception: &Bound<PyTuple>) -> PyResult<()> {
        if exception.get_item(0).is_ok_and(|kind| kind.is_none()) {
            return self.close(py);
        }
        // An unfinished file is removed.
        self.with(py, |writer| {
            drop(writer.take());
            Ok(())
        })
    }
}
