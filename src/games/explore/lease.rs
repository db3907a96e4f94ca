//! Selection of the positions to analyse next: the cheapest from a root, or the most played. Leases prevent
//! several processes from analysing the same position.

use super::error::Error;
use super::place::Place;
use super::played_positions::PlayedPositions;
use super::session::{Edge, Session};
use super::store::{Store, costs};
use super::value::{Costs, UNREACHABLE, best};
use chuhe_board::Position;
use chuhe_board::rules::RuleSet;
use chuhe_engine::bytes::read_file;
use rusqlite::{Connection, TransactionBehavior};
use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// A position to analyse.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Leaf {
    /// Position, as stored.
    pub position: Position,
    /// Cost of its path from a root, in centipawns; `None` for a position selected because it was played.
    pub cost: Option<u32>,
    /// Length of the path, in plies.
    pub plies: u32,
    /// Number of games in which the position occurred.
    pub games: u64,
}

/// Criterion by which positions are selected.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Choice {
    /// Positions that are cheapest to reach from a root.
    Critical,
    /// Positions that were played most often; the cheapest ones if all played positions have been analysed.
    Played,
}

/// Limits of a selection.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Selection<'r> {
    /// Roots of the search for the cheapest positions; those of the database if empty.
    pub roots: &'r [Position],
    /// Maximum number of positions.
    pub count: usize,
    /// Maximum distance from a root along the cheapest path, in plies.
    pub plies: u32,
    /// Preference.
    pub choice: Choice,
}

/// An entry in the queue of the search for the cheapest leaves, ordered by total cost, then by the cost so
/// far.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct QueueEntry {
    total: Reverse<u32>,
    paid: u32,
    plies: Reverse<u32>,
    target: Target,
}

#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Target {
    /// An analysed position.
    Position(u64),
    /// A move that was not explored: the key of the position before it, and its index.
    Leaf(u64, u8),
}

impl Store {
    /// Adds roots of the exploration.
    ///
    /// # Errors
    /// Returns an error if the database cannot be written.
    pub fn add_roots(&mut self, positions: &[Position]) -> Result<(), Error> {
        let transaction = self.database.transaction_with_behavior(TransactionBehavior::Immediate)?;
        for position in positions {
            let place = Place::of(position);
            transaction.execute("INSERT OR IGNORE INTO roots VALUES (?1, ?2)", (place.key as i64, place.bytes()))?;
        }
        Ok(transaction.commit()?)
    }

    /// Returns `true` if the exploration has a root.
    ///
    /// # Errors
    /// Returns an error if the database is damaged.
    pub fn has_roots(&self) -> Result<bool, Error> {
        Ok(self.database.prepare_cached("SELECT 1 FROM roots")?.exists([])?)
    }

    /// Returns the roots.
    ///
    /// # Errors
    /// Returns an error if the database is damaged.
    pub fn roots(&self) -> Result<Vec<Position>, Error> {
        Ok(roots(&self.database)?.into_iter().map(|place| place.position).collect())
    }

    /// Replaces the stored positions from games, each with the number of games in which it occurred.
    ///
    /// # Errors
    /// Returns an error if the database cannot be written.
    pub fn set_played(&mut self, played: &PlayedPositions) -> Result<(), Error> {
        let transaction = self.database.transaction_with_behavior(TransactionBehavior::Immediate)?;
        transaction.execute("DELETE FROM played", [])?;
        let sql = "INSERT INTO played SELECT ?1, ?2, ?3, NOT EXISTS (SELECT 1 FROM positions WHERE key = ?1)";
        let mut insert = transaction.prepare(sql)?;
        for (key, (board, games)) in &played.counts {
            insert.execute((*key as i64, board, *games as i64))?;
        }
        drop(insert);
        Ok(transaction.commit()?)
    }

    /// Leases positions for analysis, for a limited time. A position is leased again if its lease has
    /// expired, or if its process has ended on this machine.
    ///
    /// # Errors
    /// Returns an error if the database cannot be written or is damaged.
    pub fn lease(&mut self, selection: Selection, time: Duration) -> Result<Vec<Leaf>, Error> {
        let transaction = self.database.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let now = now();
        let process = ThisProcess::new();
        end_leases(&transaction, now, &process)?;
        let leaves = leaves(&transaction, self.rules, selection)?;
        let until = now.saturating_add(i64::try_from(time.as_millis()).unwrap_or(i64::MAX));
        let keys: Vec<u64> = leaves.iter().map(|leaf| Place::of(&leaf.position).key).collect();
        for key in &keys {
            let values = (*key as i64, until, process.name());
            transaction.prepare_cached("INSERT INTO leases VALUES (?1, ?2, ?3)")?.execute(values)?;
        }
        transaction.commit()?;
        self.own_leases.extend(keys.into_iter().map(|key| (key, until)));
        Ok(leaves)
    }

    /// Returns positions to analyse without leasing them. Omits leased positions.
    ///
    /// # Errors
    /// Returns an error if the database is damaged.
    pub fn leaves(&self, selection: Selection) -> Result<Vec<Leaf>, Error> {
        let snapshot = self.database.unchecked_transaction()?;
        leaves(&snapshot, self.rules, selection)
    }

    /// Ends this store's leases of positions without an analysis. If a lease has expired, the position may
    /// have been leased again; that lease remains.
    ///
    /// # Errors
    /// Returns an error if the database cannot be written.
    pub fn release(&mut self, leaves: &[Leaf]) -> Result<(), Error> {
        let transaction = self.database.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let process = ThisProcess::new();
        let keys: Vec<u64> = leaves.iter().map(|leaf| Place::of(&leaf.position).key).collect();
        for key in &keys {
            let Some(until) = self.own_leases.get(key) else { continue };
            let sql = "DELETE FROM leases WHERE key = ?1 AND until = ?2 AND process = ?3";
            transaction.prepare_cached(sql)?.execute((*key as i64, until, process.name()))?;
        }
        transaction.commit()?;
        for key in &keys {
            self.own_leases.remove(key);
        }
        Ok(())
    }

    /// Returns `true` if there are leases, whose analyses may add new leaves.
    ///
    /// # Errors
    /// Returns an error if the database is damaged.
    pub fn has_leases(&self) -> Result<bool, Error> {
        Ok(self.database.prepare_cached("SELECT 1 FROM leases")?.exists([])?)
    }
}

/// Deletes expired leases, and leases of processes that have ended.
fn end_leases(database: &Connection, now: i64, this: &ThisProcess) -> Result<(), Error> {
    database.prepare_cached("DELETE FROM leases WHERE until <= ?1")?.execute([now])?;
    let mut statement = database.prepare_cached("SELECT DISTINCT process FROM leases")?;
    let processes = statement.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<Vec<String>>>()?;
    for process in processes.iter().filter(|process| this.has_ended(process)) {
        database.prepare_cached("DELETE FROM leases WHERE process = ?1")?.execute([process])?;
    }
    Ok(())
}

/// The current process.
struct ThisProcess {
    /// Boot and PID namespace, in which the identifier of the process is unique. Empty if `/proc` is missing
    /// or incomplete; leases of ended processes are then not detected and remain until they expire.
    scope: String,
}

impl ThisProcess {
    fn new() -> ThisProcess {
        let boot = read_file(Path::new("/proc/sys/kernel/random/boot_id"), 100);
        let space = std::fs::read_link("/proc/self/ns/pid");
        let scope = boot.and_then(|boot| Ok(format!("{} {}", String::from_utf8_lossy(&boot).trim(), space?.display())));
        // `/proc/1` is missing if the processes of other users are hidden.
        let scope = scope.ok().filter(|_| Path::new("/proc/1").exists());
        ThisProcess { scope: scope.unwrap_or_default() }
    }

    fn name(&self) -> String {
        format!("{} {}", self.scope, std::process::id())
    }

    /// Returns `true` if a process ran in the same scope and has ended.
    fn has_ended(&self, process: &str) -> bool {
        let of_scope = process.rsplit_once(' ').filter(|(scope, _)| !scope.is_empty() && *scope == self.scope);
        of_scope.is_some_and(|(_, number)| !Path::new("/proc").join(number).exists())
    }
}

/// Returns milliseconds since 1970.
fn now() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_millis() as i64)
}

pub(super) fn roots(database: &Connection) -> Result<Vec<Place>, Error> {
    let mut statement = database.prepare_cached("SELECT key, board FROM roots ORDER BY key")?;
    let (mut rows, mut roots) = (statement.query([])?, Vec::new());
    while let Some(row) = rows.next()? {
        roots.push(Place::of_row(row)?);
    }
    Ok(roots)
}

fn leaves(database: &Connection, rules: RuleSet, selection: Selection) -> Result<Vec<Leaf>, Error> {
    let mut excluded = BTreeSet::new();
    let mut leased = database.prepare_cached("SELECT key FROM leases")?;
    let mut rows = leased.query([])?;
    while let Some(row) = rows.next()? {
        excluded.insert(row.get::<_, i64>(0)? as u64);
    }
    let mut found = Vec::new();
    if selection.choice == Choice::Played {
        add_most_played(database, &mut excluded, selection.count, &mut found)?;
    }
    if found.len() < selection.count {
        let mut session = Session::of(database, rules)?;
        add_cheapest(database, &mut session, costs(database)?, selection, &mut excluded, &mut found)?;
    }
    Ok(found)
}

/// Adds positions that are not excluded, the most played first, up to `count` leaves in total.
fn add_most_played(
    database: &Connection,
    excluded: &mut BTreeSet<u64>,
    count: usize,
    found: &mut Vec<Leaf>,
) -> Result<(), Error> {
    let sql = "SELECT key, board, games FROM played WHERE open ORDER BY games DESC, key";
    let mut statement = database.prepare_cached(sql)?;
    let mut rows = statement.query([])?;
    while found.len() < count
        && let Some(row) = rows.next()?
    {
        let (Place { key, position, .. }, games) = (Place::of_row(row)?, row.get::<_, i64>(2)? as u64);
        if position.has_moves() && excluded.insert(key) {
            found.push(Leaf { position, cost: None, plies: 0, games });
        }
    }
    Ok(())
}

/// Adds the cheapest leaves. The best-first search from the roots is guided by the stored costs, so it
/// visits only positions on the paths to them.
fn add_cheapest(
    database: &Connection,
    session: &mut Session,
    costs: Costs,
    selection: Selection,
    excluded: &mut BTreeSet<u64>,
    found: &mut Vec<Leaf>,
) -> Result<(), Error> {
    let mut queue = queue_of_roots(database, session, selection, excluded, found)?;
    let mut visited = BTreeSet::new();
    while found.len() < selection.count
        && let Some(QueueEntry { total, paid, plies: Reverse(plies), target }) = queue.pop()
    {
        match target {
            Target::Leaf(parent, index) => {
                let mv = session.node(parent)?.moves[usize::from(index)].mv;
                let place = session.place(parent)?.after(mv);
                if excluded.insert(place.key) {
                    found.push(Leaf { position: place.position, cost: Some(total.0), plies, games: 0 });
                }
            }
            Target::Position(key) if plies < selection.plies && visited.insert(key) => {
                let moves = session.moves(key)?;
                let Some((_, value)) = best(&moves) else { continue };
                for entry in &moves {
                    let Some(cost) = costs.of(entry, value).filter(|cost| paid + cost < UNREACHABLE) else {
                        continue;
                    };
                    let rest = entry.below.map_or(0, |below| below.cost);
                    let target = match session.link_of(Edge { parent: key, index: entry.index })? {
                        Some(link) => Target::Position(link.child),
                        None => Target::Leaf(key, entry.index),
                    };
                    let total = Reverse(paid + cost);
                    queue.push(QueueEntry { total, paid: paid + cost - rest, plies: Reverse(plies + 1), target });
                }
            }
            Target::Position(_) => {}
        }
    }
    Ok(())
}

/// Returns the queue entries of the analysed roots, and adds the other roots to the found leaves.
fn queue_of_roots(
    database: &Connection,
    session: &mut Session,
    selection: Selection,
    excluded: &mut BTreeSet<u64>,
    found: &mut Vec<Leaf>,
) -> Result<BinaryHeap<QueueEntry>, Error> {
    let roots = match selection.roots {
        [] => roots(database)?,
        given => given.iter().map(Place::of).collect(),
    };
    let mut queue = BinaryHeap::new();
    let mut analysed = database.prepare_cached("SELECT 1 FROM positions WHERE key = ?1")?;
    for Place { key, position, .. } in roots {
        if analysed.exists([key as i64])? {
            let total = Reverse(session.row(key)?.state.cost);
            queue.push(QueueEntry { total, paid: 0, plies: Reverse(0), target: Target::Position(key) });
        } else if found.len() < selection.count && position.has_moves() && excluded.insert(key) {
            found.push(Leaf { position, cost: Some(0), plies: 0, games: 0 });
        }
    }
    Ok(queue)
}
