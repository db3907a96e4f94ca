//! Failures of commands, and their exit status.

use crate::output::{is_closed, plain, print_message};
use chuhe_engine::endings::file::TableFault;
use std::fmt;
use std::io;
use std::path::Path;
use std::process::ExitCode;

/// Reason why a command failed.
#[derive(Debug)]
pub(crate) enum Failure {
    /// A check or a run failed, as its results show: exit status 1.
    Check,
    /// A run was stopped or failed although its input is valid, with a one-line message: exit status 1.
    Run(String),
    /// Invalid usage or input, with a one-line message: exit status 2.
    Input(String),
    /// Results cannot be written: exit status 2. A closed pipe is not a failure, since the reader closed it
    /// intentionally.
    Output(io::Error),
}

/// Result of a command.
pub(crate) type Done = Result<(), Failure>;

impl Failure {
    /// Creates a failure for invalid input from a source, such as `--fen` or a file.
    pub(crate) fn at(place: impl fmt::Display, error: impl fmt::Display) -> Failure {
        Failure::Input(format!("{place}: {error}"))
    }

    /// Creates a failure of a run at a place, such as a search.
    pub(crate) fn run_at(place: impl fmt::Display, error: impl fmt::Display) -> Failure {
        Failure::Run(format!("{place}: {error}"))
    }

    /// Creates a failure for invalid input whose error message contains the location.
    pub(crate) fn input(error: impl fmt::Display) -> Failure {
        Failure::Input(error.to_string())
    }

    /// Creates a failure for a file that cannot be opened, read or written.
    pub(crate) fn file(path: &Path, error: &io::Error) -> Failure {
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
        match error {
            chuhe_engine::Error::SearchFailed => Failure::Run(error.to_string()),
            _ => Failure::Input(error.to_string()),
        }
    }
}

impl From<TableFault> for Failure {
    fn from(fault: TableFault) -> Failure {
        Failure::Input(fault.to_string())
    }
}

#[cfg(feature = "serve")]
impl From<crate::engine_list::ListError> for Failure {
    fn from(error: crate::engine_list::ListError) -> Failure {
        Failure::Input(error.to_string())
    }
}

/// Prints clap's output: help and version go to standard output, an error becomes one line.
pub(super) fn of_usage(error: &clap::Error) -> Done {
    if !error.use_stderr() {
        return Ok(error.print()?);
    }
    let text = error.to_string();
    let message = text.split("\n\nUsage:").next().unwrap_or_default().split("\n\nFor more").next().unwrap_or_default();
    let message = message.replace("\n\n  tip: ", "; ").replace("\n  tip: ", "; ");
    let words: Vec<&str> = message.split_whitespace().collect();
    Err(Failure::Input(in_words(words.join(" ").trim_start_matches("error: "))))
}

/// Rewrites clap's message about an invalid number without Rust's range syntax and terms.
fn in_words(message: &str) -> String {
    const NO_NUMBER: [&str; 2] = ["invalid digit found in string", "cannot parse integer from empty string"];
    let message = NO_NUMBER.iter().fold(message.to_owned(), |text, reason| text.replace(reason, "not a whole number"));
    let Some((said, range)) = message.rsplit_once(" is not in ") else { return message };
    let Some((first, last)) = range.split_once("..") else { return message };
    // The text after `..` is the upper bound; with `..=` the range includes it.
    let (last, is_included) = last.strip_prefix('=').map_or((last, false), |last| (last, true));
    let said = said.rsplit_once(": ").map_or(said, |(said, _)| said);
    match last.parse::<u64>().map(|last| if is_included { last } else { last.saturating_sub(1) }) {
        Ok(last) if last < u64::from(u32::MAX) - 1 => format!("{said}: it must be from {first} to {last}"),
        Ok(_) => format!("{said}: it must be at least {first}"),
        Err(_) if last.is_empty() => format!("{said}: it must be at least {first}"),
        Err(_) => message,
    }
}

/// Prints the failure, if any, on standard error, and returns the exit status.
pub(super) fn exit_code(done: Done) -> ExitCode {
    // Control characters in names must not break the line.
    let complain = |message: &str| print_message(format!("chuhe: {}", plain(message.to_owned())));
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure::Output(error)) if is_closed(&error) => ExitCode::SUCCESS,
        Err(Failure::Output(error)) => {
            complain(&format!("cannot write the results: {error}"));
            ExitCode::from(2)
        }
        Err(Failure::Check) => ExitCode::from(1),
        Err(Failure::Run(message)) => {
            complain(&message);
            ExitCode::from(1)
        }
        Err(Failure::Input(message)) => {
            complain(&message);
            ExitCode::from(2)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_usage_error_with_tips_is_one_sentence() {
        let command = || clap::Command::new("chuhe").arg(clap::Arg::new("depth").long("depth"));
        for (argument, expected) in [
            ("--dept", "unexpected argument '--dept' found; a similar argument exists: '--depth'"),
            ("--depth", "a value is required for '--depth <depth>' but none was supplied"),
        ] {
            let error = command().try_get_matches_from(["chuhe", argument]).expect_err("an error");
            match of_usage(&error) {
                Err(Failure::Input(message)) => assert_eq!(message, expected),
                other => panic!("{other:?}"),
            }
        }
    }

    #[test]
    fn numbers_are_refused_in_words() {
        for (said, expected) in [
            (
                "invalid value 'abc' for '--port <PORT>': invalid digit found in string",
                "invalid value 'abc' for '--port <PORT>': not a whole number",
            ),
            (
                "invalid value '500' for '--nodes <N>': 500 is not in 1000..18446744073709551615",
                "invalid value '500' for '--nodes <N>': it must be at least 1000",
            ),
            (
                "invalid value '0' for '--depth <PLIES>': 0 is not in 1..128",
                "invalid value '0' for '--depth <PLIES>': it must be from 1 to 127",
            ),
            (
                "invalid value '0' for '--game <N>': 0 is not in 1..=9",
                "invalid value '0' for '--game <N>': it must be from 1 to 9",
            ),
            ("unexpected argument '--x' found", "unexpected argument '--x' found"),
        ] {
            assert_eq!(in_words(said), expected);
        }
    }
}
