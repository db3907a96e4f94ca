//! What can go wrong with a command, and the exit status that says so.

use crate::output::{is_closed, plain, say};
use chuhe_engine::endings::file::Fault;
use std::fmt;
use std::io;
use std::path::Path;
use std::process::ExitCode;

/// Why a command failed.
#[derive(Debug)]
pub enum Failure {
    /// A check or a run failed, and its results show it: exit status 1.
    Check,
    /// The usage or the input is bad: one line that names what is wrong and where; exit status 2.
    Input(String),
    /// Results can't be written: exit status 2. A closed pipe is not a failure: the reader has seen enough.
    Output(io::Error),
}

/// How a command ends.
pub type Done = Result<(), Failure>;

impl Failure {
    /// Bad input, named by what was being read: `--fen`, a file.
    pub fn at(place: impl fmt::Display, error: impl fmt::Display) -> Failure {
        Failure::Input(format!("{place}: {error}"))
    }

    /// A file that can't be opened, read or written.
    pub fn file(path: &Path, error: &io::Error) -> Failure {
        Failure::at(path.display(), error)
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        Failure::Output(error)
    }
}

impl From<chuhe_engine::Error> for Failure {
    fn from(error: chuhe_engine::Error) -> Failure {
        Failure::Input(error.to_string())
    }
}

impl From<Fault> for Failure {
    fn from(fault: Fault) -> Failure {
        Failure::Input(fault.to_string())
    }
}

/// The output of clap: help and version go to standard output, an error becomes one line.
pub(super) fn of_usage(error: &clap::Error) -> Done {
    if !error.use_stderr() {
        return Ok(error.print()?);
    }
    let text = error.to_string();
    let message = text.split("\n\nUsage:").next().unwrap_or_default().split("\n\nFor more").next().unwrap_or_default();
    let words: Vec<&str> = message.split_whitespace().collect();
    Err(Failure::Input(words.join(" ").trim_start_matches("error: ").to_owned()))
}

/// Prints on standard error what went wrong, if anything, and returns the exit status.
pub(super) fn exit_code(done: Done) -> ExitCode {
    // One line, whatever a name holds.
    let say = |message: &str| say(format!("chuhe: {}", plain(message.to_owned())));
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure::Output(error)) if is_closed(&error) => ExitCode::SUCCESS,
        Err(Failure::Output(error)) => {
            say(&format!("the results can't be written: {error}"));
            ExitCode::from(2)
        }
        Err(Failure::Check) => ExitCode::from(1),
        Err(Failure::Input(message)) => {
            say(&message);
            ExitCode::from(2)
        }
    }
}
