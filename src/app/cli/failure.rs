//! Failures of commands, and their exit status.

use crate::output::{is_closed, plain, say};
use chuhe_engine::endings::file::Fault;
use std::fmt;
use std::io;
use std::path::Path;
use std::process::ExitCode;

/// Reason why a command failed.
#[derive(Debug)]
pub enum Failure {
    /// A check or a run failed, as its results show: exit status 1.
    Check,
    /// Invalid usage or input, with a message of one line: exit status 2.
    Input(String),
    /// Results cannot be written: exit status 2. A closed pipe is not a failure, since the reader has stopped
    /// on purpose.
    Output(io::Error),
}

/// Result of a command.
pub type Done = Result<(), Failure>;

impl Failure {
    /// Creates a failure for invalid input from a source, such as `--fen` or a file.
    pub fn at(place: impl fmt::Display, error: impl fmt::Display) -> Failure {
        Failure::Input(format!("{place}: {error}"))
    }

    /// Creates a failure for a file that cannot be opened, read or written.
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

/// Prints clap's output: help and version go to standard output, an error becomes one line.
pub(super) fn of_usage(error: &clap::Error) -> Done {
    if !error.use_stderr() {
        return Ok(error.print()?);
    }
    let text = error.to_string();
    let message = text.split("\n\nUsage:").next().unwrap_or_default().split("\n\nFor more").next().unwrap_or_default();
    let words: Vec<&str> = message.split_whitespace().collect();
    Err(Failure::Input(words.join(" ").trim_start_matches("error: ").to_owned()))
}

/// Prints the failure, if any, on standard error, and returns the exit status.
pub(super) fn exit_code(done: Done) -> ExitCode {
    // Names in the message must not break the line.
    let say = |message: &str| say(format!("chuhe: {}", plain(message.to_owned())));
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure::Output(error)) if is_closed(&error) => ExitCode::SUCCESS,
        Err(Failure::Output(error)) => {
            say(&format!("cannot write the results: {error}"));
            ExitCode::from(2)
        }
        Err(Failure::Check) => ExitCode::from(1),
        Err(Failure::Input(message)) => {
            say(&message);
            ExitCode::from(2)
        }
    }
}
