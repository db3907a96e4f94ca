//! Zobrist keys: a random number for each piece on each square, and one for Black to move. A position's key
//! is the exclusive or of the numbers that apply. No file contains these keys, so their seed may be changed; only
//! the node counts of searches would change.

use super::{Piece, Side, Square};
use crate::random::SplitMix64;

static PLACEMENT: [[u64; 90]; 14] = {
    let mut random = SplitMix64::new(0x695A_1697_6CB3_5B5A);
    let mut table = [[0; 90]; 14];
    let mut piece = 0;
    while piece < 14 {
        let mut square = 0;
        while square < 90 {
            table[piece][square] = random.next();
            square += 1;
        }
        piece += 1;
    }
    table
};

/// Number for Black to move.
const BLACK_TO_MOVE: u64 = 0x2F2F_A8C1_5D84_9E6B;

/// Returns the number for a piece on a square.
pub(super) fn placement(piece: Piece, square: Square) -> u64 {
    PLACEMENT[piece.index()][square.index()]
}

/// Returns the number for the side to move; 0 for Red.
pub(super) fn to_move(side: Side) -> u64 {
    match side {
        Side::Red => 0,
        Side::Black => BLACK_TO_MOVE,
    }
}
