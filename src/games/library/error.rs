//! Errors of a library.

use crate::records::Unreadable;
use crate::sqlite::{NotThis, needs_recovery};
use chuhe_engine::database::OpenError;
use rusqlite::ErrorCode;
use rusqlite::types::FromSqlError;
use std::io;

/// Reason why a library cannot be opened, read or written.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The file does not exist.
    #[error("file not found")]
    Missing,
    /// The file cannot be opened, or is not a regular file.
    #[error("{0}")]
    File(io::Error),
    /// The file is empty, or a database without tables.
    #[error("the file is empty")]
    Empty,
    /// The database is not a library.
    #[error("not a game library but a database created by another program")]
    Foreign,
    /// Unsupported version of the library, and the supported version.
    #[error("library version {0} is not supported; this program reads version {1}")]
    Version(i32, i32),
    /// Unexpected tables, views or triggers.
    #[error("it does not have the tables of a game library; chuhe games add creates one")]
    Schema,
    /// Number of a game that cannot be decoded.
    #[error("game {0} is damaged")]
    Damaged(i64),
    /// A game to be stored could not be read again.
    #[error("a game cannot be stored: {0}")]
    Unreadable(#[from] Unreadable),
    /// Index of a game that was not added, and the reason.
    #[error("games[{0}] cannot be stored: {1}")]
    Refused(usize, Unreadable),
    /// The request was cancelled.
    #[error("stopped")]
    Stopped,
    /// SQLite error.
    #[error("{}", say(.0))]
    Database(rusqlite::Error),
}

impl From<rusqlite::Error> for Error {
    fn from(error: rusqlite::Error) -> Error {
        match error.sqlite_error_code() {
            Some(ErrorCode::OperationInterrupted) => Error::Stopped,
            _ => Error::Database(error),
        }
    }
}

impl From<FromSqlError> for Error {
    fn from(error: FromSqlError) -> Error {
        Error::Database(error.into())
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
    /// Returns `true` if a terminated program has left a journal, which cannot be rolled back in read-only
    /// mode.
    pub(super) fn needs_recovery(&self) -> bool {
        matches!(self, Error::Database(error) if needs_recovery(error))
    }
}

/// Converts an SQLite error to a one-line message.
fn say(error: &rusqlite::Error) -> String {
    match error.sqlite_error_code() {
        Some(ErrorCode::NotADatabase) => "not a game library".to_owned(),
        Some(ErrorCode::DiskFull) => "the disk is full: the last games were not added".to_owned(),
        _ => crate::sqlite::say(error),
    }
}
