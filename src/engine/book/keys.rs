//! Position keys of the book formats.

#[cfg(feature = "sqlite-books")]
use chuhe_board::Kind;
use chuhe_board::{Move, Piece, Position, Side, Square};
use std::sync::LazyLock;

/// Returns the index of a square on a 16 × 16 board with Black on top, whose playing area begins at rank 3
/// and file 3.
pub(super) fn square16(square: Square) -> usize {
    (12 - square.rank().index()) * 16 + square.file().index() + 3
}

/// Returns the square with an index on the 16 × 16 board.
pub(super) fn from_square16(number: usize) -> Option<Square> {
    Square::at((number % 16) as i32 - 3, 12 - (number / 16) as i32)
}

/// Returns the index of a piece in both tables: K A B N R C P, Red's first, the same order as [`Piece`].
fn piece_number(piece: Piece) -> usize {
    piece.index()
}

/// Returns all pieces of a position, optionally mirrored.
fn pieces(position: &Position, mirrored: bool) -> impl Iterator<Item = (Piece, Square)> + '_ {
    let turn = move |square: Square| if mirrored { square.mirrored() } else { square };
    let squares = position.occupancy().all().into_iter();
    squares.filter_map(move |square| Some((position.piece_on(square)?, turn(square))))
}

/// Keys of 兵河's books (`.obk`, also `.pfBook` and `.yfk`) and of Chuhe's: 14 × 256 numbers, then one for Red
/// to move.
///
/// Each number consists of five 15-bit outputs, low bits first, of the Microsoft C library's random number
/// generator with seed 0.
static BINGHE: LazyLock<Vec<u64>> = LazyLock::new(|| {
    let mut state = 0u32;
    let mut draw = || {
        state = state.wrapping_mul(214_013).wrapping_add(2_531_011);
        u64::from(state >> 16 & 0x7FFF)
    };
    let number = |_| (0..5).fold(0, |number, part| number | draw() << (15 * part));
    (0..14 * 256 + 1).map(number).collect()
});

/// Returns the key of 兵河's books.
pub(super) fn binghe(position: &Position, mirrored: bool) -> u64 {
    let turn = if position.side() == Side::Red { binghe_turn() } else { 0 };
    pieces(position, mirrored).fold(turn, |key, (piece, square)| key ^ binghe_number(piece, square))
}

/// Returns the contribution of Red's turn to the key of 兵河's books.
pub(super) fn binghe_turn() -> u64 {
    BINGHE[14 * 256]
}

/// Returns the contribution of a piece to the key of 兵河's books.
pub(super) fn binghe_number(piece: Piece, square: Square) -> u64 {
    BINGHE[piece_number(piece) * 256 + square16(square)]
}

/// Keys of ElephantEye: the RC4 cipher with a key of zeros generates three 32-bit numbers for Black to move,
/// then three for each piece and square; the book uses the third.
static ELEEYE: LazyLock<(u32, Vec<u32>)> = LazyLock::new(|| {
    let mut state: [u8; 256] = std::array::from_fn(|at| at as u8);
    let mut other = 0u8;
    for at in 0..256 {
        other = other.wrapping_add(state[at]);
        state.swap(at, usize::from(other));
    }
    let (mut x, mut y) = (0u8, 0u8);
    let mut byte = || {
        x = x.wrapping_add(1);
        y = y.wrapping_add(state[usize::from(x)]);
        state.swap(usize::from(x), usize::from(y));
        state[usize::from(state[usize::from(x)].wrapping_add(state[usize::from(y)]))]
    };
    let mut third = || {
        let bytes: [u8; 12] = std::array::from_fn(|_| byte());
        u32::from_le_bytes([bytes[8], bytes[9], bytes[10], bytes[11]])
    };
    let turn = third();
    (turn, (0..14 * 256).map(|_| third()).collect())
});

/// Returns the keys of a position and of its mirror image in ElephantEye's books.
pub fn eleeye(position: &Position) -> [u32; 2] {
    let turn = if position.side() == Side::Black { ELEEYE.0 } else { 0 };
    [false, true].map(|mirrored| {
        pieces(position, mirrored).fold(turn, |key, (piece, square)| key ^ eleeye_number(piece, square))
    })
}

/// Returns the change that a move makes in both keys: the exclusive or of the keys before and after it.
pub fn eleeye_change(position: &Position, mv: Move) -> [u32; 2] {
    let placed = |piece: Option<Piece>, square: Square| piece.map_or(0, |piece| eleeye_number(piece, square));
    let (piece, victim) = (position.piece_on(mv.from), position.piece_on(mv.to));
    [mv, mv.mirrored()].map(|mv| ELEEYE.0 ^ placed(piece, mv.from) ^ placed(piece, mv.to) ^ placed(victim, mv.to))
}

fn eleeye_number(piece: Piece, square: Square) -> u32 {
    ELEEYE.1[piece_number(piece) * 256 + square16(square)]
}

/// Key of an `.xqb` book: the board as bits from the mover's point of view. Of the first two mirror squares
/// with different codes, the left one has the greater code; otherwise the board is mirrored.
#[cfg(feature = "sqlite-books")]
#[derive(PartialEq, Eq, Debug)]
pub(super) struct XqbKey {
    pub bytes: Vec<u8>,
    /// `true` if the board was rotated by 180 degrees, for Black.
    pub turned: bool,
    /// `true` if left and right were swapped.
    pub mirrored: bool,
}

#[cfg(feature = "sqlite-books")]
pub(super) fn xqb(position: &Position) -> XqbKey {
    let turned = position.side() == Side::Black;
    // Rows from the top: 0 is empty, 1 to 7 are friendly pieces, 9 to 15 enemy pieces.
    let code = |piece: Piece| {
        let kind = match piece.kind() {
            Kind::Rook => 1,
            Kind::Horse => 2,
            Kind::Elephant => 3,
            Kind::Advisor => 4,
            Kind::King => 5,
            Kind::Cannon => 6,
            Kind::Pawn => 7,
        };
        if piece.side() == position.side() { kind } else { kind + 8 }
    };
    let mut board = [0u8; 90];
    for square in Square::ALL {
        let row_by_row = (9 - square.rank().index()) * 9 + square.file().index();
        board[if turned { 89 - row_by_row } else { row_by_row }] = position.piece_on(square).map_or(0, code);
    }
    let difference =
        board.chunks(9).find_map(|row| (0..4).map(|file| (row[file], row[8 - file])).find(|(l, r)| l != r));
    let mirrored = difference.is_some_and(|(left, right)| right > left);
    if mirrored {
        board.chunks_mut(9).for_each(<[u8]>::reverse);
    }
    let mut bits = Vec::new();
    for code in board {
        match code {
            0 => bits.push(0),
            code => bits.extend([1, code >> 3 & 1, code >> 2 & 1, code >> 1 & 1, code & 1]),
        }
    }
    let byte = |bits: &[u8]| bits.iter().enumerate().fold(0, |byte, (at, bit)| byte | bit << (7 - at));
    XqbKey { bytes: bits.chunks(8).map(byte).collect(), turned, mirrored }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_are_those_of_other_programs() {
        assert_eq!(BINGHE[0], 0x7130_b4bd_8f13_8026);
        assert_eq!(BINGHE[563], 0x880f_c10c_d715_a26c);
        assert_eq!(BINGHE[14 * 256], 0xa0ce_2af9_0c45_2f58);
        // The RC4 key stream for a key of zeros begins de 18 89 41 a3 37 5d 3a 8a 06 1e 67.
        assert_eq!(ELEEYE.0, 0x671e_068a);
        assert_eq!(square16("e0".parse().unwrap()), 0xC7);
        assert!(Square::ALL.into_iter().all(|square| from_square16(square16(square)) == Some(square)));
    }

    #[test]
    fn a_mirrored_position_has_the_mirrored_key() {
        let mut position = Position::start();
        position.make("h2e2".parse().unwrap());
        let mut mirror = position.mirrored();
        assert_eq!(binghe(&position, true), binghe(&mirror, false));
        let keys = eleeye(&position);
        assert_eq!(eleeye(&mirror), [keys[1], keys[0]]);
        let capture = "h7h0".parse().unwrap();
        let change = eleeye_change(&mirror, capture);
        mirror.make(capture);
        assert_eq!(eleeye(&mirror), [keys[1] ^ change[0], keys[0] ^ change[1]]);
        assert_ne!(binghe(&position, true), binghe(&position, false));
    }

    #[cfg(feature = "sqlite-books")]
    #[test]
    fn all_views_of_a_position_have_one_xqb_key() {
        let mut position = Position::start();
        for mv in ["h2e2", "h9g7", "h0g2"] {
            position.make(mv.parse().unwrap());
        }
        let keys =
            [xqb(&position), xqb(&position.mirrored()), xqb(&position.flipped()), xqb(&position.flipped().mirrored())];
        assert!(keys.iter().all(|key| key.bytes == keys[0].bytes), "{keys:?}");
        assert_ne!(keys[0].mirrored, keys[1].mirrored);
        // 32 pieces of five bits and 58 empty squares of one bit make 27 bytes and two bits.
        assert_eq!(keys[0].bytes.len(), 28);
    }
}
