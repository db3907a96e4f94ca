//! Legal positions; `making.rs` changes them by moves.

mod making;

pub use making::Undo;

use super::steps::AROUND_KING;
use super::{Bitboard, Impossible, Kind, Move, Occupancy, Piece, Setup, Side, Square, domain, keys};
use alloc::vec::Vec;

/// A position with the data needed to generate moves. [`Self::new`] rejects positions that no game can reach.
///
/// ```
/// use chuhe_board::{Move, Position};
///
/// let mut position = Position::start();
/// let cannon: Move = "h2e2".parse().unwrap();
/// assert!(position.is_legal(cannon));
/// let undo = position.make(cannon);
/// assert_eq!(position.to_string(), "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR b - - 1 1");
/// position.unmake(cannon, undo);
/// assert_eq!(position, Position::start());
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Position {
    mailbox: [Option<Piece>; 90],
    /// Squares occupied by each piece.
    pieces: [Bitboard; 14],
    /// Squares occupied by each side.
    sides: [Bitboard; 2],
    occupancy: Occupancy,
    /// King square of each side.
    kings: [Square; 2],
    side: Side,
    key: u64,
    /// Parts of the key: the pieces of each side other than pawns, and the pawns of both sides.
    parts: [u64; 3],
    /// Number of each piece, encoded as 14 digits in base 6.
    material: u64,
    /// Enemy pieces that check the side to move. A facing king is included only if the position was created
    /// that way.
    checkers: Bitboard,
    quiet_plies: u16,
    move_number: u16,
}

/// Hashes the Zobrist key; equal positions have equal keys.
impl core::hash::Hash for Position {
    fn hash<H: core::hash::Hasher>(&self, state: &mut H) {
        state.write_u64(self.key());
    }
}

impl Position {
    /// Creates a position from a setup, or returns every reason why the setup is impossible.
    pub fn new(setup: &Setup) -> Result<Position, Vec<Impossible>> {
        match setup.impossibilities() {
            reasons if reasons.is_empty() => Ok(Position::unchecked(setup)),
            reasons => Err(reasons),
        }
    }

    /// Like [`Self::new`], but allows the kings to face each other. No game reaches such a position, but
    /// collections of perft counts contain them; the side to move must then separate the kings.
    pub fn new_with_kings_facing(setup: &Setup) -> Result<Position, Vec<Impossible>> {
        match setup.impossibilities() {
            reasons if reasons.iter().all(|reason| *reason == Impossible::KingsFacing) => {
                Ok(Position::unchecked(setup))
            }
            reasons => Err(reasons),
        }
    }

    /// Like [`Self::new`], but allows the kings to face each other and the side that has moved to be in
    /// check, as in book diagrams. Only moves that do not capture a king may be made; after the first move,
    /// the position is reachable in a game.
    pub fn of_diagram(setup: &Setup) -> Option<Position> {
        let is_tolerated = |reason: &Impossible| matches!(reason, Impossible::KingsFacing | Impossible::LeftInCheck(_));
        setup.impossibilities().iter().all(is_tolerated).then(|| Position::unchecked(setup))
    }

    /// Creates a position from pieces; for callers that test millions of positions and need no reasons for
    /// rejection. Each side must have one king, and each piece must be on a square that it can reach.
    pub fn of_pieces(pieces: impl IntoIterator<Item = (Piece, Square)>, side: Side) -> Option<Position> {
        let mut position = Position::empty(side);
        for (piece, square) in pieces {
            debug_assert!(domain(piece.side(), piece.kind()).has(square));
            if position.occupancy.all().has(square) {
                return None;
            }
            position.add(piece, square);
        }
        position.checkers = position.find_checkers();
        let enemies = |kind| position.pieces(side, kind);
        let left_in_check = attackers_of_king(position.king(!side), &position.occupancy, side, enemies).has_any();
        (!left_in_check).then_some(position)
    }

    fn empty(side: Side) -> Position {
        Position {
            mailbox: [None; 90],
            pieces: [Bitboard::EMPTY; 14],
            sides: [Bitboard::EMPTY; 2],
            occupancy: Occupancy::default(),
            kings: [Square::E0, Square::E9],
            side,
            key: keys::to_move(side),
            parts: [0; 3],
            material: 0,
            checkers: Bitboard::EMPTY,
            quiet_plies: 0,
            move_number: 1,
        }
    }

    fn unchecked(setup: &Setup) -> Position {
        let (quiet_plies, move_number) = (setup.quiet_plies, setup.move_number);
        let mut position = Position { quiet_plies, move_number, ..Position::empty(setup.side) };
        for square in Square::ALL {
            if let Some(piece) = setup.board[square.index()] {
                position.add(piece, square);
            }
        }
        position.checkers = position.find_checkers();
        position
    }

    /// Adds a piece on an empty square to every part of the position.
    #[inline]
    fn add(&mut self, piece: Piece, square: Square) {
        self.put_in_mailbox_and_sets(piece, square);
        self.occupancy.toggle(square);
        self.material += digit(piece);
        if piece.kind() == Kind::King {
            self.kings[piece.side().index()] = square;
        }
    }

    /// Returns the board, the side to move and the counters.
    pub fn setup(&self) -> Setup {
        Setup { board: self.mailbox, side: self.side, quiet_plies: self.quiet_plies, move_number: self.move_number }
    }

    /// Returns the side to move.
    pub fn side(&self) -> Side {
        self.side
    }

    /// Returns the pieces by square.
    pub fn board(&self) -> &[Option<Piece>; 90] {
        &self.mailbox
    }

    /// Returns the piece on a square.
    pub fn piece_on(&self, square: Square) -> Option<Piece> {
        self.mailbox[square.index()]
    }

    /// Returns the squares of a side's pieces of one kind.
    pub fn pieces(&self, side: Side, kind: Kind) -> Bitboard {
        self.pieces[Piece::new(side, kind).index()]
    }

    /// Returns the squares of a side's rooks, cannons and horses.
    pub fn major_pieces(&self, side: Side) -> Bitboard {
        self.pieces(side, Kind::Rook) | self.pieces(side, Kind::Cannon) | self.pieces(side, Kind::Horse)
    }

    /// Returns the squares of all pieces of a side.
    pub fn of_side(&self, side: Side) -> Bitboard {
        self.sides[side.index()]
    }

    /// Returns the occupied squares in the form required by the tables.
    pub fn occupancy(&self) -> &Occupancy {
        &self.occupancy
    }

    /// Returns the square of a side's king.
    pub fn king(&self, side: Side) -> Square {
        self.kings[side.index()]
    }

    /// Returns the Zobrist key of pieces, squares and side to move.
    pub fn key(&self) -> u64 {
        self.key
    }

    /// Returns the key of all pawns.
    pub fn pawn_key(&self) -> u64 {
        self.parts[PAWNS]
    }

    /// Returns the key of a side's pieces other than pawns.
    pub fn army_key(&self, side: Side) -> u64 {
        self.parts[side.index()]
    }

    /// Returns a number that encodes only the count of each piece.
    pub fn material(&self) -> u64 {
        self.material
    }

    /// Returns the enemy pieces that check the side to move.
    pub fn checkers(&self) -> Bitboard {
        self.checkers
    }

    /// Returns `true` if the side to move is in check.
    pub fn in_check(&self) -> bool {
        self.checkers.has_any()
    }

    /// Returns the number of plies since the last capture.
    pub fn quiet_plies(&self) -> u16 {
        self.quiet_plies
    }

    /// Returns the move number, from 1.
    pub fn move_number(&self) -> u16 {
        self.move_number
    }

    /// Returns the mirror image of the position, with left and right swapped.
    pub fn mirrored(&self) -> Position {
        self.rearranged(Square::mirrored, |piece| piece, self.side)
    }

    /// Returns the position with the colours and the ends of the board swapped.
    pub fn flipped(&self) -> Position {
        self.rearranged(Square::flipped, |piece| Piece::new(!piece.side(), piece.kind()), !self.side)
    }

    fn rearranged(&self, to: impl Fn(Square) -> Square, as_piece: impl Fn(Piece) -> Piece, side: Side) -> Position {
        let mut setup = Setup { board: [None; 90], side, ..self.setup() };
        for square in self.occupancy.all() {
            setup.board[to(square).index()] = self.piece_on(square).map(&as_piece);
        }
        Position::unchecked(&setup) // mirroring and flipping keep the position legal
    }

    /// Adds a piece to the mailbox and to the sets, but not to the occupancy, the material or the kings.
    #[inline]
    fn put_in_mailbox_and_sets(&mut self, piece: Piece, square: Square) {
        self.mailbox[square.index()] = Some(piece);
        self.toggle_in_sets(piece, square);
    }

    /// Adds or removes a piece in the sets of its kind and side, and in the keys.
    fn toggle_in_sets(&mut self, piece: Piece, square: Square) {
        let bit = Bitboard::of(square);
        self.pieces[piece.index()] ^= bit;
        self.sides[piece.side().index()] ^= bit;
        let key = keys::placement(piece, square);
        self.key ^= key;
        self.parts[if piece.kind() == Kind::Pawn { PAWNS } else { piece.side().index() }] ^= key;
    }

    /// Returns the enemy pieces that attack the king of the side to move.
    #[cfg_attr(target_family = "wasm", inline(always))]
    #[cfg_attr(not(target_family = "wasm"), inline)]
    fn find_checkers(&self) -> Bitboard {
        let king = self.king(self.side);
        attackers_of_king(king, &self.occupancy, !self.side, |kind| self.pieces(!self.side, kind))
    }

    /// Returns `true` if `defender`'s king would be attacked after a pseudo-legal move by either side.
    #[cfg_attr(target_family = "wasm", inline(always))]
    pub(super) fn king_is_attacked_after(&self, mv: Move, defender: Side) -> bool {
        let mover = self.piece_on(mv.from);
        let mut occupancy = self.occupancy;
        occupancy.toggle(mv.from);
        if self.piece_on(mv.to).is_none() {
            occupancy.toggle(mv.to);
        }
        let own_king_moves = mover == Some(Piece::new(defender, Kind::King));
        let king = if own_king_moves { mv.to } else { self.king(defender) };
        let touched = Bitboard::of(mv.from).with(mv.to);
        let after = |kind| {
            let stayed = self.pieces(!defender, kind) & !touched;
            if mover == Some(Piece::new(!defender, kind)) { stayed.with(mv.to) } else { stayed }
        };
        attackers_of_king(king, &occupancy, !defender, after).has_any()
    }

    /// Returns `true` if a legal move gives check, directly or by opening a line or a leg.
    #[inline]
    pub fn gives_check(&self, mv: Move) -> bool {
        let around = AROUND_KING[self.king(!self.side).index()];
        (around.has(mv.to) || around.has(mv.from)) && self.king_is_attacked_after(mv, !self.side)
    }

    /// Returns all pieces of a side that attack an occupied square. Ignores pins.
    pub fn attackers(&self, side: Side, square: Square) -> Bitboard {
        Kind::ALL.into_iter().fold(Bitboard::EMPTY, |all, kind| {
            all | (self.occupancy.attackers(side, kind, square) & self.pieces(side, kind))
        })
    }
}

/// Index of the pawns' part of the key, after the parts of the sides.
const PAWNS: usize = 2;

/// Returns the contribution of a piece to the material number.
#[inline]
const fn digit(piece: Piece) -> u64 {
    6u64.pow(13 - piece.index() as u32)
}

/// Returns the pieces of side `by` that attack a king; a facing king counts as a rook. The occupancy and the
/// pieces of each kind are parameters, so that captures can be tested without making them.
pub fn attackers_of_king(king: Square, occupancy: &Occupancy, by: Side, pieces: impl Fn(Kind) -> Bitboard) -> Bitboard {
    let sight = occupancy.sight(king);
    (sight.first & (pieces(Kind::Rook) | pieces(Kind::King)))
        | (sight.second & pieces(Kind::Cannon))
        | (occupancy.horse_attackers(king) & pieces(Kind::Horse))
        | (occupancy.attackers(by, Kind::Pawn, king) & pieces(Kind::Pawn))
}
