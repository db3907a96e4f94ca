//! Detection of moves that give check. One precomputation per position suffices for all its moves; only a few
//! moves require an exact test.

use super::steps::{ATTACKING_LEGS, HORSE_ATTACKERS};
use super::{Bitboard, Kind, Move, Occupancy, Position, Square};

/// Ways in which the side to move can give check. The enemy king must not already be attacked.
pub struct Checks {
    /// Squares from which a newly arrived piece would attack the king, by kind.
    direct: [Bitboard; 7],
    /// Squares in front of a friendly hollow cannon: a piece that moves there becomes its screen.
    screens: Bitboard,
    /// Friendly pieces whose moves are tested one by one: those whose departure may open a line or free a
    /// horse's leg, and hollow cannons.
    tested_one_by_one: Bitboard,
}

impl Position {
    /// Computes the ways in which the side to move can give check.
    #[inline]
    pub fn checks(&self) -> Checks {
        let (side, king, occupancy) = (self.side(), self.king(!self.side()), self.occupancy());
        let sight = occupancy.sight(king);
        let mut checks = Checks {
            direct: [Bitboard::EMPTY; 7],
            screens: Bitboard::EMPTY,
            // A hollow cannon may capture over the next piece on its line, which then becomes its screen.
            tested_one_by_one: sight.first & self.pieces(side, Kind::Cannon),
        };
        // Discovered checks: a rook behind one piece, a cannon behind two, or a horse whose leg is blocked.
        for behind in (sight.second & self.pieces(side, Kind::Rook)) | (sight.third & self.pieces(side, Kind::Cannon)) {
            checks.tested_one_by_one |= Occupancy::between(king, behind);
        }
        if (HORSE_ATTACKERS[king.index()][0] & self.pieces(side, Kind::Horse)).has_any() {
            checks.tested_one_by_one |= ATTACKING_LEGS[king.index()];
        }
        checks.tested_one_by_one &= self.of_side(side);
        checks.direct[Kind::Rook.index()] = sight.reach | sight.first;
        checks.direct[Kind::Cannon.index()] = occupancy.behind_screens(king);
        checks.direct[Kind::Horse.index()] = occupancy.horse_attackers(king);
        checks.direct[Kind::Pawn.index()] = occupancy.attackers(side, Kind::Pawn, king);
        for cannon in sight.first & self.pieces(side, Kind::Cannon) {
            checks.screens |= Occupancy::between(king, cannon);
        }
        checks
    }
}

impl Checks {
    /// Returns the targets with which a legal move gives check, directly or by opening a line or freeing a
    /// leg.
    #[inline]
    pub fn checking_targets(&self, position: &Position, kind: Kind, from: Square, targets: Bitboard) -> Bitboard {
        if self.tested_one_by_one.has(from) {
            targets.into_iter().filter(|&to| position.gives_check(Move::new(from, to))).collect()
        } else {
            targets & (self.direct[kind.index()] | self.screens)
        }
    }

    /// Returns `true` if a legal move gives check.
    #[inline]
    pub fn given_by(&self, position: &Position, mv: Move) -> bool {
        let Some(piece) = position.piece_on(mv.from) else { return false };
        self.checking_targets(position, piece.kind(), mv.from, Bitboard::of(mv.to)).has_any()
    }
}
