//! Whom a side attacks, and whether the capture would win anything: the questions behind every chase.

use crate::named;
use crate::{Bitboard, Kind, Move, Occupancy, Piece, Position, Side, Square, attackers_of_king};

/// Whose attacks can be chases; kings and pawns may chase forever.
pub(super) const CHASERS: &[Kind] = &[Kind::Horse, Kind::Cannon, Kind::Rook, Kind::Advisor, Kind::Elephant];
/// The same with pawns: in the Chinese rules a pawn's attack counts once both sides attack (rule 11 of 1999).
pub(super) const CHASERS_WITH_PAWNS: &[Kind] =
    &[Kind::Horse, Kind::Cannon, Kind::Rook, Kind::Advisor, Kind::Elephant, Kind::Pawn];
/// Those who take back, in any order.
const PROTECTORS: [Kind; 7] =
    [Kind::Pawn, Kind::Horse, Kind::Rook, Kind::Cannon, Kind::Elephant, Kind::Advisor, Kind::King];

named! {
    /// What a capture would be worth in the eyes of the rules of repetition.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum Worth {
        /// The capturer is bound: it would leave its own king to be taken.
        Bound = "bound",
        /// The victim is worth more than the capturer, protected or not: a rook taken by a horse or a cannon, or a rook, horse or cannon
        /// taken by an advisor or an elephant.
        Stronger = "stronger",
        /// The victim is unprotected.
        Unprotected = "unprotected",
        /// Somebody seems to protect it, but could not legally take back: a false root.
        FalseRoot = "false root",
        /// The same kind on both ends, and the victim can't take its attacker: hobbled or pinned.
        Helpless = "helpless",
        /// The same kind on both ends, and each can take the other: an offer to exchange.
        Exchange = "exchange",
        /// The other side takes back: a true root.
        Protected = "protected",
    }

    /// Its name in results that programs read.
    pub fn name -> &'static str
}

impl Worth {
    /// Whether an attack of this worth, if it is new, is a chase.
    pub const fn is_chase(self) -> bool {
        matches!(self, Worth::Stronger | Worth::Unprotected | Worth::FalseRoot | Worth::Helpless)
    }
}

/// A side's pieces that can be victims: all but the king and pawns that have not crossed.
pub(super) fn possible_victims(position: &Position, side: Side) -> Bitboard {
    let pawns = position.pieces(side, Kind::Pawn);
    let at_home: Bitboard = pawns.into_iter().filter(|&square| !side.has_crossed(square)).collect();
    position.of_side(side) & !at_home & !position.pieces(side, Kind::King)
}

/// Whether `side`, no matter whose turn it is, has a capture on `victim` that would be a chase if it were new.
pub(super) fn attacks(position: &Position, side: Side, victim: Square, chasers: &[Kind]) -> bool {
    captures(position, side, victim, chasers).any(|from| worth(position, Move::new(from, victim)).is_chase())
}

/// Whether a move that newly attacks `victim` does so by more than taking away a protection: by a capture that was blocked, out of reach or
/// illegal before it.
pub(super) fn attacks_directly(before: &Position, after: &Position, mv: Move, victim: Square) -> bool {
    let side = before.side();
    captures(after, side, victim, CHASERS).any(|from| {
        let origin = if from == mv.to { mv.from } else { from };
        worth(after, Move::new(from, victim)).is_chase()
            && !(captures(before, side, victim, CHASERS).any(|square| square == origin)
                && worth(before, Move::new(origin, victim)) == Worth::Protected)
    })
}

/// Whether an enemy horse ties the rook on this square to its place: the horse would give check if the rook left its leg.
pub(super) fn is_tied_rook(position: &Position, rook: Square) -> bool {
    let Some(piece) = position.piece_on(rook).filter(|piece| piece.kind() == Kind::Rook) else { return false };
    let king = position.king(piece.side());
    let horses = |occupancy: &Occupancy| occupancy.attackers(!piece.side(), Kind::Horse, king);
    let mut without = *position.occupancy();
    without.toggle(rook);
    ((horses(&without) & !horses(position.occupancy())) & position.pieces(!piece.side(), Kind::Horse)).has_any()
}

/// From where `side` could take on `victim`, pins not heeded.
pub(super) fn captures(
    position: &Position,
    side: Side,
    victim: Square,
    chasers: &[Kind],
) -> impl Iterator<Item = Square> {
    chasers
        .iter()
        .flat_map(move |&kind| position.occupancy().attackers(side, kind, victim) & position.pieces(side, kind))
}

/// What a capture, by either side, would be worth.
pub(super) fn worth(position: &Position, capture: Move) -> Worth {
    let (Some(chaser), Some(victim)) = (position.piece_on(capture.from), position.piece_on(capture.to)) else {
        return Worth::Bound;
    };
    let mut occupancy = *position.occupancy();
    occupancy.toggle(capture.from);
    if !king_is_safe(position, chaser.side(), &occupancy, capture.to) {
        return Worth::Bound;
    }
    if is_stronger(victim.kind(), chaser.kind()) {
        return Worth::Stronger;
    }
    match root(position, capture) {
        Root::True => Worth::Protected,
        _ if chaser.kind() == victim.kind() => {
            if can_take(position, Move::new(capture.to, capture.from)) {
                Worth::Exchange
            } else {
                Worth::Helpless
            }
        }
        Root::False => Worth::FalseRoot,
        Root::None => Worth::Unprotected,
    }
}

/// Whether the victim of a legal capture is really protected.
pub(super) fn is_protected(position: &Position, capture: Move) -> bool {
    root(position, capture) == Root::True
}

/// How a victim is protected.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Root {
    /// By no piece.
    None,
    /// By somebody who could not legally take back.
    False,
    /// By somebody who can.
    True,
}

fn root(position: &Position, capture: Move) -> Root {
    let Some(victim) = position.piece_on(capture.to) else { return Root::None };
    let mut occupancy = *position.occupancy();
    occupancy.toggle(capture.from);
    let mut root = Root::None;
    for kind in PROTECTORS {
        // The victim itself can't protect its own square.
        let protectors = position.pieces(victim.side(), kind) & !Bitboard::of(capture.to);
        for protector in occupancy.attackers(victim.side(), kind, capture.to) & protectors {
            if can_take_back(position, occupancy, Move::new(protector, capture.to), capture.from) {
                return Root::True;
            }
            root = Root::False;
        }
        // A cannon may lose its screen by the capture: it protected in appearance only.
        if (position.occupancy().attackers(victim.side(), kind, capture.to) & protectors).has_any() {
            root = Root::False;
        }
    }
    root
}

/// Whether winning `victim` for `chaser` is a gain even if the chaser is lost.
const fn is_stronger(victim: Kind, chaser: Kind) -> bool {
    match chaser {
        Kind::Horse | Kind::Cannon => matches!(victim, Kind::Rook),
        Kind::Advisor | Kind::Elephant => matches!(victim, Kind::Rook | Kind::Horse | Kind::Cannon),
        Kind::Rook | Kind::King | Kind::Pawn => false,
    }
}

/// Whether a recapture is legal after `chaser` has taken on its target; `occupancy` is that of the board in between.
fn can_take_back(position: &Position, mut occupancy: Occupancy, recapture: Move, chaser: Square) -> bool {
    let Some(protector) = position.piece_on(recapture.from) else { return false };
    occupancy.toggle(recapture.from);
    let king = if protector.kind() == Kind::King { recapture.to } else { position.king(protector.side()) };
    let gone = Bitboard::of(chaser) | standing_checkers(position, protector.side());
    attackers_of_king(king, &occupancy, !protector.side(), |kind| position.pieces(!protector.side(), kind) & !gone)
        .is_empty()
}

/// Whether a capture follows its piece's ways and leaves the own king no worse.
fn can_take(position: &Position, capture: Move) -> bool {
    let Some(piece) = position.piece_on(capture.from) else { return false };
    let mut occupancy = *position.occupancy();
    occupancy.toggle(capture.from);
    position.occupancy().targets(piece.side(), piece.kind(), capture.from).has(capture.to)
        && king_is_safe(position, piece.side(), &occupancy, capture.to)
}

/// The pieces that give check to `side` on the board. They are left out where captures are weighed: a standing check has to be answered
/// whatever is attacked, and says nothing about a capture or a recapture.
fn standing_checkers(position: &Position, side: Side) -> Bitboard {
    if position.side() == side { position.checkers() } else { Bitboard::EMPTY }
}

/// Whether no piece attacks `side`'s king on an imagined board, standing checks aside. The enemy piece on `taken` is gone.
fn king_is_safe(position: &Position, side: Side, occupancy: &Occupancy, taken: Square) -> bool {
    let gone = Bitboard::of(taken) | standing_checkers(position, side);
    let enemies = |kind| position.pieces(!side, kind) & !gone;
    attackers_of_king(position.king(side), occupancy, !side, enemies).is_empty()
}

/// The league's victim: what the moved piece, and no other, attacks; the first one found, in the order of ElephantEye, whose
/// referee decided there. No pins, no discoveries, the same kind never; rooks and cannons only across the way they went.
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
    let across = across(mv);
    let targets = match mover.kind() {
        Kind::Horse => position.occupancy().horse(mv.to),
        Kind::Rook => position.occupancy().rook(mv.to) & across,
        Kind::Cannon => position.occupancy().cannon(mv.to) & across,
        _ => return None,
    };
    let is_victim =
        |at: &Square| position.piece_on(*at).is_some_and(|piece| piece.side() == owner && wanted(piece.kind(), *at));
    let victims: Bitboard = (targets & position.of_side(owner)).into_iter().filter(is_victim).collect();
    if mover.kind() == Kind::Horse {
        let around = [(-1, 2), (1, 2), (-2, 1), (2, 1), (-2, -1), (2, -1), (-1, -2), (1, -2)];
        return around.into_iter().filter_map(|(files, ranks)| mv.to.offset(files, ranks)).find(|&at| victims.has(at));
    }
    // To the right before the left, Red's side before Black's.
    let along_rank = mv.from.file() == mv.to.file();
    let is_first = |at: &Square| if along_rank { at.file() > mv.to.file() } else { at.rank() < mv.to.rank() };
    victims.into_iter().find(is_first).or(victims.first())
}

/// The line through a move's target across its way.
fn across(mv: Move) -> Bitboard {
    let along_file = mv.from.file() == mv.to.file();
    let beside = |files, ranks| mv.to.offset(files, ranks);
    (-9..=9).filter_map(|steps| if along_file { beside(steps, 0) } else { beside(0, steps) }).collect()
}

/// Whether a piece of the same side could move to this piece's square if an enemy piece were there now, ignoring pins.
pub(super) fn is_covered(position: &Position, square: Square) -> bool {
    position
        .piece_on(square)
        .is_some_and(|piece: Piece| (position.attackers(piece.side(), square) & !Bitboard::of(square)).has_any())
}
