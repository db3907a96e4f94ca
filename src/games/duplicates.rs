//! Games with the same start and the same moves.

use crate::records::Record;
use chuhe_board::STARTPOS;
use std::collections::HashMap;
use std::collections::hash_map::Entry;

/// The main line of a game: the FEN of its start, `None` for the usual one, and two bytes for each move, the numbers of its squares.
pub(crate) fn line(record: &Record) -> (Option<String>, Vec<u8>) {
    let start = record.start.to_string();
    let bytes = record.moves().into_iter().flat_map(|mv| [mv.from.index() as u8, mv.to.index() as u8]).collect();
    ((start != STARTPOS).then_some(start), bytes)
}

/// Finds games that were read before. `T` is the place of a game.
#[derive(Clone, Debug)]
pub struct Duplicates<T>(HashMap<(Option<String>, Vec<u8>), T>);

impl<T> Default for Duplicates<T> {
    fn default() -> Duplicates<T> {
        Duplicates(HashMap::new())
    }
}

impl<T> Duplicates<T> {
    /// Stores a game with its place. Returns the place of the first game with the same main line, if there was one.
    pub fn add(&mut self, record: &Record, place: T) -> Option<&T> {
        match self.0.entry(line(record)) {
            Entry::Occupied(first) => Some(first.into_mut()),
            Entry::Vacant(none) => {
                none.insert(place);
                None
            }
        }
    }
}
