//! Detection of games with the same first position and the same moves.

use crate::records::Record;
use chuhe_board::STARTPOS;
use std::collections::HashMap;
use std::collections::hash_map::Entry;

/// Returns the main line of a game: the FEN of its first position (`None` for the initial position), and two
/// bytes per move, the indices of its squares.
pub(crate) fn line(record: &Record) -> (Option<String>, Vec<u8>) {
    let start = record.start.to_string();
    let bytes = record.moves().into_iter().flat_map(|mv| [mv.from.index() as u8, mv.to.index() as u8]).collect();
    ((start != STARTPOS).then_some(start), bytes)
}

/// Detector of duplicate games. `T` is the type of a game's location.
#[derive(Clone, Debug)]
pub struct Duplicates<T>(HashMap<(Option<String>, Vec<u8>), T>);

impl<T> Default for Duplicates<T> {
    fn default() -> Duplicates<T> {
        Duplicates(HashMap::new())
    }
}

impl<T> Duplicates<T> {
    /// Adds a game with its location. Returns the location of the first game with the same main line, if
    /// there is one.
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
