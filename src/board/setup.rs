//! A board before validation, and the reasons why it may be impossible.

use super::{Bitboard, Kind, Occupancy, Piece, Side, Square, domain};
use alloc::vec::Vec;
use thiserror::Error;

/// Pieces on squares, the side to move and the counters, before validation by [`super::Position::new`].
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Setup {
    /// Piece on each square.
    pub board: [Option<Piece>; 90],
    /// Side to move.
    pub side: Side,
    /// Plies since the last capture.
    pub quiet_plies: u16,
    /// Move number from 1, incremented after Black's move.
    pub move_number: u16,
}

/// Reason why a setup cannot arise in a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum Impossible {
    /// A side without a king.
    KingMissing(Side),
    /// More pieces of a kind than a full set contains; contains the piece and its count.
    TooMany(Piece, u32),
    /// A piece on a square that it can never reach.
    Misplaced(Piece, Square),
    /// The kings face each other with no piece between them.
    KingsFacing,
    /// The side that is not to move is in check.
    LeftInCheck(Side),
}

impl Setup {
    /// Returns an empty board with Red to move.
    pub fn empty() -> Setup {
        Setup { board: [None; 90], side: Side::Red, quiet_plies: 0, move_number: 1 }
    }

    /// Returns every reason why no game can reach this setup; empty if there is none.
    pub fn impossibilities(&self) -> Vec<Impossible> {
        let mut reasons = Vec::new();
        let mut squares = [Bitboard::EMPTY; 14];
        for at in Square::ALL {
            if let Some(piece) = self.board[at.index()] {
                squares[piece.index()] |= Bitboard::of(at);
            }
        }
        for (piece, squares) in Piece::ALL.into_iter().zip(squares) {
            let count = squares.count();
            if piece.kind() == Kind::King && count == 0 {
                reasons.push(Impossible::KingMissing(piece.side()));
            }
            if count > piece.kind().in_a_set() {
                reasons.push(Impossible::TooMany(piece, count));
            }
            let misplaced = squares & !domain(piece.side(), piece.kind());
            reasons.extend(misplaced.into_iter().map(|at| Impossible::Misplaced(piece, at)));
        }
        reasons.extend(self.left_in_check(&squares));
        reasons
    }

    /// Returns the reasons why the side that has just moved has left its king in check, if it has a king.
    /// `squares` contains the squares of each piece.
    fn left_in_check(&self, squares: &[Bitboard; 14]) -> Vec<Impossible> {
        let mut occupancy = Occupancy::default();
        squares.iter().copied().flatten().for_each(|at| occupancy.toggle(at));
        let waiting = !self.side;
        let of = |side, kind| squares[Piece::new(side, kind).index()];
        let Some(king) = of(waiting, Kind::King).first() else { return Vec::new() };
        let facing = (occupancy.sight(king).first & of(self.side, Kind::King)).has_any();
        let attacked = [Kind::Rook, Kind::Cannon, Kind::Horse, Kind::Pawn]
            .into_iter()
            .any(|kind| (occupancy.attackers(self.side, kind, king) & of(self.side, kind)).has_any());
        let reasons = [(facing, Impossible::KingsFacing), (attacked, Impossible::LeftInCheck(waiting))];
        reasons.into_iter().filter(|(holds, _)| *holds).map(|(_, reason)| reason).collect()
    }
}
