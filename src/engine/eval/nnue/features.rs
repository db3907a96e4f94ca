//! Network inputs: each piece on its square, from the perspective of one side. Inference and training share
//! this file.
//!
//! In a side's perspective its pieces are "own", and ranks are counted from its back rank. If its king is on
//! the right half, left and right are swapped. Xiangqi is symmetric, so no information is lost, and the
//! network learns both halves at the same time.

use chuhe_board::random::SplitMix64;
use chuhe_board::{Bitboard, Kind, Piece, Position, Side, Square};

/// Number of reachable squares, summed over the fourteen pieces: own king 6 (never right of the middle file),
/// enemy king 9, advisors 2 × 5, elephants 2 × 7, pawns 2 × 55, horses, rooks and cannons 6 × 90.
pub const SLOTS: usize = 689;

/// Marker for a square that the piece cannot reach.
const NOWHERE: u16 = u16::MAX;

/// Number of attack buckets.
const ATTACK_BUCKETS: usize = 4;

/// Condition under which left and right are swapped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mirroring {
    /// Mirrors the board if the side's own king is on the right; does not mirror it if the king is on the
    /// middle file.
    King,
    /// Like [`Mirroring::King`], but if the side's own king is on the middle file, the enemy king, the guards
    /// and all other pieces decide in this order, so that a position and its mirror image have the same
    /// inputs.
    Wings,
}

impl Mirroring {
    /// Returns the mirroring with this number in network files.
    pub fn from_number(number: u8) -> Option<Mirroring> {
        [Mirroring::King, Mirroring::Wings].get(usize::from(number)).copied()
    }
}

/// Selection of a set of output weights.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outputs {
    /// A single set for all positions.
    One,
    /// Selection by the difference in rooks. Sets 0–5: both sides have the same number of rooks, 0, 1 or 2,
    /// and there are fewer than four horses and cannons (0, 2, 4) or at least four (1, 3, 5). Set 6: the side
    /// to move has more rooks. Set 7: the other side has more.
    Rooks,
}

impl Outputs {
    /// Returns the selection with this number in network files.
    pub fn from_number(number: u8) -> Option<Outputs> {
        [Outputs::One, Outputs::Rooks].get(usize::from(number)).copied()
    }

    /// Returns the number of sets of output weights.
    pub fn count(self) -> usize {
        match self {
            Outputs::One => 1,
            Outputs::Rooks => 8,
        }
    }

    /// Returns the set for a position.
    #[inline]
    pub(crate) fn bucket_of(self, position: &Position) -> usize {
        match self {
            Outputs::One => 0,
            Outputs::Rooks => {
                let side = position.side();
                let rooks = [side, !side].map(|side| position.pieces(side, Kind::Rook).count() as usize);
                let pieces = |kind| position.pieces(Side::Red, kind) | position.pieces(Side::Black, kind);
                self.bucket(rooks, (pieces(Kind::Horse) | pieces(Kind::Cannon)).count() as usize)
            }
        }
    }

    /// Returns the set for the rooks of the side to move and of the other side, and the total number of
    /// horses and cannons.
    #[inline]
    pub fn bucket(self, rooks: [usize; 2], horses_and_cannons: usize) -> usize {
        match (self, rooks) {
            (Outputs::One, _) => 0,
            (Outputs::Rooks, [own, other]) if own > other => 6,
            (Outputs::Rooks, [own, other]) if own < other => 7,
            (Outputs::Rooks, [own, _]) => 2 * own.min(2) + usize::from(horses_and_cannons >= 4),
        }
    }
}

/// Architecture of a network, stored in its file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shape {
    /// Number of hidden units per perspective, a multiple of 32.
    pub hidden: usize,
    /// Condition under which left and right are swapped.
    pub mirroring: Mirroring,
    /// King bucket for each location of the side's own king: the index is twice the rank (0–2 from its back
    /// rank), plus one on the middle file.
    pub king_buckets: [u8; 6],
    /// `true` if each king bucket is divided into four attack buckets: whether the side has rooks, and whether
    /// it has horses or cannons.
    pub attack_buckets: bool,
    /// Number of hidden units, from the first, that are connected to the threats: a multiple of 32; 0 if there
    /// are no threats.
    pub threat_units: usize,
    /// Selection of a set of output weights.
    pub outputs: Outputs,
}

/// Mirroring and bucket of a perspective, which select its inputs and its weights.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Perspective {
    /// `true` if left and right are swapped.
    pub mirrored: bool,
    /// Set of input weights, by king bucket and attack bucket.
    pub bucket: u8,
}

impl Perspective {
    /// Returns an index for tables, from 0.
    pub fn index(self) -> usize {
        2 * usize::from(self.bucket) + usize::from(self.mirrored)
    }
}

impl Shape {
    /// Creates an architecture with one set of input weights.
    pub fn new(hidden: usize, mirroring: Mirroring, outputs: Outputs) -> Shape {
        Shape { hidden, mirroring, king_buckets: [0; 6], attack_buckets: false, threat_units: 0, outputs }
    }

    /// Returns the number of king buckets.
    pub fn king_bucket_count(&self) -> usize {
        self.king_buckets.iter().max().map_or(1, |&last| usize::from(last) + 1)
    }

    /// Returns the number of sets of input weights.
    pub fn bucket_count(&self) -> usize {
        self.king_bucket_count() * if self.attack_buckets { ATTACK_BUCKETS } else { 1 }
    }

    /// Returns the number of inputs per perspective, except threats.
    pub fn inputs(&self) -> usize {
        self.bucket_count() * SLOTS
    }

    /// Returns a side's view of the board, given the square of its king, the position's
    /// `Self::mirror_weight_of`, and whether the side has rooks, and horses or cannons.
    #[inline]
    pub fn view(&self, side: Side, king: Square, mirror_weight: i64, [rooks, others]: [bool; 2]) -> Perspective {
        let (file, rank) = (king.file().index(), side.rank(king).index());
        let king_bucket = self.king_buckets[2 * rank.min(2) + usize::from(file == 4)];
        let attack_bucket = if self.attack_buckets { 2 * u8::from(!rooks) + u8::from(!others) } else { 0 };
        Perspective {
            mirrored: mirror_weight > 0,
            bucket: attack_bucket * self.king_bucket_count() as u8 + king_bucket,
        }
    }

    /// Returns a side's view of a position.
    pub(crate) fn view_of(&self, side: Side, position: &Position) -> Perspective {
        let attackers = attackers(position, side, Bitboard::EMPTY);
        self.view(side, position.king(side), self.mirror_weight_of(side, position), attackers)
    }

    /// Returns the contribution of a piece on a square to the sum that determines mirroring for `side`:
    /// positive on the right half, negative on the left half.
    #[inline]
    pub fn mirror_weight(&self, side: Side, piece: Piece, square: Square) -> i64 {
        match self.mirroring {
            Mirroring::King if piece == Piece::new(side, Kind::King) => WINGS[0][square.index()],
            Mirroring::King => 0,
            Mirroring::Wings => WINGS[relative_piece(side, piece)][relative_square(side, square)],
        }
    }

    /// Returns the sum over a whole position; if it is positive, the board is mirrored in `side`'s
    /// perspective.
    pub(crate) fn mirror_weight_of(&self, side: Side, position: &Position) -> i64 {
        let pieces = position.occupancy().all().into_iter().filter_map(|at| Some((position.piece_on(at)?, at)));
        pieces.map(|(piece, square)| self.mirror_weight(side, piece, square)).sum()
    }
}

/// Returns whether a side has rooks, and horses or cannons, outside the excluded squares.
#[inline]
pub(crate) fn attackers(position: &Position, side: Side, excluded: Bitboard) -> [bool; 2] {
    let has = |kind| (position.pieces(side, kind) & !excluded).has_any();
    [has(Kind::Rook), has(Kind::Horse) || has(Kind::Cannon)]
}

/// Returns the input index of a piece on a square, in `side`'s perspective.
#[inline]
pub fn input(side: Side, view: Perspective, piece: Piece, square: Square) -> usize {
    let slot = slot(side, view.mirrored, piece, square);
    debug_assert!(slot != NOWHERE, "{piece:?} on {square}");
    usize::from(view.bucket) * SLOTS + usize::from(slot)
}

/// Returns the input index of a piece on a square within a bucket, or `NOWHERE`.
#[inline]
pub(super) const fn slot(side: Side, mirrored: bool, piece: Piece, square: Square) -> u16 {
    INPUTS[2 * side as usize + mirrored as usize][piece as usize][square as usize]
}

/// Returns the piece from `side`'s point of view: 0–6 its own kinds, 7–13 the enemy's.
const fn relative_piece(side: Side, piece: Piece) -> usize {
    match side {
        Side::Red => piece as usize,
        Side::Black => (piece as usize + 7) % 14,
    }
}

/// Returns the index of the square from `side`'s point of view.
const fn relative_square(side: Side, square: Square) -> usize {
    let (rank, file) = (square as usize / 9, square as usize % 9);
    match side {
        Side::Red => square as usize,
        Side::Black => (9 - rank) * 9 + file,
    }
}

/// Returns `true` if a piece can reach a square of the perspective's board. The side's own king is never
/// right of the middle file. The numbers of the inputs depend on this function, so a change of it invalidates
/// all networks.
const fn can_stand(relative: usize, square: usize) -> bool {
    let own = relative < 7;
    let (file, rank) = (square % 9, if own { square / 9 } else { 9 - square / 9 });
    match relative % 7 {
        0 => rank <= 2 && file >= 3 && file <= if own { 4 } else { 5 },
        1 => (rank == 1 && file == 4) || ((rank == 0 || rank == 2) && (file == 3 || file == 5)),
        2 => (rank == 2 && file.is_multiple_of(4)) || ((rank == 0 || rank == 4) && (file == 2 || file == 6)),
        6 => rank >= 5 || (rank >= 3 && file.is_multiple_of(2)),
        _ => true,
    }
}

/// Input indices by side and mirroring, piece and square.
static INPUTS: [[[u16; 90]; 14]; 4] = {
    let mut slots = [[NOWHERE; 90]; 14];
    let (mut next, mut piece) = (0, 0);
    while piece < 14 {
        let mut square = 0;
        while square < 90 {
            if can_stand(piece, square) {
                slots[piece][square] = next;
                next += 1;
            }
            square += 1;
        }
        piece += 1;
    }
    assert!(next as usize == SLOTS);
    let mut table = [[[NOWHERE; 90]; 14]; 4];
    let mut view = 0;
    while view < 4 {
        let side = Side::ALL[view / 2];
        let mut piece = 0;
        while piece < 14 {
            let mut square = 0;
            while square < 90 {
                let at = relative_square(side, Square::ALL[square]);
                let at = if view % 2 == 1 { at / 9 * 9 + 8 - at % 9 } else { at };
                table[view][piece][square] = slots[relative_piece(side, Piece::ALL[piece])][at];
                square += 1;
            }
            piece += 1;
        }
        view += 1;
    }
    table
};

/// Mirror weights of pieces on the right half by relative piece and square; the left half has the opposite
/// sign, the middle file zero. Kings outweigh all guards together, and so on down to rooks, so that the view
/// depends on pieces that seldom move and therefore rarely changes. Random parts prevent the weights of
/// different pieces and ranks from cancelling out; a change of their seed invalidates all networks.
static WINGS: [[i64; 90]; 14] = {
    const LEVELS: [u32; 7] = [57, 50, 44, 26, 20, 32, 38];
    let mut table = [[0; 90]; 14];
    let mut random = SplitMix64::new(0x0070_7869_616E_6771);
    let mut piece = 0;
    while piece < 14 {
        let mut rank = 0;
        while rank < 10 {
            let mut step = 1;
            while step <= 4 {
                let level = LEVELS[piece % 7];
                let weight = match piece {
                    0 => 1 << 61,
                    7 => 1 << 57,
                    _ => (1 << level) + random.below(1 << level) as i64,
                };
                table[piece][rank * 9 + 4 + step] = weight;
                table[piece][rank * 9 + 4 - step] = -weight;
                step += 1;
            }
            rank += 1;
        }
        piece += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;
    use chuhe_board::domain;
    use std::collections::HashSet;

    const MODES: [Mirroring; 2] = [Mirroring::King, Mirroring::Wings];

    fn shape(mirroring: Mirroring) -> Shape {
        Shape { king_buckets: [0, 1, 2, 3, 4, 5], attack_buckets: true, ..Shape::new(32, mirroring, Outputs::Rooks) }
    }

    fn inputs(shape: &Shape, side: Side, position: &Position) -> HashSet<usize> {
        let view = shape.view_of(side, position);
        let pieces = position.occupancy().all().into_iter().filter_map(|at| Some((position.piece_on(at)?, at)));
        pieces.map(|(piece, square)| input(side, view, piece, square)).collect()
    }

    fn random_positions(mut look: impl FnMut(&Position)) {
        for seed in 0..60 {
            let mut random = SplitMix64::new(seed);
            let mut position = Position::start();
            for _ in 0..150 {
                look(&position);
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                position.make(moves[random.below(moves.len() as u64) as usize]);
            }
        }
    }

    #[test]
    fn pieces_have_slots_where_they_can_stand_and_nowhere_else() {
        for look in 0..4 {
            for piece in Piece::ALL {
                let own_king = piece == Piece::new(Side::ALL[look / 2], Kind::King);
                for square in Square::ALL {
                    let wrong_half = own_king && (square.file().index() > 4) != (look % 2 == 1);
                    let wrong_half = wrong_half && square.file().index() != 4;
                    let stands = domain(piece.side(), piece.kind()).has(square) && !wrong_half;
                    let slot = INPUTS[look][piece.index()][square.index()];
                    assert_eq!(slot != NOWHERE, stands, "{look} {piece:?} {square}");
                }
            }
        }
    }

    #[test]
    fn the_output_is_chosen_by_the_balance_of_rooks() {
        let bucket = |fen: &str| Outputs::Rooks.bucket_of(&fen.parse().expect("a position"));
        assert_eq!(bucket(chuhe_board::STARTPOS), 5);
        assert_eq!(bucket("r2k5/9/9/9/9/9/9/9/9/RC2K4 w"), 2);
        assert_eq!(bucket("r1nk1c3/9/9/9/9/9/9/9/9/RCC1K4 w"), 3);
        assert_eq!(["w", "b"].map(|side| bucket(&format!("r2k5/9/9/9/9/9/9/9/9/RR2K4 {side}"))), [6, 7]);
        assert_eq!(bucket("3k1n3/9/9/9/9/9/9/9/9/C3K4 w"), 0);
        random_positions(|position| assert!(Outputs::Rooks.bucket_of(position) < Outputs::Rooks.count()));
    }

    #[test]
    fn every_piece_has_an_input_of_its_own() {
        for mirroring in MODES {
            random_positions(|position| {
                for side in Side::ALL {
                    let inputs = inputs(&shape(mirroring), side, position);
                    assert_eq!(inputs.len() as u32, position.occupancy().all().count());
                    assert!(inputs.iter().all(|&input| input < shape(mirroring).inputs()));
                }
            });
        }
    }

    #[test]
    fn one_side_sees_what_the_other_would_see_with_colours_swapped() {
        for mirroring in MODES {
            random_positions(|position| {
                let flipped = position.flipped();
                for side in Side::ALL {
                    assert_eq!(inputs(&shape(mirroring), side, position), inputs(&shape(mirroring), !side, &flipped));
                }
            });
        }
    }

    #[test]
    fn a_mirror_image_is_seen_alike() {
        let (mut by_king, mut looks) = (0, 0);
        random_positions(|position| {
            let mirrored = position.mirrored();
            for side in Side::ALL {
                let [same_by_king, same] =
                    MODES.map(|mode| inputs(&shape(mode), side, position) == inputs(&shape(mode), side, &mirrored));
                assert!(same, "{position}");
                let in_the_middle = position.king(side).file().index() == 4;
                assert!(same_by_king || in_the_middle, "{position}");
                by_king += u32::from(same_by_king);
                looks += 1;
            }
        });
        assert!(by_king < looks);
    }
}
