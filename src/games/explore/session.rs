//! The graph of a database during a transaction, with a cache of the rows read. Changed values, counts and
//! bars are written together at the end.

use super::error::Error;
use super::place::{Before, Place};
use super::value::{State, Value, Valued};
use chuhe_board::Move;
use chuhe_board::rules::{Game, Outcome, RuleSet, judge_repetition};
use chuhe_engine::book::ScoredMove;
use rusqlite::{Connection, OptionalExtension};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// A move to an analysed position.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Edge {
    /// Key of the position before the move.
    pub parent: u64,
    /// Index of the move among the moves of the position.
    pub index: u8,
}

/// Returns the offender in a cycle of moves under the rules of repetition: 0 for the side that plays the
/// first move, 1 for the other side; `None` if the repetition is a draw.
pub type Referee<'r> = Box<dyn Fn(&[Edge]) -> Result<Option<usize>, Error> + 'r>;

/// A link from a position to an analysed position after one of its moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Link {
    /// Key of the position after the move.
    pub child: u64,
    /// `true` if the move is reversible: neither a capture nor a pawn's advance.
    pub is_reversible: bool,
}

/// Moves of a position, with links by the index of the move.
pub(super) struct Node {
    pub moves: Vec<ScoredMove>,
    pub links: BTreeMap<u8, Link>,
}

/// Computed columns of a position.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Row {
    pub state: State,
    /// Number of positions below it, including itself; each is counted under only one parent.
    pub below: u64,
    /// Parent under which it is counted.
    pub above: Option<u64>,
}

/// The computed columns of positions, by key.
pub(super) type Rows = HashMap<u64, Row>;

impl Row {
    /// Reads the columns value, plies, cost, below and above, beginning at `first`.
    pub(super) fn read(row: &rusqlite::Row, first: usize) -> rusqlite::Result<Row> {
        let value = Value { score: row.get(first)?, plies: row.get(first + 1)? };
        let above = row.get::<_, Option<i64>>(first + 4)?.map(|key| key as u64);
        Ok(Row {
            state: State { value, cost: row.get(first + 2)? },
            below: row.get::<_, i64>(first + 3)? as u64,
            above,
        })
    }
}

/// A transaction's view of the graph.
pub(super) struct Session<'c> {
    database: &'c Connection,
    pub referee: Referee<'c>,
    nodes: HashMap<u64, Node>,
    rows: Rows,
    /// `true` if `rows` contains all positions, so that a key can be looked up without the file.
    has_all_rows: bool,
    parents: HashMap<u64, Vec<(u64, bool)>>,
    /// Barred moves.
    bars: BTreeSet<Edge>,
    /// `true` if the stored values and bars are ignored.
    is_blank: bool,
    changed: BTreeSet<u64>,
    changed_bars: BTreeSet<Edge>,
}

impl<'c> Session<'c> {
    /// Creates a view of the database, which must be in a transaction.
    pub(super) fn new(database: &'c Connection, referee: Referee<'c>) -> Result<Session<'c>, Error> {
        Ok(Session { bars: barred_edges(database)?, is_blank: false, ..Session::blank(database, referee) })
    }

    /// Creates a view of the database that judges cycles by `rules`.
    pub(super) fn of(database: &'c Connection, rules: RuleSet) -> Result<Session<'c>, Error> {
        Session::new(database, referee(database, rules))
    }

    /// Creates a view that ignores the stored values and bars.
    pub(super) fn blank(database: &'c Connection, referee: Referee<'c>) -> Session<'c> {
        let (nodes, rows, parents) = (HashMap::new(), HashMap::new(), HashMap::new());
        let (bars, changed, changed_bars) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
        Session {
            database,
            referee,
            nodes,
            rows,
            has_all_rows: false,
            parents,
            bars,
            is_blank: true,
            changed,
            changed_bars,
        }
    }

    /// Sets the rows of all positions, which were read in advance.
    pub(super) fn set_rows(&mut self, rows: Rows) {
        self.rows = rows;
        self.has_all_rows = true;
    }

    /// Returns the moves and links of a position.
    pub(super) fn node(&mut self, key: u64) -> Result<&mut Node, Error> {
        if !self.nodes.contains_key(&key) {
            let node = self.load(key)?;
            self.nodes.insert(key, node);
        }
        self.nodes.get_mut(&key).ok_or(Error::Damaged(key))
    }

    fn load(&mut self, key: u64) -> Result<Node, Error> {
        let moves = stored_moves(self.database, key)?;
        let database = self.database;
        let mut statement = database.prepare_cached("SELECT place, child, repeats FROM edges WHERE parent = ?1")?;
        let mut edges = statement.query([key as i64])?;
        let mut links = BTreeMap::new();
        while let Some(edge) = edges.next()? {
            let (index, child) = (edge.get::<_, u8>(0)?, edge.get::<_, i64>(1)? as u64);
            if usize::from(index) >= moves.len() {
                return Err(Error::Damaged(key));
            }
            links.insert(index, Link { child, is_reversible: edge.get(2)? });
            self.row(child)?;
        }
        Ok(Node { moves, links })
    }

    /// Removes a position from the cache after its stored moves have changed.
    pub(super) fn forget(&mut self, key: u64) {
        self.nodes.remove(&key);
    }

    /// Links a new position, which was inserted without values, to its successors and predecessors. Returns
    /// the keys of the predecessors.
    pub(super) fn link(&mut self, place: &Place, moves: Vec<ScoredMove>) -> Result<Vec<u64>, Error> {
        let mut insert = self.database.prepare_cached("INSERT OR IGNORE INTO edges VALUES (?1, ?2, ?3, ?4, 0)")?;
        let mut links = BTreeMap::new();
        for (index, entry) in moves.iter().enumerate() {
            let link = Link { child: place.key_after(entry.mv), is_reversible: place.is_reversible(entry.mv) };
            if self.is_known(link.child)? {
                insert.execute((place.key as i64, index as i64, link.child as i64, link.is_reversible))?;
                links.insert(index as u8, link);
            }
        }
        let mut parents = Vec::new();
        for Before { key, mv, is_reversible } in place.before() {
            if !self.is_known(key)? {
                continue;
            }
            let node = self.node(key)?;
            // Both positions are legal, and so is the move between them.
            let index = node.moves.iter().position(|entry| entry.mv == mv).ok_or(Error::Damaged(key))?;
            if node.links.insert(index as u8, Link { child: place.key, is_reversible }).is_none() {
                insert.execute((key as i64, index as i64, place.key as i64, is_reversible))?;
                parents.push((key, is_reversible));
            }
        }
        for Link { child, is_reversible } in links.values() {
            self.parents.entry(*child).and_modify(|parents| parents.push((place.key, *is_reversible)));
        }
        let above: Vec<u64> = parents.iter().map(|(key, _)| *key).collect();
        let below: Vec<u64> = links.values().map(|link| link.child).collect();
        self.parents.insert(place.key, parents);
        self.nodes.insert(place.key, Node { moves, links });
        self.rows.insert(place.key, Row { below: 1, ..Row::default() });
        below.into_iter().try_for_each(|child| self.count_below(place.key, child))?;
        above.iter().min().map_or(Ok(()), |parent| self.count_below(*parent, place.key))?;
        Ok(above)
    }

    fn is_known(&self, key: u64) -> Result<bool, Error> {
        if self.has_all_rows || self.rows.contains_key(&key) {
            return Ok(self.rows.contains_key(&key));
        }
        Ok(self.database.prepare_cached("SELECT 1 FROM positions WHERE key = ?1")?.exists([key as i64])?)
    }

    /// Adds the count of a position, including everything below it, to a parent and all positions above the
    /// parent. Does nothing if the position is already counted elsewhere or lies above the parent.
    fn count_below(&mut self, parent: u64, child: u64) -> Result<(), Error> {
        let Row { below, above: None, .. } = self.row(child)? else { return Ok(()) };
        let (mut chain, mut next) = (Vec::new(), Some(parent));
        while let Some(key) = next {
            if chain.contains(&key) {
                return Err(Error::Damaged(key));
            }
            chain.push(key);
            next = self.row(key)?.above;
        }
        if !chain.contains(&child) {
            self.change(child, |row| row.above = Some(parent));
            chain.into_iter().for_each(|key| self.change(key, |row| row.below += below));
        }
        Ok(())
    }

    /// Returns the stored form of a position.
    pub(super) fn place(&self, key: u64) -> Result<Place, Error> {
        stored_place(self.database, key)
    }

    /// Returns the moves of a position with the current states of the positions after them.
    pub(super) fn moves(&mut self, key: u64) -> Result<Vec<Valued>, Error> {
        self.node(key)?;
        let Session { nodes, rows, bars, .. } = self;
        let node = &nodes[&key];
        let entry = |(index, entry): (usize, &ScoredMove)| {
            let index = index as u8;
            let Some(link) = node.links.get(&index) else {
                let own = entry.score.map(|score| Value::of_move(score.into()));
                return Ok(Valued { index, value: own, below: None, barred: false });
            };
            let below = rows.get(&link.child).ok_or(Error::Damaged(key))?.state;
            let barred = bars.contains(&Edge { parent: key, index });
            let value = if barred { Value::BARRED } else { below.value.backed() };
            Ok(Valued { index, value: Some(value), below: Some(below), barred })
        };
        node.moves.iter().enumerate().map(entry).collect()
    }

    /// Returns the link of a move, if the position after it was analysed.
    pub(super) fn link_of(&mut self, edge: Edge) -> Result<Option<Link>, Error> {
        Ok(self.node(edge.parent)?.links.get(&edge.index).copied())
    }

    /// Returns the positions that have a move to this one, each with `true` if the move is reversible.
    pub(super) fn parents(&mut self, key: u64) -> Result<Vec<(u64, bool)>, Error> {
        if let Some(parents) = self.parents.get(&key) {
            return Ok(parents.clone());
        }
        let mut statement = self.database.prepare_cached("SELECT parent, repeats FROM edges WHERE child = ?1")?;
        let rows = statement.query_map([key as i64], |row| Ok((row.get::<_, i64>(0)? as u64, row.get(1)?)))?;
        let parents = rows.collect::<rusqlite::Result<Vec<_>>>()?;
        self.parents.insert(key, parents.clone());
        Ok(parents)
    }

    /// Returns the computed columns of a position.
    pub(super) fn row(&mut self, key: u64) -> Result<Row, Error> {
        if let Some(row) = self.rows.get(&key) {
            return Ok(*row);
        }
        let row = if self.is_blank {
            Row::default()
        } else {
            let sql = "SELECT value, plies, cost, below, above FROM positions WHERE key = ?1";
            let mut statement = self.database.prepare_cached(sql)?;
            statement.query_row([key as i64], |row| Row::read(row, 0)).optional()?.ok_or(Error::Damaged(key))?
        };
        self.rows.insert(key, row);
        Ok(row)
    }

    /// Changes the computed columns of a cached position.
    pub(super) fn change(&mut self, key: u64, change: impl FnOnce(&mut Row)) {
        if let Some(row) = self.rows.get_mut(&key) {
            change(row);
        }
        self.changed.insert(key);
    }

    /// Returns all moves that are barred.
    pub(super) fn bars(&self) -> &BTreeSet<Edge> {
        &self.bars
    }

    /// Bars a move, or removes its bar.
    pub(super) fn bar(&mut self, edge: Edge, barred: bool) {
        if barred {
            self.bars.insert(edge)
        } else {
            self.bars.remove(&edge)
        };
        self.changed_bars.insert(edge);
    }

    /// Writes all changes. Returns the rows of all positions, if they were read in advance.
    pub(super) fn write(self) -> Result<Option<Rows>, Error> {
        let sql = "UPDATE positions SET value = ?2, plies = ?3, cost = ?4, below = ?5, above = ?6 WHERE key = ?1";
        let mut statement = self.database.prepare_cached(sql)?;
        for key in self.changed {
            let Row { state: State { value, cost }, below, above } = self.rows[&key];
            let above = above.map(|key| key as i64);
            statement.execute((key as i64, value.score, value.plies, cost, below as i64, above))?;
        }
        let sql = "UPDATE edges SET barred = ?3 WHERE parent = ?1 AND place = ?2";
        let mut statement = self.database.prepare_cached(sql)?;
        for edge in self.changed_bars {
            statement.execute((edge.parent as i64, edge.index, self.bars.contains(&edge)))?;
        }
        Ok(self.has_all_rows.then_some(self.rows))
    }
}

/// Returns the barred moves in a database.
pub(super) fn barred_edges(database: &Connection) -> Result<BTreeSet<Edge>, Error> {
    let mut statement = database.prepare_cached("SELECT parent, place FROM edges WHERE barred")?;
    let rows = statement.query_map([], |row| Ok(Edge { parent: row.get::<_, i64>(0)? as u64, index: row.get(1)? }))?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

fn stored_moves(database: &Connection, key: u64) -> Result<Vec<ScoredMove>, Error> {
    let mut statement = database.prepare_cached("SELECT moves FROM positions WHERE key = ?1")?;
    let moves = statement.query_row([key as i64], |row| Ok(row.get_ref(0)?.as_blob().map(ScoredMove::read)?));
    moves.optional()?.flatten().ok_or(Error::Damaged(key))
}

fn stored_place(database: &Connection, key: u64) -> Result<Place, Error> {
    let mut statement = database.prepare_cached("SELECT board FROM positions WHERE key = ?1")?;
    let board: Option<Vec<u8>> = statement.query_row([key as i64], |row| row.get(0)).optional()?;
    board.and_then(|board| Place::read(key, &board)).ok_or(Error::Damaged(key))
}

/// Returns the referee for a database. It plays the moves of the cycle until the position occurs again, which
/// takes two rounds if the first round leads to the mirror image.
pub(super) fn referee(database: &Connection, rules: RuleSet) -> Referee<'_> {
    Box::new(move |cycle| {
        let mv = |edge: &Edge| {
            let moves = stored_moves(database, edge.parent)?;
            moves.get(usize::from(edge.index)).map(|entry| entry.mv).ok_or(Error::Damaged(edge.parent))
        };
        let moves = cycle.iter().map(mv).collect::<Result<Vec<Move>, Error>>()?;
        Ok(offender(&stored_place(database, cycle[0].parent)?, &moves, rules))
    })
}

fn offender(start: &Place, cycle: &[Move], rules: RuleSet) -> Option<usize> {
    let mut game = Game::new(start.position.clone());
    for _ in 0..2 {
        for mv in cycle {
            let mirrored = Place::of(game.position()).mirrored;
            game.try_make(if mirrored { mv.mirrored() } else { *mv }).ok()?;
        }
        if game.position().key() == start.position.key() {
            let (outcome, _) = judge_repetition(&game, rules, game.plies().len());
            return match outcome {
                Outcome::Draw => None,
                Outcome::Loss => Some(0),
                Outcome::Win => Some(1),
            };
        }
    }
    None
}
