//! Logging: to standard error or a file, never to standard output, which carries the protocol.

use super::{Done, Failure};
use crate::output::{Screen, print_message};
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::fmt::layer;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::registry;
use tracing_subscriber::util::SubscriberInitExt;

/// Environment variable that filters log messages.
const FILTER: &str = "CHUHE_LOG";

/// Text shown in the command's help.
pub(super) const HELP: &str = "\
The environment variable CHUHE_LOG selects what is logged: error, warn (the default), info, debug (the default with --log: \
everything sent and received) or trace; by module: chuhe::protocol=debug.

Examples:
  chuhe                                    speak UCCI or UCI with a GUI
  chuhe show --moves \"h2e2 h9g7\"           draw the board
  chuhe --log chuhe.log --protocol ucci    log the communication";

/// Starts logging; appends to `file` if there is one.
pub(super) fn start(file: Option<&Path>) -> Done {
    let usual = if file.is_some() { "debug" } else { "warn" };
    let wanted = std::env::var(FILTER).ok().filter(|text| !text.is_empty()).unwrap_or_else(|| usual.to_owned());
    let filter: Targets = wanted.parse().map_err(|error| Failure::at(FILTER, error))?;
    let (log, form) = (registry().with(filter), layer().with_ansi(false));
    match file {
        None => log.with(form.with_writer(|| Screen::new(io::stderr(), false))).init(),
        Some(path) => {
            let opened = OpenOptions::new().create(true).append(true).open(path);
            let file = opened.map_err(|error| Failure::file(path, &error))?;
            let file = LogFile { file, path: path.to_owned(), has_failed: false };
            log.with(form.with_writer(Mutex::new(file))).init();
        }
    }
    Ok(())
}

/// A log file that reports the first write error and ignores further ones.
struct LogFile {
    file: File,
    path: PathBuf,
    has_failed: bool,
}

impl Write for LogFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if let Err(error) = self.file.write_all(bytes)
            && !std::mem::replace(&mut self.has_failed, true)
        {
            print_message(format!("chuhe: cannot write the log {}: {error}", self.path.display()));
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
