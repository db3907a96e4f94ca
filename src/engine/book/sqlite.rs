//! SQLite books, opened read-only: `.obk` (兵河), `.pfBook` (鹏飞), `.yfk` (勇芳), `.xqb`, and databases of `chuhe
//! explore`.

use super::entry::BookMove;
use super::explored::{ScoredMove, weigh};
use super::keys::{binghe, from_square16, xqb};
use super::own::BookKeys;
use crate::bytes::damaged;
use crate::database::{self, Access, OpenError};
use chuhe_board::words::{Key, Language};
use chuhe_board::{Move, Position, Square};
use rusqlite::types::Value;
use rusqlite::{Connection, OptionalExtension, Row};
use std::io;
use std::path::Path;
use std::sync::mpsc::{self, Sender, SyncSender};
use std::time::Duration;
use thiserror::Error;

/// A row: move, score, and games won, drawn and lost. In older books, any of them may be missing, or stored
/// as text or as a real number.
type BookRow = (i64, i64, [u64; 3]);

/// Key format of a database.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    /// Columns of 兵河: `vkey` and others.
    Binghe,
    /// Column `key`: the board as bits.
    Xqb,
    /// Position database of `chuhe explore`.
    Explored,
}

/// A database on its own thread, so that the caller can give up if the disk or another program blocks it.
#[derive(Debug)]
pub struct SqliteBook {
    questions: SyncSender<Question>,
    kind: Kind,
}

enum Question {
    Describe(Language, Sender<String>),
    Moves(Box<Position>, Sender<rusqlite::Result<Vec<BookMove>>>),
}

/// Reason why a database is not an opening book.
#[derive(Debug, Error)]
enum NotABook {
    #[error("{0}")]
    Open(#[from] OpenError),
    #[error("{0}")]
    Sqlite(#[from] rusqlite::Error),
    #[error("the database has no opening book table")]
    NoTable,
}

/// Timeout of a query; most take less than a millisecond.
const PATIENCE: Duration = Duration::from_millis(500);

impl SqliteBook {
    /// Opens a database.
    ///
    /// # Errors
    /// Returns an error if the database is damaged or locked, or has no table of a known format.
    pub(crate) fn open(path: &Path) -> io::Result<SqliteBook> {
        let (questions, asked) = mpsc::sync_channel(1);
        let (opened, is_open) = mpsc::channel();
        let path = path.to_owned();
        let work = move || {
            let database = match Database::open(&path) {
                Ok(database) => database,
                Err(error) => return drop(opened.send(Err(error))),
            };
            let _ = opened.send(Ok(database.kind));
            for question in asked {
                // Sending fails if the caller has given up.
                match question {
                    Question::Describe(language, answer) => drop(answer.send(database.describe(language))),
                    Question::Moves(position, answer) => drop(answer.send(database.moves(&position))),
                }
            }
        };
        std::thread::Builder::new().name("book".into()).spawn(work)?;
        let kind = is_open.recv().map_err(io::Error::other)?.map_err(|error: NotABook| damaged(error.to_string()))?;
        Ok(SqliteBook { questions, kind })
    }

    /// Returns `true` if the book is a position database.
    pub(crate) fn is_explored(&self) -> bool {
        self.kind == Kind::Explored
    }

    /// Describes the format and the size of the book. This may take some time, since all moves are counted.
    pub fn describe(&self, language: Language) -> String {
        let (answer, heard) = mpsc::channel();
        let _ = self.questions.send(Question::Describe(language, answer));
        heard.recv().unwrap_or_else(|_| BUSY.to_owned())
    }

    /// Returns the moves stored for a position and for its mirror image.
    ///
    /// # Errors
    /// Returns an error if the database is damaged or busy.
    pub fn moves(&self, position: &Position) -> io::Result<Vec<BookMove>> {
        let (answer, heard) = mpsc::channel();
        let question = Question::Moves(Box::new(position.clone()), answer);
        let busy = || io::Error::new(io::ErrorKind::TimedOut, BUSY);
        self.questions.try_send(question).map_err(|_| busy())?;
        heard.recv_timeout(PATIENCE).map_err(|_| busy())?.map_err(|error| damaged(error.to_string()))
    }
}

const BUSY: &str = "the database does not respond";

/// An open database.
struct Database {
    database: Connection,
    kind: Kind,
    table: String,
    columns: Vec<String>,
}

impl Database {
    fn open(path: &Path) -> Result<Database, NotABook> {
        let database = database::open(path, Access::Read)?;
        // Fails at once if the book is locked.
        database.busy_timeout(Duration::ZERO)?;
        let tables: Vec<String> = {
            let mut query = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'")?;
            let names = query.query_map([], |row| row.get(0))?;
            names.collect::<Result<_, _>>()?
        };
        for table in tables {
            let columns: Vec<String> = {
                let mut query = database.prepare("SELECT lower(name) FROM pragma_table_info(?1)")?;
                let names = query.query_map([&table], |row| row.get(0))?;
                names.collect::<Result<_, _>>()?
            };
            let has = |names: &[&str]| names.iter().all(|name| columns.iter().any(|column| column == name));
            let kind = match () {
                () if has(&["vkey", "vmove"]) => Kind::Binghe,
                () if has(&["key", "move"]) => Kind::Xqb,
                () if has(&["key", "board", "moves", "value"]) => Kind::Explored,
                () => continue,
            };
            return Ok(Database { database, kind, table, columns });
        }
        Err(NotABook::NoTable)
    }

    fn describe(&self, language: Language) -> String {
        let key = match self.kind {
            Kind::Binghe => Key::BingheBook,
            Kind::Xqb => Key::XqbBook,
            Kind::Explored => Key::ExploredBook,
        };
        let count = self
            .database
            .query_row(&format!("SELECT count(*) FROM {}", self.quoted_table()), [], |row| row.get::<_, i64>(0));
        let count = count.map_or_else(|error| error.to_string(), |count| count.to_string());
        language.say(key, &[("table", &self.table), ("moves", &count)])
    }

    fn quoted_table(&self) -> String {
        format!("\"{}\"", self.table.replace('"', "\"\""))
    }

    fn moves(&self, position: &Position) -> rusqlite::Result<Vec<BookMove>> {
        let mut moves = Vec::new();
        match self.kind {
            Kind::Explored => moves = self.explored(position)?,
            Kind::Binghe => {
                for mirrored in [false, true] {
                    let key = binghe(position, mirrored) as i64;
                    let mut rows = self.rows("vkey", Value::Integer(key))?;
                    let as_real = f64::from_bits(key as u64);
                    // Some programs store the key's bits as a real number.
                    if rows.is_empty() && as_real.is_finite() && as_real.fract() != 0.0 {
                        rows = self.rows("vkey", Value::Real(as_real))?;
                    }
                    for (code, score, games) in rows {
                        let [high, low] = [code >> 8 & 255, code & 255].map(|square| from_square16(square as usize));
                        // 勇芳 swaps the two squares; only one order gives a legal move.
                        let legal = [(high, low), (low, high)].into_iter().find_map(|(from, to)| {
                            let mv = Move::new(from?, to?);
                            let mv = if mirrored { mv.mirrored() } else { mv };
                            position.is_legal(mv).then_some(mv)
                        });
                        moves.extend(legal.map(|mv| entry(mv, score, games)));
                    }
                }
            }
            Kind::Xqb => {
                let key = xqb(position);
                for (code, score, games) in self.rows("key", Value::Blob(key.bytes.clone()))? {
                    let square = |row: i64, file: i64| Square::at(file as i32, 9 - row as i32);
                    let from = square(code >> 12 & 15, code >> 8 & 15);
                    let Some((from, to)) = from.zip(square(code >> 4 & 15, code & 15)) else { continue };
                    let mut mv = Move::new(from, to);
                    if key.mirrored {
                        mv = mv.mirrored();
                    }
                    if key.turned {
                        mv = mv.flipped().mirrored();
                    }
                    if position.is_legal(mv) {
                        moves.push(entry(mv, score, games));
                    }
                }
            }
        }
        Ok(moves)
    }

    /// Returns the moves in a position database. A move has a backed-up score if the position after it was
    /// analysed.
    fn explored(&self, position: &Position) -> rusqlite::Result<Vec<BookMove>> {
        let keys = BookKeys::of(position);
        let key = keys.key();
        let stored = self.database.query_row("SELECT moves FROM positions WHERE key = ?1", [key as i64], |row| {
            row.get_ref(0)?.as_blob().map(ScoredMove::read).map_err(Into::into)
        });
        let Some(mut stored) = stored.optional()?.flatten() else { return Ok(Vec::new()) };
        let sql = "SELECT place, barred, value FROM edges JOIN positions ON key = child WHERE parent = ?1";
        let mut query = self.database.prepare(sql)?;
        let mut rows = query.query([key as i64])?;
        while let Some(row) = rows.next()? {
            let (place, barred, value) = (row.get::<_, u8>(0)?, row.get::<_, bool>(1)?, row.get::<_, i16>(2)?);
            if let Some(entry) = stored.get_mut(usize::from(place)) {
                entry.score = (!barred).then(|| value.saturating_neg());
            }
        }
        let scored =
            stored.iter().filter_map(|entry| Some((keys.oriented(position, entry.mv), i64::from(entry.score?))));
        Ok(weigh(&scored.collect::<Vec<_>>()))
    }

    /// Returns the rows of a key that are not marked as invalid.
    fn rows(&self, key_column: &str, key: Value) -> rusqlite::Result<Vec<BookRow>> {
        let prefix = if self.kind == Kind::Binghe { "v" } else { "" };
        let names = ["move", "score", "win", "draw", "lost", "valid"].map(|name| format!("{prefix}{name}"));
        let has = |name: &String| self.columns.contains(name);
        let wanted = names.iter().map(|name| if has(name) { format!("\"{name}\"") } else { "NULL".to_string() });
        let wanted: Vec<String> = wanted.collect();
        // In 勇芳's books, which have no column `vmemo`, `vvalid` is the number of a note, not a validity flag.
        let may_be_barred = has(&names[5]) && (self.kind == Kind::Xqb || self.columns.iter().any(|c| c == "vmemo"));
        let sql =
            format!("SELECT {} FROM {} WHERE \"{key_column}\" = ?1 LIMIT 200", wanted.join(", "), self.quoted_table());
        let number = |row: &Row, at: usize| -> rusqlite::Result<Option<i64>> {
            Ok(match row.get::<_, Value>(at)? {
                Value::Integer(number) => Some(number),
                Value::Real(number) => Some(number as i64),
                Value::Text(text) => text.trim().parse().ok(),
                Value::Null | Value::Blob(_) => None,
            })
        };
        let read = |row: &Row| -> rusqlite::Result<Option<BookRow>> {
            let games = [number(row, 2)?, number(row, 3)?, number(row, 4)?];
            let barred = may_be_barred && number(row, 5)? == Some(0);
            let games = games.map(|count| count.unwrap_or(0).clamp(0, i64::from(u32::MAX)) as u64);
            Ok(number(row, 0)?
                .filter(|_| !barred)
                .map(|code| (code, number(row, 1).ok().flatten().unwrap_or(0), games)))
        };
        let found: Vec<Option<BookRow>> =
            self.database.prepare(&sql)?.query_map([&key], read)?.collect::<Result<_, _>>()?;
        Ok(found.into_iter().flatten().collect())
    }
}

fn entry(mv: Move, score: i64, games: [u64; 3]) -> BookMove {
    BookMove { mv, weight: BookMove::weigh(games, score), score: Some(score), games: Some(games) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::book::Book;
    use crate::book::keys::square16;
    use std::path::PathBuf;

    fn database(name: &str, sql: &str) -> (PathBuf, Connection) {
        let path = std::env::temp_dir().join(format!("chuhe-{}-{name}", std::process::id()));
        let _ = std::fs::remove_file(&path);
        let database = Connection::open(&path).unwrap();
        database.execute_batch(sql).unwrap();
        (path, database)
    }

    fn found(path: &Path, position: &Position) -> Vec<String> {
        let moves = Book::open(path).unwrap().moves(position).unwrap();
        moves.iter().map(|entry| format!("{} {}", entry.mv, entry.weight)).collect()
    }

    #[test]
    fn books_with_keys_of_binghe_are_read_in_all_their_kinds() {
        let start = Position::start();
        let mut after = start.clone();
        after.make("h2e2".parse().unwrap());
        let code = |mv: &str, swapped: bool| {
            let mv: Move = mv.parse().unwrap();
            let (from, to) = (square16(mv.from), square16(mv.to));
            (if swapped { to << 8 | from } else { from << 8 | to }) as i64
        };
        for (name, table, memo, swapped) in [
            ("a.obk", "bhobk", "vmemo BLOB,", false),
            ("a.pfBook", "pfBook", "vmemo TEXT,", false),
            ("a.yfk", "yfbook", "", true),
        ] {
            let sql = format!(
                "CREATE TABLE {table} (id INTEGER PRIMARY KEY, vkey, vmove INTEGER, vscore INTEGER, vwin INTEGER, \
                 vdraw INTEGER, vlost INTEGER, vvalid INTEGER, {memo} vindex INTEGER)"
            );
            let (path, database) = database(name, &sql);
            let insert = format!(
                "INSERT INTO {table} (vkey, vmove, vscore, vwin, vdraw, vlost, vvalid) VALUES (?1, ?2, ?3, ?4, 1, 0, ?5)"
            );
            let key = binghe(&start, false) as i64;
            // Without a column `vmemo`, `vvalid` is the number of a note.
            let valid = i64::from(!memo.is_empty());
            database.execute(&insert, (key, code("h2e2", swapped), 10, 6, valid)).unwrap();
            database.execute(&insert, (key, code("h2h9", swapped), 99, 9, valid)).unwrap();
            if !memo.is_empty() {
                database.execute(&insert, (key, code("c3c4", swapped), 99, 9, 0)).unwrap();
            }
            // A reply stored for the mirror image, with its key as a real number if it can be one.
            let mirror = binghe(&after, true);
            let mirror = f64::from_bits(mirror);
            let reply = code("b9c7", swapped);
            if mirror.is_finite() {
                database.execute(&insert, (mirror, reply, 0, 2, valid)).unwrap();
            } else {
                database.execute(&insert, (binghe(&after, true) as i64, reply, 0, 2, valid)).unwrap();
            }
            drop(database);
            // The initial position is symmetric, so each move is accompanied by its mirror image.
            assert_eq!(found(&path, &start), ["h2h9 19", "b2b9 19", "h2e2 13", "b2e2 13"], "{name}");
            assert_eq!(found(&path, &after), ["h9g7 5"], "{name}");
            std::fs::remove_file(path).unwrap();
        }
    }

    #[test]
    fn xqb_books_are_read_from_every_side() {
        let (path, database) = database(
            "a.xqb",
            "CREATE TABLE book (Id INTEGER PRIMARY KEY, Key BLOB, Move INTEGER, Score INTEGER, Win INTEGER, Draw INTEGER, \
             Lost INTEGER, Valid INTEGER, Memo TEXT)",
        );
        let insert = "INSERT INTO book (Key, Move, Score, Win, Draw, Lost, Valid) VALUES (?1, ?2, 5, 3, 0, 0, ?3)";
        let start = Position::start();
        // Row 7, file 7 to row 7, file 4.
        database.execute(insert, (xqb(&start).bytes, 0x7774, 1)).unwrap();
        database.execute(insert, (xqb(&start).bytes, 0x7773, 0)).unwrap();
        drop(database);
        assert_eq!(found(&path, &start), ["h2e2 6"]);
        // Black's first move equals Red's, rotated.
        let black: Position = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR b".parse().unwrap();
        assert_eq!(found(&path, &black), ["b7e7 6"]);
        std::fs::remove_file(path).unwrap();
    }

    #[test]
    fn a_book_that_another_program_has_locked_is_not_waited_for() {
        let (path, database) = database("locked.obk", "CREATE TABLE bhobk (vkey, vmove INTEGER)");
        let book = Book::open(&path).unwrap();
        assert!(book.moves(&Position::start()).unwrap().is_empty());
        database.execute_batch("BEGIN EXCLUSIVE").unwrap();
        assert!(book.moves(&Position::start()).unwrap_err().to_string().contains("locked"));
        assert!(Book::open(&path).unwrap_err().to_string().contains("locked"));
        database.execute_batch("COMMIT").unwrap();
        assert!(book.moves(&Position::start()).unwrap().is_empty());
        drop(database);
        std::fs::remove_file(path).unwrap();
    }

    #[test]
    fn databases_that_are_no_books_are_refused() {
        let (path, _) = database("a.db", "CREATE TABLE people (name TEXT)");
        assert!(Book::open(&path).unwrap_err().to_string().contains("opening book"));
        let mut bytes = std::fs::read(&path).unwrap();
        let end = bytes.len();
        bytes[100..end].fill(7);
        std::fs::write(&path, bytes).unwrap();
        assert!(Book::open(&path).is_err());
        std::fs::remove_file(path).unwrap();
    }
}
