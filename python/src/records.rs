//! Records: games with tags, comments and variations, in every format that the library reads and writes.

use crate::arguments::{GameArgument, Word, value_error};
use crate::calls::call_in;
use crate::errors::{RecordError, os_error};
use crate::game::Game;
use crate::moves::{Move, moves};
use crate::nodes::Node;
use crate::position::Position;
use chuhe::board;
use chuhe::bytes::open_file;
use chuhe::notation::Form;
use chuhe::records::{self, Encoding, Format, GameResult, NodeId, RecordReader, Shortened, cbl, tags};
use pyo3::exceptions::PyUserWarning;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use std::fmt::Display;
use std::io::{self, BufReader, Cursor};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// A game record: tags, a starting position, a tree of moves, and a result.
///
/// `Record()` has no moves; `Record(game)` has the moves of a `Game` or a `Position`. `headers` are its tags,
/// set as by `set_header`, and `result` is `"1-0"`, `"0-1"`, `"1/2-1/2"` or `"*"`.
#[pyclass(module = "chuhe")]
pub struct Record(records::Record);

/// Parses a result.
pub fn result_of(text: &str) -> PyResult<GameResult> {
    GameResult::from_mark(text)
        .ok_or_else(|| value_error(format!("{text:?} is not a result; use 1-0, 0-1, 1/2-1/2 or *")))
}

/// Returns the exception for a record with too many moves.
pub fn full(_: records::Full) -> PyErr {
    value_error(format!("a record has at most {} moves", records::MAX_NODES))
}

/// Tags that the writers derive from the record.
const DERIVED: [&str; 3] = [tags::FEN, tags::FORMAT, tags::GAME];

impl Record {
    /// Sets a tag, or removes it if the value is empty. The tag `Result` sets the result.
    fn set_tag(&mut self, name: &str, value: &str) -> PyResult<()> {
        let is = |tag: &str| name.eq_ignore_ascii_case(tag);
        if is(tags::RESULT) {
            return self.set_result(if value.is_empty() { "*" } else { value });
        }
        if DERIVED.into_iter().any(is) {
            return Err(value_error(format!("the tag {name} depends on the game and cannot be set")));
        }
        let is_wrong = |c: char| c.is_whitespace() || c.is_control() || matches!(c, '"' | '[' | ']' | '\\');
        if name.is_empty() || name.contains(is_wrong) {
            return Err(value_error(format!("{name:?} is not the name of a tag")));
        }
        self.0.set_tag(name, value);
        Ok(())
    }

    /// Wraps a record of the Rust library.
    pub fn of(record: records::Record) -> Record {
        Record(record)
    }

    /// Returns the record of the Rust library.
    pub fn inner(&self) -> &records::Record {
        &self.0
    }

    /// Returns the record of the Rust library for modification.
    pub fn inner_mut(&mut self) -> &mut records::Record {
        &mut self.0
    }
}

#[pymethods]
impl Record {
    #[new]
    #[pyo3(signature = (game = None, headers = None, result = "*"))]
    fn new(game: Option<GameArgument>, headers: Option<Vec<(String, String)>>, result: &str) -> PyResult<Record> {
        let game = game.map_or_else(|| chuhe::rules::Game::new(board::Position::start()), |game| game.0);
        let game = Game::of(game);
        let mut record = records::Record::new(game.start_position());
        let mut last = NodeId::ROOT;
        for mv in game.line() {
            last = record.tree.add(last, mv).map_err(full)?;
        }
        record.result = result_of(result)?;
        let mut record = Record(record);
        headers.unwrap_or_default().iter().try_for_each(|(name, value)| record.set_tag(name, value))?;
        Ok(record)
    }

    /// The tags, as a new dictionary.
    #[getter]
    fn headers<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let headers = PyDict::new(py);
        self.0.tags.iter().try_for_each(|(name, value)| headers.set_item(name, value))?;
        Ok(headers)
    }

    /// Sets a tag, or removes it if the value is empty. `Result` sets the result. Raises `ValueError` for
    /// `FEN`, `Format` and `Game`, which are written from the game, and for a name with spaces, quotation
    /// marks, brackets or control characters.
    fn set_header(&mut self, name: &str, value: &str) -> PyResult<()> {
        self.set_tag(name, value)
    }

    /// Result as stated in the record: `"1-0"`, `"0-1"`, `"1/2-1/2"` or `"*"`.
    #[getter]
    fn result(&self) -> &'static str {
        self.0.result.text()
    }

    #[setter]
    fn set_result(&mut self, text: &str) -> PyResult<()> {
        self.0.result = result_of(text)?;
        Ok(())
    }

    /// The position before the first move.
    #[getter]
    fn start(&self) -> Position {
        Position::of(self.0.start.clone())
    }

    /// The moves of the main line.
    #[getter]
    fn mainline_moves(&self) -> Vec<Move> {
        moves(&self.0.moves())
    }

    /// Returns the game of the main line.
    fn game(&self) -> PyResult<Game> {
        self.0.game().map(Game::of).map_err(value_error)
    }

    /// The root of the tree of moves, which represents the position before the first move.
    #[getter]
    fn root(slf: Bound<Self>) -> Node {
        Node::of(slf.unbind(), NodeId::ROOT)
    }

    /// Returns the moves of the main line as nodes, in a new list.
    fn mainline(slf: Bound<Self>) -> Vec<Node> {
        let line: Vec<NodeId> = slf.borrow().0.tree.main_line().collect();
        line.into_iter().map(|id| Node::of(slf.clone().unbind(), id)).collect()
    }

    /// Returns the record as the content of a file. `format` is `"pgn"`, `"xqf"`, `"cbr"`, `"cbl"`, `"cbf"`,
    /// `"dhtmlxq"`, `"wxf"`, `"position"` or `"moves"`; `notation` (`"iccs"`, `"wxf"`, `"chinese"`) applies
    /// to the formats that contain moves as text.
    ///
    /// Issues a `UserWarning` if a tag is too long for the format and is truncated, and if the format cannot
    /// store glyphs such as `!`, comments or variations, which are omitted; `"position"` and `"moves"` contain
    /// only the main line, without a warning. Raises `ValueError` for a record that could not be read again,
    /// because it is too long, or its variations are nested too deeply or are too many.
    #[pyo3(signature = (format = Word(Format::Pgn), notation = Word(Form::Chinese)))]
    fn to_bytes<'py>(
        &self,
        py: Python<'py>,
        format: Word<Format>,
        notation: Word<Form>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let mut written = format.0.write(&self.0, notation.0).map_err(value_error)?;
        if format.0 == Format::Cbl {
            let title = self.0.tag(tags::TITLE).unwrap_or_default();
            written.bytes = cbl::write_library(title, [&self.0]).map_err(value_error)?;
        }
        let format = format.0.name();
        let shortened = written
            .shortened
            .iter()
            .map(|Shortened { tag, kept, of }| format!("{format} has room for {kept} of the {of} characters of {tag}"));
        let lost = written.signs_lost;
        let signs = (lost > 0)
            .then(|| format!("{format} cannot store glyphs such as ! and ?; the glyphs of {lost} moves are omitted"));
        let (comments, moves) = (written.comments_lost, written.moves_lost);
        let comments =
            (comments > 0).then(|| format!("{format} cannot store comments; {comments} of the record are omitted"));
        let moves = (moves > 0).then(|| format!("{format} cannot store variations; {moves} moves are omitted"));
        for text in shortened.chain(signs).chain(comments).chain(moves) {
            call_in(py, "warnings", "warn", (text, py.get_type::<PyUserWarning>(), 1))?;
        }
        Ok(PyBytes::new(py, &written.bytes))
    }

    /// Returns the record as PGN.
    #[pyo3(signature = (notation = Word(Form::Chinese)))]
    fn to_pgn(&self, notation: Word<Form>) -> String {
        records::pgn::write(&self.0, notation.0)
    }

    fn __eq__(&self, other: &Bound<PyAny>) -> bool {
        let other = other.cast::<Record>().ok().and_then(|other| other.try_borrow().ok());
        other.is_some_and(|other| other.0 == self.0)
    }

    fn __str__(&self) -> String {
        self.to_pgn(Word(Form::Chinese))
    }

    fn __repr__(&self) -> String {
        let name = |tag: &str| self.0.tag(tag).unwrap_or("?").to_owned();
        format!("<Record {:?} - {:?} {}, {} moves>", name("Red"), name("Black"), self.0.result, self.0.moves().len())
    }
}

/// An iterator over the games in a file. An unreadable game raises `RecordError`; the next call continues
/// with the following game.
#[pyclass(module = "chuhe")]
pub struct Records {
    games: Mutex<RecordReader>,
    /// Path of the file, for messages.
    path: Option<PathBuf>,
}

#[pymethods]
impl Records {
    /// The detected format of the file.
    #[getter]
    fn format(&mut self) -> &'static str {
        self.games.get_mut().unwrap_or_else(PoisonError::into_inner).format.name()
    }

    fn __iter__(slf: Bound<Self>) -> Bound<Self> {
        slf
    }

    fn __next__(&mut self, py: Python) -> PyResult<Option<Record>> {
        let games = self.games.get_mut().unwrap_or_else(PoisonError::into_inner);
        let next = py.detach(|| games.next());
        let record = next.transpose().map_err(|fault| unreadable(&fault, self.path.as_deref()))?;
        Ok(record.map(Record))
    }
}

/// Returns the exception for damaged data, with the name of the file.
fn unreadable(fault: &dyn Display, path: Option<&Path>) -> PyErr {
    RecordError::new_err(path.map_or_else(|| fault.to_string(), |path| format!("{}: {fault}", path.display())))
}

/// Parses the name of an encoding.
fn encoding_of(name: Option<&str>) -> PyResult<Option<&'static Encoding>> {
    name.map(|name| records::encoding(name).map_err(value_error)).transpose()
}

/// Reads the games in a file of any supported format: PGN, XQF, CBR, CBL, CBF, DhtmlXQ, WXF, lines of
/// positions, and lists of moves.
///
/// The text encoding is detected unless it is specified by `encoding`, such as `"gb18030"` or `"big5"`.
/// Raises `OSError` if the file cannot be read, `RecordError` if it is not a game file or is too large, and
/// `ValueError` if the encoding is unknown.
#[pyfunction]
#[pyo3(signature = (path, *, encoding = None))]
pub fn read_records(path: PathBuf, encoding: Option<&str>) -> PyResult<Records> {
    let encoding = encoding_of(encoding)?;
    let file = open_file(&path).map_err(|error| os_error(&error, &path))?;
    let games = RecordReader::new_in(BufReader::with_capacity(1 << 16, file), encoding);
    let games = games.map_err(|error: io::Error| match error.raw_os_error() {
        Some(_) => os_error(&error, &path),
        None => unreadable(&error, Some(&path)),
    })?;
    Ok(Records { games: Mutex::new(games), path: Some(path) })
}

/// Reads the games in a string, or in the bytes of a file. `encoding` is as in `read_records`, and applies
/// only to bytes. Raises `RecordError` if the data are not games, and `ValueError` as `read_records` does.
#[pyfunction]
#[pyo3(signature = (data, *, encoding = None))]
pub fn parse_records(data: &Bound<PyAny>, encoding: Option<&str>) -> PyResult<Records> {
    let encoding = encoding_of(encoding)?;
    let bytes = match data.cast::<PyBytes>() {
        Ok(bytes) => bytes.as_bytes().to_vec(),
        Err(_) if encoding.is_some() => return Err(value_error("a str has no encoding: pass bytes")),
        Err(_) => data.extract::<String>()?.into_bytes(),
    };
    let games = RecordReader::new_in(Cursor::new(bytes), encoding).map_err(|error| unreadable(&error, None))?;
    Ok(Records { games: Mutex::new(games), path: None })
}
