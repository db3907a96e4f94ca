//! Output in the GUI's dialect, flushed line by line.

use super::lines;
use super::reply::Reply;
use super::{Dialect, ucci, uci};
use std::io::{self, Write};
use tracing::debug;

/// Maximum length of a line in UCCI, in bytes, since GUIs have buffers of 2048 bytes.
const MAX_UCCI: usize = 2047;
/// Maximum length of a message in bytes.
const MAX_MESSAGE: usize = 500;

/// Output to the GUI. After a failure, nothing is written until [`Self::check`] has returned the error.
pub(super) struct Output<W> {
    output: W,
    /// `None` before the first command, when nothing is written.
    dialect: Option<Dialect>,
    failure: Option<io::Error>,
}

impl<W: Write> Output<W> {
    /// Creates an output.
    pub(crate) fn new(output: W, dialect: Option<Dialect>) -> Output<W> {
        Output { output, dialect, failure: None }
    }

    /// Returns the dialect.
    pub(crate) fn dialect(&self) -> Option<Dialect> {
        self.dialect
    }

    /// Sets the dialect; returns `true` if it is the first one.
    pub(crate) fn set_dialect(&mut self, dialect: Dialect) -> bool {
        self.dialect.replace(dialect).is_none()
    }

    /// Writes a reply.
    pub(super) fn send(&mut self, reply: &Reply) {
        let Some(dialect) = self.dialect else { return debug!("not sent before the handshake: {reply:?}") };
        let text = match dialect {
            Dialect::Ucci => ucci::write(reply),
            Dialect::Uci | Dialect::UciVariant => uci::write(reply, dialect),
        };
        if text.is_empty() || self.failure.is_some() {
            return;
        }
        let mut block = String::with_capacity(text.len() + 1);
        for line in text.split('\n') {
            let line = if dialect == Dialect::Ucci { lines::shorten(line, MAX_UCCI) } else { line };
            debug!("< {line}");
            block.push_str(line);
            block.push('\n');
        }
        self.failure = self.output.write_all(block.as_bytes()).and_then(|()| self.output.flush()).err();
    }

    /// Sends the user a message: an error or, in debug mode, a remark.
    pub(crate) fn inform(&mut self, text: &str) {
        self.send(&Reply::Message(lines::flatten(lines::shorten(text, MAX_MESSAGE))));
    }

    /// Clears the stored write error.
    ///
    /// # Errors
    /// Returns that error: the first one since the last call.
    pub(super) fn check(&mut self) -> io::Result<()> {
        self.failure.take().map_or(Ok(()), Err)
    }
}
