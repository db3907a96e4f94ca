//! The terms of the hand-written evaluation and their counts. Their weights are in [`super::weights`].

use super::weights::*;
use chuhe_board::{Bitboard, Kind, Occupancy, Piece, Position, Side, Square, attacked_by_pawns};

/// Returns the number of advisors and of elephants that a side has lost.
pub(crate) fn missing_guards(position: &Position, side: Side) -> (usize, usize) {
    let missing = |kind| 2 - position.pieces(side, kind).count().min(2) as usize;
    (missing(Kind::Advisor), missing(Kind::Elephant))
}

/// Returns the terms of a piece by kind and square, with their counts, for the opponent's number of missing
/// advisors and elephants. Squares are seen from the piece's side, and the right half is mapped to the left.
pub(crate) const fn placement(piece: Piece, square: Square, missing: (usize, usize)) -> [(usize, usize); 4] {
    let kind = piece.kind().index();
    let (file, rank) = (square.index() % 9, square.index() / 9);
    let file = if file > 4 { 8 - file } else { file };
    let rank = match piece.side() {
        Side::Red => rank,
        Side::Black => 9 - rank,
    };
    let place = rank * 5 + file;
    let first = Kind::Horse.index();
    let (attacker, missing) = if kind < first { (0, (0, 0)) } else { (kind - first, missing) };
    [
        (MATERIAL + kind, 1),
        (PLACEMENT + kind * 50 + place, 1),
        (PLACEMENT_WITHOUT_ADVISORS + attacker * 50 + place, missing.0),
        (PLACEMENT_WITHOUT_ELEPHANTS + attacker * 50 + place, missing.1),
    ]
}

/// Calls `see(term, side, count)` for every term of a position.
pub fn count(position: &Position, mut see: impl FnMut(usize, Side, i32)) {
    let missing = Side::ALL.map(|side| missing_guards(position, !side));
    for square in position.occupancy().all() {
        if let Some(piece) = position.piece_on(square) {
            let side = piece.side();
            let terms = placement(piece, square, missing[side.index()]);
            terms.into_iter().for_each(|(term, count)| see(term, side, count as i32));
        }
    }
    piece_counts(position, &mut see);
    Features::of(position).visit(see);
}

/// Calls `see(term, side, count)` for every term that depends only on the numbers of pieces.
pub(crate) fn piece_counts(position: &Position, mut see: impl FnMut(usize, Side, i32)) {
    for side in Side::ALL {
        let (missing_advisors, missing_elephants) = missing_guards(position, side);
        see(GUARDS + 3 * (2 - missing_advisors) + 2 - missing_elephants, side, 1);
        let enemy = |kind| position.pieces(!side, kind).count() as i32;
        see(MISSING_ADVISORS_AGAINST_ROOKS, side, missing_advisors as i32 * enemy(Kind::Rook));
        see(MISSING_ELEPHANTS_AGAINST_CANNONS, side, missing_elephants as i32 * enemy(Kind::Cannon));
    }
}

/// A position with intermediate results shared by several terms.
pub(crate) struct Features<'p> {
    position: &'p Position,
    occupancy: &'p Occupancy,
    /// Squares reached by each side's rooks, cannons, horses and pawns, including squares of friendly pieces.
    /// All except the pawns' squares are added during the visit.
    reached: [[Bitboard; 4]; 2],
    /// Squares attacked or protected by each side; the squares attacked by rooks, cannons and horses are
    /// added during the visit.
    attacked: [Bitboard; 2],
    /// Pressure of each side's pieces on the enemy palace.
    pressure: [i32; 2],
}

/// Indices of [`Features::reached`].
const ROOKS: usize = 0;
const CANNONS: usize = 1;
const HORSES: usize = 2;
const PAWNS: usize = 3;

/// Returns the nine squares of a side's palace.
const fn palace(side: Side) -> Bitboard {
    const RED: u128 = 0b000111000 | 0b000111000 << 9 | 0b000111000 << 18;
    Bitboard::from_bits(match side {
        Side::Red => RED,
        Side::Black => RED << 63,
    })
}

/// Returns the enemy's back rank.
const fn bottom(side: Side) -> Bitboard {
    const RANK: u128 = (1 << 9) - 1;
    Bitboard::from_bits(match side {
        Side::Red => RANK << 81,
        Side::Black => RANK,
    })
}

// The code is specialised for each side, so that masks are constants.
impl<'p> Features<'p> {
    /// Computes the intermediate results of a position.
    pub(crate) fn of(position: &'p Position) -> Features<'p> {
        let occupancy = position.occupancy();
        let reached = Side::ALL.map(|side| {
            let by_pawns = attacked_by_pawns(side, position.pieces(side, Kind::Pawn));
            [Bitboard::EMPTY, Bitboard::EMPTY, Bitboard::EMPTY, by_pawns]
        });
        let attacked = Side::ALL.map(|side| {
            let mut attacked = reached[side.index()][PAWNS] | occupancy.targets(side, Kind::King, position.king(side));
            for from in position.pieces(side, Kind::Advisor) {
                attacked |= occupancy.targets(side, Kind::Advisor, from);
            }
            for from in position.pieces(side, Kind::Elephant) {
                attacked |= occupancy.elephant(from);
            }
            attacked
        });
        Features { position, occupancy, reached, attacked, pressure: [0; 2] }
    }

    /// Calls `see(term, side, count)` for every term except the terms of `placement` and `numbers`.
    #[inline(always)]
    pub(crate) fn visit(mut self, mut see: impl FnMut(usize, Side, i32)) {
        self.pieces(Side::Red, &mut |term, count| see(term, Side::Red, count));
        self.pieces(Side::Black, &mut |term, count| see(term, Side::Black, count));
        self.plans(Side::Red, &mut |term, count| see(term, Side::Red, count));
        self.plans(Side::Black, &mut |term, count| see(term, Side::Black, count));
    }

    /// Visits the terms that depend on attacks by both sides.
    #[inline(always)]
    fn plans(&self, side: Side, see: &mut impl FnMut(usize, i32)) {
        self.guards(side, see);
        self.cannons_against_the_king(side, see);
        self.pawns(side, see);
        self.threats(side, see);
        self.checks(side, see);
    }

    /// Visits the mobility of a side's pieces, and records their attacks.
    #[inline(always)]
    fn pieces(&mut self, side: Side, see: &mut impl FnMut(usize, i32)) {
        let (us, them) = (side.index(), (!side).index());
        let position = self.position;
        let open = !(position.of_side(side) | self.reached[them][PAWNS]);
        let target = palace(!side);
        let reached = &mut self.reached[us];
        let mut pressure = (reached[PAWNS] & target).count();
        for from in position.pieces(side, Kind::Rook) {
            let targets = self.occupancy.rook(from);
            see(ROOK_MOBILITY + (targets & open).count().min(17) as usize, 1);
            pressure += 3 * (targets & target).count();
            reached[ROOKS] |= targets;
        }
        for from in position.pieces(side, Kind::Cannon) {
            let targets = self.occupancy.cannon(from);
            see(CANNON_MOBILITY + (targets & open).count().min(17) as usize, 1);
            pressure += (targets & target).count();
            reached[CANNONS] |= targets;
        }
        for from in position.pieces(side, Kind::Horse) {
            let targets = self.occupancy.horse(from);
            see(HORSE_MOBILITY + (targets & open).count().min(8) as usize, 1);
            pressure += 2 * (targets & target).count();
            reached[HORSES] |= targets;
        }
        // A cannon attacks only occupied squares.
        self.attacked[us] |= reached[ROOKS] | reached[CANNONS] & self.occupancy.all() | reached[HORSES];
        self.pressure[us] = pressure as i32;
        // King, advisors and elephants never cross the river.
        see(INVADERS + (position.of_side(side) & Bitboard::beyond_river(side)).count().min(7) as usize, 1);
    }

    /// Visits the pressure on the palace, and the weaknesses due to missing advisors.
    #[inline(always)]
    fn guards(&self, side: Side, see: &mut impl FnMut(usize, i32)) {
        let advisors = self.position.pieces(side, Kind::Advisor).count().min(2) as i32;
        let pressure = self.pressure[(!side).index()];
        see(PALACE_PRESSURE + (pressure as usize / 2).min(15), 1);
        see(PRESSURE_WITHOUT_ADVISORS, pressure * (2 - advisors));
    }

    /// Visits hollow, centre, bottom and pinning cannons of a side against the enemy king, and its pinning
    /// rooks.
    #[inline(always)]
    fn cannons_against_the_king(&self, side: Side, see: &mut impl FnMut(usize, i32)) {
        let (position, all) = (self.position, self.occupancy.all());
        let king = position.king(!side);
        let cannons = position.pieces(side, Kind::Cannon);
        for cannon in cannons & Bitboard::of_file(king.file()) {
            let between = Occupancy::between(cannon, king) & all;
            match between.count() {
                0 => {
                    let distance = cannon.rank().index().abs_diff(king.rank().index());
                    see(HOLLOW_CANNON + distance.min(9), 1);
                }
                // Both pieces are pinned to the file.
                2 => {
                    see(CENTRE_CANNON, (between & position.of_side(!side)).count() as i32);
                    let horse_in_the_centre = between & position.pieces(!side, Kind::Horse) & palace(!side);
                    see(CANNON_PINS_A_CENTRE_HORSE, horse_in_the_centre.count() as i32);
                }
                _ => {}
            }
        }
        if bottom(side).has(king) {
            for cannon in cannons & bottom(side) {
                let aims = (Occupancy::between(cannon, king) & all).count() <= 2;
                see(BOTTOM_CANNON, i32::from(aims));
            }
        }
        let lines = Bitboard::of_file(king.file()) | Bitboard::of_rank(king.rank());
        for rook in position.pieces(side, Kind::Rook) & lines {
            let between = Occupancy::between(rook, king) & all;
            if between.count() == 1 {
                see(ROOK_PINS, (between & position.of_side(!side)).count() as i32);
            }
        }
    }

    /// Visits pawns beyond the river, adjacent pawns, and pawns at home that block a horse or are blocked by
    /// a horse.
    #[inline(always)]
    fn pawns(&self, side: Side, see: &mut impl FnMut(usize, i32)) {
        let pawns = self.position.pieces(side, Kind::Pawn);
        let crossed = pawns & Bitboard::beyond_river(side);
        let advisors = self.position.pieces(!side, Kind::Advisor).count().min(2) as usize;
        see(CROSSED_PAWNS + 6 * advisors + crossed.count().min(5) as usize, 1);
        see(HAND_IN_HAND, (crossed & crossed.right()).count() as i32);
        let homes = pawns & !Bitboard::beyond_river(side);
        let horses = self.position.pieces(side, Kind::Horse);
        see(PAWN_BEFORE_OWN_HORSE, (homes.ahead(!side) & horses).count() as i32);
        see(HORSE_BEFORE_OWN_PAWN, (homes.ahead(side) & horses).count() as i32);
    }

    /// Visits attacked enemy pieces, protected or not, and protected friendly horses and cannons.
    #[inline(always)]
    fn threats(&self, side: Side, see: &mut impl FnMut(usize, i32)) {
        let (us, them) = (side.index(), (!side).index());
        let of = |kind| self.position.pieces(!side, kind);
        let loose = self.attacked[us] & !self.attacked[them];
        if (loose & self.position.of_side(!side)).has_any() {
            see(LOOSE_ROOK, (of(Kind::Rook) & loose).count() as i32);
            see(LOOSE_CANNON, (of(Kind::Cannon) & loose).count() as i32);
            see(LOOSE_HORSE, (of(Kind::Horse) & loose).count() as i32);
            see(LOOSE_PAWN, (of(Kind::Pawn) & loose).count() as i32);
            see(LOOSE_GUARD, ((of(Kind::Advisor) | of(Kind::Elephant)) & loose).count() as i32);
        }
        for (attacker, reached) in self.reached[us].into_iter().enumerate() {
            for at in reached & self.position.of_side(!side) {
                if let Some(victim) = self.position.piece_on(at) {
                    let protected = usize::from(self.attacked[them].has(at));
                    see(ATTACKS + 14 * attacker + 2 * victim.kind().index() + protected, 1);
                }
            }
        }
        let own = self.position.pieces(side, Kind::Horse) | self.position.pieces(side, Kind::Cannon);
        see(PROTECTED_PIECES, (own & self.attacked[us]).count() as i32);
    }

    /// Visits the squares from which a side's pieces could give check without being captured.
    #[inline(always)]
    fn checks(&self, side: Side, see: &mut impl FnMut(usize, i32)) {
        let king = self.position.king(!side);
        let safe = !(self.position.of_side(side) | self.attacked[(!side).index()]);
        let reached = &self.reached[side.index()];
        let squares = [
            reached[ROOKS] & self.occupancy.rook(king),
            reached[CANNONS] & self.occupancy.behind_screens(king),
            reached[HORSES] & self.occupancy.horse_attackers(king),
        ];
        for (kind, squares) in squares.into_iter().enumerate() {
            see(CHECKS + 4 * kind + (squares & safe).count().min(3) as usize, 1);
        }
    }
}
