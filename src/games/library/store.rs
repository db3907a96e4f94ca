//! The database: creating its tables, opening it, and reading games.

use super::error::Error;
use crate::duplicates;
use crate::names::Aliases;
use crate::records::{Format, GameResult, NodeId, Record, Unreadable, pgn};
use crate::sqlite::{self, Schema};
use chuhe_board::{Move, Position, Square};
use chuhe_engine::database::{self, Access};
use rusqlite::functions::FunctionFlags;
use rusqlite::{Connection, Row};
use std::io::Cursor;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// An open library.
#[derive(Debug)]
pub struct Library {
    pub(super) database: Connection,
    pub(super) aliases: Arc<Aliases>,
}

/// Number of steps of SQLite's virtual machine between two checks for cancellation.
const STEPS: i32 = 5_000;

/// Identification and tables of the file. The application identifier is `Chuh`; the schema version changes
/// with the tables and with the keys of positions. `docs/records.md` documents each column.
const SCHEMA: Schema = Schema { application: 0x4368_7568, version: 2, tables: TABLES };

const TABLES: &str = "
CREATE TABLE players (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, folded TEXT NOT NULL);
CREATE TABLE events (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, folded TEXT NOT NULL);
CREATE TABLE games (
    id INTEGER PRIMARY KEY,
    red INTEGER NOT NULL REFERENCES players, black INTEGER NOT NULL REFERENCES players,
    event INTEGER NOT NULL REFERENCES events,
    date TEXT NOT NULL, year INTEGER, result TEXT NOT NULL, plies INTEGER NOT NULL, opening TEXT);
CREATE INDEX games_by_red ON games (red);
CREATE INDEX games_by_black ON games (black);
CREATE INDEX games_by_event ON games (event);
CREATE TABLE lines (
    game INTEGER PRIMARY KEY REFERENCES games,
    fingerprint INTEGER NOT NULL, start TEXT, moves BLOB NOT NULL, tags TEXT NOT NULL, notes TEXT);
CREATE INDEX lines_by_fingerprint ON lines (fingerprint);
CREATE TABLE positions (bucket INTEGER NOT NULL, batch INTEGER NOT NULL REFERENCES games, entries BLOB NOT NULL);
CREATE INDEX positions_by_bucket ON positions (bucket);
";

impl Library {
    /// Opens a library for reading.
    ///
    /// # Errors
    /// Returns an error if the file does not exist, cannot be read, or is not a library of this version.
    pub fn open(path: &Path) -> Result<Library, Error> {
        match Library::open_to_read(path) {
            Err(error) if error.needs_recovery() => {
                sqlite::recover(path)?;
                Library::open_to_read(path)
            }
            opened => opened,
        }
    }

    fn open_to_read(path: &Path) -> Result<Library, Error> {
        let library = Library::new(database::open(path, Access::Read)?)?;
        SCHEMA.check(&library.database)?;
        Ok(library)
    }

    /// Opens a library for adding games, or creates one.
    ///
    /// # Errors
    /// Returns the errors of [`Library::open`], or an error if the file cannot be written.
    pub fn open_to_add(path: &Path) -> Result<Library, Error> {
        let mut library = Library::new(database::open(path, Access::Create)?)?;
        library.database.pragma_update(None, "cache_size", -64_000)?;
        SCHEMA.create(&mut library.database)?;
        Ok(library)
    }

    fn new(database: Connection) -> Result<Library, Error> {
        // Another program may be adding games.
        database.busy_timeout(Duration::from_secs(30))?;
        let mut library = Library { database, aliases: Arc::default() };
        library.set_aliases(Aliases::default())?;
        Ok(library)
    }

    /// Merges the spellings of players' names in searches and tables.
    ///
    /// # Errors
    /// Returns an error if SQLite rejects the function.
    pub fn set_aliases(&mut self, aliases: Aliases) -> Result<(), Error> {
        self.aliases = Arc::new(aliases);
        let aliases = Arc::clone(&self.aliases);
        let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC | FunctionFlags::SQLITE_DIRECTONLY;
        self.database
            .create_scalar_function("person", 1, flags, move |call| Ok(aliases.key(call.get_raw(0).as_str()?)))?;
        Ok(())
    }

    /// Returns the merged spellings of players' names.
    pub fn aliases(&self) -> &Aliases {
        &self.aliases
    }

    /// Ends requests with [`Error::Stopped`] as soon as `stop` returns `true`; it is called every few
    /// thousand steps.
    ///
    /// # Errors
    /// Returns an error if SQLite rejects the handler.
    pub fn stop_when(&mut self, stop: impl FnMut() -> bool + Send + 'static) -> Result<(), Error> {
        Ok(self.database.progress_handler(STEPS, Some(stop))?)
    }

    /// Returns the number of games.
    ///
    /// # Errors
    /// Returns an error if the database is damaged.
    pub fn count(&self) -> Result<u64, Error> {
        Ok(self.database.query_row("SELECT count(*) FROM games", [], |row| row.get::<_, i64>(0))? as u64)
    }

    /// Returns the numbers of all games, in order.
    ///
    /// # Errors
    /// Returns an error if the database is damaged.
    pub fn ids(&self) -> Result<Vec<i64>, Error> {
        let mut statement = self.database.prepare("SELECT id FROM games ORDER BY id")?;
        Ok(statement.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?)
    }

    /// Returns a game with its tags, variations and comments; `None` if there is no game with this number.
    ///
    /// # Errors
    /// Returns an error if the database is damaged.
    pub fn game(&self, id: i64) -> Result<Option<Record>, Error> {
        game(&self.database, id)
    }
}

/// Returns a game, like [`Library::game`].
pub(super) fn game(database: &Connection, id: i64) -> Result<Option<Record>, Error> {
    let sql = "SELECT start, moves, result, tags, notes FROM games JOIN lines ON game = id WHERE id = ?1";
    let read = |row: &Row| -> rusqlite::Result<_> {
        let notes: Option<String> = row.get(4)?;
        Ok((StoredLine::read(row, 0)?, row.get::<_, String>(2)?, row.get::<_, String>(3)?, notes))
    };
    let mut statement = database.prepare_cached(sql)?;
    let mut rows = statement.query_map([id], read)?;
    let Some(found) = rows.next() else { return Ok(None) };
    let (line, result, tags, notes) = found?;
    let damaged = || Error::Damaged(id);
    let mut record = match notes {
        Some(text) => read_notes(text).ok_or_else(damaged)?,
        None => {
            let start = line.start().ok_or_else(damaged)?;
            Record::of_line(start, line.moves().into_iter().map(|mv| (mv, String::new())))
        }
    };
    record.tags = serde_json::from_str(&tags).map_err(|_| damaged())?;
    record.result = GameResult::read(&result);
    Ok(Some(record))
}

/// Returns `true` if a file is a library, according to its header.
pub fn is_library(path: &Path) -> bool {
    SCHEMA.is_in(path)
}

/// Stored form of a game's main line: the FEN of its first position (`None` for the initial position), and
/// two bytes per move, the indices of its squares.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct StoredLine {
    pub start: Option<String>,
    pub bytes: Vec<u8>,
}

impl StoredLine {
    pub(crate) fn of(record: &Record) -> StoredLine {
        let (start, bytes) = duplicates::line(record);
        StoredLine { start, bytes }
    }

    /// Reads the columns `start` and `moves`, which are adjacent.
    pub(crate) fn read(row: &Row, first: usize) -> rusqlite::Result<StoredLine> {
        Ok(StoredLine { start: row.get(first)?, bytes: row.get(first + 1)? })
    }

    /// Returns the first position of the game; `None` if the database is damaged.
    pub(crate) fn start(&self) -> Option<Position> {
        self.start.as_ref().map_or_else(|| Some(Position::start()), |fen| fen.parse().ok())
    }

    /// Returns the moves up to the first invalid one.
    pub(crate) fn moves(&self) -> Vec<Move> {
        let square = |byte: u8| Square::ALL.get(usize::from(byte)).copied();
        self.bytes.chunks_exact(2).map_while(|pair| Some(Move::new(square(pair[0])?, square(pair[1])?))).collect()
    }

    /// Calls `look` with each position and the move played in it until `look` returns `true`. Returns `true`
    /// in that case. A move from a square without a piece of the side to move ends the game.
    pub(crate) fn any(&self, mut look: impl FnMut(&Position, usize, Option<Move>) -> bool) -> bool {
        let Some(mut position) = self.start() else { return false };
        let moves = self.moves();
        for (ply, &mv) in moves.iter().enumerate() {
            if look(&position, ply, Some(mv)) {
                return true;
            }
            if position.piece_on(mv.from).is_none_or(|piece| piece.side() != position.side()) {
                return false;
            }
            position.make(mv);
        }
        look(&position, moves.len(), None)
    }
}

/// Returns `true` if the record contains comments, glyphs or variations.
pub(super) fn has_notes(record: &Record) -> bool {
    let tree = &record.tree;
    let line: Vec<NodeId> = tree.main_line().collect();
    let speaks = |id: NodeId| !tree.comment(id).is_empty() || tree.glyphs(id).next().is_some();
    tree.len() > line.len() || speaks(NodeId::ROOT) || line.into_iter().any(speaks)
}

/// Returns the record as PGN if it contains comments, glyphs or variations. The text has no tags, which are
/// stored separately; some would change the game when it is read.
///
/// # Errors
/// Returns an error if [`read_notes`] could not read the text.
pub(super) fn notes(record: &Record) -> Result<Option<String>, Unreadable> {
    if !has_notes(record) {
        return Ok(None);
    }
    let bare = Record { tags: Vec::new(), ..record.clone() };
    let written = Format::Pgn.write(&bare, chuhe_board::notation::Form::Iccs)?;
    Ok(Some(String::from_utf8_lossy(&written.bytes).into_owned()))
}

/// Parses the text of [`notes`]; `None` if the database is damaged.
pub(super) fn read_notes(text: String) -> Option<Record> {
    pgn::PgnGames::new(Cursor::new(text.into_bytes())).next().and_then(Result::ok)
}
