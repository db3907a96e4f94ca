//! The database: its tables, opening it, and adding analyses.

use super::error::Error;
use super::graph::update_values;
use super::place::Place;
use super::session::{Row, Rows, Session, referee};
use super::value::Costs;
use crate::sqlite::{self, Schema};
use chuhe_board::rules::RuleSet;
use chuhe_board::{Move, Position};
use chuhe_engine::book::ScoredMove;
use chuhe_engine::database::{self, Access};
use rusqlite::{Connection, OptionalExtension, TransactionBehavior};
use std::collections::{BTreeSet, HashMap};
use std::path::Path;
use std::str::FromStr;
use std::time::Duration;

/// Identification and tables of the file; the application identifier is `ChuX`. `docs/16-explore.md`
/// documents the tables.
const SCHEMA: Schema = Schema { application: 0x4368_7558, version: 2, tables: TABLES };

const TABLES: &str = "
CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE engines (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE positions (
    key INTEGER PRIMARY KEY, board BLOB NOT NULL, moves BLOB NOT NULL,
    value INTEGER NOT NULL, plies INTEGER NOT NULL, cost INTEGER NOT NULL,
    below INTEGER NOT NULL, above INTEGER,
    engine INTEGER NOT NULL REFERENCES engines, nodes INTEGER NOT NULL, depth INTEGER NOT NULL);
CREATE TABLE edges (
    parent INTEGER NOT NULL REFERENCES positions, place INTEGER NOT NULL, child INTEGER NOT NULL REFERENCES positions,
    repeats INTEGER NOT NULL, barred INTEGER NOT NULL, PRIMARY KEY (parent, place)) WITHOUT ROWID;
CREATE INDEX edges_by_child ON edges (child);
CREATE INDEX barred_edges ON edges (parent) WHERE barred;
CREATE TABLE roots (key INTEGER PRIMARY KEY, board BLOB NOT NULL);
CREATE TABLE played (key INTEGER PRIMARY KEY, board BLOB NOT NULL, games INTEGER NOT NULL, open INTEGER NOT NULL);
CREATE INDEX open_played ON played (games) WHERE open;
CREATE TABLE leases (key INTEGER PRIMARY KEY, until INTEGER NOT NULL, process TEXT NOT NULL);
";

/// Default margin of a new database, in centipawns.
pub const MARGIN: u32 = 60;

/// Minimum size of a batch of analyses for which the rows of all positions are read in advance. About a
/// hundred keys are looked up for each new position, and the values of all successors of its predecessors.
const MANY: usize = 100;

/// A position database.
#[derive(Debug)]
pub struct Store {
    pub(super) database: Connection,
    pub(super) rules: RuleSet,
    /// Rows of all positions, and the version of the file for which they are valid.
    rows: Option<(i64, Rows)>,
    /// Ends of this store's leases, in milliseconds since 1970, by key.
    pub(super) own_leases: HashMap<u64, i64>,
}

/// An analysis of a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Analysis {
    /// Position.
    pub position: Position,
    /// Scores in centipawns from the mover's point of view; moves that were not analysed are missing.
    pub scores: Vec<(Move, i16)>,
    /// Name of the engine.
    pub engine: String,
    /// Number of nodes searched for the best lines.
    pub nodes: u64,
    /// Depth in plies.
    pub depth: u32,
}

/// Counts of positions by the effect of adding their analyses.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Added {
    /// New positions.
    pub new: usize,
    /// Positions whose analysis was replaced by a better one: with more nodes or, if equal, a greater depth.
    pub better: usize,
    /// Positions that already had an equal or better analysis.
    pub known: usize,
}

impl Store {
    /// Opens a database for reading.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read or is not a position database.
    pub fn open(path: &Path) -> Result<Store, Error> {
        let read = || {
            let database = database::open(path, Access::Read)?;
            database.busy_timeout(Duration::from_secs(30))?;
            SCHEMA.check(&database)?;
            Store::of(database)
        };
        match read() {
            Err(error) if error.needs_recovery() => {
                sqlite::recover(path)?;
                read()
            }
            opened => opened,
        }
    }

    /// Opens a database for adding positions, or creates it. `rules` and `margin` apply to a new database.
    /// For an existing one, `rules` must agree or be `None`, and a different margin is applied to all
    /// positions.
    ///
    /// # Errors
    /// Returns the errors of [`Store::open`], or an error if the file cannot be written.
    pub fn open_to_add(path: &Path, rules: Option<RuleSet>, margin: Option<u32>) -> Result<Store, Error> {
        let mut database = database::open(path, Access::Create)?;
        database.busy_timeout(Duration::from_secs(30))?;
        if SCHEMA.create(&mut database)? {
            database.pragma_update(None, "journal_mode", "wal")?;
        }
        database.pragma_update(None, "synchronous", "normal")?;
        database.pragma_update(None, "cache_size", -64_000)?;
        // A batch changes thousands of pages, so the usual checkpoint of 1,000 pages would write most of them twice.
        database.pragma_update(None, "wal_autocheckpoint", 10_000)?;
        // Edges are added only between stored positions, so SQLite need not check the foreign keys.
        database.pragma_update(None, "foreign_keys", false)?;
        database.set_prepared_statement_cache_capacity(64);
        {
            let transaction = database.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let mut set = transaction.prepare("INSERT OR IGNORE INTO settings VALUES (?1, ?2)")?;
            set.execute(("rules", rules.unwrap_or_default().name()))?;
            set.execute(("margin", margin.unwrap_or(MARGIN).to_string()))?;
            set.execute(("analyses", "0"))?;
            drop(set);
            transaction.commit()?;
        }
        let mut store = Store::of(database)?;
        if rules.is_some_and(|rules| rules != store.rules) {
            return Err(Error::Rules(store.rules.to_string()));
        }
        let known = costs(&store.database)?.margin;
        if let Some(margin) = margin.filter(|margin| *margin != known) {
            store.set_margin(margin)?;
        }
        Ok(store)
    }

    fn of(database: Connection) -> Result<Store, Error> {
        let rules = setting(&database, "rules")?;
        costs(&database)?;
        Ok(Store { rules, database, rows: None, own_leases: HashMap::new() })
    }

    /// Changes the margin and recomputes all costs.
    fn set_margin(&mut self, margin: u32) -> Result<(), Error> {
        let transaction = self.database.transaction_with_behavior(TransactionBehavior::Immediate)?;
        transaction.execute("UPDATE settings SET value = ?1 WHERE name = 'margin'", [margin.to_string()])?;
        let keys: Vec<u64> = rows(&transaction)?.into_keys().collect();
        update_values(&transaction, referee(&transaction, self.rules), Costs { margin }, keys)?;
        Ok(transaction.commit()?)
    }

    /// Returns the rules of repetition.
    pub fn rules(&self) -> RuleSet {
        self.rules
    }

    /// Returns the margin in centipawns, which another process may change.
    ///
    /// # Errors
    /// Returns an error if the database is damaged.
    pub fn margin(&self) -> Result<u32, Error> {
        Ok(costs(&self.database)?.margin)
    }

    /// Returns the number of positions.
    ///
    /// # Errors
    /// Returns an error if the database is damaged.
    pub fn count(&self) -> Result<u64, Error> {
        Ok(self.database.query_row("SELECT count(*) FROM positions", [], |row| row.get::<_, i64>(0))? as u64)
    }

    /// Returns the number of analyses added since the database was created, including analyses that did not
    /// change it.
    ///
    /// # Errors
    /// Returns an error if the database is damaged.
    pub fn analyses(&self) -> Result<u64, Error> {
        let sql = "SELECT CAST(value AS INTEGER) FROM settings WHERE name = 'analyses'";
        Ok(self.database.query_row(sql, [], |row| row.get::<_, i64>(0))? as u64)
    }

    /// Adds analyses in one transaction, and updates all values that depend on them.
    ///
    /// # Errors
    /// Returns an error if an analysis has no score, or the database cannot be written or is damaged. In that
    /// case, nothing is added.
    pub fn add(&mut self, analyses: &[Analysis]) -> Result<Added, Error> {
        let transaction = self.database.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let mut session = Session::of(&transaction, self.rules)?;
        // If the version is different, another process has changed the file.
        let version = transaction.pragma_query_value(None, "data_version", |row| row.get(0))?;
        match self.rows.take() {
            Some((known, rows)) if known == version => session.set_rows(rows),
            _ if analyses.len() >= MANY => session.set_rows(rows(&transaction)?),
            _ => {}
        }
        let mut added = Added::default();
        let mut changed = BTreeSet::new();
        let mut analysed = Vec::with_capacity(analyses.len());
        for analysis in analyses {
            let place = Place::of(&analysis.position);
            analysed.push(place.key);
            let mut select = transaction.prepare_cached("SELECT nodes, depth FROM positions WHERE key = ?1")?;
            let known =
                select.query_row([place.key as i64], |row| Ok((row.get::<_, i64>(0)?, row.get(1)?))).optional()?;
            if known.is_some_and(|known| (analysis.nodes as i64, analysis.depth) <= known) {
                added.known += 1;
            } else {
                let before = if known.is_some() { session.node(place.key)?.moves.clone() } else { Vec::new() };
                let moves = scored(&place, analysis, &before)?;
                let (bytes, engine) = (ScoredMove::write(&moves), engine(&transaction, &analysis.engine)?);
                let sql = "INSERT INTO positions VALUES (?1, ?2, ?3, 0, 0, 0, 1, NULL, ?4, ?5, ?6) ON CONFLICT DO UPDATE
                    SET moves = excluded.moves, engine = excluded.engine, nodes = excluded.nodes, depth = excluded.depth";
                let values = (place.key as i64, place.bytes(), bytes, engine, analysis.nodes as i64, analysis.depth);
                transaction.prepare_cached(sql)?.execute(values)?;
                changed.insert(place.key);
                if known.is_some() {
                    session.forget(place.key);
                    added.better += 1;
                } else {
                    transaction
                        .prepare_cached("UPDATE played SET open = 0 WHERE key = ?1")?
                        .execute([place.key as i64])?;
                    changed.extend(session.link(&place, moves)?);
                    added.new += 1;
                }
            }
            // An analysed position is never leased again, so another process's lease ends too.
            transaction.prepare_cached("DELETE FROM leases WHERE key = ?1")?.execute([place.key as i64])?;
        }
        let sql = "UPDATE settings SET value = value + ?1 WHERE name = 'analyses'";
        transaction.prepare_cached(sql)?.execute([analyses.len() as i64])?;
        session.update_values(costs(&transaction)?, changed)?;
        let rows = session.write()?;
        transaction.commit()?;
        self.rows = rows.map(|rows| (version, rows));
        for key in &analysed {
            self.own_leases.remove(key);
        }
        Ok(added)
    }
}

/// Reads a setting.
fn setting<T: FromStr>(database: &Connection, name: &'static str) -> Result<T, Error> {
    let mut select = database.prepare_cached("SELECT value FROM settings WHERE name = ?1")?;
    let text: Option<String> = select.query_row([name], |row| row.get(0)).optional()?;
    text.and_then(|text| text.parse().ok()).ok_or(Error::Setting(name))
}

/// Reads the margin, from which the costs of moves are derived. Another process may change it between two
/// transactions.
pub(super) fn costs(database: &Connection) -> Result<Costs, Error> {
    Ok(Costs { margin: setting(database, "margin")? })
}

/// Returns the computed columns of all positions.
pub(super) fn rows(database: &Connection) -> rusqlite::Result<Rows> {
    let mut statement = database.prepare("SELECT key, value, plies, cost, below, above FROM positions")?;
    statement.query_map([], |row| Ok((row.get::<_, i64>(0)? as u64, Row::read(row, 1)?)))?.collect()
}

/// Returns all moves of a position with the scores of an analysis. A move without a score in the analysis
/// keeps its previous score, but at most the lowest score of the analysis, since it was not among the best
/// moves.
fn scored(place: &Place, analysis: &Analysis, before: &[ScoredMove]) -> Result<Vec<ScoredMove>, Error> {
    let legal = place.moves();
    let mut moves: Vec<ScoredMove> = legal.iter().map(|&mv| ScoredMove { mv, score: None }).collect();
    for &(mv, score) in &analysis.scores {
        let mv = place.stored(mv);
        if let Some(entry) = moves.iter_mut().find(|entry| entry.mv == mv) {
            entry.score = entry.score.max(Some(score.max(-i16::MAX)));
        }
    }
    let lowest = moves.iter().filter_map(|entry| entry.score).min();
    if lowest.is_none() && !legal.is_empty() {
        return Err(Error::NoScore(analysis.position.to_string()));
    }
    for entry in moves.iter_mut().filter(|entry| entry.score.is_none()) {
        let known = before.iter().find(|known| known.mv == entry.mv).and_then(|known| known.score);
        entry.score = known.zip(lowest).map(|(known, lowest)| known.min(lowest));
    }
    Ok(moves)
}

fn engine(database: &Connection, name: &str) -> rusqlite::Result<i64> {
    let mut select = database.prepare_cached("SELECT id FROM engines WHERE name = ?1")?;
    if let Some(known) = select.query_row([name], |row| row.get(0)).optional()? {
        return Ok(known);
    }
    database.execute("INSERT INTO engines (name) VALUES (?1)", [name])?;
    Ok(database.last_insert_rowid())
}

/// Returns `true` if a file's header identifies it as a position database.
pub fn is_explored(path: &Path) -> bool {
    SCHEMA.is_in(path)
}
