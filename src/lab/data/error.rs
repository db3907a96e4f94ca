//! Errors in training data files.

use super::records::{Damage, HeaderError};
use std::io;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Reason why training data cannot be read or generated.
#[derive(Debug, Error)]
pub enum Error {
    /// A file or folder cannot be used.
    #[error("{}: {error}", path.display())]
    File {
        /// Path.
        path: PathBuf,
        /// Reason.
        error: FileError,
    },
    /// The run in the folder was started with a different number of threads.
    #[error("{}: seed {seed} was started with --threads {threads}", folder.display())]
    Threads {
        /// Folder of the run.
        folder: PathBuf,
        /// Seed of the run.
        seed: u64,
        /// Number of threads at its start.
        threads: usize,
    },
    /// The system cannot create a thread.
    #[error("cannot create a thread: {0}")]
    Thread(io::Error),
    /// A thread has panicked.
    #[error("a thread has panicked")]
    Panicked,
    /// The engine cannot be created.
    #[error(transparent)]
    Engine(#[from] chuhe_engine::Error),
}

/// Reason why a file cannot be read, written or continued.
#[derive(Debug, Error)]
pub enum FileError {
    /// System error.
    #[error(transparent)]
    System(#[from] io::Error),
    /// The header is invalid.
    #[error(transparent)]
    Header(#[from] HeaderError),
    /// The file is neither training records nor text.
    #[error("neither training records nor text")]
    Foreign,
    /// A new run would overwrite the file.
    #[error("already exists; use --resume to continue it, or a different --seed to start a new run")]
    Exists,
    /// Another process has locked the file.
    #[error("is being written by another run")]
    Locked,
    /// The run was started with a different network.
    #[error("was started with a different network; use a different --seed")]
    OtherNetwork,
    /// The run was started by an engine with the first signature; this engine has the second.
    #[error("was started by an engine that plays differently (signature {0}, now {1}); use a different --seed")]
    OtherEngine(u32, u32),
    /// The run was started with this number of nodes per move.
    #[error("was started with --nodes {0}")]
    OtherNodes(u32),
    /// The run was started with different settings.
    #[error("was started with different settings; use a different --seed")]
    OtherSettings,
    /// The damage is larger than an interrupted run could cause.
    #[error("{0}: a stopped run cannot cause this much damage, so nothing was changed")]
    Damage(Damage),
    /// No balanced starting position was found for a game in the file.
    #[error("no balanced starting position found")]
    NoStart,
}

impl Error {
    /// Adds the path to the reason why a file cannot be used.
    pub(crate) fn file(path: &Path, error: impl Into<FileError>) -> Error {
        Error::File { path: path.to_owned(), error: error.into() }
    }
}
