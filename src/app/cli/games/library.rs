//! The library of a task.

use crate::cli::Failure;
use chuhe_games::library::{Error, Library};
use clap::Args;
use std::path::{Path, PathBuf};

/// Options for every task that reads a library.
#[derive(Args)]
pub(super) struct LibraryArgs {
    /// Library file
    #[arg(value_name = "LIBRARY")]
    library: PathBuf,
}

impl LibraryArgs {
    pub(super) fn open(&self) -> Result<Library, Failure> {
        Library::open(&self.library).map_err(|error| failed(&self.library, error))
    }

    /// Returns the path of the library.
    pub(super) fn path(&self) -> &Path {
        &self.library
    }

    /// Adds the name of the library to an error.
    pub(super) fn or_fail<T>(&self, result: Result<T, Error>) -> Result<T, Failure> {
        result.map_err(|error| failed(&self.library, error))
    }
}

/// Creates the failure for an error of a library, with its name.
pub(super) fn failed(library: &Path, error: Error) -> Failure {
    Failure::at(library.display(), error)
}
