//! Writes CBL, the library format of 象棋桥 (CCBridge): an index, then records in blocks of 4,096 bytes.

use super::cbr::{
    BLOCK_BYTES, CAPACITY, ENTRY_BYTES, IDENTIFIER, INDEX, LIBRARY, LIBRARY_NAME, VERSION, identifier_of, in_braces,
    put, write,
};
use super::record::Record;
use super::tags;
use super::text::MAX_WHOLE;
use thiserror::Error;

/// Error for a library that would be too large to be read; contains its size in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("the library would be {} MB; the maximum is {} MB", .0 >> 20, MAX_WHOLE >> 20)]
pub struct TooLarge(pub u64);

/// A library to be written.
#[derive(Clone, Debug, Default)]
pub struct Library {
    /// Encoded records with their titles in the index.
    games: Vec<(Vec<u8>, String)>,
    /// Size of all blocks in bytes.
    size: u64,
}

impl Library {
    /// Adds a game encoded as a record, with its title.
    ///
    /// # Errors
    /// Returns an error if the library would become too large to read; in that case, the game is not added.
    pub fn add(&mut self, record: Vec<u8>, title: &str) -> Result<(), TooLarge> {
        let capacity = (self.games.len() + 1).max(128) as u64;
        let size = self.size + record.len().next_multiple_of(BLOCK_BYTES) as u64;
        let whole = INDEX as u64 + capacity * ENTRY_BYTES as u64 + size;
        if whole > MAX_WHOLE {
            return Err(TooLarge(whole));
        }
        self.size = size;
        self.games.push((record, title.to_owned()));
        Ok(())
    }

    /// Returns the bytes of the file; `name` is the name to display.
    pub fn write(&self, name: &str) -> Vec<u8> {
        let capacity = self.games.len().max(128);
        let mut bytes = vec![0; INDEX + capacity * ENTRY_BYTES];
        bytes[..LIBRARY.len()].copy_from_slice(LIBRARY);
        bytes[VERSION] = 3;
        bytes[52..56].copy_from_slice(&i32::MAX.to_le_bytes());
        bytes[CAPACITY..CAPACITY + 4].copy_from_slice(&(capacity as u32).to_le_bytes());
        put(&mut bytes, LIBRARY_NAME, name);
        for (index, (game, title)) in self.games.iter().enumerate() {
            let entry = INDEX + index * ENTRY_BYTES;
            bytes[entry] = 7;
            bytes[entry + 4..entry + 8].copy_from_slice(&(index as u32).to_le_bytes());
            bytes[entry + 8] = 1;
            bytes[entry + 12..entry + 16].copy_from_slice(&(game.len() as u32).to_le_bytes());
            put(
                &mut bytes,
                (entry + 20, 80),
                &in_braces(game[IDENTIFIER..IDENTIFIER + 16].try_into().unwrap_or_default()),
            );
            put(&mut bytes, (entry + 100, 128), title);
        }
        let identifier = identifier_of(&bytes);
        bytes[IDENTIFIER..IDENTIFIER + 16].copy_from_slice(&identifier);
        let first = bytes.len();
        for (game, _) in &self.games {
            bytes.extend(game);
            bytes.resize(first + (bytes.len() - first).next_multiple_of(BLOCK_BYTES), 0);
        }
        bytes
    }
}

/// Returns the bytes of a library of these games; `name` is the name to display.
///
/// # Errors
/// Returns an error if the library would be too large to read.
pub fn write_library<'r>(name: &str, records: impl IntoIterator<Item = &'r Record>) -> Result<Vec<u8>, TooLarge> {
    let mut library = Library::default();
    for record in records {
        library.add(write(record), record.tag(tags::TITLE).unwrap_or_default())?;
    }
    Ok(library.write(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_library_that_could_not_be_read_is_refused_before_it_is_written() {
        let mut library = Library::default();
        let record = vec![0; 1 << 20];
        let whole = (0..).find_map(|_| library.add(record.clone(), "").err()).expect("a limit");
        assert!(whole.0 > MAX_WHOLE, "{whole}");
        assert!(library.write("x").len() as u64 <= MAX_WHOLE);
        assert!(library.add(vec![0; 100], "").is_ok() || library.size > MAX_WHOLE - (2 << 20));
    }
}
