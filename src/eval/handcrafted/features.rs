//! What the hand-written evaluation sees on the board, named and counted; what it is worth stands in [`super::weights`].

use super::weights::*;
use crate::board::{Bitboard, Kind, Occupancy, Piece, Position, Side, Square};

/// The two terms of a piece on a square: its kind's, and its place's. Places are folded left on right, and seen from the piece's side.
pub fn placement(piece: Piece, square: Square) -> (usize, usize) {
    let kind = piece.kind().index();
    let file = square.file().index().min(8 - square.file().index());
    let rank = piece.side().rank(square).index();
    (MATERIAL + kind, PLACEMENT + kind * 50 + rank * 5 + file)
}

/// A position with what several terms need.
pub struct Features<'p> {
    position: &'p Position,
    occupancy: &'p Occupancy,
    /// By side: what its pawns attack.
    by_pawns: [Bitboard; 2],
    /// By side: what its pawns, advisors, elephants, horses and king attack; rooks and cannons are added as they are looked at.
    attacked: [Bitboard; 2],
}

/// The nine points of a side's palace and the points from which they are entered.
fn palace(side: Side) -> Bitboard {
    const RED: u128 = 0b000111000 | 0b000111000 << 9 | 0b000111000 << 18;
    Bitboard::from_bits(if side == Side::Red { RED } else { RED << 63 })
}

/// The ranks beyond the river.
fn enemy_half(side: Side) -> Bitboard {
    const RED_HALF: u128 = (1 << 45) - 1;
    Bitboard::from_bits(if side == Side::Red { !RED_HALF } else { RED_HALF })
}

impl<'p> Features<'p> {
    /// Prepares a position.
    pub fn of(position: &'p Position) -> Features<'p> {
        let occupancy = position.occupancy();
        let union = |side, kind| {
            let targets = position.pieces(side, kind).into_iter().map(|from| occupancy.targets(side, kind, from));
            targets.fold(Bitboard::EMPTY, |all, set| all | set)
        };
        let by_pawns = Side::ALL.map(|side| union(side, Kind::Pawn));
        let attacked = Side::ALL.map(|side| {
            let steppers = [Kind::King, Kind::Advisor, Kind::Elephant];
            steppers.into_iter().fold(by_pawns[side.index()], |all, kind| all | union(side, kind))
        });
        Features { position, occupancy, by_pawns, attacked }
    }

    /// Calls `see(term, side, count)` for every term but material and placement that a side has.
    pub fn visit(mut self, mut see: impl FnMut(usize, Side, i32)) {
        let mut pressure = [0; 2];
        for side in Side::ALL {
            pressure[side.index()] = self.pieces(side, &mut see);
        }
        for side in Side::ALL {
            self.guards(side, pressure[(!side).index()], &mut see);
            self.cannons_against_the_king(side, &mut see);
            self.pawns(side, &mut see);
            self.threats(side, &mut see);
        }
    }

    /// Mobility, and what the pieces attack; returns how hard they press the enemy palace.
    fn pieces(&mut self, side: Side, see: &mut impl FnMut(usize, Side, i32)) -> i32 {
        let (us, them) = (side.index(), (!side).index());
        let own = self.position.of_side(side);
        let open = !own & !self.by_pawns[them];
        let target = palace(!side);
        let mut pressure = 0;
        for (kind, term, most, weight) in [
            (Kind::Rook, ROOK_MOBILITY, 17, 3),
            (Kind::Cannon, CANNON_MOBILITY, 17, 1),
            (Kind::Horse, HORSE_MOBILITY, 8, 2),
        ] {
            for from in self.position.pieces(side, kind) {
                let targets = self.occupancy.targets(side, kind, from);
                see(term + (targets & open).count().min(most) as usize, side, 1);
                pressure += weight * (targets & target).count() as i32;
                self.attacked[us] |= match kind {
                    Kind::Cannon => targets & self.occupancy.all(),
                    _ => targets,
                };
            }
        }
        pressure + (self.by_pawns[us] & target).count() as i32
    }

    /// Advisors and elephants: their number against the enemy's pieces, and the pressure on the palace that they let through.
    fn guards(&self, side: Side, pressure: i32, see: &mut impl FnMut(usize, Side, i32)) {
        let count = |side, kind| self.position.pieces(side, kind).count() as usize;
        let (advisors, elephants) = (count(side, Kind::Advisor), count(side, Kind::Elephant));
        see(GUARDS + 3 * advisors + elephants, side, 1);
        let (rooks, cannons) = (count(!side, Kind::Rook), count(!side, Kind::Cannon));
        see(MISSING_ADVISORS_AGAINST_ROOKS, side, ((2 - advisors.min(2)) * rooks) as i32);
        see(MISSING_ELEPHANTS_AGAINST_CANNONS, side, ((2 - elephants.min(2)) * cannons) as i32);
        see(PALACE_PRESSURE + (pressure as usize / 2).min(15), side, 1);
        see(PRESSURE_WITHOUT_ADVISORS, side, pressure * (2 - advisors.min(2)) as i32);
        let invaders = self.position.of_side(!side) & enemy_half(!side);
        let heavy = |kind| self.position.pieces(!side, kind) & invaders;
        let attackers = (heavy(Kind::Rook) | heavy(Kind::Cannon) | heavy(Kind::Horse) | heavy(Kind::Pawn)).count();
        see(INVADERS + attackers.min(7) as usize, !side, 1);
    }

    /// Hollow, centre, bottom and pinning cannons of a side against the enemy king.
    fn cannons_against_the_king(&self, side: Side, see: &mut impl FnMut(usize, Side, i32)) {
        let position = self.position;
        let king = position.king(!side);
        let sight = self.occupancy.sight(king);
        let cannons = position.pieces(side, Kind::Cannon);
        let at_home = (!side).rank(king).index() == 0;
        for cannon in cannons & sight.first {
            if cannon.file() == king.file() {
                let distance = cannon.rank().index().abs_diff(king.rank().index());
                see(HOLLOW_CANNON + distance.min(9), side, 1);
            }
        }
        for cannon in cannons & sight.third {
            // Two pieces between the cannon and the king: both are bound to the line.
            let between = Occupancy::between(cannon, king) & self.occupancy.all();
            let bound = between & position.of_side(!side);
            if cannon.file() == king.file() {
                see(CENTRE_CANNON, side, bound.count() as i32);
                let horse_in_the_centre = between & position.pieces(!side, Kind::Horse) & palace(!side);
                see(CANNON_PINS_A_CENTRE_HORSE, side, horse_in_the_centre.count() as i32);
            }
        }
        for cannon in cannons {
            if side.rank(cannon).index() == 9 && at_home {
                let aims = (sight.second | sight.third | sight.first).has(cannon);
                see(BOTTOM_CANNON, side, i32::from(aims));
            }
        }
        for rook in position.pieces(side, Kind::Rook) & sight.second {
            let blocker = Occupancy::between(rook, king) & position.of_side(!side);
            see(ROOK_PINS, side, blocker.count() as i32);
        }
    }

    /// Pawns beyond the river, hand in hand, and blocked at home.
    fn pawns(&self, side: Side, see: &mut impl FnMut(usize, Side, i32)) {
        let pawns = self.position.pieces(side, Kind::Pawn);
        let crossed = pawns & enemy_half(side);
        let advisors = self.position.pieces(!side, Kind::Advisor).count().min(2) as usize;
        see(CROSSED_PAWNS + 6 * advisors + crossed.count().min(5) as usize, side, 1);
        let beside = crossed.into_iter().filter_map(|pawn| pawn.offset(1, 0)).filter(|&right| crossed.has(right));
        see(HAND_IN_HAND, side, beside.count() as i32);
        let forward = if side == Side::Red { 1 } else { -1 };
        let homes = pawns & !enemy_half(side);
        let in_front = |kind| {
            let blocked = homes.into_iter().filter_map(|pawn| pawn.offset(0, forward));
            blocked.filter(|&front| self.position.pieces(side, kind).has(front)).count() as i32
        };
        let held = homes.into_iter().filter(|pawn| {
            let horses = self.position.pieces(side, Kind::Horse);
            pawn.offset(0, -forward).is_some_and(|behind| horses.has(behind))
        });
        see(PAWN_BEFORE_OWN_HORSE, side, held.count() as i32);
        see(HORSE_BEFORE_OWN_PAWN, side, in_front(Kind::Horse));
    }

    /// What a side attacks: pieces without protection, and pieces by cheaper ones.
    fn threats(&self, side: Side, see: &mut impl FnMut(usize, Side, i32)) {
        let (us, them) = (side.index(), (!side).index());
        let position = self.position;
        let loose = self.attacked[us] & !self.attacked[them];
        for (kind, term) in [
            (Kind::Rook, LOOSE_ROOK),
            (Kind::Cannon, LOOSE_CANNON),
            (Kind::Horse, LOOSE_HORSE),
            (Kind::Pawn, LOOSE_PAWN),
            (Kind::Advisor, LOOSE_GUARD),
            (Kind::Elephant, LOOSE_GUARD),
        ] {
            see(term, side, (position.pieces(!side, kind) & loose).count() as i32);
        }
        let minor = position.pieces(!side, Kind::Horse) | position.pieces(!side, Kind::Cannon);
        see(PAWN_ATTACKS_A_PIECE, side, (minor & self.by_pawns[us]).count() as i32);
        let rooks = position.pieces(!side, Kind::Rook);
        let attackers = rooks.into_iter().map(|rook| {
            let horses = self.occupancy.attackers(side, Kind::Horse, rook) & position.pieces(side, Kind::Horse);
            let cannons = self.occupancy.attackers(side, Kind::Cannon, rook) & position.pieces(side, Kind::Cannon);
            (horses | cannons).count() as i32
        });
        see(MINOR_ATTACKS_A_ROOK, side, attackers.sum());
        let protected = self.attacked[us];
        let heavy = position.pieces(side, Kind::Horse) | position.pieces(side, Kind::Cannon);
        see(PROTECTED_PIECES, side, (heavy & protected).count() as i32);
    }
}
