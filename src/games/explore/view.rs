//! Reading a database: the moves in a position, the best line, and all positions.

use super::error::Error;
use super::place::Place;
use super::session::{Edge, Session};
use super::store::{Analysis, Store};
use super::value::{Value, Valued, best};
use chuhe_board::{Move, Position};
use chuhe_engine::book::ScoredMove;
use rusqlite::OptionalExtension;
use std::cmp::Reverse;
use std::collections::BTreeSet;

/// A position in the database.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct View {
    /// Backed-up value.
    pub value: Value,
    /// Number of positions below it, including itself; each is counted under only one parent.
    pub below: u64,
    /// Engine that analysed the position.
    pub engine: String,
    /// Number of nodes of this analysis, for its best lines.
    pub nodes: u64,
    /// Depth of this analysis, in plies.
    pub depth: u32,
    /// Moves, best first.
    pub moves: Vec<MoveView>,
}

/// A move in a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MoveView {
    /// Move.
    pub mv: Move,
    /// Backed-up value, or the engine's score for an unexplored move.
    pub value: Option<Value>,
    /// The engine's score in the analysis of the position.
    pub own: Option<i16>,
    /// Number of positions counted below the move; 0 if it was not explored.
    pub below: u64,
    /// `true` if the move is barred by the rules of repetition.
    pub barred: bool,
}

impl Store {
    /// Returns a position with its moves; `None` if it was not analysed.
    ///
    /// # Errors
    /// Returns an error if the database is damaged.
    pub fn view(&self, position: &Position) -> Result<Option<View>, Error> {
        let place = Place::of(position);
        let sql = "SELECT value, plies, below, name, nodes, depth FROM positions JOIN engines ON engine = id
            WHERE key = ?1";
        let read = |row: &rusqlite::Row| {
            let value = Value { score: row.get(0)?, plies: row.get(1)? };
            let (below, nodes) = (row.get::<_, i64>(2)? as u64, row.get::<_, i64>(4)? as u64);
            Ok(View { value, below, engine: row.get(3)?, nodes, depth: row.get(5)?, moves: Vec::new() })
        };
        let snapshot = self.database.unchecked_transaction()?;
        let found = snapshot.prepare_cached(sql)?.query_row([place.key as i64], read).optional()?;
        let Some(mut view) = found else { return Ok(None) };
        let mut session = Session::of(&snapshot, self.rules)?;
        for Valued { index, value, barred, .. } in session.moves(place.key)? {
            let ScoredMove { mv, score } = session.node(place.key)?.moves[usize::from(index)];
            let below = match session.link_of(Edge { parent: place.key, index })? {
                None => 0,
                Some(link) => session.row(link.child)?.below,
            };
            view.moves.push(MoveView { mv: place.oriented(mv), value, own: score, below, barred });
        }
        view.moves.sort_by_key(|entry| (Reverse(entry.value.map(Value::order)), Reverse(entry.below)));
        Ok(Some(view))
    }

    /// Returns the line in which both sides play their best moves from a position, up to the first repetition
    /// or the first position that was not analysed.
    ///
    /// # Errors
    /// Returns an error if the database is damaged.
    pub fn line(&self, position: &Position) -> Result<Vec<Move>, Error> {
        let snapshot = self.database.unchecked_transaction()?;
        let mut session = Session::of(&snapshot, self.rules)?;
        let (mut position, mut line, mut seen) = (position.clone(), Vec::new(), BTreeSet::new());
        let mut known = snapshot.prepare_cached("SELECT 1 FROM positions WHERE key = ?1")?;
        loop {
            let place = Place::of(&position);
            if !known.exists([place.key as i64])? || !seen.insert(place.key) {
                return Ok(line);
            }
            let moves = session.moves(place.key)?;
            let Some((chosen, _)) = best(&moves) else { return Ok(line) };
            let mv = place.oriented(session.node(place.key)?.moves[usize::from(chosen.index)].mv);
            if position.try_make(mv).is_err() {
                return Err(Error::Damaged(place.key));
            }
            line.push(mv);
        }
    }

    /// Calls `visit` with every position, its analysis, its value and the number of positions below it; stops
    /// at the first error of `visit`.
    ///
    /// # Errors
    /// Returns an error if the database is damaged.
    pub fn each<E>(
        &self,
        mut visit: impl FnMut(Analysis, Value, u64) -> Result<(), E>,
    ) -> Result<Result<(), E>, Error> {
        let sql = "SELECT key, board, moves, value, plies, below, name, nodes, depth FROM positions
            JOIN engines ON engine = id ORDER BY key";
        let mut statement = self.database.prepare(sql)?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let (analysis, value, below) = read(row)?;
            if let Err(error) = visit(analysis, value, below) {
                return Ok(Err(error));
            }
        }
        Ok(Ok(()))
    }
}

fn read(row: &rusqlite::Row) -> Result<(Analysis, Value, u64), Error> {
    let place = Place::of_row(row)?;
    let moves = ScoredMove::read(row.get_ref(2)?.as_blob().map_err(rusqlite::Error::from)?);
    let moves = moves.ok_or(Error::Damaged(place.key))?;
    let analysis = Analysis {
        position: place.position,
        scores: moves.into_iter().filter_map(|entry| Some((entry.mv, entry.score?))).collect(),
        engine: row.get(6)?,
        nodes: row.get::<_, i64>(7)? as u64,
        depth: row.get(8)?,
    };
    Ok((analysis, Value { score: row.get(3)?, plies: row.get(4)? }, row.get::<_, i64>(5)? as u64))
}
