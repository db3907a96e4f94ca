//! Input files of training: training records, or PGN with scores, distinguished by their first bytes.

use super::error::{Error, FileError};
use super::pgn;
use super::records::{Damage, Header, MAGIC, Reader, TrainingRecord};
use chuhe_engine::bytes::{fnv, open_file};
use chuhe_games::records::pgn::PgnGames;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

/// Iterator over the games in one file, in order.
pub enum Source {
    /// Training records.
    Records(Reader<BufReader<File>>),
    /// PGN; the number distinguishes files by their names.
    Pgn(PgnGames<BufReader<File>>, u64),
}

/// Reason why a game could not be read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum GameError {
    /// Damaged records; reading stops.
    #[error(transparent)]
    Records(Damage),
    /// An unreadable game in a PGN file; reading continues with the next game.
    #[error("{0}")]
    Pgn(String),
}

impl Source {
    /// Opens a file.
    ///
    /// # Errors
    /// Returns an error if the file cannot be opened, if its header is damaged, or if it contains neither
    /// records nor text.
    pub fn open(path: &Path) -> Result<Source, Error> {
        let file = open_file(path).map_err(|error| Error::file(path, error))?;
        let mut file = BufReader::with_capacity(1 << 20, file);
        let head = file.fill_buf().map_err(|error| Error::file(path, error))?;
        // The record reader also handles truncated headers and empty files.
        if head.starts_with(&MAGIC) || head.len() < MAGIC.len() {
            return Ok(Source::Records(Reader::new(file).map_err(|error| Error::file(path, error))?));
        }
        if head.contains(&0) {
            return Err(Error::file(path, FileError::Foreign));
        }
        let name = path.file_name().map_or(0, |name| fnv(name.as_encoded_bytes()));
        Ok(Source::Pgn(PgnGames::new(file), name))
    }

    /// Returns the conditions of the games, if the file contains them.
    pub fn header(&self) -> Option<&Header> {
        match self {
            Source::Records(reader) => Some(reader.header()),
            Source::Pgn(..) => None,
        }
    }

    /// Returns a number that identifies the file.
    pub fn number(&self) -> u64 {
        match self {
            Source::Records(reader) => reader.header().seed ^ u64::from(reader.header().file).rotate_left(48),
            Source::Pgn(_, name) => *name,
        }
    }
}

/// Skips PGN games that are useless for training.
impl Iterator for Source {
    type Item = Result<TrainingRecord, GameError>;

    fn next(&mut self) -> Option<Result<TrainingRecord, GameError>> {
        match self {
            Source::Records(reader) => reader.next().map(|item| item.map_err(GameError::Records)),
            Source::Pgn(games, _) => games.find_map(|game| match game {
                Ok(game) => pgn::record(&game).map(Ok),
                Err(fault) => Some(Err(GameError::Pgn(fault.to_string()))),
            }),
        }
    }
}
