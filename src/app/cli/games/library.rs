//! The library that a task is about.

use crate::cli::Failure;
use chuhe_games::library::Library;
use clap::Args;
use std::path::{Path, PathBuf};

/// Flattened into every task that reads a library.
#[derive(Args)]
pub(super) struct LibraryArgs {
    /// The library
    #[arg(value_name = "LIBRARY")]
    library: PathBuf,
}

impl LibraryArgs {
    pub(super) fn open(&self) -> Result<Library, Failure> {
        Library::open(&self.library).map_err(|error| failed(&self.library, error))
    }

    /// What the library answers, or its failure with its name.
    pub(super) fn or_fail<T>(&self, result: Result<T, String>) -> Result<T, Failure> {
        result.map_err(|error| failed(&self.library, error))
    }
}

/// A failure of a library as one line with its name.
pub(super) fn failed(library: &Path, error: String) -> Failure {
    Failure::at(library.display(), error)
}
