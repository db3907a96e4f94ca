//! The database of a command, and the failures of databases.

use crate::cli::Failure;
use chuhe_games::explore::{Error, Store};
use clap::Args;
use std::path::{Path, PathBuf};

/// Options for every task that reads a position database.
#[derive(Args)]
pub(super) struct StoreArgs {
    /// Position database
    #[arg(value_name = "DATABASE")]
    pub database: PathBuf,
}

impl StoreArgs {
    /// Opens the database.
    pub(super) fn open(&self) -> Result<Store, Failure> {
        self.or_fail(Store::open(&self.database))
    }

    /// Adds the name of the database to an error.
    pub(super) fn or_fail<T>(&self, result: Result<T, Error>) -> Result<T, Failure> {
        result.map_err(|error| failed(&self.database, &error))
    }
}

/// Creates the failure for an error of a database, with its name.
pub(super) fn failed(database: &Path, error: &Error) -> Failure {
    Failure::at(database.display(), error)
}
