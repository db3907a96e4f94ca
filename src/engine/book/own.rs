//! Chuhe's book format: sorted records, in which a position and its mirror image share one key.

use super::entry::BookMove;
use super::keys::{binghe, binghe_number, binghe_turn};
use crate::bytes::damaged;
use chuhe_board::{Kind, Move, Piece, Position, Side, Square};
use std::io;

/// Signature of a book file, followed by the records.
pub(crate) const MAGIC: &[u8] = b"chuhebk1";
const RECORD: usize = 32;

/// A stored move; in a file, little-endian with 32 bytes: key 8 bytes, from 1, to 1, score 2 (−32768 = none),
/// weight 4, wins 4, draws 4, losses 4, zero 4.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stored {
    /// Key of the position: the smaller of its own key and its mirror image's key.
    pub key: u64,
    /// Move, in the orientation of `key`.
    pub mv: Move,
    /// Score in centipawns from the mover's point of view.
    pub score: Option<i16>,
    /// Relative frequency with which the move is played.
    pub weight: u32,
    /// Games won, drawn and lost by the mover.
    pub games: [u32; 3],
}

/// A book in memory.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct OwnBook {
    records: Vec<Stored>,
}

/// Returns the key under which a position is stored, and `true` if it is the key of the mirror image.
pub fn key(position: &Position) -> (u64, bool) {
    let keys = BookKeys::of(position);
    (keys.key(), keys.is_mirrored())
}

/// Returns the key and the form in which a move of a position is stored. In a symmetric position, a move and
/// its mirror image are stored as one.
pub fn key_of_move(position: &Position, mv: Move) -> (u64, Move) {
    let keys = BookKeys::of(position);
    (keys.key(), keys.stored(mv))
}

/// Keys of a position and of its mirror image.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BookKeys {
    plain: u64,
    mirrored: u64,
}

impl BookKeys {
    /// Computes the keys of a position.
    pub fn of(position: &Position) -> BookKeys {
        BookKeys { plain: binghe(position, false), mirrored: binghe(position, true) }
    }

    /// Returns the key under which the position is stored.
    pub fn key(self) -> u64 {
        self.plain.min(self.mirrored)
    }

    /// Returns `true` if the mirror image is stored.
    pub fn is_mirrored(self) -> bool {
        self.mirrored < self.plain
    }

    /// Returns `true` if the position is its own mirror image.
    pub fn is_symmetric(self) -> bool {
        self.mirrored == self.plain
    }

    /// Returns the keys with the other side to move.
    #[must_use]
    pub fn with_turn_passed(self) -> BookKeys {
        BookKeys { plain: self.plain ^ binghe_turn(), mirrored: self.mirrored ^ binghe_turn() }
    }

    /// Returns the keys with a piece added on an empty square, or removed.
    #[must_use]
    pub fn toggled(self, piece: Piece, square: Square) -> BookKeys {
        BookKeys {
            plain: self.plain ^ binghe_number(piece, square),
            mirrored: self.mirrored ^ binghe_number(piece, square.mirrored()),
        }
    }

    /// Returns the form in which a move is stored. In a symmetric position, a move and its mirror image are
    /// stored as one.
    pub fn stored(self, mv: Move) -> Move {
        let other = mv.mirrored();
        let is_turned = self.is_mirrored() || self.is_symmetric() && (other.from, other.to) < (mv.from, mv.to);
        if is_turned { other } else { mv }
    }

    /// Converts a stored move to a move of the position. In a symmetric position, a move and its mirror image
    /// are stored as one, and the more common one is returned.
    pub fn oriented(self, position: &Position, stored: Move) -> Move {
        match stored {
            mv if self.is_symmetric() => usual(position, mv),
            mv if self.is_mirrored() => mv.mirrored(),
            mv => mv,
        }
    }
}

/// Returns the more common of a move and its mirror image in a symmetric position: 炮二平五, 相三进五 and 仕四进五 on the
/// right, but 马八进七 and 兵七进一 on the left.
fn usual(position: &Position, mv: Move) -> Move {
    let kind = position.piece_on(mv.from).map(|piece| piece.kind());
    let on_the_left = matches!(kind, Some(Kind::Horse | Kind::Pawn));
    let from_the_right = |mv: Move| {
        let mv = if position.side() == Side::Red { mv.mirrored() } else { mv };
        (mv.from.file(), mv.to.file())
    };
    let is_left = from_the_right(mv) > from_the_right(mv.mirrored());
    if is_left == on_the_left { mv } else { mv.mirrored() }
}

impl OwnBook {
    /// Creates a book from records in any order.
    pub fn of(mut records: Vec<Stored>) -> OwnBook {
        records.sort_by_key(|record| (record.key, std::cmp::Reverse(record.weight), record.mv.from, record.mv.to));
        OwnBook { records }
    }

    /// Creates a book from positions with their moves. Omits moves that are never played.
    pub fn of_positions(positions: &[(Position, Vec<BookMove>)]) -> OwnBook {
        let record = |position: &Position, entry: &BookMove| {
            let (key, mv) = key_of_move(position, entry.mv);
            let score = entry.score.map(|score| score.clamp(-32_000, 32_000) as i16);
            let number = |count: u64| u32::try_from(count).unwrap_or(u32::MAX);
            let games = entry.games.unwrap_or_default().map(number);
            Stored { key, mv, score, weight: number(entry.weight), games }
        };
        let records = positions.iter().flat_map(|(position, moves)| {
            moves.iter().filter(|entry| entry.weight > 0).map(move |entry| record(position, entry))
        });
        OwnBook::of(records.collect())
    }

    /// Parses a file.
    ///
    /// # Errors
    /// Returns an error if the file is truncated, not sorted, or contains invalid squares.
    pub fn read(bytes: &[u8]) -> io::Result<OwnBook> {
        let records = bytes.strip_prefix(MAGIC).ok_or_else(|| damaged("not a Chuhe book"))?;
        if !records.len().is_multiple_of(RECORD) {
            let rest = records.len() % RECORD;
            return Err(damaged(format!("the book is truncated: {rest} bytes after the last whole record")));
        }
        let number = |bytes: &[u8]| bytes.iter().rev().fold(0u64, |number, byte| number << 8 | u64::from(*byte));
        let read = |(index, bytes): (usize, &[u8])| {
            let square = |byte: u8| Square::ALL.get(usize::from(byte)).copied();
            let squares = square(bytes[8]).zip(square(bytes[9]));
            let (from, to) = squares.ok_or_else(|| damaged(format!("record {index} has an invalid square")))?;
            let score = number(&bytes[10..12]) as u16 as i16;
            let games = [16, 20, 24].map(|at| number(&bytes[at..at + 4]) as u32);
            Ok(Stored {
                key: number(&bytes[..8]),
                mv: Move::new(from, to),
                score: (score != i16::MIN).then_some(score),
                weight: number(&bytes[12..16]) as u32,
                games,
            })
        };
        let records = records.chunks(RECORD).enumerate().map(read).collect::<io::Result<Vec<_>>>()?;
        if !records.is_sorted_by_key(|record| record.key) {
            return Err(damaged("the records are not sorted"));
        }
        Ok(OwnBook { records })
    }

    /// Returns the bytes of the file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        for record in &self.records {
            bytes.extend(record.key.to_le_bytes());
            bytes.extend([record.mv.from.index() as u8, record.mv.to.index() as u8]);
            bytes.extend(record.score.unwrap_or(i16::MIN).to_le_bytes());
            bytes.extend(record.weight.to_le_bytes());
            bytes.extend(record.games.iter().flat_map(|count| count.to_le_bytes()));
            bytes.extend([0; 4]);
        }
        bytes
    }

    /// Returns the number of moves.
    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// Returns `true` if the book is empty.
    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// Returns the number of positions.
    pub fn positions(&self) -> usize {
        self.records.chunk_by(|one, two| one.key == two.key).count()
    }

    /// Returns the records in order.
    pub fn records(&self) -> &[Stored] {
        &self.records
    }

    /// Returns the moves of a position.
    pub fn moves(&self, position: &Position) -> Vec<BookMove> {
        let keys = BookKeys::of(position);
        let first = self.records.partition_point(|record| record.key < keys.key());
        let found = self.records[first..].iter().take_while(|record| record.key == keys.key());
        found
            .map(|record| BookMove {
                mv: keys.oriented(position, record.mv),
                weight: u64::from(record.weight),
                score: record.score.map(i64::from),
                games: Some(record.games.map(u64::from)),
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_of_a_symmetric_position_are_those_that_people_play() {
        let start = Position::start();
        let usual = |position: &Position, mv: &str| super::usual(position, mv.parse().unwrap()).to_string();
        for (mv, played) in [("b2e2", "h2e2"), ("c0e2", "g0e2"), ("d0e1", "f0e1"), ("h0g2", "b0c2"), ("g3g4", "c3c4")] {
            let mirrored = mv.parse::<Move>().unwrap().mirrored().to_string();
            assert_eq!([usual(&start, mv), usual(&start, &mirrored)], [played, played]);
        }
        let after: Position = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/4P4/P1P3P1P/1C5C1/9/RNBAKABNR b".parse().unwrap();
        for (mv, played) in [("h7e7", "b7e7"), ("b9c7", "h9g7"), ("e9e8", "e9e8")] {
            assert_eq!(usual(&after, mv), played, "{mv}");
        }
        let (key, mv) = key_of_move(&start, "h2e2".parse().unwrap());
        let book = OwnBook::of(vec![Stored { key, mv, score: None, weight: 1, games: [0; 3] }]);
        assert_eq!(book.moves(&start)[0].mv.to_string(), "h2e2");
    }

    #[test]
    fn a_book_is_read_as_it_was_written() {
        let mut position = Position::start();
        let (start, _) = key(&position);
        position.make("b2e2".parse().unwrap());
        let (after, mirrored) = key(&position);
        let reply: Move = "b9c7".parse().unwrap();
        let stored = |key, mv: Move, weight, score| Stored { key, mv, score, weight, games: [1, 2, 3] };
        let book = OwnBook::of(vec![
            stored(start, "h2e2".parse().unwrap(), 9, Some(-30)),
            stored(start, "c3c4".parse().unwrap(), 4, None),
            stored(after, if mirrored { reply.mirrored() } else { reply }, 1, None),
        ]);
        let bytes = book.to_bytes();
        assert_eq!(OwnBook::read(&bytes).expect("a book"), book);
        assert_eq!((book.len(), book.positions()), (3, 2));
        assert_eq!(book.moves(&position)[0].mv, reply);
        assert_eq!(book.moves(&position.mirrored())[0].mv, reply.mirrored());
        for damaged in [&bytes[..bytes.len() - 1], &bytes[1..], &b"chuhebk1\0"[..]] {
            assert!(OwnBook::read(damaged).is_err());
        }
        let mut off_board = bytes.clone();
        off_board[MAGIC.len() + 8] = 90;
        assert!(OwnBook::read(&off_board).unwrap_err().to_string().contains("square"));
    }
}
