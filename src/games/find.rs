//! Finding games: conditions are asked of the database, positions of the index, and patterns of every game that is left.

use super::index;
use super::query::{Pattern, Query};
use super::store::{Library, Line, say};
use crate::board::Move;
use crate::records::GameResult;
use rusqlite::Row;
use rusqlite::types::Value;

/// A game that was found.
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

/// Where a game has a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    /// After so many plies.
    pub ply: usize,
    /// Whether it is the mirror image of what was asked for.
    pub mirrored: bool,
    /// The move that was played there; `None` at the end of the game.
    pub mv: Option<Move>,
}

/// The games that were found, in their order.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Found {
    /// How many there are.
    pub total: usize,
    /// The first of them.
    pub hits: Vec<Hit>,
}

impl Library {
    /// The games that meet a query: how many, and the first so many of them.
    ///
    /// # Errors
    /// One line: the database is damaged.
    pub fn find(&self, query: &Query, at_most: usize) -> Result<Found, String> {
        let mut found = Found::default();
        self.each(query, |hit| {
            found.total += 1;
            if found.hits.len() < at_most {
                found.hits.push(hit);
            }
        })?;
        Ok(found)
    }

    /// Tells each game that meets a query, in order.
    pub(super) fn each(&self, query: &Query, mut tell: impl FnMut(Hit)) -> Result<(), String> {
        let (conditions, mut values) = query.conditions();
        let mut ask = |conditions: &str, values: &[Value]| -> rusqlite::Result<()> {
            let sql = format!(
                "SELECT games.id, red.name, black.name, event.name, games.date, games.year, games.result, games.plies, games.opening,
                    games.start, games.moves
                FROM games JOIN players AS red ON red.id = games.red JOIN players AS black ON black.id = games.black
                    JOIN events AS event ON event.id = games.event
                WHERE {conditions} ORDER BY games.id"
            );
            let mut statement = self.database.prepare_cached(&sql)?;
            let mut rows = statement.query(rusqlite::params_from_iter(values))?;
            while let Some(row) = rows.next()? {
                let mut hit = Hit::read(row)?;
                if let Some(pattern) = &query.pattern {
                    hit.place = Line::read(row, 9)?.place(pattern);
                    if hit.place.is_none() {
                        continue;
                    }
                }
                tell(hit);
            }
            Ok(())
        };
        let Some(Pattern::Position(images)) = &query.pattern else {
            return ask(&conditions, &values).map_err(say);
        };
        for id in self.candidates(index::key(&images[0])).map_err(say)? {
            values.push(Value::Integer(id));
            ask(&format!("{conditions} AND games.id = ?"), &values).map_err(say)?;
            values.pop();
        }
        Ok(())
    }

    /// The games that may have had a position with this key, in order.
    fn candidates(&self, key: u64) -> rusqlite::Result<Vec<i64>> {
        let (bucket, part) = index::split(key);
        let mut games = Vec::new();
        let mut statement = self.database.prepare_cached("SELECT entries FROM positions WHERE bucket = ?1")?;
        let mut rows = statement.query([bucket])?;
        while let Some(row) = rows.next()? {
            games.extend(index::games(row.get_ref(0)?.as_blob()?, part));
        }
        games.sort_unstable();
        games.dedup();
        Ok(games)
    }
}

impl Hit {
    fn read(row: &Row) -> rusqlite::Result<Hit> {
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
            place: None,
        })
    }
}

impl Line {
    /// Where the game first fits a pattern.
    fn place(&self, pattern: &Pattern) -> Option<Place> {
        let mut place = None;
        self.any(|position, ply, mv| {
            place = pattern.fits(position).map(|mirrored| Place { ply, mirrored, mv });
            place.is_some()
        });
        place
    }
}
