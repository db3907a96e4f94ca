//! Writer of record files.

use super::block;
use super::game::TrainingRecord;
use super::header::{Encoding, Header};
use std::io::{self, Write};

/// Writer of games to a file, either singly or in blocks.
#[derive(Debug)]
pub struct Writer<W> {
    sink: W,
    encoding: Encoding,
    games_per_block: usize,
    /// Games in the incomplete block.
    waiting: Vec<TrainingRecord>,
}

impl<W: Write> Writer<W> {
    /// Starts a file by writing its header.
    ///
    /// # Errors
    /// Returns the system error.
    pub fn new(mut sink: W, header: &Header) -> io::Result<Writer<W>> {
        sink.write_all(&header.encode(Encoding::Coded))?;
        Ok(Writer::further(sink, header, Encoding::Coded, Vec::new()))
    }

    /// Continues a file after its last full block. `waiting` contains the games of an incomplete block, which
    /// is written again.
    pub(crate) fn further(sink: W, header: &Header, encoding: Encoding, waiting: Vec<TrainingRecord>) -> Writer<W> {
        Writer { sink, encoding, games_per_block: header.games_per_block(), waiting }
    }

    /// Adds a game. A full block is written at once.
    ///
    /// # Errors
    /// Returns the system error, or an error if the game has an illegal move.
    pub fn add(&mut self, record: TrainingRecord) -> io::Result<()> {
        if self.encoding == Encoding::Plain {
            return self.sink.write_all(&record.encode());
        }
        self.waiting.push(record);
        if self.waiting.len() >= self.games_per_block { self.finish() } else { Ok(()) }
    }

    /// Writes the games of the incomplete block.
    ///
    /// # Errors
    /// Returns the system error, or an error if a game has an illegal move.
    pub fn finish(&mut self) -> io::Result<()> {
        if self.waiting.is_empty() {
            return Ok(());
        }
        let block = block::encode(&self.waiting).map_err(io::Error::other)?;
        // Every block is decoded as a check: records are used for years, and decoding is cheap compared with
        // the searches that produced them.
        if block::decode(&block).as_ref() != Ok(&self.waiting) {
            return Err(io::Error::other("a block of games cannot be read back unchanged"));
        }
        self.waiting.clear();
        self.sink.write_all(&block)
    }

    /// Returns the underlying file.
    pub(crate) fn sink(&mut self) -> &mut W {
        &mut self.sink
    }

    /// Finishes the file and returns it.
    ///
    /// # Errors
    /// Returns the system error, or an error if a game has an illegal move.
    pub fn close(mut self) -> io::Result<W> {
        self.finish()?;
        Ok(self.sink)
    }
}
