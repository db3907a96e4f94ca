//! Output files.

use super::{Done, Failure, interrupt};
use crate::output::{json, plain, print_message};
#[cfg(feature = "sqlite-books")]
use chuhe_engine::bytes::update_file;
use chuhe_engine::bytes::{Existing, NewFile, replace_file};
use clap::Args;
use serde::Serialize;
use std::io::{self, Write};
use std::path::Path;

/// Options for every subcommand that writes files specified by the user.
#[derive(Args, Clone, Copy, Debug, Default)]
pub(super) struct OutputArgs {
    /// Overwrite existing files
    #[arg(long)]
    force: bool,
}

impl OutputArgs {
    /// Returns `true` if existing files are overwritten.
    pub(super) fn is_forced(self) -> bool {
        self.force
    }

    /// Creates a file that is written incrementally. [`keep`] gives it its final name; Ctrl-C removes it.
    pub(super) fn new_file(self, path: &Path) -> Result<NewFile, Failure> {
        interrupt::install_handler();
        let existing = if self.force { Existing::Replace } else { Existing::Refuse };
        NewFile::create(path, existing).map_err(|error| refused(path, &error))
    }

    /// Writes a file atomically.
    pub(super) fn write(self, path: &Path, bytes: &[u8]) -> Done {
        let mut file = self.new_file(path)?;
        file.write_all(bytes).map_err(|error| Failure::file(path, &error))?;
        keep(file, path)
    }

    /// Checks that an output file is none of the inputs, which would be lost even if the user meant `--force`.
    pub(super) fn refuse_inputs<P: AsRef<Path>>(path: &Path, inputs: &[P]) -> Done {
        let Ok(output) = path.canonicalize() else { return Ok(()) };
        match inputs.iter().any(|input| input.as_ref().canonicalize().is_ok_and(|input| input == output)) {
            true => Err(Failure::at(shown(path), "the output file is an input file")),
            false => Ok(()),
        }
    }

    /// Checks, before a long run, that an output file can be written. An existing file is unchanged.
    pub(super) fn check<P: AsRef<Path>>(self, path: Option<P>) -> Done {
        path.map_or(Ok(()), |path| self.new_file(path.as_ref()).map(drop))
    }
}

/// Moves a complete file to its final name.
pub(super) fn keep(file: NewFile, path: &Path) -> Done {
    file.keep().map_err(|error| refused(path, &error))
}

fn refused(path: &Path, error: &io::Error) -> Failure {
    match error.kind() {
        io::ErrorKind::AlreadyExists => Failure::at(path.display(), "the file exists; --force overwrites it"),
        _ => Failure::file(path, error),
    }
}

/// Replaces a file maintained by the program itself, such as the state of a run; other programs read either
/// the old or the new file.
pub(super) fn write_own(path: &Path, bytes: &[u8]) -> Done {
    interrupt::install_handler();
    replace_file(path, bytes).map_err(|error| Failure::file(path, &error))
}

/// While holding a lock, changes a file that the program itself maintains; see
/// [`update_file`](chuhe_engine::bytes::update_file).
#[cfg(feature = "sqlite-books")]
pub(super) fn change_own(path: &Path, at_most: u64, change: impl FnOnce(Vec<u8>) -> Result<Vec<u8>, Failure>) -> Done {
    enum Unchanged {
        File(io::Error),
        Failure(Failure),
    }
    impl From<io::Error> for Unchanged {
        fn from(error: io::Error) -> Unchanged {
            Unchanged::File(error)
        }
    }
    interrupt::install_handler();
    update_file(path, at_most, |bytes| change(bytes).map_err(Unchanged::Failure)).map_err(|unchanged| match unchanged {
        Unchanged::File(error) => Failure::file(path, &error),
        Unchanged::Failure(failure) => failure,
    })
}

/// Formats a path for printing; replaces all characters that control the terminal, including colours.
pub(super) fn shown(path: &Path) -> String {
    plain(format!("{}", path.display()))
}

/// An unreadable input as JSON.
#[derive(Serialize)]
struct Unread {
    /// Location and reason.
    error: String,
}

/// Reports an unreadable input among many: in the results for scripts, on standard error for users.
pub(super) fn print_unread(error: String, json: bool, out: &mut dyn Write) -> io::Result<()> {
    if json {
        return json::write_line(out, &Unread { error });
    }
    print_message(format!("chuhe: {}", plain(error)));
    Ok(())
}
