//! Precomputed tables for stepping pieces: kings, advisors and pawns by square, horses by (square, blocked
//! legs), elephants by (square, blocked eyes); and the squares that each piece can reach at all.

use super::bitboard::Bitboard;
use super::piece::{Kind, Side};
use super::square::Square;

/// Orthogonal neighbours in the bit order of a legs index: west, south, east, north.
const ORTHOGONAL: [(i32, i32); 4] = [(-1, 0), (0, -1), (1, 0), (0, 1)];
/// Diagonal neighbours in the bit order of an eyes index: south-west, north-west, south-east, north-east.
const DIAGONAL: [(i32, i32); 4] = [(-1, -1), (-1, 1), (1, -1), (1, 1)];

/// `preset!(square => set)`: the set for each of the 90 squares.
macro_rules! preset {
    ($square:ident => $set:expr) => {{
        let mut table = [Bitboard::EMPTY; 90];
        let mut at = 0;
        while at < 90 {
            let $square = Square::ALL[at];
            table[at] = $set;
            at += 1;
        }
        table
    }};
}

/// `preset_blocked!((square, blocked) => set)`: the set for each square and each occupancy of its four
/// neighbours.
macro_rules! preset_blocked {
    (($square:ident, $blocked:ident) => $set:expr) => {{
        let mut table = [[Bitboard::EMPTY; 16]; 90];
        let mut at = 0;
        while at < 90 {
            let $square = Square::ALL[at];
            let mut $blocked = 0;
            while $blocked < 16 {
                table[at][$blocked] = $set;
                $blocked += 1;
            }
            at += 1;
        }
        table
    }};
}

const fn in_palace(square: Square) -> bool {
    let (file, rank) = (square.index() % 9, square.index() / 9);
    file >= 3 && file <= 5 && (rank <= 2 || rank >= 7)
}

const fn is_advisor_point(square: Square) -> bool {
    let (file, rank) = (square.index() % 9, square.index() / 9);
    in_palace(square) && (file + if rank <= 2 { rank } else { 9 - rank }) % 2 == 1
}

const fn is_elephant_point(square: Square) -> bool {
    let (file, rank) = (square.index() % 9, square.index() / 9);
    let rank = if rank <= 4 { rank } else { 9 - rank };
    (rank == 2 && file % 4 == 0) || ((rank == 0 || rank == 4) && file % 4 == 2)
}

/// Adds the square that is `files` and `ranks` away to `set`, if it is on the board.
const fn with_offset(set: Bitboard, from: Square, files: i32, ranks: i32) -> Bitboard {
    match from.offset(files, ranks) {
        Some(to) => set.with(to),
        None => set,
    }
}

const fn king(from: Square) -> Bitboard {
    let mut set = Bitboard::EMPTY;
    let mut way = 0;
    while way < 4 && in_palace(from) {
        if let Some(to) = from.offset(ORTHOGONAL[way].0, ORTHOGONAL[way].1)
            && in_palace(to)
        {
            set = set.with(to);
        }
        way += 1;
    }
    set
}

const fn advisor(from: Square) -> Bitboard {
    let mut set = Bitboard::EMPTY;
    let mut way = 0;
    while way < 4 && is_advisor_point(from) {
        if let Some(to) = from.offset(DIAGONAL[way].0, DIAGONAL[way].1)
            && in_palace(to)
        {
            set = set.with(to);
        }
        way += 1;
    }
    set
}

const fn elephant(from: Square, blocked: usize) -> Bitboard {
    let mut set = Bitboard::EMPTY;
    let mut way = 0;
    while way < 4 && is_elephant_point(from) {
        if let Some(to) = from.offset(2 * DIAGONAL[way].0, 2 * DIAGONAL[way].1) {
            let same_half = (from.index() < 45) == (to.index() < 45);
            if same_half && blocked >> way & 1 == 0 {
                set = set.with(to);
            }
        }
        way += 1;
    }
    set
}

/// Returns the squares whose change may expose a king to attack: its lines, its diagonal neighbours (the legs
/// of attacking horses), and the squares one horse move away.
const fn around_king(king: Square) -> Bitboard {
    lines(with_diagonals(horse(king, 0), king), king)
}

/// Adds the rank and the file through a square to `set`.
const fn lines(mut set: Bitboard, through: Square) -> Bitboard {
    let (file, rank) = (through.index() % 9, through.index() / 9);
    let mut at = 0;
    while at < 90 {
        if at % 9 == file || at / 9 == rank {
            set = set.with(Square::ALL[at]);
        }
        at += 1;
    }
    set
}

/// Adds the four diagonal neighbours to `set`.
const fn with_diagonals(mut set: Bitboard, from: Square) -> Bitboard {
    let mut way = 0;
    while way < 4 {
        set = with_offset(set, from, DIAGONAL[way].0, DIAGONAL[way].1);
        way += 1;
    }
    set
}

const fn horse(from: Square, blocked: usize) -> Bitboard {
    let mut set = Bitboard::EMPTY;
    let mut way = 0;
    while way < 4 {
        let (files, ranks) = ORTHOGONAL[way];
        if blocked >> way & 1 == 0 {
            // A horse moves two squares forward and one to either side. For the sideways step, files and
            // ranks are swapped.
            set = with_offset(set, from, 2 * files + ranks, 2 * ranks + files);
            set = with_offset(set, from, 2 * files - ranks, 2 * ranks - files);
        }
        way += 1;
    }
    set
}

/// Returns the squares on which a change may change the targets of a horse, or the horse itself.
const fn horse_zone(from: Square) -> Bitboard {
    let mut set = horse(from, 0).with(from);
    let mut way = 0;
    while way < 4 {
        set = with_offset(set, from, ORTHOGONAL[way].0, ORTHOGONAL[way].1);
        way += 1;
    }
    set
}

/// Returns the squares of attacking horses. A horse's leg is next to the horse and diagonally adjacent to its
/// target, so each diagonal neighbour blocks two attackers.
const fn horse_attackers(target: Square, blocked: usize) -> Bitboard {
    let mut set = Bitboard::EMPTY;
    let mut way = 0;
    while way < 4 {
        let (files, ranks) = DIAGONAL[way];
        if blocked >> way & 1 == 0 {
            set = with_offset(set, target, 2 * files, ranks);
            set = with_offset(set, target, files, 2 * ranks);
        }
        way += 1;
    }
    set
}

/// Returns the targets of a pawn; `way` is +1 for Red, −1 for Black.
const fn pawn(from: Square, way: i32) -> Bitboard {
    let set = with_offset(Bitboard::EMPTY, from, 0, way);
    if (from.index() >= 45) == (way == 1) { with_offset(with_offset(set, from, -1, 0), from, 1, 0) } else { set }
}

const fn pawn_attackers(target: Square, way: i32) -> Bitboard {
    let set = with_offset(Bitboard::EMPTY, target, 0, -way);
    if (target.index() >= 45) == (way == 1) { with_offset(with_offset(set, target, -1, 0), target, 1, 0) } else { set }
}

pub(super) static KING: [Bitboard; 90] = preset!(square => king(square));
/// Squares of the rank and the file through a square.
pub static LINES: [Bitboard; 90] = preset!(square => lines(Bitboard::EMPTY, square));
/// Squares around a king: a move that neither leaves nor enters this set gives no check.
pub(super) static AROUND_KING: [Bitboard; 90] = preset!(square => around_king(square));
/// Squares of the legs of horses that attack a king.
pub(super) static ATTACKING_LEGS: [Bitboard; 90] = preset!(square => with_diagonals(Bitboard::EMPTY, square));
pub(super) static ADVISOR: [Bitboard; 90] = preset!(square => advisor(square));
pub(super) static ELEPHANT: [[Bitboard; 16]; 90] = preset_blocked!((square, eyes) => elephant(square, eyes));
pub(super) static HORSE: [[Bitboard; 16]; 90] = preset_blocked!((square, legs) => horse(square, legs));
/// Squares on which a change may change the targets of a horse: its own square, its legs and its targets.
pub static HORSE_ZONE: [Bitboard; 90] = preset!(square => horse_zone(square));
/// Squares from which horses attack the square, indexed by the blocked *eyes* of the square, which are the
/// legs of its attackers.
pub(super) static HORSE_ATTACKERS: [[Bitboard; 16]; 90] =
    preset_blocked!((square, eyes) => horse_attackers(square, eyes));
/// Targets of pawns, by side.
pub(super) static PAWN: [[Bitboard; 90]; 2] = [preset!(square => pawn(square, 1)), preset!(square => pawn(square, -1))];
/// Squares from which pawns of a side attack the square.
pub(super) static PAWN_ATTACKERS: [[Bitboard; 90]; 2] =
    [preset!(square => pawn_attackers(square, 1)), preset!(square => pawn_attackers(square, -1))];

/// Returns the leg of a horse: the adjacent square that must be empty for the horse to reach the target.
pub(super) fn horse_leg(horse: Square, target: Square) -> Square {
    let (from, to) = (horse.index() as i32, target.index() as i32);
    let (files, ranks) = (to % 9 - from % 9, to / 9 - from / 9);
    let leg = horse.offset(files / 2, ranks / 2);
    leg.expect("the leg lies between two squares of the board")
}

/// Returns the squares that a side's pawns attack.
#[inline]
pub fn attacked_by_pawns(side: Side, pawns: Bitboard) -> Bitboard {
    let crossed = pawns & Bitboard::beyond_river(side);
    pawns.ahead(side) | crossed.left() | crossed.right()
}

/// Returns the squares that a piece can ever reach.
#[inline]
pub fn domain(side: Side, kind: Kind) -> Bitboard {
    static DOMAINS: [[Bitboard; 7]; 2] = [domains(Side::Red), domains(Side::Black)];
    DOMAINS[side.index()][kind.index()]
}

const fn domains(side: Side) -> [Bitboard; 7] {
    let mut domains = [Bitboard::EMPTY; 7];
    let mut kind = 0;
    while kind < 7 {
        let mut at = 0;
        while at < 90 {
            if can_reach(side, Kind::ALL[kind], Square::ALL[at]) {
                domains[kind] = domains[kind].with(Square::ALL[at]);
            }
            at += 1;
        }
        kind += 1;
    }
    domains
}

const fn can_reach(side: Side, kind: Kind, square: Square) -> bool {
    let (file, rank) = (square.index() % 9, square.index() / 9);
    // The rank is counted from the side's own back rank.
    let rank = if matches!(side, Side::Red) { rank } else { 9 - rank };
    match kind {
        Kind::King => in_palace(square) && rank < 5,
        Kind::Advisor => is_advisor_point(square) && rank < 5,
        Kind::Elephant => is_elephant_point(square) && rank < 5,
        Kind::Horse | Kind::Rook | Kind::Cannon => true,
        Kind::Pawn => rank >= 5 || (rank >= 3 && file % 2 == 0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ways() -> impl Iterator<Item = (i32, i32)> {
        (-2..=2).flat_map(|files| (-2..=2).map(move |ranks| (files, ranks)))
    }

    #[test]
    fn horses_equal_a_slow_walk_for_every_square_and_blocked_leg() {
        for from in Square::ALL {
            for legs in 0..16 {
                let mut slow = Bitboard::EMPTY;
                for (files, ranks) in ways().filter(|(files, ranks)| files.abs() + ranks.abs() == 3) {
                    let leg = (files / 2, ranks / 2);
                    let blocked = ORTHOGONAL.iter().position(|&way| way == leg).map(|way| legs >> way & 1);
                    if blocked == Some(0) {
                        slow = with_offset(slow, from, files, ranks);
                    }
                }
                assert_eq!(HORSE[from.index()][legs], slow, "{from} {legs:04b}");
            }
        }
    }

    #[test]
    fn a_horse_attacks_where_the_target_sees_it_as_attacker() {
        for target in Square::ALL {
            for eyes in 0..16usize {
                let mut slow = Bitboard::EMPTY;
                for from in Square::ALL {
                    let free = HORSE[from.index()][0].has(target) && {
                        let leg = horse_leg(from, target);
                        let way = DIAGONAL.iter().position(|&(files, ranks)| target.offset(files, ranks) == Some(leg));
                        eyes >> way.expect("a leg is a diagonal neighbour of the target") & 1 == 0
                    };
                    if free {
                        slow = slow.with(from);
                    }
                }
                assert_eq!(HORSE_ATTACKERS[target.index()][eyes], slow, "{target} {eyes:04b}");
            }
        }
    }

    #[test]
    fn elephants_equal_a_slow_walk_for_every_square_and_blocked_eye() {
        let points = domain(Side::Red, Kind::Elephant) | domain(Side::Black, Kind::Elephant);
        assert_eq!(points.count(), 14);
        for from in Square::ALL {
            for eyes in 0..16 {
                let mut slow = Bitboard::EMPTY;
                for (files, ranks) in ways().filter(|(files, ranks)| files.abs() == 2 && ranks.abs() == 2) {
                    let way = DIAGONAL.iter().position(|&way| way == (files / 2, ranks / 2));
                    let blocked = eyes >> way.expect("an eye is a diagonal neighbour") & 1;
                    if let Some(to) = from.offset(files, ranks)
                        && blocked == 0
                        && points.has(from)
                        && Side::Red.has_crossed(from) == Side::Red.has_crossed(to)
                    {
                        slow = slow.with(to);
                    }
                }
                assert_eq!(ELEPHANT[from.index()][eyes], slow, "{from} {eyes:04b}");
            }
        }
    }

    #[test]
    fn palace_pieces_stay_in_their_palace() {
        for side in Side::ALL {
            for from in domain(side, Kind::King) {
                assert!((KING[from.index()] & !domain(side, Kind::King)).is_empty());
                assert!(KING[from.index()].count() >= 2);
            }
            assert_eq!(domain(side, Kind::Advisor).count(), 5);
            for from in domain(side, Kind::Advisor) {
                assert!((ADVISOR[from.index()] & !domain(side, Kind::Advisor)).is_empty());
            }
        }
        assert_eq!(ADVISOR.iter().filter(|set| set.has_any()).count(), 10);
        assert_eq!(KING.iter().filter(|set| set.has_any()).count(), 18);
    }

    #[test]
    fn pawns_go_forward_and_sideways_only_past_the_river() {
        for side in Side::ALL {
            assert_eq!(domain(side, Kind::Pawn).count(), 55);
            for from in domain(side, Kind::Pawn) {
                let targets = PAWN[side.index()][from.index()];
                assert_eq!(attacked_by_pawns(side, Bitboard::of(from)), targets, "{side:?} {from}");
                assert!(targets.into_iter().all(|to| side.rank(to) >= side.rank(from)));
                assert_eq!(targets.into_iter().any(|to| to.rank() == from.rank()), side.has_crossed(from));
                for to in targets {
                    assert!(PAWN_ATTACKERS[side.index()][to.index()].has(from));
                }
            }
            for to in Square::ALL {
                for from in PAWN_ATTACKERS[side.index()][to.index()] {
                    assert!(PAWN[side.index()][from.index()].has(to));
                }
            }
        }
    }
}
