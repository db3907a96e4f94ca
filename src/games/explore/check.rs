//! Checks a whole database: recomputes every stored value from scratch.

use super::error::Error;
use super::session::{Link, Row, Session, barred_edges, referee};
use super::store::{Store, costs, rows};
use super::value::State;
use rusqlite::Connection;
use std::collections::{BTreeMap, BTreeSet};

/// Fault in a database.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Fault {
    /// The stored position cannot be decoded, or has a different key.
    #[error("position {0:016x} cannot be decoded")]
    Board(u64),
    /// The moves are not the legal moves of the position.
    #[error("the moves of position {0:016x} are not the legal moves")]
    Moves(u64),
    /// The link of a move to another analysed position is missing or wrong.
    #[error("the moves from position {0:016x} to other positions are wrong")]
    Edges(u64),
    /// The value or the cost is wrong; contains the stored and the correct state.
    #[error("position {0:016x} has the value {1:?} instead of {2:?}")]
    State(u64, State, State),
    /// The barred moves are wrong.
    #[error("the barred moves of position {0:016x} are wrong")]
    Bars(u64),
    /// The number of positions below is wrong; contains the stored and the correct number.
    #[error("position {0:016x} counts {1} positions instead of {2}")]
    Count(u64, u64, u64),
}

/// Result of a check.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Checked {
    /// Number of positions.
    pub positions: u64,
    /// Faults.
    pub faults: Vec<Fault>,
}

/// The computed columns of all positions, in the order of their keys, so that faults have a fixed order.
type OrderedRows = BTreeMap<u64, Row>;

impl Store {
    /// Checks all positions, moves, values and counts. Values are checked only if positions and moves are
    /// sound. Requires about a kilobyte of memory per position.
    ///
    /// # Errors
    /// Returns an error if the database cannot be read.
    pub fn check(&self) -> Result<Checked, Error> {
        let snapshot = self.database.unchecked_transaction()?;
        let rows: OrderedRows = rows(&snapshot)?.into_iter().collect();
        let mut session = Session::blank(&snapshot, referee(&snapshot, self.rules));
        let mut faults = moves_at_fault(&snapshot, &mut session, &rows)?;
        if faults.is_empty() {
            session.update_values(costs(&snapshot)?, rows.keys().copied())?;
            for (key, row) in &rows {
                let right = session.row(*key)?.state;
                if row.state != right {
                    faults.push(Fault::State(*key, row.state, right));
                }
            }
            let bars = barred_edges(&snapshot)?;
            let wrong: BTreeSet<u64> = bars.symmetric_difference(session.bars()).map(|edge| edge.parent).collect();
            faults.extend(wrong.into_iter().map(Fault::Bars));
        }
        count(&rows, &mut faults);
        Ok(Checked { positions: rows.len() as u64, faults })
    }
}

/// Compares the stored positions, moves and links with the moves generated on the board.
fn moves_at_fault(database: &Connection, session: &mut Session, rows: &OrderedRows) -> Result<Vec<Fault>, Error> {
    let mut faults = Vec::new();
    for &key in rows.keys() {
        let Ok(place) = session.place(key) else {
            faults.push(Fault::Board(key));
            continue;
        };
        let moves = place.moves();
        let link = |(index, mv): (usize, &chuhe_board::Move)| {
            let child = place.key_after(*mv);
            rows.contains_key(&child).then(|| (index as u8, Link { child, is_reversible: place.is_reversible(*mv) }))
        };
        let links: BTreeMap<u8, Link> = moves.iter().enumerate().filter_map(link).collect();
        match session.node(key) {
            Ok(node) if node.moves.iter().map(|entry| entry.mv).ne(moves) => faults.push(Fault::Moves(key)),
            Ok(node) if node.links != links => faults.push(Fault::Edges(key)),
            Ok(_) => {}
            Err(_) => faults.push(Fault::Moves(key)),
        }
    }
    let sql = "SELECT DISTINCT parent FROM edges WHERE NOT EXISTS (SELECT 1 FROM positions WHERE key = parent)
        OR NOT EXISTS (SELECT 1 FROM positions WHERE key = child)";
    let mut statement = database.prepare(sql)?;
    for parent in statement.query_map([], |row| row.get::<_, i64>(0))? {
        faults.push(Fault::Edges(parent? as u64));
    }
    Ok(faults)
}

/// Checks the numbers of positions below: each position counts itself and the positions of which it is the
/// parent.
fn count(stored: &OrderedRows, faults: &mut Vec<Fault>) {
    let mut below: BTreeMap<u64, u64> = stored.keys().map(|key| (*key, 0)).collect();
    for &key in stored.keys() {
        let (mut next, mut steps) = (Some(key), 0);
        // A path has at most as many steps as there are positions; the limit ends the loop if the parents
        // form a cycle.
        while let Some(at) = next.filter(|_| steps <= stored.len()) {
            below.entry(at).and_modify(|count| *count += 1);
            next = stored.get(&at).and_then(|row| row.above);
            steps += 1;
        }
    }
    for (key, row) in stored {
        if below[key] != row.below {
            faults.push(Fault::Count(*key, row.below, below[key]));
        }
    }
}
