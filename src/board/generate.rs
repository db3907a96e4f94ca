//! Legal move generation: computes target sets piece by piece, without making moves.
//!
//! If the king is not in check, only pinned pieces are restricted. There are four kinds of pins: by a rook
//! (or the facing king) behind one piece; by a cannon behind two pieces, both of which are pinned; by a horse
//! whose leg the piece blocks; and by a hollow cannon, which has no piece between itself and the king: no
//! piece may move in front of it. In check, every candidate is tested exactly.

use super::{Bitboard, Kind, Move, MoveList, Occupancy, Piece, Position, Square, steps};
use arrayvec::ArrayVec;

/// Kind of moves to generate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum MoveClass {
    All,
    Captures,
    Quiets,
}

/// Pins on the side to move, whose king is not in check.
struct Pins {
    /// Pieces with restricted targets.
    pinned: Bitboard,
    /// Pinned pieces with their remaining targets; a piece may be listed more than once. There are at most
    /// nine entries: two for each enemy cannon, one for each rook and horse, and one for the king.
    left: ArrayVec<(Square, Bitboard), 16>,
    /// Squares in front of a hollow cannon, which no piece may enter.
    hollow: Bitboard,
}

impl Position {
    /// Calls `visit` with each piece of the side to move that has legal moves, and its targets, until `visit`
    /// returns `false`.
    pub fn visit_moves(&self, wanted: MoveClass, mut visit: impl FnMut(Square, Bitboard) -> bool) {
        let side = self.side();
        let mask = match wanted {
            MoveClass::All => !self.of_side(side),
            MoveClass::Captures => self.of_side(!side),
            MoveClass::Quiets => !self.occupancy().all(),
        };
        if self.in_check() { self.visit_evasions(mask, visit) } else { self.visit_unchecked(mask, &mut visit) }
    }

    fn visit_unchecked(&self, mask: Bitboard, visit: &mut impl FnMut(Square, Bitboard) -> bool) {
        let (side, occupancy) = (self.side(), self.occupancy());
        let pins = self.find_pins();
        let free = mask & !pins.hollow;
        // `go!(kind, from => targets)` expands to one loop per kind, so that each loop uses a fixed table.
        macro_rules! go {
            ($kind:ident, $from:ident => $targets:expr) => {
                for $from in self.pieces(side, Kind::$kind) {
                    let mut targets: Bitboard = $targets & free;
                    if pins.pinned.has($from) {
                        targets &= pins.left_to($from);
                    }
                    if targets.has_any() && !visit($from, targets) {
                        return;
                    }
                }
            };
        }
        go!(Rook, from => occupancy.rook(from));
        go!(Cannon, from => occupancy.cannon(from));
        go!(Horse, from => occupancy.horse(from));
        go!(Pawn, from => occupancy.targets(side, Kind::Pawn, from));
        go!(Elephant, from => occupancy.elephant(from));
        go!(Advisor, from => occupancy.targets(side, Kind::Advisor, from));
        let king = self.king(side);
        let targets = self.safe(king, occupancy.targets(side, Kind::King, king) & mask);
        if targets.has_any() {
            visit(king, targets);
        }
    }

    /// Returns the targets after which the friendly king is not attacked; tests each one exactly.
    #[inline]
    fn safe(&self, from: Square, targets: Bitboard) -> Bitboard {
        targets.into_iter().filter(|&to| !self.king_is_attacked_after(Move::new(from, to), self.side())).collect()
    }

    fn visit_evasions(&self, mask: Bitboard, mut visit: impl FnMut(Square, Bitboard) -> bool) {
        let (side, king) = (self.side(), self.king(self.side()));
        let (answers, screens) = self.answers_to_check();
        for from in self.of_side(side) {
            let Some(piece) = self.piece_on(from) else { continue };
            let anywhere = from == king || screens.has(from);
            let candidates = if anywhere { mask } else { mask & answers };
            let targets = self.safe(from, self.occupancy().targets(side, piece.kind(), from) & candidates);
            if targets.has_any() && !visit(from, targets) {
                return;
            }
        }
    }

    /// Returns, for a position in check, the squares on which a piece other than the king can answer the
    /// check, and the friendly screens, whose moves may all answer it.
    #[inline]
    fn answers_to_check(&self) -> (Bitboard, Bitboard) {
        let king = self.king(self.side());
        let (mut answers, mut screens) = (Bitboard::ALL, Bitboard::EMPTY);
        for checker in self.checkers() {
            let between = Occupancy::between(king, checker);
            let block = match self.piece_on(checker).map(Piece::kind) {
                Some(Kind::Cannon) => {
                    screens |= between & self.of_side(self.side());
                    between
                }
                Some(Kind::Horse) => Bitboard::of(steps::horse_leg(checker, king)),
                _ => between,
            };
            answers &= block.with(checker);
        }
        (answers, screens)
    }

    #[inline]
    fn find_pins(&self) -> Pins {
        let (side, king) = (self.side(), self.king(self.side()));
        let own = self.of_side(side);
        let mut pins = Pins { pinned: Bitboard::EMPTY, left: ArrayVec::new(), hollow: Bitboard::EMPTY };
        let cannons = self.pieces(!side, Kind::Cannon);
        let rooks = self.pieces(!side, Kind::Rook) | self.pieces(!side, Kind::King);
        let sight = self.occupancy().sight(king);

        for cannon in sight.first & cannons {
            pins.hollow |= Occupancy::between(king, cannon);
        }
        for pinner in (sight.second & rooks) | (sight.third & cannons) {
            // A rook is blocked by one piece, a cannon by two. A blocker that stays on the line must not
            // capture the other blocker.
            let between = Occupancy::between(king, pinner);
            let blockers = between & self.occupancy().all();
            for blocker in blockers & own {
                pins.bind(blocker, (between & !blockers).with(pinner));
            }
        }
        for horse in steps::HORSE_ATTACKERS[king.index()][0] & self.pieces(!side, Kind::Horse) {
            let leg = steps::horse_leg(horse, king);
            if own.has(leg) {
                pins.bind(leg, Bitboard::of(horse));
            }
        }
        pins
    }

    /// Returns `true` if a move is legal in this position. The move may come from any source, such as a hash
    /// entry, a user, or a killer move from another position.
    #[inline]
    pub fn is_legal(&self, mv: Move) -> bool {
        let Some(piece) = self.piece_on(mv.from) else { return false };
        piece.side() == self.side()
            && !self.of_side(self.side()).has(mv.to)
            && self.occupancy().targets(piece.side(), piece.kind(), mv.from).has(mv.to)
            && !self.king_is_attacked_after(mv, self.side())
    }

    /// Returns the legal moves of the given kind.
    #[inline]
    pub fn moves(&self, wanted: MoveClass) -> MoveList {
        let mut list = MoveList::new();
        self.visit_moves(wanted, |from, targets| {
            list.extend(targets.into_iter().map(|to| Move::new(from, to)));
            true
        });
        list
    }

    /// Returns all legal moves.
    pub fn legal_moves(&self) -> MoveList {
        self.moves(MoveClass::All)
    }

    /// Returns `true` if one legal move leads to another position.
    pub fn leads_to(&self, after: &Position) -> bool {
        self.legal_moves().into_iter().any(|mv| {
            let mut next = self.clone();
            next.make(mv);
            next.key() == after.key()
        })
    }

    /// Returns the number of legal moves.
    pub fn count_moves(&self) -> u64 {
        let mut count = 0;
        self.visit_moves(MoveClass::All, |_, targets| {
            count += u64::from(targets.count());
            true
        });
        count
    }

    /// Returns `true` if there is a legal move; a side without one has lost.
    #[inline]
    pub fn has_moves(&self) -> bool {
        let mut any = false;
        self.visit_moves(MoveClass::All, |_, _| {
            any = true;
            false
        });
        any
    }

    /// Returns the pieces of the side to move that lose targets to pins; empty if the side is in check.
    pub fn pinned(&self) -> Bitboard {
        if self.in_check() { Bitboard::EMPTY } else { self.find_pins().pinned }
    }
}

impl Pins {
    fn bind(&mut self, piece: Square, left: Bitboard) {
        self.pinned = self.pinned.with(piece);
        self.left.push((piece, left));
    }

    #[inline]
    fn left_to(&self, piece: Square) -> Bitboard {
        let bounds = self.left.iter().filter(|(pinned, _)| *pinned == piece);
        bounds.fold(Bitboard::ALL, |left, (_, bound)| left & *bound)
    }
}
