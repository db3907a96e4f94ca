//! Records: games with tags, comments and variations, in every format that the library reads and writes.

use crate::arguments::{GameArgument, Word, value_error};
use crate::errors::RecordError;
use crate::game::Game;
use crate::moves::{Move, moves};
use crate::notation::legal_move;
use crate::position::Position;
use chuhe::board;
use chuhe::notation::Form;
use chuhe::records::{self, Fault, Format, GameResult, Games, NodeId};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use std::io::Cursor;
use std::path::PathBuf;
use std::sync::Mutex;

/// A game of a file: tags, a start, a tree of moves, a result.
///
/// `Record()` has no moves; `Record(game)` has those of a `Game` or a `Position`. `headers` are its tags, and `result` is `"1-0"`, `"0-1"`,
/// `"1/2-1/2"` or `"*"`.
#[pyclass(module = "chuhe")]
pub struct Record(records::Record);

/// Reads a result.
pub fn result_of(text: &str) -> PyResult<GameResult> {
    GameResult::from_mark(text)
        .ok_or_else(|| value_error(format!("{text:?} is not a result; use 1-0, 0-1, 1/2-1/2 or *")))
}

fn full(_: records::Full) -> PyErr {
    value_error(format!("a record has at most {} moves", records::MAX_NODES))
}

impl Record {
    /// A record of the library.
    pub fn of(record: records::Record) -> Record {
        Record(record)
    }

    /// The record as the library has it.
    pub fn inner(&self) -> &records::Record {
        &self.0
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
        headers.unwrap_or_default().iter().for_each(|(name, value)| record.set_tag(name, value));
        Ok(Record(record))
    }

    /// The tags, a new dictionary.
    #[getter]
    fn headers<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let headers = PyDict::new(py);
        self.0.tags.iter().try_for_each(|(name, value)| headers.set_item(name, value))?;
        Ok(headers)
    }

    /// Sets a tag, or takes it away if the value is empty.
    fn set_header(&mut self, name: &str, value: &str) {
        self.0.set_tag(name, value);
    }

    /// How it ended, as the record claims: `"1-0"`, `"0-1"`, `"1/2-1/2"` or `"*"`.
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

    /// The game of the main line.
    fn game(&self) -> PyResult<Game> {
        self.0.game().map(Game::of).map_err(value_error)
    }

    /// The root of the tree of moves: the start of the game.
    #[getter]
    fn root(slf: Bound<Self>) -> Node {
        Node { record: slf.unbind(), id: NodeId::ROOT }
    }

    /// The record as the bytes of a file. `format` is `"pgn"`, `"xqf"`, `"cbr"`, `"cbl"`, `"cbf"`, `"dhtmlxq"`, `"wxf"`, `"position"` or
    /// `"moves"`; `notation` (`"iccs"`, `"wxf"`, `"chinese"`) is for the formats that write moves as people do.
    #[pyo3(signature = (format = Word(Format::Pgn), notation = Word(Form::Chinese)))]
    fn to_bytes<'py>(&self, py: Python<'py>, format: Word<Format>, notation: Word<Form>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &format.0.write(&self.0, notation.0))
    }

    /// The record as PGN.
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

/// A move in the tree of a record, or its root. It keeps its record alive.
#[pyclass(module = "chuhe", frozen)]
pub struct Node {
    record: Py<Record>,
    id: NodeId,
}

impl Node {
    fn at(&self, id: NodeId, py: Python) -> Node {
        Node { record: self.record.clone_ref(py), id }
    }

    fn position_of(&self, record: &Record) -> board::Position {
        let mut position = record.0.start.clone();
        // Nothing but legal moves is ever added.
        for mv in record.0.tree.line_to(self.id) {
            position.make(mv);
        }
        position
    }
}

#[pymethods]
impl Node {
    /// The move; `None` for the root.
    #[getter]
    fn r#move(&self, py: Python) -> Option<Move> {
        self.record.borrow(py).0.tree.mv(self.id).map(Move)
    }

    /// The position after the move, a copy.
    fn position(&self, py: Python) -> Position {
        Position::of(self.position_of(&self.record.borrow(py)))
    }

    /// The comment after the move.
    #[getter]
    fn comment(&self, py: Python) -> String {
        self.record.borrow(py).0.tree.comment(self.id).to_owned()
    }

    #[setter]
    fn set_comment(&self, py: Python, text: &str) {
        self.record.borrow_mut(py).0.tree.set_comment(self.id, text);
    }

    /// The numeric annotation glyphs of the move, at most four: 1 is `!`, 2 is `?`, 4 is `??`.
    #[getter]
    fn nags(&self, py: Python) -> Vec<i64> {
        self.record.borrow(py).0.tree.glyphs(self.id).map(i64::from).collect()
    }

    /// Adds a glyph, 1 to 255; a fifth is dropped.
    fn add_nag(&self, py: Python, nag: u8) -> PyResult<()> {
        if nag == 0 {
            return Err(value_error("0 is no glyph"));
        }
        self.record.borrow_mut(py).0.tree.add_glyph(self.id, nag);
        Ok(())
    }

    /// The move before; `None` for the root.
    #[getter]
    fn parent(&self, py: Python) -> Option<Node> {
        self.record.borrow(py).0.tree.parent(self.id).map(|id| self.at(id, py))
    }

    /// The moves that follow, the main line first.
    #[getter]
    fn variations(&self, py: Python) -> Vec<Node> {
        self.record.borrow(py).0.tree.children(self.id).map(|id| self.at(id, py)).collect()
    }

    /// The move with which the line goes on; `None` at its end.
    fn next(&self, py: Python) -> Option<Node> {
        self.record.borrow(py).0.tree.next(self.id).map(|id| self.at(id, py))
    }

    /// Adds a move behind those that follow, and returns its node; if the move is there already, that is returned. Raises what
    /// `Position.push` raises, and `ValueError` for a record that is full.
    #[pyo3(signature = (r#move, *, comment = ""))]
    fn add_variation(&self, py: Python, r#move: &Bound<PyAny>, comment: &str) -> PyResult<Node> {
        let mut record = self.record.try_borrow_mut(py)?;
        let mv = legal_move(&self.position_of(&record), r#move)?;
        let known = record.0.tree.child(self.id, mv);
        let id = known.map_or_else(|| record.0.tree.add(self.id, mv).map_err(full), Ok)?;
        if !comment.is_empty() {
            record.0.tree.set_comment(id, comment);
        }
        Ok(self.at(id, py))
    }

    fn __eq__(&self, other: &Bound<PyAny>) -> bool {
        other.cast::<Node>().is_ok_and(|other| other.get().id == self.id && other.get().record.is(&self.record))
    }

    fn __hash__(&self) -> isize {
        // Equal nodes have the same record; that is enough.
        self.record.as_ptr() as isize
    }

    fn __repr__(&self, py: Python) -> String {
        match self.r#move(py) {
            Some(mv) => format!("<Node {}>", mv.0),
            None => "<Node: start>".to_owned(),
        }
    }
}

/// The games of a file, one after another. A game that can't be read raises `RecordError`, and the next call goes on behind it.
#[pyclass(module = "chuhe")]
pub struct Records(Mutex<Games>);

#[pymethods]
impl Records {
    /// The format that the file was found to have.
    #[getter]
    fn format(&mut self) -> &'static str {
        self.0.get_mut().unwrap_or_else(std::sync::PoisonError::into_inner).format.name()
    }

    fn __iter__(slf: Bound<Self>) -> Bound<Self> {
        slf
    }

    fn __next__(&mut self, py: Python) -> PyResult<Option<Record>> {
        let games = self.0.get_mut().unwrap_or_else(std::sync::PoisonError::into_inner);
        let next = py.detach(|| games.next());
        next.transpose()
            .map(|record| record.map(Record))
            .map_err(|fault: Fault| RecordError::new_err(fault.to_string()))
    }
}

/// The games of a file of any format: PGN, XQF, CBR, CBL, CBF, DhtmlXQ, WXF, lines of positions, lists of moves. Raises `OSError`.
#[pyfunction]
pub fn read_records(path: PathBuf) -> PyResult<Records> {
    Ok(Records(Mutex::new(Games::open(&path)?)))
}

/// The games of a text, or of the bytes of a file.
#[pyfunction]
pub fn parse_records(data: &Bound<PyAny>) -> PyResult<Records> {
    let bytes = match data.cast::<PyBytes>() {
        Ok(bytes) => bytes.as_bytes().to_vec(),
        Err(_) => data.extract::<String>()?.into_bytes(),
    };
    Ok(Records(Mutex::new(Games::new(Cursor::new(bytes))?)))
}
