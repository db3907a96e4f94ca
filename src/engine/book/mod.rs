//! Opening books: Chuhe's format, ElephantEye's BOOK.DAT, the SQLite books of other programs (`.obk`,
//! `.pfBook`, `.yfk`, `.xqb`), and the position databases of `chuhe explore`.

mod choose;
mod eleeye;
mod entry;
mod explored;
mod keys;
mod own;
#[cfg(feature = "sqlite-books")]
mod sqlite;
#[cfg(feature = "sqlite-books")]
mod writing;

pub use choose::{choose, sound_moves};
pub use entry::BookMove;
pub use explored::{ScoredMove, weigh};
pub use keys::{eleeye as eleeye_keys, eleeye_change};
pub use own::{BookKeys, OwnBook, Stored, key, key_of_move};
#[cfg(feature = "sqlite-books")]
pub use writing::SqliteFormat;

use crate::bytes::{MAX_FILE, open_file, read_file};
use chuhe_board::rules::Game;
use chuhe_board::words::{Key, Language};
use chuhe_board::{Move, Position};
use eleeye::EleEyeBook;
use std::io::{self, Read};
use std::ops::Range;
use std::path::Path;

/// An opening book of any format.
#[derive(Debug)]
pub enum Book {
    /// Chuhe's format.
    Own(OwnBook),
    /// ElephantEye's format.
    EleEye(EleEyeBook),
    /// SQLite database.
    #[cfg(feature = "sqlite-books")]
    Sqlite(sqlite::SqliteBook),
}

impl Book {
    /// Opens a book and detects its format from its content. Databases are opened read-only.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read or is not a book.
    pub fn open(path: &Path) -> io::Result<Book> {
        let head = read_head(path)?;
        if head.starts_with(b"SQLite format 3\0") {
            #[cfg(feature = "sqlite-books")]
            return sqlite::SqliteBook::open(path).map(Book::Sqlite);
            #[cfg(not(feature = "sqlite-books"))]
            return Err(crate::bytes::damaged("SQLite books need a build with the feature sqlite-books"));
        }
        let bytes = read_file(path, MAX_FILE)?;
        if head.starts_with(own::MAGIC) {
            return OwnBook::read(&bytes).map(Book::Own);
        }
        EleEyeBook::read(&bytes).map(Book::EleEye)
    }

    /// Returns the small embedded book, made from Chuhe's own games (docs/records.md). The engine-only
    /// WebAssembly build omits the book to keep the module small, and returns an empty one; see
    /// `Book::CARRIED`.
    pub fn built_in() -> Book {
        #[cfg(any(not(target_family = "wasm"), feature = "embedded-book"))]
        let bytes = include_bytes!("../embedded/opening.book");
        #[cfg(not(any(not(target_family = "wasm"), feature = "embedded-book")))]
        let bytes = &[];
        // The embedded book is valid; a test checks this.
        Book::Own(OwnBook::read(bytes).unwrap_or_default())
    }

    /// `true` if this build has an embedded book.
    pub(crate) const CARRIED: bool = cfg!(any(not(target_family = "wasm"), feature = "embedded-book"));

    /// Returns the number of moves to the first position that a position database contains; `None` if there is
    /// none, or if the book is not a position database. The moves must be legal.
    pub fn explored_from(&self, start: &Game, moves: &[Move]) -> Option<usize> {
        let is_explored = match self {
            Book::Own(_) | Book::EleEye(_) => false,
            #[cfg(feature = "sqlite-books")]
            Book::Sqlite(book) => book.is_explored(),
        };
        let mut game = start.clone();
        let contains = |game: &Game| self.moves(game.position()).is_ok_and(|moves| !moves.is_empty());
        (0..=moves.len()).filter(|_| is_explored).find(|&ply| {
            if ply > 0 {
                game.make(moves[ply - 1]);
            }
            contains(&game)
        })
    }

    /// Returns the range of the moves that the book contains with a nonzero weight, up to the first other
    /// move. It begins after `from` moves: 0 or, in a position database, the result of
    /// [`Book::explored_from`]. The moves must be legal.
    pub fn known(&self, start: &Game, moves: &[Move], from: usize) -> Range<usize> {
        let mut game = start.clone();
        moves[..from].iter().for_each(|&mv| game.make(mv));
        let is_known = |mv: &&Move| {
            let is_it = |entry: &BookMove| entry.mv == **mv && entry.weight > 0;
            let known = self.moves(game.position()).is_ok_and(|known| known.iter().any(is_it));
            debug_assert!(game.position().is_legal(**mv), "{mv} is not legal");
            game.make(**mv);
            known
        };
        from..from + moves[from..].iter().take_while(is_known).count()
    }

    /// Describes the format of the book and its size.
    pub fn describe(&self, language: Language) -> String {
        let counted = |key: Key, positions: usize, moves: usize| {
            language.say(key, &[("positions", &positions), ("moves", &moves)])
        };
        match self {
            Book::Own(book) => counted(Key::OwnBook, book.positions(), book.len()),
            Book::EleEye(book) => counted(Key::EleEyeBook, book.positions(), book.len()),
            #[cfg(feature = "sqlite-books")]
            Book::Sqlite(book) => book.describe(language),
        }
    }

    /// Returns the book's legal moves for a position or its mirror image, in descending order of weight.
    ///
    /// # Errors
    /// Returns an error if a database is damaged or busy.
    pub fn moves(&self, position: &Position) -> io::Result<Vec<BookMove>> {
        let mut moves = match self {
            Book::Own(book) => book.moves(position),
            Book::EleEye(book) => book.moves(position),
            #[cfg(feature = "sqlite-books")]
            Book::Sqlite(book) => book.moves(position)?,
        };
        moves.retain(|entry| position.is_legal(entry.mv));
        moves
            .sort_by_key(|entry| std::cmp::Reverse((entry.weight, entry.games.map(|games| games.iter().sum::<u64>()))));
        // In a symmetric position, a database may contain a move as well as its mirror image.
        let mut seen = Vec::new();
        moves.retain(|entry| {
            !seen.contains(&entry.mv) && {
                seen.push(entry.mv);
                true
            }
        });
        Ok(moves)
    }
}

fn read_head(path: &Path) -> io::Result<Vec<u8>> {
    let mut head = Vec::new();
    open_file(path)?.take(16).read_to_end(&mut head)?;
    Ok(head)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_book_that_is_built_in_knows_the_start_and_its_mirror_image() {
        let book = Book::built_in();
        let start = Position::start();
        let moves = book.moves(&start).unwrap();
        assert!(moves.len() > 1, "{moves:?}");
        let mut after = start.clone();
        after.make("b2e2".parse().unwrap());
        let mut mirrored = start;
        mirrored.make("h2e2".parse().unwrap());
        let replies = |position: &Position, mirror: bool| -> Vec<_> {
            let moves = book.moves(position).unwrap().into_iter();
            moves.map(|entry| (if mirror { entry.mv.mirrored() } else { entry.mv }, entry.weight)).collect()
        };
        let mut one = replies(&after, false);
        let mut two = replies(&mirrored, true);
        one.sort_by_key(|(mv, _)| mv.to_string());
        two.sort_by_key(|(mv, _)| mv.to_string());
        assert!(!one.is_empty() && one == two, "{one:?} {two:?}");
    }

    #[test]
    fn the_known_moves_begin_at_the_given_ply() {
        let (book, start) = (Book::built_in(), Game::new(Position::start()));
        let moves = ["a0a1", "h9g7", "h2e2"].map(|mv| mv.parse::<Move>().unwrap());
        assert_eq!((book.known(&start, &moves, 0), book.known(&start, &moves, 2).start), (0..0, 2));
        assert_eq!(book.known(&start, &[moves[2], moves[1]], 0).start, 0);
    }

    #[test]
    fn what_is_no_book_is_refused() {
        assert!(Book::open(Path::new(".")).is_err());
        assert!(Book::open(Path::new("Cargo.toml")).unwrap_err().to_string().contains("BOOK.DAT"));
    }
}
