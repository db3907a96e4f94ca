//! Writer of the SQLite books of other programs: `.obk` (兵河) and `.xqb`.

use super::entry::BookMove;
use super::keys::{binghe, square16, xqb};
use chuhe_board::{Move, Position, Square};
use rusqlite::Connection;
use std::io;

/// Format of an SQLite book.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SqliteFormat {
    /// `.obk` of 兵河.
    Obk,
    /// `.xqb`.
    Xqb,
}

const OBK: &str =
    "CREATE TABLE bhobk (id INTEGER PRIMARY KEY AUTOINCREMENT, vkey INTEGER, vmove INTEGER, vscore INTEGER,
    vwin INTEGER, vdraw INTEGER, vlost INTEGER, vvalid INTEGER, vmemo BLOB, vindex INTEGER);
CREATE INDEX bhobk_vkey ON bhobk (vkey);";
const XQB: &str = "CREATE TABLE book (Id INTEGER PRIMARY KEY AUTOINCREMENT, Key BLOB, Move INTEGER, Score INTEGER,
    Win INTEGER, Draw INTEGER, Lost INTEGER, Valid INTEGER, Memo TEXT);
CREATE INDEX book_key ON book (Key);";

impl SqliteFormat {
    /// Returns the bytes of a book. Omits moves that are never played, since these formats have no weights.
    ///
    /// # Errors
    /// Returns an error if there is not enough memory.
    pub fn to_bytes(self, positions: &[(Position, Vec<BookMove>)]) -> io::Result<Vec<u8>> {
        self.build(positions).map_err(io::Error::other)
    }

    fn build(self, positions: &[(Position, Vec<BookMove>)]) -> rusqlite::Result<Vec<u8>> {
        let (tables, insert) = match self {
            SqliteFormat::Obk => (OBK, "INSERT INTO bhobk VALUES (NULL, ?1, ?2, ?3, ?4, ?5, ?6, 1, NULL, NULL)"),
            SqliteFormat::Xqb => (XQB, "INSERT INTO book VALUES (NULL, ?1, ?2, ?3, ?4, ?5, ?6, 1, NULL)"),
        };
        let mut database = Connection::open_in_memory()?;
        database.execute_batch(tables)?;
        let begun = database.transaction()?;
        let mut statement = begun.prepare(insert)?;
        for (position, moves) in positions {
            for entry in moves.iter().filter(|entry| entry.weight > 0) {
                let [won, drawn, lost] = entry.games.unwrap_or_default().map(|games| games as i64);
                let (mv, score) = (entry.mv, entry.score.unwrap_or(0));
                match self {
                    SqliteFormat::Obk => {
                        let code = (square16(mv.from) << 8 | square16(mv.to)) as i64;
                        statement.execute((binghe(position, false) as i64, code, score, won, drawn, lost))?;
                    }
                    SqliteFormat::Xqb => {
                        let key = xqb(position);
                        let mv = if key.turned { mv.flipped().mirrored() } else { mv };
                        let mv = if key.mirrored { mv.mirrored() } else { mv };
                        statement.execute((key.bytes, xqb_code(mv), score, won, drawn, lost))?;
                    }
                }
            }
        }
        drop(statement);
        begun.commit()?;
        Ok(database.serialize("main")?.to_vec())
    }
}

/// Returns the number of a move in `.xqb` books: row and file of both squares, four bits each, rows from the
/// top.
fn xqb_code(mv: Move) -> i64 {
    let number = |square: Square| (9 - square.rank().index()) << 4 | square.file().index();
    (number(mv.from) << 8 | number(mv.to)) as i64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::book::{Book, key};
    use chuhe_board::random::SplitMix64;
    use std::collections::BTreeSet;

    #[test]
    fn books_of_other_programs_are_read_as_they_were_written() {
        let (mut random, mut position, mut positions) = (SplitMix64::new(3), Position::start(), Vec::new());
        let mut seen = BTreeSet::new();
        while positions.len() < 200 {
            let moves = position.legal_moves();
            let first = random.below(moves.len() as u64) as usize;
            let entry = |at: usize| BookMove {
                mv: moves[(first + at) % moves.len()],
                weight: [9, 5, 0][at],
                score: Some(40 - 90 * at as i64),
                games: Some([at as u64 + 1, 2, 0]),
            };
            // In a symmetric position, a move and its mirror image count as one move.
            if position.key() != position.mirrored().key() && seen.insert(key(&position).0) {
                positions.push((position.clone(), (0..moves.len().min(3)).map(entry).collect::<Vec<_>>()));
            }
            position.make(moves[first]);
            if !position.has_moves() {
                position = Position::start();
            }
        }
        for (format, name) in [(SqliteFormat::Obk, "obk"), (SqliteFormat::Xqb, "xqb")] {
            let path = std::env::temp_dir().join(format!("chuhe-{}-written.{name}", std::process::id()));
            std::fs::write(&path, format.to_bytes(&positions).unwrap()).unwrap();
            let book = Book::open(&path).unwrap();
            for (position, moves) in &positions {
                for (position, turned) in [(position.clone(), false), (position.mirrored(), true)] {
                    let found = book.moves(&position).unwrap();
                    for entry in moves {
                        let mv = if turned { entry.mv.mirrored() } else { entry.mv };
                        let read = found.iter().find(|read| read.mv == mv && read.score == entry.score);
                        assert_eq!(
                            read.and_then(|read| read.games),
                            entry.games.filter(|_| entry.weight > 0),
                            "{position} {mv}"
                        );
                    }
                }
            }
            drop(book);
            std::fs::remove_file(path).unwrap();
        }
    }
}
