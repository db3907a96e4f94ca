//! ElephantEye's BOOK.DAT: little-endian records of 8 bytes (key, move, weight), sorted by key.

use super::entry::BookMove;
use super::keys::{eleeye, from_square16};
use crate::bytes::damaged;
use chuhe_board::{Move, Position};
use std::io;

const RECORD: usize = 8;

/// A book in memory.
#[derive(Debug)]
pub struct EleEyeBook {
    records: Vec<(u32, u16, u16)>,
}

impl EleEyeBook {
    /// Parses a file.
    ///
    /// # Errors
    /// Returns an error if the file is empty, has an invalid length or is not sorted.
    pub(crate) fn read(bytes: &[u8]) -> io::Result<EleEyeBook> {
        let number = |bytes: &[u8]| u16::from_le_bytes([bytes[0], bytes[1]]);
        let records: Vec<(u32, u16, u16)> = bytes
            .chunks_exact(RECORD)
            .map(|record| {
                let key = u32::from(number(record)) | u32::from(number(&record[2..])) << 16;
                (key, number(&record[4..]), number(&record[6..]))
            })
            .collect();
        if records.is_empty() || !bytes.len().is_multiple_of(RECORD) || !records.is_sorted_by_key(|(key, ..)| *key) {
            return Err(damaged("not an opening book: neither Chuhe's own, nor SQLite, nor BOOK.DAT"));
        }
        Ok(EleEyeBook { records })
    }

    /// Returns the number of records.
    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// Returns the number of keys.
    pub(crate) fn positions(&self) -> usize {
        self.records.chunk_by(|one, two| one.0 == two.0).count()
    }

    /// Returns the moves stored for a position or, if there are none, the moves stored for its mirror image.
    pub fn moves(&self, position: &Position) -> Vec<BookMove> {
        for (mirrored, key) in [false, true].into_iter().zip(eleeye(position)) {
            let first = self.records.partition_point(|(other, ..)| *other < key);
            let found = self.records[first..].iter().take_while(|(other, ..)| *other == key);
            let moves = found.filter_map(|(_, mv, weight)| {
                let (from, to) = (from_square16(usize::from(mv & 255))?, from_square16(usize::from(mv >> 8))?);
                let mv = Move::new(from, to);
                let mv = if mirrored { mv.mirrored() } else { mv };
                position.is_legal(mv).then_some(BookMove { mv, weight: u64::from(*weight), score: None, games: None })
            });
            let moves: Vec<BookMove> = moves.collect();
            if !moves.is_empty() {
                return moves;
            }
        }
        Vec::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::book::keys::square16;

    /// Raw records: 炮二平五 with weight 300 and 马八进七 with weight 20, stored for the initial position; and a
    /// reply, stored for the mirror image.
    #[test]
    fn records_are_found_for_both_images_of_a_position() {
        let start = Position::start();
        let mut after = start.clone();
        after.make("h2e2".parse().unwrap());
        let record = |key: u32, mv: &str, weight: u16| {
            let mv: Move = mv.parse().unwrap();
            let code = (square16(mv.from) | square16(mv.to) << 8) as u16;
            (key, [&key.to_le_bytes()[..], &code.to_le_bytes(), &weight.to_le_bytes()].concat())
        };
        let mut records = [
            record(eleeye(&start)[0], "h2e2", 300),
            record(eleeye(&start)[0], "b0c2", 20),
            record(eleeye(&after)[1], "b9c7", 7),
        ];
        records.sort();
        let book = EleEyeBook::read(&records.map(|(_, bytes)| bytes).concat()).unwrap();
        assert_eq!((book.len(), book.positions()), (3, 2));
        let found = |position| -> Vec<String> {
            let moves: Vec<BookMove> = book.moves(position);
            moves.iter().map(|entry| format!("{} {}", entry.mv, entry.weight)).collect()
        };
        assert!(found(&start).contains(&"h2e2 300".to_string()));
        assert_eq!(found(&after), ["h9g7 7"]);
        assert_eq!(found(&after.mirrored()), ["b9c7 7"]);
        assert!(EleEyeBook::read(b"1234567").is_err() && EleEyeBook::read(b"").is_err());
    }
}
