//! Lines that lead to a position in a database.

use super::error::Error;
use super::lease::roots;
use super::place::Place;
use super::store::Store;
use chuhe_board::{Move, Position};
use chuhe_engine::book::BookKeys;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Maximum number of positions in the search for a line.
const MAX_POSITIONS: usize = 20_000;

impl Store {
    /// Returns a line through analysed and played positions to a position, from one of the given positions or,
    /// if there are none, from a root: its first position and its moves. Returns `None` if no line is known, or
    /// if none is found among the nearest positions.
    ///
    /// # Errors
    /// Returns an error if the database is damaged.
    pub fn line_to(&self, position: &Position, from: &[Position]) -> Result<Option<(Position, Vec<Move>)>, Error> {
        let snapshot = self.database.unchecked_transaction()?;
        let starts = match from {
            [] => roots(&snapshot)?,
            given => given.iter().map(Place::of).collect(),
        };
        let starts: BTreeMap<u64, Position> = starts.into_iter().map(|place| (place.key, place.position)).collect();
        let sql =
            "SELECT key, board FROM positions WHERE key = ?1 UNION ALL SELECT key, board FROM played WHERE key = ?1";
        let mut known = snapshot.prepare_cached(sql)?;
        let mut parents = snapshot.prepare_cached("SELECT parent FROM edges WHERE child = ?1 ORDER BY parent")?;
        let target = Place::of(position);
        // Each position on the way back, with the next position towards the target.
        let mut next = BTreeMap::from([(target.key, target.key)]);
        let mut open = VecDeque::from([target.key]);
        while let Some(key) = open.pop_front() {
            if let Some(start) = starts.get(&key).cloned() {
                let keys = std::iter::successors(Some(key), |key| next.get(key).filter(|next| *next != key).copied());
                let line = moves(&start, keys.skip(1)).ok_or(Error::Damaged(key))?;
                return Ok(Some((start, line)));
            }
            let rows = parents.query_map([key as i64], |row| row.get::<_, i64>(0))?;
            let mut before = rows.map(|key| Ok(key? as u64)).collect::<Result<BTreeSet<u64>, Error>>()?;
            // Edges connect only analysed positions.
            if before.is_empty() {
                let place = known.query([key as i64])?.next()?.map(Place::of_row).transpose()?;
                before = place.as_ref().unwrap_or(&target).before().into_iter().map(|before| before.key).collect();
            }
            for parent in before {
                if !next.contains_key(&parent) && next.len() < MAX_POSITIONS && known.exists([parent as i64])? {
                    next.insert(parent, key);
                    open.push_back(parent);
                }
            }
        }
        Ok(None)
    }
}

/// Returns the moves that lead from a position through the positions with the given keys.
fn moves(start: &Position, keys: impl Iterator<Item = u64>) -> Option<Vec<Move>> {
    let mut position = start.clone();
    let mut line = Vec::new();
    for key in keys {
        let after = |mv: Move| {
            let mut after = position.clone();
            after.make(mv);
            Place::of(&after).key
        };
        let mv = position.legal_moves().into_iter().find(|mv| after(*mv) == key)?;
        let keys = BookKeys::of(&position);
        let mv = if keys.is_symmetric() { keys.oriented(&position, mv) } else { mv };
        position.make(mv);
        line.push(mv);
    }
    Some(line)
}
