//! Opening of SQLite databases chosen by users, whose schemas are not trusted.

use crate::bytes::check_regular;
use rusqlite::config::DbConfig;
use rusqlite::limits::Limit;
use rusqlite::{Connection, OpenFlags};
use std::io;
use std::path::Path;

/// Access mode of a database.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Access {
    /// Read access to an existing file.
    Read,
    /// Read and write access to an existing file.
    Write,
    /// Read and write access; a missing file is created.
    Create,
}

/// Reason why a database cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The file does not exist, or is not a regular file.
    #[error("{0}")]
    File(#[from] io::Error),
    /// SQLite error.
    #[error("{0}")]
    Database(#[from] rusqlite::Error),
}

/// Maximum length of a string or blob, in bytes.
const MAX_VALUE: i32 = 1 << 26;

/// Limits on statements. Chuhe's own statements stay far below them; statements in a crafted schema may
/// exceed them.
const LIMITS: [(Limit, i32); 7] = [
    (Limit::SQLITE_LIMIT_LENGTH, MAX_VALUE),
    (Limit::SQLITE_LIMIT_SQL_LENGTH, 1 << 20),
    (Limit::SQLITE_LIMIT_EXPR_DEPTH, 100),
    (Limit::SQLITE_LIMIT_COMPOUND_SELECT, 4),
    (Limit::SQLITE_LIMIT_ATTACHED, 0),
    (Limit::SQLITE_LIMIT_TRIGGER_DEPTH, 1),
    (Limit::SQLITE_LIMIT_WORKER_THREADS, 0),
];

/// Opens a database. The path always names a file: `:memory:` and `file:x?mode=memory` have no special
/// meaning.
///
/// # Errors
/// Returns an error if the file cannot be opened or is not a regular file.
pub fn open(path: &Path, access: Access) -> Result<Connection, OpenError> {
    // Regardless of the flags, SQLite treats relative names that begin with `:` or `file:` specially.
    let path = std::path::absolute(path)?;
    match check_regular(&path) {
        Err(error) if access == Access::Create && error.kind() == io::ErrorKind::NotFound => {}
        checked => checked?,
    }
    let flags = match access {
        Access::Read => OpenFlags::SQLITE_OPEN_READ_ONLY,
        Access::Write => OpenFlags::SQLITE_OPEN_READ_WRITE,
        Access::Create => OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE,
    };
    let database = Connection::open_with_flags(path, flags | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
    for (setting, value) in [
        (DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true),
        (DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false),
        (DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER, false),
        (DbConfig::SQLITE_DBCONFIG_ENABLE_VIEW, false),
    ] {
        database.set_db_config(setting, value)?;
    }
    for (limit, value) in LIMITS {
        database.set_limit(limit, value)?;
    }
    Ok(database)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_sqlite_are_names_of_files() {
        let folder = std::env::temp_dir().join(format!("chuhe-database-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        for name in [":memory:", "file:x.db?mode=memory", "file:..%2fy.db"] {
            let path = folder.join(name);
            let database = open(&path, Access::Create).expect("it opens");
            database.execute_batch("CREATE TABLE t (a)").expect("it is written");
            drop(database);
            assert!(path.is_file(), "{name}");
        }
        assert_eq!(std::fs::read_dir(&folder).expect("the folder").count(), 3);
        assert!(matches!(open(&folder.join("none"), Access::Read), Err(OpenError::File(_))));
        assert!(matches!(open(&folder, Access::Create), Err(OpenError::File(_))));
        std::fs::remove_dir_all(folder).expect("the folder");
    }

    #[test]
    fn views_of_a_database_are_not_run() {
        let path = std::env::temp_dir().join(format!("chuhe-views-{}.db", std::process::id()));
        let _ = std::fs::remove_file(&path);
        let endless =
            "CREATE VIEW v AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n";
        Connection::open(&path).and_then(|database| database.execute_batch(endless)).expect("a view");
        let database = open(&path, Access::Read).expect("it opens");
        assert!(database.query_row("SELECT count(*) FROM v", [], |row| row.get::<_, i64>(0)).is_err());
        std::fs::remove_file(path).expect("the file");
    }
}
