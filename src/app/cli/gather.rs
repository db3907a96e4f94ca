//! Games in all files and folders specified by the user. Unreadable files are reported and skipped, and the
//! command fails at the end.

use super::{Done, Failure, encoding};
use crate::desk::say_fault;
use crate::output::print_message;
#[cfg(feature = "sqlite-books")]
use crate::translation::translate_to;
use chuhe_board::words::{Key, Language};
use chuhe_engine::bytes::open_file;
use chuhe_games::Duplicates;
#[cfg(feature = "sqlite-books")]
use chuhe_games::library::{Error, Library, is_library};
use chuhe_games::records::{Diagram, Problem, Record, RecordFault, RecordReader, SUFFIXES};
#[cfg(feature = "sqlite-books")]
use chuhe_lab::arena::schedule::Part;
use chuhe_lab::data::pgn::game;
use chuhe_lab::data::records::{Damage, MAGIC, Reader};
use std::fmt::Display;
use std::fs;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// Maximum number of reported errors; the others are only counted.
const SHOWN: usize = 20;

type Reading = Box<dyn Iterator<Item = Result<Record, RecordFault>>>;

/// A game with its source.
pub(super) struct Gathered {
    pub file: Rc<Path>,
    /// Number of the game in its file, from 1.
    pub number: usize,
    /// Index of the game across all files, from 1, counting duplicates.
    pub index: usize,
    pub record: Record,
}

/// Returns a sort key in which numbers are ordered by value: `game.xqf`, `game-2.xqf`, `game-10.xqf`. Each part
/// is a text with the number after it.
fn natural_order(path: &Path) -> (Vec<(String, u128)>, PathBuf) {
    let stem = path.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
    let mut rest = stem.as_str();
    let mut parts = Vec::new();
    while !rest.is_empty() {
        let digits = rest.find(|c: char| c.is_ascii_digit()).unwrap_or(rest.len());
        let (text, after) = rest.split_at(digits);
        let end = after.find(|c: char| !c.is_ascii_digit()).unwrap_or(after.len());
        parts.push((text.to_owned(), after[..end].parse().unwrap_or(u128::from(end > 0) * u128::MAX)));
        rest = &after[end..];
    }
    (parts, path.to_owned())
}

/// Returns `true` if a file name has the suffix of a record format. Other files in folders are not read.
pub(super) fn is_game_file(path: &Path) -> bool {
    let suffix = path.extension().map(|suffix| suffix.to_string_lossy().to_ascii_lowercase());
    suffix.is_some_and(|suffix| SUFFIXES.contains(&suffix.as_str()))
}

/// Location of a game: its file and its number there, from 1.
type GameLocation = (Rc<Path>, usize);

/// A record in a file, with its number there.
pub(super) enum GatheredItem {
    Game(Box<Gathered>),
    /// A diagram, whose position is not playable.
    Diagram(Rc<Path>, usize, Box<Diagram>),
}

/// Iterator over games; afterwards [`Gathering::end`] reports the errors.
pub(super) struct Gathering {
    language: Language,
    /// Skips damaged games instead of using their readable part.
    drop_broken: bool,
    /// Number of the only game to return from each file, from 1; `None` for all games.
    only: Option<usize>,
    /// `true` if diagrams are returned as well.
    takes_diagrams: bool,
    /// Files to be read, in reverse order.
    files: Vec<PathBuf>,
    file: Rc<Path>,
    reading: Option<Reading>,
    /// Number of games and errors in the current file.
    found: usize,
    read: usize,
    faults: usize,
    /// Maximum number of games in a file so far.
    most: usize,
    shown: Vec<String>,
    /// Games returned so far, if duplicates are skipped.
    before: Option<Duplicates<GameLocation>>,
    duplicates: usize,
    /// The first duplicates found, each with the location of the game that it repeats.
    same: Vec<(GameLocation, GameLocation)>,
}

impl Gathering {
    /// Collects the files of `inputs`: files, folders with all their contents, and `-` for standard input.
    ///
    /// # Errors
    /// Returns an error if a file or folder does not exist.
    pub(super) fn of(inputs: &[PathBuf], language: Language) -> Result<Gathering, Failure> {
        let mut gathering = Gathering {
            language,
            drop_broken: false,
            only: None,
            takes_diagrams: false,
            files: Vec::new(),
            file: Path::new("").into(),
            reading: None,
            found: 0,
            most: 0,
            read: 0,
            faults: 0,
            shown: Vec::new(),
            before: None,
            duplicates: 0,
            same: Vec::new(),
        };
        for input in inputs {
            if input != Path::new("-") {
                fs::metadata(input).map_err(|error| Failure::file(input, &error))?;
            }
            gathering.find(input);
        }
        gathering.files.reverse();
        Ok(gathering)
    }

    /// Sets whether damaged games are skipped, and which game of each file to return.
    pub(super) fn set(&mut self, drop_broken: bool, only: Option<usize>) {
        (self.drop_broken, self.only) = (drop_broken, only);
    }

    /// Skips games with the same first position and the same moves as an earlier one.
    pub(super) fn leave_out_duplicates(&mut self) {
        self.before.get_or_insert_default();
    }

    /// Skips all files outside a part.
    #[cfg(feature = "sqlite-books")]
    pub(super) fn keep_part(&mut self, part: Part) {
        let (count, range) = (self.files.len(), part.range(self.files.len()));
        // The files are in reverse order.
        self.files = self.files.drain(count - range.end..count - range.start).collect();
    }

    /// Returns the number of files.
    pub(super) fn files(&self) -> usize {
        self.files.len()
    }

    /// Adds a file, or all files with a known suffix in a folder and its subfolders, in order.
    fn find(&mut self, input: &Path) {
        if !input.is_dir() {
            return self.files.push(input.to_path_buf());
        }
        let entries = fs::read_dir(input).and_then(|entries| entries.map(|entry| Ok(entry?.path())).collect());
        let mut entries: Vec<PathBuf> = match entries {
            Ok(entries) => entries,
            Err(error) => return self.fault(input, &error.to_string()),
        };
        entries.sort_by_cached_key(|entry| natural_order(entry));
        for entry in entries {
            // Links to folders are skipped, whatever their names, since they may point to a parent folder.
            if entry.is_dir() && entry.is_symlink() {
                continue;
            }
            if entry.is_dir() || is_game_file(&entry) {
                self.find(&entry);
            }
        }
    }

    fn fault(&mut self, file: &Path, what: &str) {
        self.faults += 1;
        if self.shown.len() < SHOWN {
            self.shown.push(format!("{}: {what}", file.display()));
        }
    }

    /// Reports a game that the caller leaves out.
    #[cfg(feature = "sqlite-books")]
    pub(super) fn refuse(&mut self, file: &Path, number: usize, reason: &str) {
        let left_out = self.language.word(Key::LeftOut);
        self.fault(file, &format!("{number}: {}{left_out}", translate_to(self.language, reason)));
    }

    /// Reports an error and returns the readable part of the game, if any.
    fn broken(&mut self, mut fault: RecordFault) -> Option<GatheredItem> {
        let said = say_fault(&fault, self.language);
        let game = fault.game.take().filter(|game| !self.drop_broken && !game.is_blank());
        let diagram = fault.diagram.take().filter(|_| !self.drop_broken && self.takes_diagrams);
        let file = Rc::clone(&self.file);
        let (found, kept) = match (game, diagram) {
            (Some(game), _) => {
                let kept = self.language.say(Key::MovesKept, &[("count", &game.tree.len())]);
                (
                    Some(GatheredItem::Game(Box::new(Gathered {
                        file: Rc::clone(&file),
                        number: self.found,
                        index: self.read + 1,
                        record: *game,
                    }))),
                    kept,
                )
            }
            (None, Some(diagram)) => {
                let kept = self.language.word(Key::KeptAsDiagram).to_owned();
                (Some(GatheredItem::Diagram(Rc::clone(&file), self.found, diagram)), kept)
            }
            (None, None) => (None, self.language.word(Key::LeftOut).to_owned()),
        };
        self.fault(&file, &format!("{said}{kept}"));
        found
    }

    /// Returns the files that are yet to be read.
    pub(super) fn unread(&self) -> &[PathBuf] {
        &self.files
    }

    /// Returns the next record, including diagrams.
    pub(super) fn next_item(&mut self) -> Option<GatheredItem> {
        self.takes_diagrams = true;
        let found = self.advance();
        self.takes_diagrams = false;
        found
    }

    /// Prints the number of games, as in `2 games from 1 file`.
    pub(super) fn print_count(&self, files: usize) {
        print_message(self.language.say(Key::GamesFromFiles, &[("games", &self.read), ("files", &files)]));
    }

    fn is_duplicate(&mut self, record: &Record) -> bool {
        let place = (Rc::clone(&self.file), self.found);
        let first = self.before.as_mut().and_then(|before| before.add(record, place.clone())).cloned();
        let Some(first) = first else { return false };
        self.duplicates += 1;
        if self.same.len() < SHOWN {
            self.same.push((place, first));
        }
        true
    }

    fn print_duplicates(&self) {
        if self.duplicates == 0 {
            return;
        }
        print_message(self.language.say(Key::DuplicatesLeftOut, &[("count", &self.duplicates)]));
        let named = |(file, number): &GameLocation| format!("{}:{number}", file.display());
        for (place, first) in &self.same {
            let places: [(&str, &dyn Display); 2] = [("file", &named(place)), ("first", &named(first))];
            print_message(format!("  {}", self.language.say(Key::SameMovesAs, &places)));
        }
        self.print_more(self.duplicates - self.same.len());
    }

    fn print_more(&self, count: usize) {
        if count > 0 {
            print_message(format!("  {}", self.language.say(Key::AndMore, &[("count", &count)])));
        }
    }

    /// Reports the errors, including files that could not be read.
    ///
    /// # Errors
    /// Returns an error if a file or a game could not be read, or if there was no game.
    pub(super) fn end(self) -> Done {
        self.print_duplicates();
        if self.faults > 0 {
            print_message(self.language.say(Key::NotReadable, &[("count", &self.faults)]));
            self.shown.iter().for_each(|line| print_message(format!("  {line}")));
        }
        self.print_more(self.faults - self.shown.len());
        match self.faults {
            // The folders contain no game files.
            0 if self.file.as_os_str().is_empty() => Err(Failure::Input(self.language.word(Key::NoGames).to_owned())),
            0 if self.read > 0 => Ok(()),
            0 => self.only.map_or(Err(Failure::Check), |number| {
                Err(Failure::at("--game", format!("there is no game {number}; the files contain {}", self.most)))
            }),
            _ => Err(Failure::Check),
        }
    }
}

impl Iterator for Gathering {
    type Item = Gathered;

    fn next(&mut self) -> Option<Gathered> {
        loop {
            if let GatheredItem::Game(game) = self.advance()? {
                return Some(*game);
            }
        }
    }
}

impl Gathering {
    fn advance(&mut self) -> Option<GatheredItem> {
        loop {
            let Some(reading) = &mut self.reading else {
                self.file = self.files.pop()?.into();
                self.found = 0;
                match open(&self.file) {
                    Ok(reading) => self.reading = Some(reading),
                    Err(error) => self.fault(&Rc::clone(&self.file), &error.to_string()),
                }
                continue;
            };
            let Some(game) = reading.next() else {
                self.reading = None;
                if self.found == 0 {
                    self.fault(&Rc::clone(&self.file), self.language.word(Key::NoGames));
                }
                continue;
            };
            self.found += 1;
            self.most = self.most.max(self.found);
            if self.only.is_some_and(|only| only != self.found) {
                continue;
            }
            let found = match game {
                Ok(record) => Some(GatheredItem::Game(Box::new(Gathered {
                    file: Rc::clone(&self.file),
                    number: self.found,
                    index: self.read + 1,
                    record,
                }))),
                Err(fault) => self.broken(fault),
            };
            if let Some(found) = found {
                self.read += 1;
                match &found {
                    GatheredItem::Game(game) if self.is_duplicate(&game.record) => {}
                    _ => return Some(found),
                }
            }
        }
    }
}

/// Opens a file of any readable kind, or standard input for `-`; training records and libraries are accepted
/// too.
fn open(path: &Path) -> io::Result<Reading> {
    if path == Path::new("-") {
        return Ok(Box::new(RecordReader::new_in(BufReader::new(io::stdin()), encoding::named())?));
    }
    #[cfg(feature = "sqlite-books")]
    if is_library(path) {
        return library(path).map_err(io::Error::other);
    }
    let mut file = BufReader::with_capacity(1 << 16, open_file(path)?);
    if file.fill_buf()?.starts_with(&MAGIC) {
        let fault = |damage: Damage| RecordFault::at_byte(damage.at as usize, Problem::Form(damage.fault.to_string()));
        let records = Reader::new(file).map_err(io::Error::other)?;
        return Ok(Box::new(records.map(move |record| record.map(|record| game(&record)).map_err(fault))));
    }
    Ok(Box::new(RecordReader::new_in(file, encoding::named())?))
}

/// Returns the games in a library in numerical order.
#[cfg(feature = "sqlite-books")]
fn library(path: &Path) -> Result<Reading, Error> {
    let library = Library::open(path)?;
    let ids = library.ids()?;
    let fault = |error: Error| RecordFault::at_byte(0, Problem::Form(error.to_string()));
    let read = move |id: i64| library.game(id)?.ok_or(Error::Damaged(id));
    Ok(Box::new(ids.into_iter().map(move |id| read(id).map_err(fault))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_read_in_the_order_of_their_numbers() {
        let ordered = [
            "game.xqf",
            "game-2.xqf",
            "game-9.xqf",
            "game-10.xqf",
            "game-10a.xqf",
            "game-99999999999999999999999999999999999999999999.xqf",
            "other1.pgn",
        ];
        let mut paths = ordered.map(PathBuf::from);
        paths.reverse();
        paths.sort_by_cached_key(|path| natural_order(path));
        assert_eq!(paths, ordered.map(PathBuf::from));
    }
}
