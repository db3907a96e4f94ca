//! Nodes: the moves in a record's tree.

use crate::annotations::{get, read_time, set, write_time};
use crate::arguments::{Whole, colour, value_error, whole};
use crate::moves::Move;
use crate::notation::{Notation, legal_move};
use crate::position::Position;
use crate::records::{Record, full};
use crate::score::Score;
use chuhe::board::{self, Side};
use chuhe::records::{self, NodeId};
use pyo3::prelude::*;

/// A move in the tree of a record, or the root. A node keeps its record alive. Changing a node that has been
/// removed from its tree raises `ValueError`.
#[pyclass(module = "chuhe", frozen)]
pub struct Node {
    record: Py<Record>,
    id: NodeId,
}

/// Maximum time: a century, as in `Limit`.
const MAX_SECONDS: f64 = 3_155_760_000.0;

/// A variation passed from Python: a node or a move.
enum Variation<'a> {
    Node(NodeId),
    Move(Bound<'a, PyAny>),
}

impl Node {
    /// Creates a node in a record.
    pub fn of(record: Py<Record>, id: NodeId) -> Node {
        Node { record, id }
    }

    fn at(&self, id: NodeId, py: Python) -> Node {
        Node { record: self.record.clone_ref(py), id }
    }

    fn position_of(&self, record: &records::Record) -> board::Position {
        let mut position = record.start.clone();
        // Only legal moves are ever added.
        for mv in record.tree.line_to(self.id) {
            position.make(mv);
        }
        position
    }

    fn read<T>(&self, py: Python, read: impl FnOnce(&records::Record) -> T) -> T {
        read(self.record.borrow(py).inner())
    }

    /// Changes the record. Fails if the node has been removed from it.
    fn change<T>(&self, py: Python, change: impl FnOnce(&mut records::Record) -> PyResult<T>) -> PyResult<T> {
        let mut record = self.record.try_borrow_mut(py)?;
        let record = record.inner_mut();
        let tree = &record.tree;
        let line = std::iter::successors(Some(self.id), |id| tree.parent(*id));
        for id in line {
            let is_there = tree.parent(id).is_none_or(|parent| tree.children(parent).any(|child| child == id));
            if !is_there {
                return Err(value_error("this node was removed from its record"));
            }
        }
        change(record)
    }

    fn variation_of(&self, py: Python, given: &Bound<PyAny>) -> PyResult<NodeId> {
        let given = match given.cast::<Node>() {
            Ok(node) if node.get().record.is(&self.record) => Variation::Node(node.get().id),
            _ => Variation::Move(given.clone()),
        };
        self.read(py, |record| {
            let found = match given {
                Variation::Node(id) => record.tree.children(self.id).find(|child| *child == id),
                Variation::Move(mv) => record.tree.child(self.id, legal_move(&self.position_of(record), &mv)?),
            };
            found.ok_or_else(|| value_error("no such move follows here"))
        })
    }

    /// Moves a variation among its siblings: `place` maps its current index to the new index, or to `None` to
    /// remove it.
    fn rearrange(
        &self,
        py: Python,
        variation: &Bound<PyAny>,
        place: impl FnOnce(usize) -> Option<usize>,
    ) -> PyResult<()> {
        let id = self.variation_of(py, variation)?;
        self.change(py, |record| {
            let mut order: Vec<NodeId> = record.tree.children(self.id).collect();
            let own = order.iter().position(|child| *child == id).unwrap_or_default();
            order.remove(own);
            if let Some(place) = place(own) {
                order.insert(place.min(order.len()), id);
            }
            record.tree.arrange(self.id, &order);
            Ok(())
        })
    }

    fn annotation<T>(&self, py: Python, name: &str, read: impl FnOnce(&str) -> Option<T>) -> Option<T> {
        self.read(py, |record| get(record.tree.comment(self.id), name).and_then(read))
    }

    fn annotate(&self, py: Python, name: &str, text: Option<&str>) -> PyResult<()> {
        self.change(py, |record| {
            let comment = set(record.tree.comment(self.id), name, text);
            record.tree.set_comment(self.id, &comment);
            Ok(())
        })
    }

    fn set_time(&self, py: Python, name: &str, seconds: Option<f64>) -> PyResult<()> {
        if let Some(seconds) = seconds.filter(|seconds| !(0.0..=MAX_SECONDS).contains(seconds)) {
            return Err(value_error(format!("{seconds} is not a time in seconds (0 to {MAX_SECONDS})")));
        }
        self.annotate(py, name, seconds.map(write_time).as_deref())
    }

    fn line(&self, py: Python) -> Vec<NodeId> {
        self.read(py, |record| std::iter::successors(record.tree.next(self.id), |id| record.tree.next(*id)).collect())
    }
}

/// Parses the score of `[%eval …]`: pawns or `#moves` from Red's point of view, optionally followed by a
/// comma and a depth.
fn read_eval(text: &str) -> Option<Score> {
    let score = text.split(',').next()?.trim();
    let red = || Some(crate::arguments::SideArgument(Side::Red));
    match score.strip_prefix('#') {
        Some(moves) => Score::from_mate(moves.parse().ok()?, red()).ok(),
        None => {
            let pawns: f64 = score.parse().ok().filter(|pawns: &f64| pawns.is_finite())?;
            Score::from_cp((pawns * 100.0).round() as i32, red()).ok()
        }
    }
}

/// Formats the score of `[%eval …]`.
fn write_eval(score: &Score, depth: Option<u32>) -> PyResult<String> {
    let red = score.red()?;
    let text = match (red.cp(), red.mate()) {
        (Some(cp), _) => format!("{:.2}", f64::from(cp) / 100.0),
        (None, Some(moves)) => format!("#{moves}"),
        (None, None) => return Err(value_error("only evaluations and mates can be annotated")),
    };
    Ok(depth.map_or(text.clone(), |depth| format!("{text},{depth}")))
}

#[pymethods]
impl Node {
    /// The move; `None` for the root.
    #[getter]
    fn r#move(&self, py: Python) -> Option<Move> {
        self.read(py, |record| record.tree.mv(self.id).map(Move))
    }

    /// Returns a copy of the position after the move.
    fn position(&self, py: Python) -> Position {
        Position::of(self.read(py, |record| self.position_of(record)))
    }

    /// Returns the side to move after the move.
    fn turn(&self, py: Python) -> bool {
        colour(self.read(py, |record| self.position_of(record)).side())
    }

    /// Returns the number of moves from the first position of the record to this node.
    fn ply(&self, py: Python) -> usize {
        self.read(py, |record| record.tree.line_to(self.id).len())
    }

    /// Returns the move in WXF notation. Raises `ValueError` for the root.
    fn san(&self, py: Python) -> PyResult<String> {
        self.read(py, |record| {
            let mut line = record.tree.line_to(self.id);
            let mv = line.pop().ok_or_else(|| value_error("the root has no move"))?;
            let mut position = record.start.clone();
            line.into_iter().for_each(|mv| _ = position.make(mv));
            Ok(Notation::WXF.write(&position, mv))
        })
    }

    /// Returns the move as `h2e2`. Raises `ValueError` for the root.
    fn uci(&self, py: Python) -> PyResult<String> {
        self.r#move(py).map(|mv| mv.uci(false)).ok_or_else(|| value_error("the root has no move"))
    }

    /// The record that contains the node.
    #[getter]
    fn record(&self, py: Python) -> Py<Record> {
        self.record.clone_ref(py)
    }

    /// The root of the tree.
    #[getter]
    fn root(&self, py: Python) -> Node {
        self.at(NodeId::ROOT, py)
    }

    /// The comment after the move.
    #[getter]
    fn comment(&self, py: Python) -> String {
        self.read(py, |record| record.tree.comment(self.id).to_owned())
    }

    #[setter]
    fn set_comment(&self, py: Python, text: &str) -> PyResult<()> {
        self.change(py, |record| {
            record.tree.set_comment(self.id, text);
            Ok(())
        })
    }

    /// The numeric annotation glyphs of the move, at most four: 1 is `!`, 2 is `?`, 4 is `??`.
    #[getter]
    fn nags(&self, py: Python) -> Vec<i64> {
        self.read(py, |record| record.tree.glyphs(self.id).map(i64::from).collect())
    }

    /// Adds a glyph, 1 to 255; a fifth glyph is ignored.
    fn add_nag(&self, py: Python, #[pyo3(from_py_with = whole)] nag: u8) -> PyResult<()> {
        if nag == 0 {
            return Err(value_error("0 is no glyph"));
        }
        self.change(py, |record| {
            record.tree.add_glyph(self.id, nag);
            Ok(())
        })
    }

    /// Returns the score in the comment, from an annotation such as `[%eval 0.35]`, from Red's point of view;
    /// `None` if there is none.
    fn eval(&self, py: Python) -> Option<Score> {
        self.annotation(py, "eval", read_eval)
    }

    /// Returns the depth of the score in the comment, from an annotation such as `[%eval 0.35,12]`; `None` if
    /// there is none.
    fn eval_depth(&self, py: Python) -> Option<u32> {
        self.annotation(py, "eval", |text| text.split_once(',')?.1.trim().parse().ok())
    }

    /// Sets the score in the comment; `None` removes it. Raises `ValueError` for a score without a side, and
    /// for wins by rule or tablebase.
    #[pyo3(signature = (score, depth = None))]
    fn set_eval(&self, py: Python, score: Option<&Score>, depth: Option<Whole<u32>>) -> PyResult<()> {
        let text = score.map(|score| write_eval(score, depth.map(|depth| depth.0))).transpose()?;
        self.annotate(py, "eval", text.as_deref())
    }

    /// Returns the clock after the move in seconds, from an annotation such as `[%clk 0:01:02]`; `None` if
    /// there is none.
    fn clock(&self, py: Python) -> Option<f64> {
        self.annotation(py, "clk", read_time)
    }

    /// Sets the clock in the comment; `None` removes it. Raises `ValueError` for a time below 0 or above a
    /// century.
    #[pyo3(signature = (seconds))]
    fn set_clock(&self, py: Python, seconds: Option<f64>) -> PyResult<()> {
        self.set_time(py, "clk", seconds)
    }

    /// Returns the time spent on the move in seconds, from an annotation such as `[%emt 0:00:03]`; `None` if
    /// there is none.
    fn emt(&self, py: Python) -> Option<f64> {
        self.annotation(py, "emt", read_time)
    }

    /// Sets the time spent on the move in the comment; `None` removes it. Raises `ValueError` as `set_clock`
    /// does.
    #[pyo3(signature = (seconds))]
    fn set_emt(&self, py: Python, seconds: Option<f64>) -> PyResult<()> {
        self.set_time(py, "emt", seconds)
    }

    /// The parent node; `None` for the root.
    #[getter]
    fn parent(&self, py: Python) -> Option<Node> {
        self.read(py, |record| record.tree.parent(self.id)).map(|id| self.at(id, py))
    }

    /// The child nodes, starting with the main line.
    #[getter]
    fn variations(&self, py: Python) -> Vec<Node> {
        let children: Vec<NodeId> = self.read(py, |record| record.tree.children(self.id).collect());
        children.into_iter().map(|id| self.at(id, py)).collect()
    }

    /// Returns the next node of the line; `None` at its end.
    fn next(&self, py: Python) -> Option<Node> {
        self.read(py, |record| record.tree.next(self.id)).map(|id| self.at(id, py))
    }

    /// Returns the nodes after this node to the end of its line, as a new list.
    fn mainline(&self, py: Python) -> Vec<Node> {
        self.line(py).into_iter().map(|id| self.at(id, py)).collect()
    }

    /// The moves after this node to the end of its line, as a new list.
    #[getter]
    fn mainline_moves(&self, py: Python) -> Vec<Move> {
        let line = self.line(py);
        self.read(py, |record| line.into_iter().filter_map(|id| record.tree.mv(id)).map(Move).collect())
    }

    /// Returns the last node of the line.
    fn end(&self, py: Python) -> Node {
        self.at(self.line(py).last().copied().unwrap_or(self.id), py)
    }

    /// Returns `True` if the node has no children.
    fn is_end(&self, py: Python) -> bool {
        self.next(py).is_none()
    }

    /// Returns `True` if the node is the root or the first of its siblings.
    fn is_main_variation(&self, py: Python) -> bool {
        self.read(py, |record| {
            record.tree.parent(self.id).is_none_or(|parent| record.tree.next(parent) == Some(self.id))
        })
    }

    /// Returns `True` if the node is on the main line of the record.
    fn is_mainline(&self, py: Python) -> bool {
        self.read(py, |record| self.id == NodeId::ROOT || record.tree.main_line().any(|id| id == self.id))
    }

    /// Returns `True` if a variation begins here, that is, if the node has an earlier sibling.
    fn starts_variation(&self, py: Python) -> bool {
        !self.is_main_variation(py)
    }

    /// Adds a move as the last child and returns its node. If the move already exists, returns the existing
    /// node. Raises the exceptions of `Position.push`, and `ValueError` if the record is full.
    #[pyo3(signature = (r#move, *, comment = ""))]
    fn add_variation(&self, py: Python, r#move: &Bound<PyAny>, comment: &str) -> PyResult<Node> {
        let id = self.change(py, |record| {
            let mv = legal_move(&self.position_of(record), r#move)?;
            let known = record.tree.child(self.id, mv);
            let id = known.map_or_else(|| record.tree.add(self.id, mv).map_err(full), Ok)?;
            if !comment.is_empty() {
                record.tree.set_comment(id, comment);
            }
            Ok(id)
        })?;
        Ok(self.at(id, py))
    }

    /// Like `add_variation`, but makes the move the first child.
    #[pyo3(signature = (r#move, *, comment = ""))]
    fn add_main_variation(&self, py: Python, r#move: &Bound<PyAny>, comment: &str) -> PyResult<Node> {
        let node = self.add_variation(py, r#move, comment)?;
        self.rearrange(py, Bound::new(py, self.at(node.id, py))?.as_any(), |_| Some(0))?;
        Ok(node)
    }

    /// Adds a sequence of moves and returns the last node. `comment` is the comment of the last move.
    #[pyo3(signature = (moves, *, comment = ""))]
    fn add_line(&self, py: Python, moves: Vec<Bound<PyAny>>, comment: &str) -> PyResult<Node> {
        let mut node = self.at(self.id, py);
        for mv in &moves {
            node = node.add_variation(py, mv, "")?;
        }
        if !comment.is_empty() {
            node.set_comment(py, comment)?;
        }
        Ok(node)
    }

    /// Returns the child specified by a `Move`, a string, a node or an index. Raises `ValueError` if there is
    /// none.
    #[pyo3(signature = (r#move, /))]
    fn variation(&self, py: Python, r#move: &Bound<PyAny>) -> PyResult<Node> {
        if let Ok(index) = r#move.extract::<usize>() {
            let found = self.read(py, |record| record.tree.children(self.id).nth(index));
            return found
                .map(|id| self.at(id, py))
                .ok_or_else(|| value_error(format!("there is no variation {index}")));
        }
        self.variation_of(py, r#move).map(|id| self.at(id, py))
    }

    /// Returns `True` if there is a child specified by a `Move`, a string or a node.
    #[pyo3(signature = (r#move, /))]
    fn has_variation(&self, py: Python, r#move: &Bound<PyAny>) -> bool {
        self.variation_of(py, r#move).is_ok()
    }

    /// Moves a child one place up among its siblings. Raises `ValueError` if there is no such child.
    #[pyo3(signature = (r#move, /))]
    fn promote(&self, py: Python, r#move: &Bound<PyAny>) -> PyResult<()> {
        self.rearrange(py, r#move, |own| Some(own.saturating_sub(1)))
    }

    /// Makes a child the first of its siblings. Raises `ValueError` if there is no such child.
    #[pyo3(signature = (r#move, /))]
    fn promote_to_main(&self, py: Python, r#move: &Bound<PyAny>) -> PyResult<()> {
        self.rearrange(py, r#move, |_| Some(0))
    }

    /// Moves a child one place down among its siblings. Raises `ValueError` if there is no such child.
    #[pyo3(signature = (r#move, /))]
    fn demote(&self, py: Python, r#move: &Bound<PyAny>) -> PyResult<()> {
        self.rearrange(py, r#move, |own| Some(own + 1))
    }

    /// Removes a child with all its descendants. Raises `ValueError` if there is no such child.
    #[pyo3(signature = (r#move, /))]
    fn remove_variation(&self, py: Python, r#move: &Bound<PyAny>) -> PyResult<()> {
        self.rearrange(py, r#move, |_| None)
    }

    fn __eq__(&self, other: &Bound<PyAny>) -> bool {
        other.cast::<Node>().is_ok_and(|other| other.get().id == self.id && other.get().record.is(&self.record))
    }

    fn __hash__(&self) -> isize {
        // Equal nodes have the same record, so the hash of the record is sufficient.
        self.record.as_ptr() as isize
    }

    fn __repr__(&self, py: Python) -> String {
        match self.r#move(py) {
            Some(mv) => format!("<Node {}>", mv.0),
            None => "<Node: start>".to_owned(),
        }
    }
}
