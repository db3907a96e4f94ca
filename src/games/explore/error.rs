//! Errors of a position database.

use crate::sqlite::{NotThis, needs_recovery, say};
use chuhe_engine::database::OpenError;
use rusqlite::ErrorCode;
use std::io;

/// Reason why a position database cannot be opened, read or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The file cannot be opened, or is not a regular file.
    #[error("{0}")]
    File(io::Error),
    /// The file does not exist.
    #[error("file not found; chuhe explore --to creates one")]
    Missing,
    /// An empty file, or a database without tables.
    #[error("the file is empty")]
    Empty,
    /// A database created by another program.
    #[error("not a position database of chuhe explore")]
    Foreign,
    /// Unsupported schema version: the version found and the supported version.
    #[error("version {0} of position databases is not supported; this program reads version {1}")]
    Version(i32, i32),
    /// Unexpected tables, views or triggers.
    #[error("it does not have the tables of a position database; chuhe explore --to creates one")]
    Schema,
    /// A stored position cannot be decoded, or contradicts another table.
    #[error("position {0:016x} is damaged")]
    Damaged(u64),
    /// The repetition rules differ from the rules stored in the database.
    #[error("the database was made with the rules {0}")]
    Rules(String),
    /// A setting cannot be read.
    #[error("the setting {0} is damaged")]
    Setting(&'static str),
    /// An analysis has no score for any legal move.
    #[error("{0}: no legal move has a score")]
    NoScore(String),
    /// SQLite error.
    #[error("{}", message(.0))]
    Database(rusqlite::Error),
}

impl From<rusqlite::Error> for Error {
    fn from(error: rusqlite::Error) -> Error {
        Error::Database(error)
    }
}

impl From<OpenError> for Error {
    fn from(error: OpenError) -> Error {
        match error {
            OpenError::File(error) if error.kind() == io::ErrorKind::NotFound => Error::Missing,
            OpenError::File(error) => Error::File(error),
            OpenError::Database(error) => error.into(),
        }
    }
}

impl From<NotThis> for Error {
    fn from(error: NotThis) -> Error {
        match error {
            NotThis::Empty => Error::Empty,
            NotThis::Foreign => Error::Foreign,
            NotThis::Version(found, read) => Error::Version(found, read),
            NotThis::Schema => Error::Schema,
            NotThis::Database(error) => error.into(),
        }
    }
}

impl Error {
    /// Returns `true` if a terminated program has left a hot journal, which a read-only connection cannot
    /// roll back.
    pub(super) fn needs_recovery(&self) -> bool {
        matches!(self, Error::Database(error) if needs_recovery(error))
    }
}

fn message(error: &rusqlite::Error) -> String {
    match error.sqlite_error_code() {
        Some(ErrorCode::NotADatabase) => "not a position database of chuhe explore".to_owned(),
        _ => say(error),
    }
}
