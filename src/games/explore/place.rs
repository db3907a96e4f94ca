//! Stored form of positions, which is the same for a position and its mirror image, with the moves in a fixed
//! order; and the predecessors of a position.

use super::error::Error;
use chuhe_board::{Kind, Move, Piece, Position, Side, Square, domain};
use chuhe_engine::book::BookKeys;

/// A stored position with its key.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    /// Key, as in Chuhe's opening books.
    pub key: u64,
    /// The position or its mirror image, whichever has the key.
    pub position: Position,
    /// `true` if `position` is the mirror image of the given position.
    pub mirrored: bool,
    /// Keys of `position`; the smaller one is `key`.
    keys: BookKeys,
}

/// A move that leads to a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Before {
    /// Key of the position before the move.
    pub key: u64,
    /// Move in stored form.
    pub mv: Move,
    /// `true` if the move is reversible: neither a capture nor a pawn's advance.
    pub is_reversible: bool,
}

impl Place {
    /// Returns the stored form of a position.
    pub fn of(position: &Position) -> Place {
        let keys = BookKeys::of(position);
        if keys.is_mirrored() {
            return Place { mirrored: true, ..Place::of(&position.mirrored()) };
        }
        Place { key: keys.key(), position: position.clone(), mirrored: false, keys }
    }

    /// Returns the legal moves in their stored order. In a symmetric position, a move and its mirror image
    /// count as one move.
    pub fn moves(&self) -> Vec<Move> {
        let mut moves: Vec<Move> = self.position.legal_moves().into_iter().collect();
        moves.retain(|mv| self.keys.stored(*mv) == *mv);
        moves.sort_by_key(|mv| (mv.from, mv.to));
        moves
    }

    /// Converts a move in the given position to its stored form.
    pub(crate) fn stored(&self, mv: Move) -> Move {
        self.keys.stored(if self.mirrored { mv.mirrored() } else { mv })
    }

    /// Converts a stored move to a move in the given position, like [`BookKeys::oriented`].
    pub(super) fn oriented(&self, mv: Move) -> Move {
        match self.keys.oriented(&self.position, mv) {
            mv if self.mirrored => mv.mirrored(),
            mv => mv,
        }
    }

    /// Returns the position after a stored move.
    pub fn after(&self, mv: Move) -> Place {
        let mut position = self.position.clone();
        position.make(mv);
        Place::of(&position)
    }

    /// Returns `true` if a stored move is reversible: neither a capture nor a pawn's advance.
    pub fn is_reversible(&self, mv: Move) -> bool {
        let is_advance = self.position.piece_on(mv.from).is_some_and(|piece| is_advance(piece, mv));
        self.position.piece_on(mv.to).is_none() && !is_advance
    }

    /// Returns the key of the position after a stored move.
    pub(super) fn key_after(&self, mv: Move) -> u64 {
        let mut keys = self.keys.with_turn_passed();
        if let Some(piece) = self.position.piece_on(mv.from) {
            keys = keys.toggled(piece, mv.from).toggled(piece, mv.to);
        }
        self.position.piece_on(mv.to).map_or(keys, |captured| keys.toggled(captured, mv.to)).key()
    }

    /// Returns all moves that can lead to this position or to its mirror image, including moves that are
    /// illegal because a king is in check.
    pub(super) fn before(&self) -> Vec<Before> {
        let (position, occupancy) = (&self.position, self.position.occupancy());
        let (mover, enemy) = (!position.side(), position.side());
        let missing: Vec<Piece> = Kind::ALL
            .into_iter()
            .filter(|&kind| kind != Kind::King && position.pieces(enemy, kind).count() < kind.in_a_set())
            .map(|kind| Piece::new(enemy, kind))
            .collect();
        let mut found = Vec::new();
        for to in position.of_side(mover) {
            let Some(piece) = position.piece_on(to) else { continue };
            let lifted = self.keys.with_turn_passed().toggled(piece, to);
            let captures = missing.iter().filter(|piece| domain(enemy, piece.kind()).has(to));
            for captured in std::iter::once(None).chain(captures.map(|piece| Some(*piece))) {
                let keys = captured.map_or(lifted, |captured| lifted.toggled(captured, to));
                let origins = match piece.kind() {
                    Kind::Cannon if captured.is_some() => occupancy.behind_screens(to),
                    Kind::Cannon | Kind::Rook => occupancy.rook(to),
                    kind => occupancy.attackers(mover, kind, to),
                };
                for from in origins & !occupancy.all() & domain(mover, piece.kind()) {
                    let (keys, mv) = (keys.toggled(piece, from), Move::new(from, to));
                    let is_reversible = captured.is_none() && !is_advance(piece, mv);
                    found.push(Before { key: keys.key(), mv: keys.stored(mv), is_reversible });
                }
            }
        }
        found
    }

    /// Returns the stored bytes: the occupied squares as 90 bits, the side to move as the next bit, and four
    /// bits per piece.
    pub fn bytes(&self) -> Vec<u8> {
        let (mut bits, mut digits) = ([0u8; 12], Vec::new());
        for (index, square) in Square::ALL.into_iter().enumerate() {
            if let Some(piece) = self.position.piece_on(square) {
                bits[index / 8] |= 1 << (index % 8);
                digits.push(piece.index() as u8);
            }
        }
        bits[11] |= (self.position.side().index() as u8) << 7;
        let pairs = digits.chunks(2).map(|pair| pair[0] | pair.get(1).unwrap_or(&0) << 4);
        bits.into_iter().chain(pairs).collect()
    }

    /// Reads the first two columns of a row: the key and the stored bytes.
    pub(super) fn of_row(row: &rusqlite::Row) -> Result<Place, Error> {
        let key = row.get::<_, i64>(0)? as u64;
        let bytes = row.get_ref(1)?.as_blob().map_err(rusqlite::Error::from)?;
        Place::read(key, bytes).ok_or(Error::Damaged(key))
    }

    /// Parses the stored bytes; `None` if they are damaged or the position has a different key.
    pub fn read(key: u64, bytes: &[u8]) -> Option<Place> {
        let (bits, digits) = bytes.split_at_checked(12)?;
        let occupied = Square::ALL.into_iter().enumerate().filter(|(at, _)| bits[at / 8] >> (at % 8) & 1 == 1);
        let mut pieces = Vec::new();
        for (count, (_, square)) in occupied.enumerate() {
            let piece = *Piece::ALL.get(usize::from(digits.get(count / 2)? >> (count % 2 * 4) & 15))?;
            if !domain(piece.side(), piece.kind()).has(square) {
                return None;
            }
            pieces.push((piece, square));
        }
        let count = |wanted: Piece| pieces.iter().filter(|(piece, _)| *piece == wanted).count();
        let is_a_set = Piece::ALL.into_iter().all(|piece| count(piece) <= piece.kind().in_a_set() as usize);
        if !is_a_set || Side::ALL.into_iter().any(|side| count(Piece::new(side, Kind::King)) == 0) {
            return None;
        }
        let position = Position::of_pieces(pieces, Side::ALL[usize::from(bits[11] >> 7)])?;
        let place = Place::of(&position);
        (place.key == key && !place.mirrored).then_some(place)
    }
}

/// Returns `true` if a move advances a pawn.
fn is_advance(piece: Piece, mv: Move) -> bool {
    piece.kind() == Kind::Pawn && mv.from.rank() != mv.to.rank()
}

#[cfg(test)]
mod tests {
    use super::*;
    use chuhe_board::random::SplitMix64;

    /// Returns the positions of random games, with the move played in each.
    fn walks(count: usize, seed: u64) -> Vec<(Position, Move)> {
        let mut random = SplitMix64::new(seed);
        let (mut walked, mut position) = (Vec::new(), Position::start());
        while walked.len() < count {
            let moves = position.legal_moves();
            if moves.is_empty() || random.below(90) == 0 {
                position = Position::start();
                continue;
            }
            let mv = moves[random.below(moves.len() as u64) as usize];
            walked.push((position.clone(), mv));
            position.make(mv);
        }
        walked
    }

    #[test]
    fn every_position_is_among_those_before_the_next_one() {
        for (position, mv) in walks(2000, 5) {
            let before = Place::of(&position);
            let stored = before.stored(mv);
            let after = before.after(stored);
            assert_eq!(after.key, before.key_after(stored));
            let expected = Before { key: before.key, mv: stored, is_reversible: before.is_reversible(stored) };
            assert!(after.before().contains(&expected), "{position} {mv}");
            assert!(before.moves().contains(&stored));
        }
    }

    #[test]
    fn stored_bytes_are_read_as_they_were_written() {
        for (position, _) in walks(2000, 6) {
            let place = Place::of(&position);
            let bytes = place.bytes();
            let read = Place::read(place.key, &bytes).expect("a position");
            assert_eq!((read.key, read.position.key()), (place.key, place.position.key()));
            assert_eq!(Place::of(&position.mirrored()).bytes(), bytes);
            assert_eq!(Place::read(place.key ^ 1, &bytes), None);
            assert_eq!(Place::read(place.key, &bytes[1..]), None);
        }
        assert_eq!(Place::read(0, &[]), None);
    }

    #[test]
    fn a_move_and_its_mirror_image_are_one_in_a_symmetric_position() {
        let start = Place::of(&Position::start());
        assert_eq!(start.moves().len(), 23);
        let [one, other] = ["h2e2", "b2e2"].map(|mv| start.stored(mv.parse().unwrap()));
        assert_eq!(one, other);
        assert_eq!(start.oriented(one).to_string(), "h2e2");
    }
}
