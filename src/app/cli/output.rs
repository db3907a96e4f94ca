//! Output files.

use super::gather::is_game_file;
use super::{Done, Failure, interrupt};
use crate::output::{json, plain, print_message};
#[cfg(feature = "sqlite-books")]
use chuhe_engine::bytes::update_file;
use chuhe_engine::bytes::{Existing, NewFile, replace_file};
use clap::Args;
use serde::Serialize;
use std::collections::HashSet;
use std::io::{self, Write};
use std::path::{Path, absolute};

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
    /// The inputs are files, and folders whose game files are read.
    pub(super) fn refuse_inputs(path: &Path, inputs: &[impl AsRef<Path>]) -> Done {
        let Ok(output) = path.canonicalize() else { return Ok(()) };
        let is_output = |input: &Path| output == input || output.starts_with(input) && is_game_file(&output);
        match inputs.iter().any(|input| input.as_ref().canonicalize().is_ok_and(|input| is_output(&input))) {
            true => Err(Failure::at(shown(path), "the output file is an input file")),
            false => Ok(()),
        }
    }

    /// Checks, before a long run, that the output files differ from each other and from the inputs, and that
    /// they can be written. Existing files are unchanged.
    pub(super) fn check<P: AsRef<Path>>(
        self,
        outputs: impl IntoIterator<Item = P>,
        inputs: &[impl AsRef<Path>],
    ) -> Done {
        let mut earlier = HashSet::new();
        outputs.into_iter().try_for_each(|output| {
            let path = output.as_ref();
            OutputArgs::refuse_inputs(path, inputs)?;
            let place = path.canonicalize().or_else(|_| absolute(path)).unwrap_or_default();
            if !earlier.insert(place) {
                return Err(Failure::at(shown(path), "two outputs have the same name"));
            }
            self.new_file(path).map(drop)
        })
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
