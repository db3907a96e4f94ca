//! The graph of a database during a transaction, with a cache of what it has read.

use super::error::Error;
use super::graph::{Edge, Storage};
use super::place::Place;
use super::value::{State, Value, Valued};
use chuhe_board::Move;
use chuhe_board::rules::{Game, Outcome, RuleSet, judge_repetition};
use chuhe_engine::book::ScoredMove;
use rusqlite::{Connection, OptionalExtension};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// A link from a position to an analysed position after one of its moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Link {
    /// Key of the position after the move.
    pub child: u64,
    /// `true` if the move can be undone.
    pub repeats: bool,
    /// `true` if the move is barred by the rules of repetition.
    pub barred: bool,
}

/// Moves of a position, with links by the index of the move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Node {
    /// Moves with the engine's scores.
    pub moves: Vec<ScoredMove>,
    /// Links to analysed positions.
    pub links: BTreeMap<u8, Link>,
}

/// Returns the moves of a node with their values.
pub(super) fn valued(node: &Node, mut state: impl FnMut(u64) -> Option<State>) -> Option<Vec<Valued>> {
    let entry = |(index, entry): (usize, &ScoredMove)| {
        let index = index as u8;
        let own = entry.score.map(|score| Value::of_move(score.into()));
        Some(match node.links.get(&index) {
            None => Valued { index, value: own, below: None, barred: false },
            Some(link) => {
                let below = state(link.child)?;
                let value = if link.barred { Value::BARRED } else { below.value.backed() };
                Valued { index, value: Some(value), below: Some(below), barred: link.barred }
            }
        })
    };
    node.moves.iter().enumerate().map(entry).collect()
}

/// Returns the offender in a cycle that begins with a position: the real moves are played until the position occurs
/// again, which may take two rounds if the first one leads to the mirror image.
pub(super) fn offender(start: &Place, cycle: &[Move], rules: RuleSet) -> Option<usize> {
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

/// A transaction's view of the graph.
pub(super) struct Session<'c> {
    database: &'c Connection,
    rules: RuleSet,
    nodes: HashMap<u64, Node>,
    states: HashMap<u64, State>,
    parents: HashMap<u64, Vec<(u64, bool)>>,
    changed: BTreeSet<u64>,
}

impl<'c> Session<'c> {
    /// Creates a view of the database, which must be in a transaction.
    pub(super) fn new(database: &'c Connection, rules: RuleSet) -> Session<'c> {
        let (nodes, states, parents) = (HashMap::new(), HashMap::new(), HashMap::new());
        Session { database, rules, nodes, states, parents, changed: BTreeSet::new() }
    }

    /// Returns the moves and links of a position.
    pub(super) fn node(&mut self, key: u64) -> Result<&Node, Error> {
        if !self.nodes.contains_key(&key) {
            let node = self.load(key)?.ok_or(Error::Damaged(key))?;
            self.nodes.insert(key, node);
        }
        self.nodes.get(&key).ok_or(Error::Damaged(key))
    }

    fn load(&mut self, key: u64) -> Result<Option<Node>, Error> {
        let mut statement = self.database.prepare_cached("SELECT moves FROM positions WHERE key = ?1")?;
        let moves = statement.query_row([key as i64], |row| Ok(row.get_ref(0)?.as_blob().map(ScoredMove::read)?));
        let Some(moves) = moves.optional()?.flatten() else { return Ok(None) };
        let sql = "SELECT place, child, repeats, barred, value, plies, cost FROM edges JOIN positions ON key = child
            WHERE parent = ?1 ORDER BY place";
        let mut statement = self.database.prepare_cached(sql)?;
        let mut rows = statement.query([key as i64])?;
        let mut links = BTreeMap::new();
        while let Some(row) = rows.next()? {
            let index: u8 = row.get(0)?;
            let child = row.get::<_, i64>(1)? as u64;
            if usize::from(index) >= moves.len() {
                return Ok(None);
            }
            links.insert(index, Link { child, repeats: row.get(2)?, barred: row.get(3)? });
            let value = Value { score: row.get(4)?, plies: row.get(5)? };
            self.states.entry(child).or_insert(State { value, cost: row.get(6)? });
        }
        Ok(Some(Node { moves, links }))
    }

    /// Returns the stored form of a position.
    pub(super) fn place(&self, key: u64) -> Result<Place, Error> {
        let mut statement = self.database.prepare_cached("SELECT board FROM positions WHERE key = ?1")?;
        let board: Option<Vec<u8>> = statement.query_row([key as i64], |row| row.get(0)).optional()?;
        board.and_then(|board| Place::read(key, &board)).ok_or(Error::Damaged(key))
    }

    /// Writes all changed states.
    pub(super) fn write(self) -> Result<(), Error> {
        let sql = "UPDATE positions SET value = ?2, plies = ?3, cost = ?4 WHERE key = ?1";
        let mut statement = self.database.prepare_cached(sql)?;
        for key in self.changed {
            let State { value, cost } = self.states[&key];
            statement.execute((key as i64, value.score, value.plies, cost))?;
        }
        Ok(())
    }
}

impl Storage for Session<'_> {
    type Error = Error;

    fn moves(&mut self, key: u64) -> Result<Vec<Valued>, Error> {
        self.node(key)?;
        let Session { nodes, states, .. } = self;
        valued(&nodes[&key], |child| states.get(&child).copied()).ok_or(Error::Damaged(key))
    }

    fn child(&mut self, edge: Edge) -> Result<Option<(u64, bool)>, Error> {
        Ok(self.node(edge.parent)?.links.get(&edge.index).map(|link| (link.child, link.repeats)))
    }

    fn children(&mut self, key: u64) -> Result<Vec<u64>, Error> {
        Ok(self.node(key)?.links.values().filter(|link| link.repeats).map(|link| link.child).collect())
    }

    fn parents(&mut self, key: u64) -> Result<Vec<(u64, bool)>, Error> {
        if let Some(parents) = self.parents.get(&key) {
            return Ok(parents.clone());
        }
        let mut statement = self.database.prepare_cached("SELECT parent, repeats FROM edges WHERE child = ?1")?;
        let rows = statement.query_map([key as i64], |row| Ok((row.get::<_, i64>(0)? as u64, row.get(1)?)))?;
        let parents = rows.collect::<rusqlite::Result<Vec<_>>>()?;
        self.parents.insert(key, parents.clone());
        Ok(parents)
    }

    fn state(&mut self, key: u64) -> Result<State, Error> {
        if let Some(state) = self.states.get(&key) {
            return Ok(*state);
        }
        let mut statement = self.database.prepare_cached("SELECT value, plies, cost FROM positions WHERE key = ?1")?;
        let read = |row: &rusqlite::Row| {
            let value = Value { score: row.get(0)?, plies: row.get(1)? };
            Ok(State { value, cost: row.get(2)? })
        };
        let state = statement.query_row([key as i64], read).optional()?.ok_or(Error::Damaged(key))?;
        self.states.insert(key, state);
        Ok(state)
    }

    fn set_state(&mut self, key: u64, state: State) -> Result<(), Error> {
        self.states.insert(key, state);
        self.changed.insert(key);
        Ok(())
    }

    fn barred(&mut self) -> Result<Vec<Edge>, Error> {
        let mut statement =
            self.database.prepare_cached("SELECT parent, place FROM edges WHERE barred ORDER BY parent, place")?;
        let rows =
            statement.query_map([], |row| Ok(Edge { parent: row.get::<_, i64>(0)? as u64, index: row.get(1)? }))?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    fn bar(&mut self, edge: Edge, barred: bool) -> Result<(), Error> {
        let sql = "UPDATE edges SET barred = ?3 WHERE parent = ?1 AND place = ?2";
        self.database.prepare_cached(sql)?.execute((edge.parent as i64, edge.index, barred))?;
        self.nodes.remove(&edge.parent);
        Ok(())
    }

    fn offender(&mut self, cycle: &[Edge]) -> Result<Option<usize>, Error> {
        let mut moves = Vec::with_capacity(cycle.len());
        for edge in cycle {
            let node = self.node(edge.parent)?;
            moves.push(node.moves.get(usize::from(edge.index)).ok_or(Error::Damaged(edge.parent))?.mv);
        }
        Ok(offender(&self.place(cycle[0].parent)?, &moves, self.rules))
    }
}
