//! SQLite files of the library and of explorations: creation, recognition by header and full schema,
//! recovery, and error messages.

use chuhe_engine::database::{self, Access, OpenError};
use rusqlite::{Connection, ErrorCode, Row, TransactionBehavior, ffi};
use std::io::Read;
use std::path::Path;

/// Identification and tables of a database file.
pub(crate) struct Schema {
    /// Application identifier in the SQLite header.
    pub application: i32,
    /// Schema version in the SQLite header.
    pub version: i32,
    /// Statements that create the tables.
    pub tables: &'static str,
}

/// Reason why a database does not have the expected form.
#[derive(Debug)]
pub enum NotThis {
    /// An empty file, or a database without tables.
    Empty,
    /// A database created by another program.
    Foreign,
    /// Unsupported schema version: the version found and the supported version.
    Version(i32, i32),
    /// Unexpected tables, views or triggers.
    Schema,
    /// SQLite error.
    Database(rusqlite::Error),
}

impl From<rusqlite::Error> for NotThis {
    fn from(error: rusqlite::Error) -> NotThis {
        NotThis::Database(error)
    }
}

impl Schema {
    /// Checks the header and the whole schema in one transaction, since another program may be creating the
    /// tables.
    ///
    /// # Errors
    /// Returns an error if the database has a different form.
    pub(crate) fn check(&self, database: &Connection) -> Result<(), NotThis> {
        self.compare(&*database.unchecked_transaction()?)
    }

    fn compare(&self, database: &Connection) -> Result<(), NotThis> {
        let number = |name: &str| database.pragma_query_value(None, name, |row| row.get::<_, i32>(0));
        match (number("application_id")?, number("user_version")?) {
            (application, version) if (application, version) == (self.application, self.version) => {
                let empty = Connection::open_in_memory()?;
                empty.execute_batch(self.tables)?;
                if schema(database)? == schema(&empty)? { Ok(()) } else { Err(NotThis::Schema) }
            }
            (application, other) if application == self.application => Err(NotThis::Version(other, self.version)),
            (0, 0) if schema(database)?.is_empty() => Err(NotThis::Empty),
            _ => Err(NotThis::Foreign),
        }
    }

    /// Creates the tables if the database is empty, and otherwise checks them. Returns `true` if it was
    /// empty.
    ///
    /// # Errors
    /// Returns an error if the database has a different form or cannot be written.
    pub(crate) fn create(&self, database: &mut Connection) -> Result<bool, NotThis> {
        match self.check(database) {
            Err(NotThis::Empty) => {}
            checked => return checked.map(|()| false),
        }
        // Another program may create the same tables, so check again while no other program can write.
        let transaction = database.transaction_with_behavior(TransactionBehavior::Immediate)?;
        match self.compare(&transaction) {
            Err(NotThis::Empty) => {}
            checked => return checked.map(|()| false),
        }
        transaction.execute_batch(self.tables)?;
        transaction.pragma_update(None, "application_id", self.application)?;
        transaction.pragma_update(None, "user_version", self.version)?;
        transaction.commit()?;
        Ok(true)
    }

    /// Returns `true` if a file has this application identifier.
    pub(crate) fn is_in(&self, path: &Path) -> bool {
        let mut head = [0; 72];
        let read = chuhe_engine::bytes::open_file(path).and_then(|mut file| file.read_exact(&mut head));
        read.is_ok() && head.starts_with(b"SQLite format 3\0") && head[68..] == self.application.to_be_bytes()
    }
}

/// An object of a database: type, name, table, and the statement that created it.
type Object = (String, String, String, Option<String>);

/// Returns all objects in a database, sorted by name.
fn schema(database: &Connection) -> rusqlite::Result<Vec<Object>> {
    let sql = "SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY name";
    let read = |row: &Row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?));
    database.prepare(sql)?.query_map([], read)?.collect()
}

/// Rolls back the unfinished transaction of a terminated program; this requires write access.
pub(crate) fn recover(path: &Path) -> Result<(), OpenError> {
    database::open(path, Access::Write)?.query_row("SELECT count(*) FROM sqlite_schema", [], |_| Ok(()))?;
    Ok(())
}

/// Returns `true` if a terminated program has left a journal, which a read-only connection cannot roll back.
pub(crate) fn needs_recovery(error: &rusqlite::Error) -> bool {
    error.sqlite_error().is_some_and(|error| {
        [ffi::SQLITE_READONLY_ROLLBACK, ffi::SQLITE_READONLY_RECOVERY, ffi::SQLITE_READONLY_CANTINIT]
            .contains(&error.extended_code)
    })
}

/// Converts an SQLite error to a one-line message.
pub(crate) fn say(error: &rusqlite::Error) -> String {
    match error.sqlite_error_code() {
        Some(ErrorCode::DiskFull) => "the disk is full".to_owned(),
        Some(ErrorCode::SystemIoFailure) => format!("cannot be read or written: {error}"),
        Some(ErrorCode::ReadOnly | ErrorCode::CannotOpen) => {
            format!("the file or its folder cannot be opened for writing: {error}")
        }
        Some(ErrorCode::DatabaseBusy) => "another program is writing to it".to_owned(),
        // An error without a code means that a value does not have the type of its column.
        None | Some(ErrorCode::DatabaseCorrupt) => format!("damaged: {error}"),
        _ => error.to_string(),
    }
}
