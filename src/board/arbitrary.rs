//! Support for `arbitrary`: squares, moves, and positions reached by random legal moves from the initial
//! position, for fuzzing.

use crate::{Move, Position, Square};
use arbitrary::{Arbitrary, Result, Unstructured};

/// Maximum number of plies from the initial position to an arbitrary position.
const PLIES: usize = 200;

impl Arbitrary<'_> for Square {
    fn arbitrary(bytes: &mut Unstructured) -> Result<Square> {
        bytes.choose(&Square::ALL).copied()
    }
}

impl Arbitrary<'_> for Move {
    fn arbitrary(bytes: &mut Unstructured) -> Result<Move> {
        Ok(Move { from: bytes.arbitrary()?, to: bytes.arbitrary()? })
    }
}

impl Arbitrary<'_> for Position {
    fn arbitrary(bytes: &mut Unstructured) -> Result<Position> {
        let mut position = Position::start();
        for _ in 0..PLIES {
            let moves = position.legal_moves();
            if bytes.is_empty() || moves.is_empty() {
                break;
            }
            position.make(*bytes.choose(&moves)?);
        }
        Ok(position)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_bytes_make_equal_positions_and_different_bytes_others() {
        let position = |seed: u8| {
            let bytes = [seed; 64];
            Position::arbitrary(&mut Unstructured::new(&bytes)).unwrap()
        };
        assert_eq!(position(3), position(3));
        assert_ne!(position(3), position(4));
    }
}
