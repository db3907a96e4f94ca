//! The rows of a game in the tables of games, lines and names.

use super::error::Error;
use super::store::StoredLine;
use super::year::year;
use crate::names::fold;
use crate::openings::Opening;
use crate::records::{Record, tags};
use chuhe_engine::bytes::fnv;
use rusqlite::{OptionalExtension, Transaction};

/// Returns a hash of a game's first position and moves.
pub(super) fn fingerprint(line: &StoredLine) -> i64 {
    let start = line.start.as_deref().unwrap_or_default();
    fnv(&[start.as_bytes(), &line.bytes].concat()) as i64
}

/// Inserts a game with its `notes`, without its positions, under number `id` or, if `None`, the next unused
/// number. Returns the number.
pub(super) fn insert(
    database: &Transaction,
    game: &Record,
    notes: Option<String>,
    fingerprint: i64,
    line: &StoredLine,
    id: Option<i64>,
) -> Result<i64, Error> {
    let Columns { red, black, event, date, year, tags } = columns(database, game)?;
    let opening = Opening::of(&game.start, &game.moves()).map(|opening| opening.code);
    // If another program has deleted a game, its row in `lines` may remain, so its number must not be reused.
    let sql = "INSERT INTO games (id, red, black, event, date, year, result, plies, opening) \
               SELECT coalesce(?9, 1 + max(coalesce((SELECT max(id) FROM games), 0), coalesce((SELECT max(game) FROM lines), 0))), \
                      ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8";
    let plies = (line.bytes.len() / 2) as i64;
    let values = (red, black, event, date, year, game.result.text(), plies, opening, id);
    database.prepare_cached(sql)?.execute(values)?;
    let id = database.last_insert_rowid();
    let sql = "INSERT INTO lines (game, fingerprint, start, moves, tags, notes) VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
    let values = (id, fingerprint, &line.start, &line.bytes, tags, notes);
    database.prepare_cached(sql)?.execute(values)?;
    Ok(id)
}

/// Columns for a game's tags.
pub(super) struct Columns<'g> {
    /// Number of Red's name.
    pub red: i64,
    /// Number of Black's name.
    pub black: i64,
    /// Number of the event's name.
    pub event: i64,
    pub date: &'g str,
    pub year: Option<i64>,
    /// All tags as JSON.
    pub tags: String,
}

/// Returns the columns for a game's tags, after inserting any new names.
pub(super) fn columns<'g>(database: &Transaction, game: &'g Record) -> rusqlite::Result<Columns<'g>> {
    let tag = |name: &str| game.tag(name).unwrap_or_default();
    let (red, black) = (name(database, "players", tag(tags::RED))?, name(database, "players", tag(tags::BLACK))?);
    let event = name(database, "events", tag(tags::EVENT))?;
    // Many records contain the year only in the name of the event.
    let year = year(tag(tags::DATE)).or_else(|| year(tag(tags::EVENT)));
    let tags =
        serde_json::to_string(&game.tags).map_err(|error| rusqlite::Error::ToSqlConversionFailure(error.into()))?;
    Ok(Columns { red, black, event, date: tag(tags::DATE), year, tags })
}

/// Returns the number of a name, after inserting it if it is new.
fn name(database: &Transaction, table: &str, name: &str) -> rusqlite::Result<i64> {
    let known = format!("SELECT id FROM {table} WHERE name = ?1");
    if let Some(id) = database.prepare_cached(&known)?.query_row([name], |row| row.get(0)).optional()? {
        return Ok(id);
    }
    let insert = format!("INSERT INTO {table} (name, folded) VALUES (?1, ?2)");
    database.prepare_cached(&insert)?.execute((name, fold(name)))?;
    Ok(database.last_insert_rowid())
}
