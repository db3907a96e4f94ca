//! Adding games: each batch is one transaction, so a game is added with all its positions or not at all.

use super::change;
use super::error::Error;
use super::index::{BATCH, Batch};
use super::rows::{fingerprint, insert};
use super::store::{self, Library, StoredLine, has_notes, notes, read_notes};
use crate::names::is_unknown;
use crate::records::{GameResult, Record, Unreadable, tags};
use rusqlite::{OptionalExtension, Transaction, TransactionBehavior};

/// Result of adding a batch of games.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Added {
    /// Number of new games, including `replaced`.
    pub games: usize,
    /// Games whose first position and moves were already in the library, possibly at the start of a longer
    /// version: index in the batch, and number in the library.
    pub duplicates: Vec<(usize, i64)>,
    /// Number of duplicates with comments, glyphs or variations, which were stored because the library's game
    /// had none.
    pub annotated: usize,
    /// Number of duplicates whose comments, glyphs or variations differ from the library's and were not
    /// stored.
    pub different: usize,
    /// Number of duplicates whose result was stored because the library's game had none.
    pub results: usize,
    /// Duplicates whose result contradicts the library's, which was kept: index in the batch, and number in the
    /// library.
    pub contradictions: Vec<(usize, i64)>,
    /// Games that replaced their shorter version: index in the batch, and number in the library.
    pub replaced: Vec<(usize, i64)>,
    /// New games that are a prefix or a continuation of another game of the same players but have another
    /// result, or whose shorter version has notes: index in the batch, and number of the other game in the
    /// library.
    pub versions: Vec<(usize, i64)>,
    /// Games that were left out, since their variations are nested too deeply or their text is too long: index
    /// in the batch, and reason.
    pub refused: Vec<(usize, Unreadable)>,
}

/// Minimum number of plies that two versions of a game share.
const SHARED_PLIES: usize = 20;

impl Library {
    /// Adds games in one transaction, except those that cannot be stored. A longer version of a game replaces a
    /// shorter one. The games are stored durably when this function returns.
    ///
    /// # Errors
    /// Returns an error if the disk is full, or the file cannot be written or is damaged. In that case, no game
    /// is added.
    pub fn add(&mut self, games: &[Record]) -> Result<Added, Error> {
        self.add_if(games, |_| true)
    }

    /// Adds games as [`Library::add`], but none if one of them cannot be stored.
    ///
    /// # Errors
    /// Returns [`Error::Refused`] for the first game that cannot be stored, and the errors of [`Library::add`].
    pub fn add_all(&mut self, games: &[Record]) -> Result<Added, Error> {
        let mut refused = None;
        let added = self.add_if(games, |added| {
            refused = added.refused.first().copied();
            refused.is_none()
        })?;
        refused.map_or(Ok(added), |(index, reason)| Err(Error::Refused(index, reason)))
    }

    /// Adds games, and keeps the changes if `accepts` returns `true`.
    fn add_if(&mut self, games: &[Record], accepts: impl FnOnce(&Added) -> bool) -> Result<Added, Error> {
        // As in `Library::change`, since shorter versions are removed.
        self.database.pragma_update(None, "foreign_keys", false)?;
        let database = self.database.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let mut added = Added::default();
        for (number, batch) in games.chunks(BATCH).enumerate() {
            let mut positions = Batch::default();
            let mut first = None;
            for (index, game) in (number * BATCH..).zip(batch) {
                let notes = match notes(game) {
                    Ok(notes) => notes,
                    Err(reason) => {
                        added.refused.push((index, reason));
                        continue;
                    }
                };
                let line = StoredLine::of(game);
                let fingerprint = fingerprint(&line);
                if let Some(known) = find(&database, game, fingerprint, &line)? {
                    added.duplicates.push((index, known));
                    added.add_notes(&database, notes, known)?;
                    match stored_result(&database, known)? {
                        stored if [stored, GameResult::Unknown].contains(&game.result) => {}
                        GameResult::Unknown => {
                            write_positions(&database, &mut positions, &mut first)?;
                            let before = store::game(&database, known)?.ok_or(Error::Damaged(known))?;
                            let notes = store::notes(&before)?;
                            change::replace(&database, known, &Record { result: game.result, ..before }, notes)?;
                            added.results += 1;
                        }
                        _ => added.contradictions.push((index, known)),
                    }
                    continue;
                }
                let other = other_version(&database, game, &line)?;
                if let Some(id) = other {
                    let known = store::game(&database, id)?.ok_or(Error::Damaged(id))?;
                    if is_part(game, &known) {
                        added.duplicates.push((index, id));
                        continue;
                    }
                    if is_part(&known, game) {
                        write_positions(&database, &mut positions, &mut first)?;
                        change::replace(&database, id, &game.clone().with_missing_tags(&known), notes)?;
                        added.replaced.push((index, id));
                        added.games += 1;
                        continue;
                    }
                }
                added.versions.extend(other.map(|other| (index, other)));
                let id = insert(&database, game, notes, fingerprint, &line, None)?;
                let first = *first.get_or_insert(id);
                positions.add((id - first) as usize, &game.start, &game.moves());
                added.games += 1;
            }
            write_positions(&database, &mut positions, &mut first)?;
        }
        if accepts(&added) {
            database.commit()?;
        }
        Ok(added)
    }
}

impl Added {
    /// Stores the notes of a duplicate if the library's game has none. Otherwise, counts the duplicate if its
    /// notes differ.
    fn add_notes(&mut self, database: &Transaction, notes: Option<String>, id: i64) -> rusqlite::Result<()> {
        let Some(new) = notes else { return Ok(()) };
        let sql = "SELECT notes FROM lines WHERE game = ?1";
        match database.prepare_cached(sql)?.query_row([id], |row| row.get::<_, Option<String>>(0))? {
            None => {
                database.prepare_cached("UPDATE lines SET notes = ?2 WHERE game = ?1")?.execute((id, new))?;
                self.annotated += 1;
            }
            // The text also contains the tags, so the trees are compared instead. Both trees are parsed from
            // PGN, since a comment may change when it is written as PGN.
            Some(old) => {
                let [old, new] = [old, new].map(|text| read_notes(text).map(|notes| notes.tree));
                self.different += usize::from(old.is_none() || old != new);
            }
        }
        Ok(())
    }
}

/// Writes the positions of the games since number `first`. Positions can be removed only after they have been
/// written.
fn write_positions(database: &Transaction, positions: &mut Batch, first: &mut Option<i64>) -> rusqlite::Result<()> {
    first.take().map_or(Ok(()), |first| std::mem::take(positions).write(database, first))
}

/// Returns the result of a game in the library.
fn stored_result(database: &Transaction, id: i64) -> rusqlite::Result<GameResult> {
    let sql = "SELECT result FROM games WHERE id = ?1";
    let result: String = database.prepare_cached(sql)?.query_row([id], |row| row.get(0))?;
    Ok(GameResult::from_mark(&result).unwrap_or_default())
}

/// Returns the number of the game with this line, if any. Games without moves, such as forfeits, are the same
/// only if the players and the date are the same, too.
fn find(database: &Transaction, game: &Record, fingerprint: i64, line: &StoredLine) -> rusqlite::Result<Option<i64>> {
    let sql = "SELECT game FROM lines JOIN games ON id = game WHERE fingerprint = ?1 AND moves = ?2 AND start IS ?3";
    if !line.bytes.is_empty() || line.start.is_some() {
        let mut select = database.prepare_cached(sql)?;
        return select.query_row((fingerprint, &line.bytes, &line.start), |row| row.get(0)).optional();
    }
    let [red, black, date] = [tags::RED, tags::BLACK, tags::DATE].map(|tag| game.tag(tag).unwrap_or_default());
    let sql = format!(
        "{sql} AND red = (SELECT id FROM players WHERE name = ?4) AND black = (SELECT id FROM players WHERE name = ?5)
            AND date = ?6"
    );
    let values = (fingerprint, &line.bytes, &line.start, red, black, date);
    database.prepare_cached(&sql)?.query_row(values, |row| row.get(0)).optional()
}

/// Returns `true` if a shorter version of a game contains nothing that the longer one lacks: it has no notes,
/// and its result is unknown or the same.
fn is_part(shorter: &Record, longer: &Record) -> bool {
    longer.moves().starts_with(&shorter.moves())
        && [GameResult::Unknown, longer.result].contains(&shorter.result)
        && !has_notes(shorter)
}

/// Returns the number of a game of the same players that is a prefix or a continuation of this one, if any.
/// Only the latest games are compared, since all games of an engine match have the same players.
fn other_version(database: &Transaction, game: &Record, line: &StoredLine) -> rusqlite::Result<Option<i64>> {
    let [red, black] = [tags::RED, tags::BLACK].map(|tag| game.tag(tag).unwrap_or_default());
    if is_unknown(red) || is_unknown(black) {
        return Ok(None);
    }
    let sql = "SELECT id, moves FROM games JOIN lines ON lines.game = id
               WHERE red = (SELECT id FROM players WHERE name = ?1)
                   AND black = (SELECT id FROM players WHERE name = ?2)
                   AND start IS ?3 ORDER BY id DESC LIMIT 200";
    let mut statement = database.prepare_cached(sql)?;
    let mut rows = statement.query((red, black, &line.start))?;
    while let Some(row) = rows.next()? {
        let moves = row.get_ref(1)?.as_blob()?;
        let shared = moves.len().min(line.bytes.len());
        if shared >= 2 * SHARED_PLIES && moves[..shared] == line.bytes[..shared] {
            return row.get(0).map(Some);
        }
    }
    Ok(None)
}
