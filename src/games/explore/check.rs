//! Checks a whole database: recomputes every stored value from scratch.

use super::error::Error;
use super::graph::{Edge, settle};
use super::memory::Memory;
use super::place::Place;
use super::session::{Link, Node, offender};
use super::store::Store;
use super::value::{State, Value};
use chuhe_engine::book::ScoredMove;
use std::collections::BTreeMap;

/// A fault of a database.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Fault {
    /// The stored position cannot be decoded, or has another key.
    #[error("position {0:016x} cannot be decoded")]
    Board(u64),
    /// The stored moves are not the legal moves.
    #[error("position {0:016x} has other moves than the legal ones")]
    Moves(u64),
    /// A move to another analysed position is missing or wrong.
    #[error("the moves from position {0:016x} to other positions are wrong")]
    Edges(u64),
    /// The value or the cost is wrong: the stored one and the correct one.
    #[error("position {0:016x} has the value {1:?} instead of {2:?}")]
    State(u64, State, State),
    /// The barred moves are wrong.
    #[error("the barred moves of position {0:016x} are wrong")]
    Bars(u64),
    /// The number of positions below is wrong: the stored one and the correct one.
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

/// A row of the database.
struct Stored {
    node: Node,
    state: State,
    below: u64,
    above: Option<u64>,
}

/// The rows by key.
type Rows = BTreeMap<u64, Stored>;

impl Store {
    /// Checks all positions, moves, values and counts. Requires about a kilobyte of memory per position.
    ///
    /// # Errors
    /// Returns an error if the database cannot be read.
    pub fn check(&self) -> Result<Checked, Error> {
        let snapshot = self.database.unchecked_transaction()?;
        let mut faults = Vec::new();
        let (stored, places) = self.rows(&mut faults)?;
        let mut nodes = BTreeMap::new();
        for (&key, place) in &places {
            let row = &stored[&key];
            let links = place.moves().into_iter().enumerate().filter_map(|(index, mv)| {
                let child = place.after(mv).key;
                let link = Link { child, repeats: place.can_repeat(mv), barred: false };
                places.contains_key(&child).then_some((index as u8, link))
            });
            let links: BTreeMap<u8, Link> = links.collect();
            let unbarred = row.node.links.iter().map(|(index, link)| (*index, Link { barred: false, ..*link }));
            if unbarred.collect::<BTreeMap<_, _>>() != links {
                faults.push(Fault::Edges(key));
            }
            nodes.insert(key, Node { moves: row.node.moves.clone(), links });
        }
        let referee = |cycle: &[Edge]| {
            let moves = cycle.iter().map(|edge| stored[&edge.parent].node.moves[usize::from(edge.index)].mv);
            offender(&places[&cycle[0].parent], &moves.collect::<Vec<_>>(), self.rules)
        };
        let mut memory = Memory::new(nodes, Box::new(referee));
        let Ok(()) = settle(&mut memory, self.costs, places.keys().copied());
        for (key, node) in memory.nodes() {
            let row = &stored[key];
            let right = memory.states().get(key).copied().unwrap_or_default();
            if row.state != right {
                faults.push(Fault::State(*key, row.state, right));
            }
            let barred = |node: &Node| node.links.values().map(|link| link.barred).collect::<Vec<_>>();
            if row.node.links.len() == node.links.len() && barred(&row.node) != barred(node) {
                faults.push(Fault::Bars(*key));
            }
        }
        count(&stored, &mut faults);
        drop(snapshot);
        Ok(Checked { positions: stored.len() as u64, faults })
    }

    /// Reads all positions with their moves.
    fn rows(&self, faults: &mut Vec<Fault>) -> Result<(Rows, BTreeMap<u64, Place>), Error> {
        let (mut stored, mut places) = (BTreeMap::new(), BTreeMap::new());
        let sql = "SELECT key, board, moves, value, plies, cost, below, above FROM positions";
        let mut statement = self.database.prepare(sql)?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let key = row.get::<_, i64>(0)? as u64;
            let blob = |at: usize| row.get_ref(at)?.as_blob().map_err(rusqlite::Error::from);
            let moves = ScoredMove::read(blob(2)?);
            let state = State { value: Value { score: row.get(3)?, plies: row.get(4)? }, cost: row.get(5)? };
            let (below, above) = (row.get::<_, i64>(6)? as u64, row.get::<_, Option<i64>>(7)?.map(|key| key as u64));
            match Place::read(key, blob(1)?) {
                None => faults.push(Fault::Board(key)),
                Some(place) if moves.iter().flatten().map(|entry| entry.mv).ne(place.moves()) => {
                    faults.push(Fault::Moves(key));
                }
                Some(place) => drop(places.insert(key, place)),
            }
            let node = Node { moves: moves.unwrap_or_default(), links: BTreeMap::new() };
            stored.insert(key, Stored { node, state, below, above });
        }
        let mut statement = self.database.prepare("SELECT parent, place, child, repeats, barred FROM edges")?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let (parent, index, child) = (row.get::<_, i64>(0)? as u64, row.get(1)?, row.get::<_, i64>(2)? as u64);
            match stored.get_mut(&parent) {
                Some(row_of) => {
                    let link = Link { child, repeats: row.get(3)?, barred: row.get(4)? };
                    row_of.node.links.insert(index, link);
                }
                None => faults.push(Fault::Edges(parent)),
            }
        }
        Ok((stored, places))
    }
}

/// Checks the numbers of positions below: each position counts itself and the positions of which it is the
/// parent.
fn count(stored: &Rows, faults: &mut Vec<Fault>) {
    let mut below: BTreeMap<u64, u64> = stored.keys().map(|key| (*key, 0)).collect();
    for &key in stored.keys() {
        let (mut next, mut steps) = (Some(key), 0);
        // A path is at most as long as the number of positions, so a cycle, which is a separate fault, ends
        // the loop.
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
