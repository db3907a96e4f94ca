//! Stored form of positions: one for a position and its mirror image, with the moves in a fixed order; and
//! the positions that lead to a position.

use chuhe_board::{Kind, Move, Piece, Position, Side, Square, domain};
use chuhe_engine::book::key;

/// A stored position with its key.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    /// Key, as in Chuhe's opening books.
    pub key: u64,
    /// The position or its mirror image, whichever has the key.
    pub position: Position,
    /// `true` if `position` is the mirror image of the given one.
    pub mirrored: bool,
}

impl Place {
    /// Returns the stored form of a position.
    pub fn of(position: &Position) -> Place {
        let (key, mirrored) = key(position);
        Place { key, position: if mirrored { position.mirrored() } else { position.clone() }, mirrored }
    }

    /// Returns the legal moves in their stored order. In a symmetric position, a move and its mirror image are one.
    pub fn moves(&self) -> Vec<Move> {
        let is_symmetric = self.position.mirrored().key() == self.position.key();
        let mut moves: Vec<Move> = self.position.legal_moves().into_iter().collect();
        moves.retain(|mv| !is_symmetric || (mv.from, mv.to) <= (mv.mirrored().from, mv.mirrored().to));
        moves.sort_by_key(|mv| (mv.from, mv.to));
        moves
    }

    /// Returns the stored move for a move of the given position.
    pub(crate) fn stored(&self, mv: Move) -> Move {
        let (mv, other) = if self.mirrored { (mv.mirrored(), mv) } else { (mv, mv.mirrored()) };
        let is_symmetric = self.position.mirrored().key() == self.position.key();
        if is_symmetric && (other.from, other.to) < (mv.from, mv.to) { other } else { mv }
    }

    /// Returns the position after a stored move.
    pub fn after(&self, mv: Move) -> Place {
        let mut position = self.position.clone();
        position.make(mv);
        Place::of(&position)
    }

    /// Returns `true` if a stored move can be undone later: it is neither a capture nor a pawn's advance.
    pub fn can_repeat(&self, mv: Move) -> bool {
        let is_pawn = self.position.piece_on(mv.from).is_some_and(|piece| piece.kind() == Kind::Pawn);
        self.position.piece_on(mv.to).is_none() && !(is_pawn && mv.from.rank() != mv.to.rank())
    }

    /// Returns all positions from which a legal move leads to this one or to its mirror image, each with that
    /// move in stored form.
    pub fn before(&self) -> Vec<(Place, Move)> {
        let position = &self.position;
        let (mover, enemy) = (!position.side(), position.side());
        let missing: Vec<Piece> = Kind::ALL
            .into_iter()
            .filter(|&kind| {
                kind != Kind::King && position.pieces(enemy, kind).into_iter().count() < kind.in_a_set() as usize
            })
            .map(|kind| Piece::new(enemy, kind))
            .collect();
        let mut found = Vec::new();
        for to in position.of_side(mover) {
            let Some(piece) = position.piece_on(to) else { continue };
            for from in domain(mover, piece.kind()) {
                if position.piece_on(from).is_some() || !may_move(piece, from, to) {
                    continue;
                }
                let captures = missing.iter().filter(|piece| domain(enemy, piece.kind()).has(to));
                for captured in std::iter::once(None).chain(captures.map(|piece| Some(*piece))) {
                    found.extend(self.step_back(Move::new(from, to), piece, captured));
                }
            }
        }
        found
    }

    fn step_back(&self, mv: Move, piece: Piece, captured: Option<Piece>) -> Option<(Place, Move)> {
        let others = Square::ALL.into_iter().filter(|square| *square != mv.to);
        let others = others.filter_map(|square| Some((self.position.piece_on(square)?, square)));
        let pieces = others.chain([(piece, mv.from)]).chain(captured.map(|captured| (captured, mv.to)));
        let position = Position::of_pieces(pieces, piece.side())?;
        let before = position.is_legal(mv).then(|| Place::of(&position))?;
        let mv = before.stored(mv);
        Some((before, mv))
    }

    /// Returns the stored bytes: the occupied squares as 90 bits, the side to move as the next bit, and four bits per
    /// piece.
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

    /// Parses the stored bytes; `None` if they are damaged or the position has another key.
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

/// Returns `true` if a piece could move between two squares of its domain on a suitable board.
fn may_move(piece: Piece, from: Square, to: Square) -> bool {
    let distance = |one: usize, two: usize| one.abs_diff(two);
    let files = distance(from.file().index(), to.file().index());
    let ranks = distance(from.rank().index(), to.rank().index());
    match piece.kind() {
        Kind::Rook | Kind::Cannon => files == 0 || ranks == 0,
        Kind::Horse => files.min(ranks) == 1 && files.max(ranks) == 2,
        Kind::Elephant => files == 2 && ranks == 2,
        Kind::Advisor => files == 1 && ranks == 1,
        Kind::King | Kind::Pawn => files + ranks == 1,
    }
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
            let found: Vec<(u64, Move)> = after.before().iter().map(|(place, mv)| (place.key, *mv)).collect();
            assert!(found.contains(&(before.key, stored)), "{position} {mv}");
            assert!(before.moves().contains(&stored));
            for (place, mv) in after.before() {
                assert_eq!(place.after(mv).key, after.key, "{position} {mv}");
            }
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
    }
}
