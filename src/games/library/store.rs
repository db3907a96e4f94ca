//! The database: its tables, opening it, and the storage of a game.

use crate::records::{GameResult, NodeId, Record, pgn};
use chuhe_board::{Move, Position, STARTPOS, Square};
use rusqlite::{Connection, ErrorCode, OpenFlags, Row};
use std::io::{Cursor, Read};
use std::path::Path;
use std::time::Duration;

/// An open library.
#[derive(Debug)]
pub struct Library {
    pub(super) database: Connection,
}

/// Application identifier of libraries in the SQLite header: `Chuh`.
const APPLICATION: i32 = 0x4368_7568;

/// Version of the tables below; it changes with them and with the keys of positions.
const VERSION: i32 = 2;

/// Table definitions; `docs/records.md` documents each column.
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
    /// Returns a message of one line: the file does not exist, cannot be read, is not a library, or has a later version.
    pub fn open(path: &Path) -> Result<Library, String> {
        if !path.is_file() {
            return Err(if path.exists() { "not a file" } else { "file not found" }.into());
        }
        // Write access is needed only to roll back an unfinished transaction of a terminated program.
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let library = Library { database: Connection::open_with_flags(path, flags).map_err(say)? };
        library.database.pragma_update(None, "query_only", true).map_err(say)?;
        match library.kind()? {
            Kind::Library => Ok(library),
            Kind::Empty => Err("the file is empty".into()),
        }
    }

    /// Opens a library for adding games, or creates one.
    ///
    /// # Errors
    /// Returns a message of one line, as for [`Library::open`], or if the file cannot be written.
    pub fn open_to_add(path: &Path) -> Result<Library, String> {
        let mut library = Library { database: Connection::open(path).map_err(say)? };
        // Another program may be adding games.
        library.database.busy_timeout(Duration::from_secs(30)).map_err(say)?;
        library.database.pragma_update(None, "cache_size", -64_000).map_err(say)?;
        if library.kind()? == Kind::Empty {
            let begun = library.database.transaction().map_err(say)?;
            begun.execute_batch(TABLES).map_err(say)?;
            begun.pragma_update(None, "application_id", APPLICATION).map_err(say)?;
            begun.pragma_update(None, "user_version", VERSION).map_err(say)?;
            begun.commit().map_err(say)?;
        }
        Ok(library)
    }

    fn kind(&self) -> Result<Kind, String> {
        let number = |name: &str| self.database.pragma_query_value(None, name, |row| row.get::<_, i32>(0)).map_err(say);
        let count = || self.database.query_row("SELECT count(*) FROM sqlite_master", [], |row| row.get::<_, i64>(0));
        match (number("application_id")?, number("user_version")?) {
            (APPLICATION, VERSION) => Ok(Kind::Library),
            (APPLICATION, other) => {
                Err(format!("library version {other} is not supported; this program reads version {VERSION}"))
            }
            (0, 0) if count().map_err(say)? == 0 => Ok(Kind::Empty),
            _ => Err("not a game library but a database of another program".into()),
        }
    }

    /// Returns the number of games.
    ///
    /// # Errors
    /// Returns a message of one line if the database is damaged.
    pub fn count(&self) -> Result<u64, String> {
        self.database
            .query_row("SELECT count(*) FROM games", [], |row| row.get::<_, i64>(0))
            .map(|n| n as u64)
            .map_err(say)
    }

    /// Returns the numbers of all games, in order.
    ///
    /// # Errors
    /// Returns a message of one line if the database is damaged.
    pub fn ids(&self) -> Result<Vec<i64>, String> {
        let ids = || -> rusqlite::Result<Vec<i64>> {
            self.database.prepare("SELECT id FROM games ORDER BY id")?.query_map([], |row| row.get(0))?.collect()
        };
        ids().map_err(say)
    }

    /// Returns a game with its tags, variations and comments; `None` if there is no game with this number.
    ///
    /// # Errors
    /// Returns a message of one line if the database is damaged.
    pub fn game(&self, id: i64) -> Result<Option<Record>, String> {
        let sql = "SELECT start, moves, result, tags, notes FROM games JOIN lines ON game = id WHERE id = ?1";
        let read = |row: &Row| -> rusqlite::Result<_> {
            let notes: Option<String> = row.get(4)?;
            Ok((Line::read(row, 0)?, row.get::<_, String>(2)?, row.get::<_, String>(3)?, notes))
        };
        let mut statement = self.database.prepare_cached(sql).map_err(say)?;
        let mut rows = statement.query_map([id], read).map_err(say)?;
        let Some(found) = rows.next() else { return Ok(None) };
        let (line, result, tags, notes) = found.map_err(say)?;
        let damaged = || format!("game {id} is damaged");
        let mut record = match notes {
            Some(text) => {
                pgn::Games::new(Cursor::new(text.into_bytes())).next().and_then(Result::ok).ok_or_else(damaged)?
            }
            None => {
                let start = line.start().ok_or_else(damaged)?;
                Record::of_line(start, line.moves().into_iter().map(|mv| (mv, String::new())))
            }
        };
        record.tags = serde_json::from_str(&tags).map_err(|_| damaged())?;
        record.result = GameResult::read(&result);
        Ok(Some(record))
    }
}

/// Kind of an SQLite file.
#[derive(PartialEq, Eq)]
enum Kind {
    Library,
    /// A new file.
    Empty,
}

/// Returns `true` if a file is a library, according to its first bytes.
pub fn is_library(path: &Path) -> bool {
    let mut head = [0; 72];
    let read = chuhe_engine::bytes::open_file(path).and_then(|mut file| file.read_exact(&mut head));
    read.is_ok() && head.starts_with(b"SQLite format 3\0") && head[68..] == APPLICATION.to_be_bytes()
}

/// Converts an SQLite error to a message of one line.
pub(super) fn say(error: rusqlite::Error) -> String {
    match error.sqlite_error_code() {
        Some(ErrorCode::NotADatabase) => "not a game library".to_owned(),
        Some(ErrorCode::DiskFull) => "the disk is full: the last games were not added".to_owned(),
        Some(ErrorCode::SystemIoFailure) => format!("cannot be read or written: {error}"),
        Some(ErrorCode::ReadOnly | ErrorCode::CannotOpen) => {
            format!("the file or its folder cannot be opened for writing: {error}")
        }
        Some(ErrorCode::DatabaseBusy) => "another program is writing to it".to_owned(),
        // An error without a code: a value does not have the type of its column.
        None | Some(ErrorCode::DatabaseCorrupt) => format!("damaged: {error}"),
        _ => error.to_string(),
    }
}

/// Stored form of a game's main line: the FEN of its start (`None` for the usual one), and two bytes per
/// move, the indices of its squares.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Line {
    pub start: Option<String>,
    pub bytes: Vec<u8>,
}

impl Line {
    pub fn of(record: &Record) -> Line {
        let start = record.start.to_string();
        let bytes = record.moves().into_iter().flat_map(|mv| [mv.from.index() as u8, mv.to.index() as u8]).collect();
        Line { start: (start != STARTPOS).then_some(start), bytes }
    }

    /// Reads the columns `start` and `moves`, which are adjacent.
    pub fn read(row: &Row, first: usize) -> rusqlite::Result<Line> {
        Ok(Line { start: row.get(first)?, bytes: row.get(first + 1)? })
    }

    /// Returns the start; `None` if the database is damaged.
    pub fn start(&self) -> Option<Position> {
        self.start.as_ref().map_or_else(|| Some(Position::start()), |fen| fen.parse().ok())
    }

    /// Returns the moves up to the first invalid one.
    pub fn moves(&self) -> Vec<Move> {
        let square = |byte: u8| Square::ALL.get(usize::from(byte)).copied();
        self.bytes.chunks_exact(2).map_while(|pair| Some(Move::new(square(pair[0])?, square(pair[1])?))).collect()
    }

    /// Calls `look` with each position and the move played in it until `look` returns `true`; returns whether
    /// it did. An illegal move ends the game.
    pub fn any(&self, mut look: impl FnMut(&Position, usize, Option<Move>) -> bool) -> bool {
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

/// Returns the record as PGN if it contains more than its main line.
pub(super) fn notes(record: &Record) -> Option<String> {
    let tree = &record.tree;
    let line: Vec<NodeId> = tree.main_line().collect();
    let speaks = |id: NodeId| !tree.comment(id).is_empty() || tree.glyphs(id).next().is_some();
    let says_more = tree.len() > line.len() || speaks(NodeId::ROOT) || line.into_iter().any(speaks);
    says_more.then(|| pgn::write(record, chuhe_board::notation::Form::Iccs))
}
