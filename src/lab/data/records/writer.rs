//! Writing files of records.

use super::block;
use super::game::Record;
use super::header::{Form, Header};
use std::io::{self, Write};

/// Writes the games of a file: each at once, or in blocks.
#[derive(Debug)]
pub struct Writer<W> {
    sink: W,
    form: Form,
    games_per_block: usize,
    /// Games that are not in a block yet.
    waiting: Vec<Record>,
}

impl<W: Write> Writer<W> {
    /// Begins a file with its header.
    ///
    /// # Errors
    /// What the system says.
    pub fn new(mut sink: W, header: &Header) -> io::Result<Writer<W>> {
        sink.write_all(&header.encode(Form::Coded))?;
        Ok(Writer::further(sink, header, Form::Coded, Vec::new()))
    }

    /// Continues a file behind its last full block. `waiting` are the games of a block that was not full and is written again.
    pub fn further(sink: W, header: &Header, form: Form, waiting: Vec<Record>) -> Writer<W> {
        Writer { sink, form, games_per_block: header.games_per_block(), waiting }
    }

    /// Adds a game. A block is written in one piece when it is full.
    ///
    /// # Errors
    /// What the system says, or the game has an illegal move.
    pub fn add(&mut self, record: Record) -> io::Result<()> {
        if self.form == Form::Plain {
            return self.sink.write_all(&record.encode());
        }
        self.waiting.push(record);
        if self.waiting.len() >= self.games_per_block { self.finish() } else { Ok(()) }
    }

    /// Writes the games that wait for their block to be full.
    ///
    /// # Errors
    /// What the system says, or a game has an illegal move.
    pub fn finish(&mut self) -> io::Result<()> {
        if self.waiting.is_empty() {
            return Ok(());
        }
        let block = block::encode(&self.waiting).map_err(io::Error::other)?;
        // Records are kept for years, and reading them back costs little beside the search that made them.
        if block::decode(&block).as_ref() != Ok(&self.waiting) {
            return Err(io::Error::other("a block of games is not read as it was written"));
        }
        self.waiting.clear();
        self.sink.write_all(&block)
    }

    /// The file that is written.
    pub fn sink(&mut self) -> &mut W {
        &mut self.sink
    }

    /// Ends the file and returns it.
    ///
    /// # Errors
    /// What the system says, or a game has an illegal move.
    pub fn close(mut self) -> io::Result<W> {
        self.finish()?;
        Ok(self.sink)
    }
}
