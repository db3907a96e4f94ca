//! Finding games: conditions are asked of the database, positions of the index, and pieces of every game that is left.

use super::index::{Place, Wanted};
use super::query::{Pattern, Pieces, Query};
use super::store::{Library, Line, say};
use crate::records::GameResult;
use rusqlite::Row;

/// The number of a game that was found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Match {
    /// Its number in the library.
    pub id: i64,
    /// Where the pattern was first met, if there was one.
    pub place: Option<Place>,
}

/// A game that was found, with what a list shows of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hit {
    /// Its number in the library.
    pub id: i64,
    /// Red's player.
    pub red: String,
    /// Black's player.
    pub black: String,
    /// The event.
    pub event: String,
    /// The date as the record has it.
    pub date: String,
    /// The year of the date, or of the event.
    pub year: Option<i64>,
    /// How it ended.
    pub result: GameResult,
    /// How long its main line is.
    pub plies: i64,
    /// The code of the opening.
    pub opening: Option<String>,
    /// Where the pattern was first met, if there was one.
    pub place: Option<Place>,
}

/// Games whose numbers are closer together are read in one walk over those between.
const CLOSE: i64 = 16;

impl Library {
    /// All games that meet a query, in the order of their numbers.
    ///
    /// # Errors
    /// One line: the database is damaged.
    pub fn search(&self, query: &Query) -> Result<Vec<Match>, String> {
        let found = match &query.pattern {
            None => self.ids_of(query).map(|ids| ids.into_iter().map(|id| Match { id, place: None }).collect()),
            Some(Pattern::Position { position, mirrored }) => {
                self.with_position(query, &Wanted::new(position), *mirrored)
            }
            Some(Pattern::Pieces(pieces)) => self.with_pieces(query, pieces),
        };
        found.map_err(say)
    }

    /// What a list shows of games that were found.
    ///
    /// # Errors
    /// One line: the database is damaged.
    pub fn hits(&self, matches: &[Match]) -> Result<Vec<Hit>, String> {
        let mut hits = Vec::with_capacity(matches.len());
        self.each(matches, |hit| hits.push(hit))?;
        Ok(hits)
    }

    /// Tells what a list shows of each of these games.
    pub(super) fn each(&self, matches: &[Match], mut tell: impl FnMut(Hit)) -> Result<(), String> {
        let columns = "games.id, red.name, black.name, event.name, date, year, result, plies, opening
            FROM games JOIN players AS red ON red.id = games.red JOIN players AS black ON black.id = games.black
                JOIN events AS event ON event.id = games.event";
        self.walk(matches, columns, |found, row| Hit::read(row, found.place).map(&mut tell)).map_err(say)
    }

    /// Reads columns of these games, the first of which is the number.
    pub(super) fn walk(
        &self,
        matches: &[Match],
        columns: &str,
        mut tell: impl FnMut(&Match, &Row) -> rusqlite::Result<()>,
    ) -> rusqlite::Result<()> {
        let sql = format!("SELECT {columns} WHERE games.id BETWEEN ?1 AND ?2 ORDER BY games.id");
        let mut statement = self.database.prepare_cached(&sql)?;
        for near in matches.chunk_by(|one, two| two.id - one.id < CLOSE) {
            let mut wanted = near.iter().peekable();
            let mut rows = statement.query((near[0].id, near[near.len() - 1].id))?;
            while let Some(row) = rows.next()? {
                let id: i64 = row.get(0)?;
                if let Some(found) = wanted.next_if(|found| found.id == id) {
                    tell(found, row)?;
                }
            }
        }
        Ok(())
    }

    /// The games that meet the conditions on tags.
    fn ids_of(&self, query: &Query) -> rusqlite::Result<Vec<i64>> {
        let (conditions, values) = query.conditions();
        let sql = format!("SELECT id FROM games WHERE {conditions} ORDER BY id");
        let mut statement = self.database.prepare_cached(&sql)?;
        statement.query_map(rusqlite::params_from_iter(values), |row| row.get(0))?.collect()
    }

    fn with_position(&self, query: &Query, wanted: &Wanted, mirrored: bool) -> rusqlite::Result<Vec<Match>> {
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
                    // It had the mirror image too.
                    Some(last) => last.place = last.place.into_iter().chain([place]).min_by_key(|place| place.ply),
                    None => found.push(Match { id, place: Some(place) }),
                }
            }
        }
        if query.has_conditions() {
            let allowed = self.ids_of(query)?;
            found.retain(|found| allowed.binary_search(&found.id).is_ok());
        }
        Ok(found)
    }

    fn with_pieces(&self, query: &Query, pieces: &Pieces) -> rusqlite::Result<Vec<Match>> {
        let (conditions, values) = query.conditions();
        let sql = format!(
            "SELECT games.id, start, moves FROM games JOIN lines ON lines.game = games.id WHERE {conditions} ORDER BY games.id"
        );
        let mut statement = self.database.prepare_cached(&sql)?;
        let mut rows = statement.query(rusqlite::params_from_iter(values))?;
        let mut found = Vec::new();
        while let Some(row) = rows.next()? {
            if let Some(place) = Line::read(row, 1)?.place(pieces) {
                found.push(Match { id: row.get(0)?, place: Some(place) });
            }
        }
        Ok(found)
    }
}

impl Hit {
    fn read(row: &Row, place: Option<Place>) -> rusqlite::Result<Hit> {
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

impl Line {
    /// Where the game first has these pieces.
    fn place(&self, pieces: &Pieces) -> Option<Place> {
        let mut place = None;
        self.any(|position, ply, mv| {
            place = pieces.fit(position).map(|mirrored| Place { ply, mirrored, mv });
            place.is_some()
        });
        place
    }
}
