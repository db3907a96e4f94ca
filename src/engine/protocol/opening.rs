//! Book moves, enabled by an option.

use super::options::SessionSettings;
use crate::book::{Book, BookMove, choose, sound_moves};
use crate::search::{Bound, Conclusion, Limits, Report};
use chuhe_board::rules::Game;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Open books in order of priority.
#[derive(Default)]
pub(super) struct OpenBooks {
    books: Vec<Book>,
    source: Source,
}

/// Source of the books.
#[derive(Default, PartialEq, Eq)]
enum Source {
    /// No book.
    #[default]
    Nowhere,
    /// The built-in book.
    Program,
    /// Files, separated by `;`.
    Files(PathBuf),
}

/// Maximum absolute score in centipawns accepted from a book; some books store numbers that are not scores.
const MAX_BOOK_SCORE: i64 = 1000;

impl OpenBooks {
    /// Opens the books selected by the settings, unless they are already open, and returns the errors.
    pub(crate) fn follow(&mut self, settings: &SessionSettings) -> Vec<String> {
        let source = match &settings.book_files {
            _ if !settings.use_book => Source::Nowhere,
            None => Source::Program,
            Some(files) => Source::Files(files.clone()),
        };
        if self.source == source {
            return Vec::new();
        }
        let mut faults = Vec::new();
        self.books.clear();
        match &source {
            Source::Nowhere => {}
            Source::Program if Book::CARRIED => self.books.push(Book::built_in()),
            Source::Program => faults.push("this build of Chuhe contains no opening book".into()),
            Source::Files(files) => {
                let files = files.to_string_lossy();
                for file in files.split(';').map(str::trim).filter(|file| !file.is_empty()) {
                    match Book::open(Path::new(file)) {
                        Ok(book) => self.books.push(book),
                        Err(fault) => faults.push(format!("bookfiles: {file}: {fault}")),
                    }
                }
            }
        }
        self.source = source;
        faults
    }

    /// Returns the moves of the first book that contains a sound move, and the last error of the books before
    /// it.
    fn moves(&self, game: &Game, settings: &SessionSettings, limits: &Limits) -> (Vec<BookMove>, Option<String>) {
        let mut fault = None;
        let is_allowed = |entry: &BookMove| {
            !limits.banned.contains(&entry.mv) && (limits.only.is_empty() || limits.only.contains(&entry.mv))
        };
        for book in &self.books {
            match book.moves(game.position()) {
                Ok(mut moves) => {
                    moves.retain(is_allowed);
                    let moves = sound_moves(game, &moves, settings.engine.terms());
                    if !moves.is_empty() {
                        return (moves, fault);
                    }
                }
                Err(damage) => fault = Some(damage.to_string()),
            }
        }
        (Vec::new(), fault)
    }

    /// Returns a book move as the result of a search to depth 0, as GUIs expect, and an error from a book, if
    /// any.
    pub(crate) fn answer(
        &self,
        game: &Game,
        settings: &SessionSettings,
        limits: &Limits,
    ) -> (Option<Conclusion>, Option<String>) {
        let (moves, fault) = self.moves(game, settings, limits);
        let conclude = |&BookMove { mv, score, .. }: &BookMove| {
            let line = Report {
                depth: 0,
                seldepth: 0,
                multipv: 1,
                score: score.unwrap_or_default().clamp(-MAX_BOOK_SCORE, MAX_BOOK_SCORE) as i32,
                bound: Bound::Exact,
                nodes: 0,
                time: Duration::ZERO,
                hashfull: 0,
                tablebase_hits: 0,
                pv: vec![mv],
            };
            Conclusion { best: Some(mv), lines: vec![line], ..Conclusion::default() }
        };
        (choose(&moves, settings.engine.seed ^ game.position().key()).map(conclude), fault)
    }
}
