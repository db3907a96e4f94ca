//! Search for games: the database evaluates conditions on tags, the index finds positions, and piece patterns
//! are matched against the remaining games.

use super::error::Error;
use super::index::{Occurrence, Target};
use super::query::{Pattern, Pieces, Query};
use super::store::{Library, StoredLine};
use crate::records::GameResult;
use rusqlite::Row;

/// A matching game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Match {
    /// Number in the library.
    pub id: i64,
    /// First occurrence of the query's pattern; `None` if the query has no pattern.
    pub place: Option<Occurrence>,
}

/// A matching game with the data shown in lists.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hit {
    /// Number in the library.
    pub id: i64,
    /// Red's player.
    pub red: String,
    /// Black's player.
    pub black: String,
    /// Event.
    pub event: String,
    /// Date as given in the record.
    pub date: String,
    /// Year in the date or, if missing, in the name of the event; `None` if unknown.
    pub year: Option<i64>,
    /// Result.
    pub result: GameResult,
    /// Length of the main line in plies.
    pub plies: i64,
    /// Code of the opening.
    pub opening: Option<String>,
    /// First occurrence of the query's pattern; `None` if the query has no pattern.
    pub place: Option<Occurrence>,
}

/// If the difference between the numbers of two requested games is less than this, they are read in a single
/// scan, along with the games between them.
const CLOSE: i64 = 16;

impl Library {
    /// Returns all games that match a query, in the order of their numbers.
    ///
    /// # Errors
    /// Returns an error if the database is damaged.
    pub fn search(&self, query: &Query) -> Result<Vec<Match>, Error> {
        let found = match &query.pattern {
            None => self.ids_of(query).map(|ids| ids.into_iter().map(|id| Match { id, place: None }).collect()),
            Some(Pattern::Position { position, mirrored }) => {
                self.with_position(query, &Target::new(position), *mirrored)
            }
            Some(Pattern::Pieces(pieces)) => self.with_pieces(query, pieces),
        };
        Ok(found?)
    }

    /// Returns the list data of matching games.
    ///
    /// # Errors
    /// Returns an error if the database is damaged.
    pub fn hits(&self, matches: &[Match]) -> Result<Vec<Hit>, Error> {
        let mut hits = Vec::with_capacity(matches.len());
        self.each(matches, |hit| hits.push(hit))?;
        Ok(hits)
    }

    /// Calls `tell` with the list data of each match.
    pub(super) fn each(&self, matches: &[Match], mut tell: impl FnMut(Hit)) -> Result<(), Error> {
        let columns = "games.id, red.name, black.name, event.name, date, year, result, plies, opening
            FROM games JOIN players AS red ON red.id = games.red JOIN players AS black ON black.id = games.black
                JOIN events AS event ON event.id = games.event";
        self.walk(matches, columns, |found, row| {
            tell(Hit::read(row, found.place)?);
            Ok(())
        })
    }

    /// Calls `visit` with the given columns of each match; the first column must be the game's number.
    pub(super) fn walk(
        &self,
        matches: &[Match],
        columns: &str,
        mut visit: impl FnMut(&Match, &Row) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let sql = format!("SELECT {columns} WHERE games.id BETWEEN ?1 AND ?2 ORDER BY games.id");
        let mut statement = self.database.prepare_cached(&sql)?;
        for near in matches.chunk_by(|one, two| two.id - one.id < CLOSE) {
            let mut wanted = near.iter().peekable();
            let mut rows = statement.query((near[0].id, near[near.len() - 1].id))?;
            while let Some(row) = rows.next()? {
                let id: i64 = row.get(0)?;
                if let Some(found) = wanted.next_if(|found| found.id == id) {
                    visit(found, row)?;
                }
            }
        }
        Ok(())
    }

    /// Returns the games that match the conditions on tags.
    fn ids_of(&self, query: &Query) -> rusqlite::Result<Vec<i64>> {
        let (conditions, values) = query.conditions(&self.aliases);
        let sql = format!("SELECT id FROM games WHERE {conditions} ORDER BY id");
        let mut statement = self.database.prepare_cached(&sql)?;
        statement.query_map(rusqlite::params_from_iter(values), |row| row.get(0))?.collect()
    }

    fn with_position(&self, query: &Query, wanted: &Target, mirrored: bool) -> rusqlite::Result<Vec<Match>> {
        let mut found: Vec<Match> = Vec::new();
        let sql = "SELECT batch, entries FROM positions WHERE bucket = ?1 ORDER BY batch";
        let mut statement = self.database.prepare_cached(sql)?;
        let mut rows = statement.query([wanted.bucket])?;
        while let Some(row) = rows.next()? {
            let batch: i64 = row.get(0)?;
            for (game, place) in wanted.read(row.get_ref(1)?.as_blob()?) {
                let id = batch + game;
                match found.last_mut().filter(|last| last.id == id) {
                    _ if place.mirrored && !mirrored => {}
                    // The position and its mirror image both occurred; the earlier occurrence counts.
                    Some(last) => last.place = last.place.into_iter().chain([place]).min_by_key(|place| place.ply),
                    None => found.push(Match { id, place: Some(place) }),
                }
            }
        }
        // A replaced game is in a later batch than the games with adjacent numbers.
        found.sort_by_key(|found| found.id);
        if query.has_conditions() {
            let allowed = self.ids_of(query)?;
            found.retain(|found| allowed.binary_search(&found.id).is_ok());
        }
        Ok(found)
    }

    fn with_pieces(&self, query: &Query, pieces: &Pieces) -> rusqlite::Result<Vec<Match>> {
        let (conditions, values) = query.conditions(&self.aliases);
        let sql = format!(
            "SELECT games.id, start, moves FROM games JOIN lines ON lines.game = games.id WHERE {conditions} ORDER BY games.id"
        );
        let mut statement = self.database.prepare_cached(&sql)?;
        let mut rows = statement.query(rusqlite::params_from_iter(values))?;
        let mut found = Vec::new();
        while let Some(row) = rows.next()? {
            if let Some(place) = StoredLine::read(row, 1)?.place(pieces) {
                found.push(Match { id: row.get(0)?, place: Some(place) });
            }
        }
        Ok(found)
    }
}

impl Hit {
    fn read(row: &Row, place: Option<Occurrence>) -> rusqlite::Result<Hit> {
        Ok(Hit {
            id: row.get(0)?,
            red: row.get(1)?,
            black: row.get(2)?,
            event: row.get(3)?,
            date: row.get(4)?,
            year: row.get(5)?,
            result: GameResult::read(row.get_ref(6)?.as_str()?),
            plies: row.get(7)?,
            opening: row.get(8)?,
            place,
        })
    }
}

impl StoredLine {
    /// Returns the first occurrence of the piece pattern in the game.
    fn place(&self, pieces: &Pieces) -> Option<Occurrence> {
        let mut place = None;
        self.any(|position, ply, mv| {
            place = pieces.fit(position).map(|mirrored| Occurrence { ply, mirrored, mv });
            place.is_some()
        });
        place
    }
}
