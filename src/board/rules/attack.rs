//! Attacks and the value of captures: the basis of all chases.

use crate::named;
use crate::{Bitboard, Kind, Move, Occupancy, Piece, Position, Side, Square, attackers_of_king};

/// Kinds whose attacks can be chases; kings and pawns may attack forever.
pub(super) const CHASING_KINDS: &[Kind] = &[Kind::Horse, Kind::Cannon, Kind::Rook, Kind::Advisor, Kind::Elephant];
/// [`CHASING_KINDS`] and pawns: under the Chinese rules, a side's pawns count as attackers if the other side
/// attacks with every move (rule 11 of 1999).
pub(super) const CHASING_KINDS_WITH_PAWNS: &[Kind] =
    &[Kind::Horse, Kind::Cannon, Kind::Rook, Kind::Advisor, Kind::Elephant, Kind::Pawn];
/// Kinds that can recapture: all. Their order does not affect the result.
const PROTECTORS: [Kind; 7] =
    [Kind::Pawn, Kind::Horse, Kind::Rook, Kind::Cannon, Kind::Elephant, Kind::Advisor, Kind::King];

named! {
    /// Value of a capture under the repetition rules.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum CaptureValue {
        /// The capturing piece is pinned: the capture would expose its own king.
        Bound = "bound",
        /// The victim is worth more than the capturing piece, protected or not: a rook captured by a horse or
        /// a cannon, or a rook, horse or cannon captured by an advisor or an elephant.
        Stronger = "stronger",
        /// The victim is unprotected.
        Unprotected = "unprotected",
        /// The victim seems to be protected, but the recapture would be illegal: a false root.
        FalseRoot = "false root",
        /// Both pieces are of the same kind, and the victim cannot capture its attacker: hobbled or pinned.
        Helpless = "helpless",
        /// Both pieces are of the same kind, and each can capture the other: an offer to exchange.
        Exchange = "exchange",
        /// The other side can recapture: a true root.
        Protected = "protected",
    }

    /// Returns the name used in machine-readable results.
    pub fn name -> &'static str
}

impl CaptureValue {
    /// Returns `true` if a new attack with this value is a chase.
    pub(crate) const fn is_chase(self) -> bool {
        matches!(
            self,
            CaptureValue::Stronger | CaptureValue::Unprotected | CaptureValue::FalseRoot | CaptureValue::Helpless
        )
    }
}

/// Returns the pieces of a side that can be victims: all but the king and pawns that have not crossed the
/// river.
pub(super) fn possible_victims(position: &Position, side: Side) -> Bitboard {
    let pawns = position.pieces(side, Kind::Pawn);
    let at_home: Bitboard = pawns.into_iter().filter(|&square| !side.has_crossed(square)).collect();
    position.of_side(side) & !at_home & !position.pieces(side, Kind::King)
}

/// Returns `true` if `side` has a capture on `victim` that would be a chase if the attack were new,
/// regardless of the side to move.
pub(super) fn attacks(position: &Position, side: Side, victim: Square, chasing_kinds: &[Kind]) -> bool {
    captures(position, side, victim, chasing_kinds)
        .any(|from| capture_value(position, Move::new(from, victim)).is_chase())
}

/// Returns `true` if a new attack on `victim` does more than remove a protection, that is, if the capture was
/// blocked, out of reach or illegal before the move.
pub(super) fn attacks_directly(before: &Position, after: &Position, mv: Move, victim: Square) -> bool {
    let side = before.side();
    captures(after, side, victim, CHASING_KINDS).any(|from| {
        let origin = if from == mv.to { mv.from } else { from };
        capture_value(after, Move::new(from, victim)).is_chase()
            && !(captures(before, side, victim, CHASING_KINDS).any(|square| square == origin)
                && capture_value(before, Move::new(origin, victim)) == CaptureValue::Protected)
    })
}

/// Returns `true` if the rook on this square blocks the leg of an enemy horse that would otherwise give
/// check.
pub(super) fn is_tied_rook(position: &Position, rook: Square) -> bool {
    let Some(piece) = position.piece_on(rook).filter(|piece| piece.kind() == Kind::Rook) else { return false };
    let king = position.king(piece.side());
    let horses = |occupancy: &Occupancy| occupancy.attackers(!piece.side(), Kind::Horse, king);
    let mut without = *position.occupancy();
    without.toggle(rook);
    ((horses(&without) & !horses(position.occupancy())) & position.pieces(!piece.side(), Kind::Horse)).has_any()
}

/// Returns the squares from which `side` could capture the piece on `victim`. Ignores pins.
pub(super) fn captures(
    position: &Position,
    side: Side,
    victim: Square,
    chasing_kinds: &[Kind],
) -> impl Iterator<Item = Square> {
    chasing_kinds
        .iter()
        .flat_map(move |&kind| position.occupancy().attackers(side, kind, victim) & position.pieces(side, kind))
}

/// Returns the value of a capture by either side.
pub(super) fn capture_value(position: &Position, capture: Move) -> CaptureValue {
    let (Some(chaser), Some(victim)) = (position.piece_on(capture.from), position.piece_on(capture.to)) else {
        return CaptureValue::Bound;
    };
    let mut occupancy = *position.occupancy();
    occupancy.toggle(capture.from);
    if !king_is_safe(position, chaser.side(), &occupancy, capture.to) {
        return CaptureValue::Bound;
    }
    if is_stronger(victim.kind(), chaser.kind()) {
        return CaptureValue::Stronger;
    }
    match root(position, capture) {
        Root::True => CaptureValue::Protected,
        _ if chaser.kind() == victim.kind() => {
            if can_take(position, Move::new(capture.to, capture.from)) {
                CaptureValue::Exchange
            } else {
                CaptureValue::Helpless
            }
        }
        Root::False => CaptureValue::FalseRoot,
        Root::None => CaptureValue::Unprotected,
    }
}

/// Returns `true` if the victim of a legal capture has a true root.
pub(super) fn is_protected(position: &Position, capture: Move) -> bool {
    root(position, capture) == Root::True
}

/// Protection of a victim.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Root {
    /// No protection.
    None,
    /// Protection only by pieces that could not legally recapture.
    False,
    /// Protection by a piece that can legally recapture.
    True,
}

fn root(position: &Position, capture: Move) -> Root {
    let Some(victim) = position.piece_on(capture.to) else { return Root::None };
    let mut occupancy = *position.occupancy();
    occupancy.toggle(capture.from);
    let mut root = Root::None;
    for kind in PROTECTORS {
        // The victim itself cannot protect its own square.
        let protectors = position.pieces(victim.side(), kind) & !Bitboard::of(capture.to);
        for protector in occupancy.attackers(victim.side(), kind, capture.to) & protectors {
            if can_take_back(position, occupancy, Move::new(protector, capture.to), capture.from) {
                return Root::True;
            }
            root = Root::False;
        }
        // The capture may remove a cannon's screen, in which case that cannon protected the victim only in
        // appearance.
        if (position.occupancy().attackers(victim.side(), kind, capture.to) & protectors).has_any() {
            root = Root::False;
        }
    }
    root
}

/// Returns `true` if capturing `victim` with `chaser` gains material even if the chaser is lost.
const fn is_stronger(victim: Kind, chaser: Kind) -> bool {
    match chaser {
        Kind::Horse | Kind::Cannon => matches!(victim, Kind::Rook),
        Kind::Advisor | Kind::Elephant => matches!(victim, Kind::Rook | Kind::Horse | Kind::Cannon),
        Kind::Rook | Kind::King | Kind::Pawn => false,
    }
}

/// Returns `true` if a recapture is legal after `chaser` has captured; `occupancy` is the occupancy between
/// the two captures.
fn can_take_back(position: &Position, mut occupancy: Occupancy, recapture: Move, chaser: Square) -> bool {
    let Some(protector) = position.piece_on(recapture.from) else { return false };
    occupancy.toggle(recapture.from);
    let king = if protector.kind() == Kind::King { recapture.to } else { position.king(protector.side()) };
    let gone = Bitboard::of(chaser) | standing_checkers(position, protector.side());
    attackers_of_king(king, &occupancy, !protector.side(), |kind| position.pieces(!protector.side(), kind) & !gone)
        .is_empty()
}

/// Returns `true` if a capture is pseudo-legal and does not expose the capturer's king to a new attack.
fn can_take(position: &Position, capture: Move) -> bool {
    let Some(piece) = position.piece_on(capture.from) else { return false };
    let mut occupancy = *position.occupancy();
    occupancy.toggle(capture.from);
    position.occupancy().targets(piece.side(), piece.kind(), capture.from).has(capture.to)
        && king_is_safe(position, piece.side(), &occupancy, capture.to)
}

/// Returns the pieces that already give check to `side`. They are ignored when captures are evaluated: a
/// standing check must be answered in any case, and has nothing to do with a capture or a recapture.
fn standing_checkers(position: &Position, side: Side) -> Bitboard {
    if position.side() == side { position.checkers() } else { Bitboard::EMPTY }
}

/// Returns `true` if no piece attacks `side`'s king on a hypothetical board from which the enemy piece on
/// `taken` has been removed. Ignores standing checks.
fn king_is_safe(position: &Position, side: Side, occupancy: &Occupancy, taken: Square) -> bool {
    let gone = Bitboard::of(taken) | standing_checkers(position, side);
    let enemies = |kind| position.pieces(!side, kind) & !gone;
    attackers_of_king(position.king(side), occupancy, !side, enemies).is_empty()
}

/// Returns the victim under the league's rules: a piece attacked by the moved piece. If there are several,
/// returns the first in the order of ElephantEye, whose referee the league used. Ignores pins, discovered
/// attacks and attacks on the same kind; rooks and cannons attack only at right angles to their move.
pub(super) fn league_victim(position: &Position, mv: Move) -> Option<Square> {
    let mover = position.piece_on(mv.to)?;
    let owner = !mover.side();
    let wanted = |kind: Kind, at: Square| match (mover.kind(), kind) {
        (Kind::Horse | Kind::Cannon, Kind::Rook) => true,
        (Kind::Horse, Kind::Cannon) | (Kind::Cannon, Kind::Horse) | (Kind::Rook, Kind::Horse | Kind::Cannon) => {
            !is_covered(position, at)
        }
        (Kind::Horse | Kind::Cannon | Kind::Rook, Kind::Pawn) => owner.has_crossed(at) && !is_covered(position, at),
        _ => false,
    };
    let line = perpendicular_line(mv);
    let targets = match mover.kind() {
        Kind::Horse => position.occupancy().horse(mv.to),
        Kind::Rook => position.occupancy().rook(mv.to) & line,
        Kind::Cannon => position.occupancy().cannon(mv.to) & line,
        _ => return None,
    };
    let is_victim =
        |at: &Square| position.piece_on(*at).is_some_and(|piece| piece.side() == owner && wanted(piece.kind(), *at));
    let victims: Bitboard = (targets & position.of_side(owner)).into_iter().filter(is_victim).collect();
    if mover.kind() == Kind::Horse {
        let around = [(-1, 2), (1, 2), (-2, 1), (2, 1), (-2, -1), (2, -1), (-1, -2), (1, -2)];
        return around.into_iter().filter_map(|(files, ranks)| mv.to.offset(files, ranks)).find(|&at| victims.has(at));
    }
    // Squares on the right precede squares on the left, and Red's side precedes Black's.
    let along_rank = mv.from.file() == mv.to.file();
    let is_first = |at: &Square| if along_rank { at.file() > mv.to.file() } else { at.rank() < mv.to.rank() };
    victims.into_iter().find(is_first).or(victims.first())
}

/// Returns the line through a move's target that is perpendicular to the move.
fn perpendicular_line(mv: Move) -> Bitboard {
    let along_file = mv.from.file() == mv.to.file();
    let beside = |files, ranks| mv.to.offset(files, ranks);
    (-9..=9).filter_map(|steps| if along_file { beside(steps, 0) } else { beside(0, steps) }).collect()
}

/// Returns `true` if another piece of the same side could recapture on this square. Ignores pins.
pub(super) fn is_covered(position: &Position, square: Square) -> bool {
    position
        .piece_on(square)
        .is_some_and(|piece: Piece| (position.attackers(piece.side(), square) & !Bitboard::of(square)).has_any())
}
