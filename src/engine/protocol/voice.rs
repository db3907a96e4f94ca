//! What Chuhe says: worded in the GUI's dialect, each line at once.

use super::lines;
use super::reply::Reply;
use super::{Dialect, ucci, uci};
use std::io::{self, Write};
use tracing::debug;

/// In UCCI a line is shorter than this, in bytes: GUIs have buffers of 2048.
const LONGEST_UCCI: usize = 2047;
/// The longest message, in bytes.
const LONGEST_MESSAGE: usize = 500;

/// The way to the GUI. After a failure nothing more is said; [`Self::check`] tells of it.
pub struct Voice<W> {
    output: W,
    /// None before the first command, when nothing is said.
    dialect: Option<Dialect>,
    failure: Option<io::Error>,
}

impl<W: Write> Voice<W> {
    /// A voice that has said nothing yet.
    pub fn new(output: W, dialect: Option<Dialect>) -> Voice<W> {
        Voice { output, dialect, failure: None }
    }

    /// How it speaks.
    pub fn dialect(&self) -> Option<Dialect> {
        self.dialect
    }

    /// Speaks a dialect from now on; returns whether it is the first one.
    pub fn speak(&mut self, dialect: Dialect) -> bool {
        self.dialect.replace(dialect).is_none()
    }

    /// Says it in the dialect.
    pub fn say(&mut self, reply: &Reply) {
        let Some(dialect) = self.dialect else { return debug!("not said before the handshake: {reply:?}") };
        let text = match dialect {
            Dialect::Ucci => ucci::write(reply),
            Dialect::Uci | Dialect::UciVariant => uci::write(reply, dialect),
        };
        if text.is_empty() || self.failure.is_some() {
            return;
        }
        let mut block = String::with_capacity(text.len() + 1);
        for line in text.split('\n') {
            let line = if dialect == Dialect::Ucci { lines::shorten(line, LONGEST_UCCI) } else { line };
            debug!("< {line}");
            block.push_str(line);
            block.push('\n');
        }
        self.failure = self.output.write_all(block.as_bytes()).and_then(|()| self.output.flush()).err();
    }

    /// Tells the user what no reply is for: what is wrong, and in debug mode what is done.
    pub fn inform(&mut self, text: &str) {
        self.say(&Reply::Message(lines::flatten(lines::shorten(text, LONGEST_MESSAGE))));
    }

    /// Whether all was heard.
    ///
    /// # Errors
    /// The output has failed since the last call.
    pub fn check(&mut self) -> io::Result<()> {
        self.failure.take().map_or(Ok(()), Err)
    }
}
