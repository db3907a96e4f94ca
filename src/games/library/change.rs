//! Changes of single games: storing, replacing and removing a game, and editing its tags.

use super::error::Error;
use super::index::{BATCH, Batch, bucket, without};
use super::rows::{Columns, columns, fingerprint, insert};
use super::store::{Library, StoredLine, game, notes};
use crate::records::Record;
use rusqlite::{Connection, OptionalExtension, Row, Transaction, TransactionBehavior};
use std::collections::BTreeSet;

/// A transaction: until it is committed or dropped, no other program can change the library. Dropping it
/// undoes its changes.
#[must_use]
pub struct Change<'l>(Transaction<'l>);

impl Change<'_> {
    /// Returns a game, like [`Library::game`].
    ///
    /// # Errors
    /// Returns an error if the database is damaged.
    pub fn game(&self, id: i64) -> Result<Option<Record>, Error> {
        game(&self.0, id)
    }

    /// Returns the number of the first game with this value of a tag; `None` if there is none or the value is
    /// empty.
    ///
    /// # Errors
    /// Returns an error if the database is damaged.
    pub fn with_tag(&self, key: &str, value: &str) -> Result<Option<i64>, Error> {
        Ok(games_with_tag(&self.0, key, value)?.first().copied())
    }

    /// Stores a game, even if another game has the same moves, and returns its number. Replaces games with
    /// the same value of the tag `key`, unless the value is empty.
    ///
    /// # Errors
    /// Returns an error if the game could not be read again, the disk is full, or the file cannot be written or
    /// is damaged.
    pub fn put(&self, game: &Record, key: &str) -> Result<i64, Error> {
        let replaced = games_with_tag(&self.0, key, game.tag(key).unwrap_or_default())?;
        for id in &replaced {
            remove(&self.0, *id)?;
        }
        // The new version takes the number of the old one, so that it keeps its place in the list.
        store(&self.0, game, notes(game)?, replaced.first().copied())
    }

    /// Replaces a game, with its moves, variations and tags, and keeps its number; returns `false` if there
    /// is no game with this number.
    ///
    /// # Errors
    /// Returns the errors of [`Change::put`].
    pub fn replace(&self, id: i64, game: &Record) -> Result<bool, Error> {
        replace(&self.0, id, game, notes(game)?)
    }

    /// Removes a game; returns `false` if there is no game with this number.
    ///
    /// # Errors
    /// Returns the errors of [`Change::put`].
    pub fn remove(&self, id: i64) -> Result<bool, Error> {
        remove(&self.0, id)
    }

    /// Replaces the tags and the result of a game by the tags and the result of a record; returns `false` if
    /// there is no game with this number.
    ///
    /// # Errors
    /// Returns the errors of [`Change::put`].
    pub fn set_tags(&self, id: i64, game: &Record) -> Result<bool, Error> {
        let database = &self.0;
        let Columns { red, black, event, date, year, tags } = columns(database, game)?;
        let sql = "UPDATE games SET red = ?2, black = ?3, event = ?4, date = ?5, year = ?6, result = ?7 WHERE id = ?1";
        let changed = database.execute(sql, (id, red, black, event, date, year, game.result.text()))?;
        database.execute("UPDATE lines SET tags = ?2 WHERE game = ?1", (id, tags))?;
        forget_names(database)?;
        Ok(changed > 0)
    }

    /// Writes the changes to the file.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written; nothing is changed in that case.
    pub fn commit(self) -> Result<(), Error> {
        Ok(self.0.commit()?)
    }
}

impl Library {
    /// Begins a change, after waiting until no other program changes the library.
    ///
    /// # Errors
    /// Returns an error if the library stays locked or cannot be written.
    pub fn change(&mut self) -> Result<Change<'_>, Error> {
        // The index identifies a batch by the number of its first game, which may be removed before the other
        // games of the batch.
        self.database.pragma_update(None, "foreign_keys", false)?;
        Ok(Change(self.database.transaction_with_behavior(TransactionBehavior::Immediate)?))
    }

    /// Returns the names of all players and their numbers of games, sorted by name.
    ///
    /// # Errors
    /// Returns an error if the database is damaged.
    pub fn names(&self) -> Result<Vec<(String, u64)>, Error> {
        let sql = "SELECT name, (SELECT count(*) FROM games WHERE red = players.id)
                       + (SELECT count(*) FROM games WHERE black = players.id)
                   FROM players WHERE name <> '' ORDER BY name";
        let mut statement = self.database.prepare(sql)?;
        let read = |row: &Row| Ok((row.get(0)?, row.get::<_, i64>(1)? as u64));
        Ok(statement.query_map([], read)?.collect::<rusqlite::Result<_>>()?)
    }
}

/// Replaces a game, like [`Change::replace`]; `notes` are its notes.
pub(super) fn replace(database: &Transaction, id: i64, game: &Record, notes: Option<String>) -> Result<bool, Error> {
    if !remove(database, id)? {
        return Ok(false);
    }
    store(database, game, notes, Some(id))?;
    Ok(true)
}

/// Inserts a game with its notes and positions under number `id` or, if `None`, the next unused number.
/// Returns the number.
fn store(database: &Transaction, game: &Record, notes: Option<String>, id: Option<i64>) -> Result<i64, Error> {
    let line = StoredLine::of(game);
    let id = insert(database, game, notes, fingerprint(&line), &line, id)?;
    let mut positions = Batch::default();
    positions.add(0, &game.start, &game.moves());
    positions.write(database, id)?;
    Ok(id)
}

/// Returns the numbers of the games with this value of a tag.
fn games_with_tag(database: &Connection, key: &str, value: &str) -> Result<Vec<i64>, Error> {
    if value.is_empty() {
        return Ok(Vec::new());
    }
    // Tags are stored as pairs in JSON, in which a quotation mark inside a value is escaped.
    let pair = serde_json::json!([key, value]).to_string();
    let mut statement = database.prepare("SELECT game FROM lines WHERE instr(tags, ?1) ORDER BY game")?;
    Ok(statement.query_map([pair], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?)
}

fn remove(database: &Transaction, id: i64) -> Result<bool, Error> {
    let sql = "SELECT start, moves FROM lines WHERE game = ?1";
    let line = database.query_row(sql, [id], |row| StoredLine::read(row, 0)).optional()?;
    let Some(line) = line else { return Ok(false) };
    let mut buckets = BTreeSet::new();
    line.any(|position, _, _| {
        buckets.insert(bucket(position));
        false
    });
    if buckets.is_empty() {
        return Err(Error::Damaged(id));
    }
    for bucket in buckets {
        // Batches may overlap if a game was replaced, but only one of them contains the entry for this game
        // and position.
        let sql = "SELECT rowid, batch, entries FROM positions WHERE bucket = ?1 AND batch BETWEEN ?2 AND ?3";
        let read = |row: &Row| Ok((row.get(0)?, row.get(1)?, row.get(2)?));
        let mut statement = database.prepare_cached(sql)?;
        let rows = statement.query_map((bucket, id - BATCH as i64 + 1, id), read)?;
        let rows = rows.collect::<rusqlite::Result<Vec<(i64, i64, Vec<u8>)>>>()?;
        for (row, batch, entries) in rows {
            match without(&entries, id - batch) {
                left if left.len() == entries.len() => continue,
                left if left.is_empty() => database.execute("DELETE FROM positions WHERE rowid = ?1", [row])?,
                left => database.execute("UPDATE positions SET entries = ?2 WHERE rowid = ?1", (row, left))?,
            };
        }
    }
    database.execute("DELETE FROM lines WHERE game = ?1", [id])?;
    database.execute("DELETE FROM games WHERE id = ?1", [id])?;
    forget_names(database)?;
    Ok(true)
}

/// Removes the names that no game uses.
fn forget_names(database: &Transaction) -> rusqlite::Result<()> {
    database.execute_batch(
        "DELETE FROM players WHERE NOT EXISTS (SELECT 1 FROM games WHERE red = players.id)
            AND NOT EXISTS (SELECT 1 FROM games WHERE black = players.id);
        DELETE FROM events WHERE NOT EXISTS (SELECT 1 FROM games WHERE event = events.id);",
    )
}
