//! The database: its tables, how it is opened, and a game as it is stored.

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

/// The mark of our databases in SQLite's header: `Chuh`.
const APPLICATION: i32 = 0x4368_7568;

/// The number of the tables below. It grows when they change, or the keys of positions do.
const VERSION: i32 = 2;

/// The tables; `docs/records.md` explains each column.
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
    /// Opens a library to read it.
    ///
    /// # Errors
    /// One line: there is no such file, it can't be read, or it is no library, or one of a later version.
    pub fn open(path: &Path) -> Result<Library, String> {
        if !path.is_file() {
            return Err(if path.exists() { "it is no file" } else { "there is no such file" }.into());
        }
        // To write only what a program that was killed has begun and not ended: the first reader takes that back.
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let library = Library { database: Connection::open_with_flags(path, flags).map_err(say)? };
        library.database.pragma_update(None, "query_only", true).map_err(say)?;
        match library.kind()? {
            Kind::Library => Ok(library),
            Kind::Empty => Err("it is empty".into()),
        }
    }

    /// Opens a library to add games, or begins one.
    ///
    /// # Errors
    /// One line: as for [`Library::open`], or the file can't be written.
    pub fn open_to_add(path: &Path) -> Result<Library, String> {
        let mut library = Library { database: Connection::open(path).map_err(say)? };
        // Someone else may be adding games.
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
                Err(format!("it is a library of version {other}, this Chuhe reads version {VERSION}"))
            }
            (0, 0) if count().map_err(say)? == 0 => Ok(Kind::Empty),
            _ => Err("it is a database of another program".into()),
        }
    }

    /// How many games it has.
    ///
    /// # Errors
    /// One line: the database is damaged.
    pub fn count(&self) -> Result<u64, String> {
        self.database
            .query_row("SELECT count(*) FROM games", [], |row| row.get::<_, i64>(0))
            .map(|n| n as u64)
            .map_err(say)
    }

    /// The numbers of all games, in their order.
    ///
    /// # Errors
    /// One line: the database is damaged.
    pub fn ids(&self) -> Result<Vec<i64>, String> {
        let ids = || -> rusqlite::Result<Vec<i64>> {
            self.database.prepare("SELECT id FROM games ORDER BY id")?.query_map([], |row| row.get(0))?.collect()
        };
        ids().map_err(say)
    }

    /// A game with its tags, variations and comments; `None` if there is no game of this number.
    ///
    /// # Errors
    /// One line: the database is damaged.
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

/// What a file of SQLite is to us.
#[derive(PartialEq, Eq)]
enum Kind {
    Library,
    /// A new file.
    Empty,
}

/// Whether a file is a library, by its first bytes.
pub fn is_library(path: &Path) -> bool {
    let mut head = [0; 72];
    let read = chuhe_engine::bytes::open_file(path).and_then(|mut file| file.read_exact(&mut head));
    read.is_ok() && head.starts_with(b"SQLite format 3\0") && head[68..] == APPLICATION.to_be_bytes()
}

/// A failure of SQLite as one line.
pub(super) fn say(error: rusqlite::Error) -> String {
    match error.sqlite_error_code() {
        Some(ErrorCode::NotADatabase) => "it is no library".to_owned(),
        Some(ErrorCode::DiskFull) => "the disk is full: nothing of the last games was added".to_owned(),
        Some(ErrorCode::SystemIoFailure) => format!("it can't be written or read: {error}"),
        Some(ErrorCode::ReadOnly | ErrorCode::CannotOpen) => {
            format!("it or its folder can't be opened to write: {error}")
        }
        Some(ErrorCode::DatabaseBusy) => "another program is writing to it".to_owned(),
        // No code: a value is not what its column should hold.
        None | Some(ErrorCode::DatabaseCorrupt) => format!("it is damaged: {error}"),
        _ => error.to_string(),
    }
}

/// The main line of a game as it is stored: the FEN it begins with, none at the usual start, and two bytes for each move, the numbers of
/// its squares.
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

    /// The columns `start` and `moves`, side by side.
    pub fn read(row: &Row, first: usize) -> rusqlite::Result<Line> {
        Ok(Line { start: row.get(first)?, bytes: row.get(first + 1)? })
    }

    /// `None` if the database is damaged.
    pub fn start(&self) -> Option<Position> {
        self.start.as_ref().map_or_else(|| Some(Position::start()), |fen| fen.parse().ok())
    }

    /// The moves, up to the first that is none.
    pub fn moves(&self) -> Vec<Move> {
        let square = |byte: u8| Square::ALL.get(usize::from(byte)).copied();
        self.bytes.chunks_exact(2).map_while(|pair| Some(Move::new(square(pair[0])?, square(pair[1])?))).collect()
    }

    /// Each position with the move that was played in it, from the first to the last, until `look` says `true`: whether it did. A move
    /// that can't be played ends the game.
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

/// Whether a record says more than its main line: the whole is stored as PGN then.
pub(super) fn notes(record: &Record) -> Option<String> {
    let tree = &record.tree;
    let line: Vec<NodeId> = tree.main_line().collect();
    let speaks = |id: NodeId| !tree.comment(id).is_empty() || tree.glyphs(id).next().is_some();
    let says_more = tree.len() > line.len() || speaks(NodeId::ROOT) || line.into_iter().any(speaks);
    says_more.then(|| pgn::write(record, chuhe_board::notation::Form::Iccs))
}
