//! Threat inputs: which pieces are attacked by horses, rooks, cannons and pawns. Inference and training share
//! this file.
//!
//! A threat is an attacking piece (kind and side), an attacked piece and its square. Two attackers of the same
//! kind and side count once. A side's attacks on its own pieces count as well: they protect. King and guards are
//! not attackers, because their attacks hardly lowered the loss.

use super::features::{SLOTS, slot};
use chuhe_board::{Bitboard, HORSE_ZONE, Kind, LINES, Occupancy, Piece, Side, Square, attacked_by_pawns};

/// Number of attacking pieces, four of each side.
pub const ATTACKERS: usize = 8;

/// Maximum number of pieces that all horses, rooks, cannons or pawns of a side attack: one in each direction.
pub(super) const MOST_ATTACKED: [usize; 4] = [2 * 8, 2 * 4, 2 * 4, 5 * 3];

/// Maximum number of threats in a position with at most a full set of pieces.
pub(super) const MAX_THREATS: usize = 2 * (MOST_ATTACKED[0] + MOST_ATTACKED[1] + MOST_ATTACKED[2] + MOST_ATTACKED[3]);

/// Number of threats per perspective: each piece on each square that it can reach, by each attacking piece.
pub const THREATS: usize = ATTACKERS * SLOTS;

/// Indices of the threats to each piece on each square, in the perspectives of Red and of Black.
#[derive(Debug)]
pub struct ThreatIndices([[[u16; 2]; 90]; 14]);

/// By the mirroring of Red and of Black. Entries of squares that a piece cannot reach are never used.
static INDICES: [[ThreatIndices; 2]; 2] = [
    [ThreatIndices::new([false, false]), ThreatIndices::new([false, true])],
    [ThreatIndices::new([true, false]), ThreatIndices::new([true, true])],
];

impl ThreatIndices {
    const fn new(mirrored: [bool; 2]) -> ThreatIndices {
        let mut indices = [[[0; 2]; 90]; 14];
        let mut entry = 0;
        while entry < 14 * 90 * 2 {
            let (piece, square, side) = (entry / 180, entry / 2 % 90, entry % 2);
            let slot = slot(Side::ALL[side], mirrored[side], Piece::ALL[piece], Square::ALL[square]);
            indices[piece][square][side] = slot.wrapping_mul(ATTACKERS as u16);
            entry += 1;
        }
        ThreatIndices(indices)
    }

    /// Returns the indices, given whether the perspectives of Red and of Black are mirrored.
    #[inline]
    pub fn of([red, black]: [bool; 2]) -> &'static ThreatIndices {
        &INDICES[usize::from(red)][usize::from(black)]
    }

    /// Returns the indices of a threat in both perspectives. Attackers are numbered as in [`Attacked::pairs`].
    #[inline]
    pub fn get(&self, attacker: usize, victim: Piece, square: Square) -> [u16; 2] {
        let [red, black] = self.0[victim.index()][square.index()];
        // The first four attackers are red; a side counts its own first.
        [red + attacker as u16, black + (attacker as u16 ^ 4)]
    }
}

/// Attacks of one kind of attacking piece.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Attacks {
    /// Attacked occupied squares.
    pub squares: Bitboard,
    /// Squares on which a change may change the attacks.
    zone: Bitboard,
}

/// Occupied squares that the attacking pieces attack.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Attacked(pub(super) [Attacks; ATTACKERS]);

impl Attacked {
    /// The attacks on an empty board.
    pub(super) const NONE: Attacked = Attacked([Attacks { squares: Bitboard::EMPTY, zone: Bitboard::ALL }; ATTACKERS]);

    /// Computes the attacks, given the squares of each piece.
    #[inline]
    pub fn of(occupancy: &Occupancy, pieces: impl Fn(Piece) -> Bitboard) -> Attacked {
        let mut attacked = Attacked::NONE;
        attacked.update(occupancy, pieces, Bitboard::ALL);
        attacked
    }

    /// Updates the attacks after a change of some squares, given the squares of each piece after the change.
    #[inline]
    pub(super) fn update(&mut self, occupancy: &Occupancy, pieces: impl Fn(Piece) -> Bitboard, changed: Bitboard) {
        for ([horses, rooks, cannons, pawns], side) in self.0.as_chunks_mut::<4>().0.iter_mut().zip(Side::ALL) {
            let pieces = |kind| pieces(Piece::new(side, kind));
            if horses.concerns(changed) {
                let from = pieces(Kind::Horse);
                horses.squares = union(from, |from| occupancy.horse(from)) & occupancy.all();
                horses.zone = union(from, |from| HORSE_ZONE[from.index()]);
            }
            if rooks.concerns(changed) {
                let from = pieces(Kind::Rook);
                let targets = union(from, |from| occupancy.rook(from));
                *rooks = Attacks { squares: targets & occupancy.all(), zone: targets | from };
            }
            if cannons.concerns(changed) {
                let from = pieces(Kind::Cannon);
                // Attacks of cannons are symmetric.
                cannons.squares = union(from, |from| occupancy.attackers(side, Kind::Cannon, from));
                cannons.zone = union(from, |from| LINES[from.index()]);
            }
            if pawns.concerns(changed) {
                let from = pieces(Kind::Pawn);
                let targets = attacked_by_pawns(side, from);
                *pawns = Attacks { squares: targets & occupancy.all(), zone: targets | from };
            }
        }
    }

    /// Returns the attackers with the squares that they attack. Attackers are numbered: the red horses, rooks,
    /// cannons and pawns, then the black ones.
    #[inline]
    pub fn pairs(&self) -> impl Iterator<Item = (usize, Square)> + '_ {
        let pairs_of =
            |(attacker, attacks): (usize, &Attacks)| attacks.squares.into_iter().map(move |square| (attacker, square));
        self.0.iter().enumerate().flat_map(pairs_of)
    }
}

impl Attacks {
    /// Returns `true` if a change of some squares may change the attacks.
    #[inline(always)]
    fn concerns(&self, changed: Bitboard) -> bool {
        (self.zone & changed).has_any()
    }
}

/// Returns the union of the targets from several squares.
#[inline(always)]
fn union(from: Bitboard, targets: impl Fn(Square) -> Bitboard) -> Bitboard {
    from.into_iter().fold(Bitboard::EMPTY, |all, from| all | targets(from))
}

#[cfg(test)]
mod tests {
    use super::*;
    use chuhe_board::domain;
    use std::collections::HashSet;

    #[test]
    fn every_threat_has_an_index_of_its_own() {
        for mirrored in [[false, false], [false, true], [true, false], [true, true]] {
            for (side, mirrored) in Side::ALL.into_iter().zip(mirrored) {
                let mut indices = HashSet::new();
                for victim in Piece::ALL {
                    for square in domain(victim.side(), victim.kind()) {
                        let own_king = victim == Piece::new(side, Kind::King);
                        if own_king && square.file().index() != 4 && (square.file().index() > 4) != mirrored {
                            continue;
                        }
                        let both = |attacker| ThreatIndices::of([mirrored; 2]).get(attacker, victim, square);
                        indices.extend((0..ATTACKERS).map(|attacker| both(attacker)[side.index()]));
                    }
                }
                assert_eq!(indices.len(), THREATS);
                assert!(indices.iter().all(|&index| usize::from(index) < THREATS));
            }
        }
    }
}
