//! Compares the fast static exchange evaluation with an exhaustive one that tries all captures on the square
//! in every order on a plain board.

use crate::random_positions::mixed;
use chuhe::board::{Kind, Move, Piece, Position, Side, Square, exchange_value};

const POSITIONS: usize = if cfg!(debug_assertions) { 500 } else { 10_000 };

type Board = [Option<Piece>; 90];

/// Returns the maximum gain of `side` from capturing on the square with any of its pieces, or from declining.
fn exhaustive(board: &mut Board, square: Square, side: Side) -> i32 {
    let victim = board[square.index()].expect("a piece on the square");
    let mut best = 0;
    for from in Square::ALL {
        let Some(taker) = board[from.index()].filter(|piece| piece.side() == side && from != square) else { continue };
        if takes(board, taker, from, square) {
            if victim.kind() == Kind::King {
                return exchange_value(Kind::King);
            }
            board[from.index()] = None;
            board[square.index()] = Some(taker);
            if taker.kind() == Kind::King || !is_exposed(board, square, side) {
                best = best.max(exchange_value(victim.kind()) - exhaustive(board, square, !side));
            }
            board[from.index()] = Some(taker);
            board[square.index()] = Some(victim);
        }
    }
    best
}

/// Returns `true` if an enemy rook, cannon or king that is not on the square could capture the king of
/// `side`; `false` if that king is on the square.
fn is_exposed(board: &Board, square: Square, side: Side) -> bool {
    let is_king = |at: &Square| board[at.index()] == Some(Piece::new(side, Kind::King));
    let Some(king) = Square::ALL.into_iter().filter(|&at| at != square).find(is_king) else { return false };
    Square::ALL.into_iter().filter(|&from| from != square).any(|from| {
        let enemy = board[from.index()].filter(|piece| piece.side() != side);
        let by_line = enemy.filter(|piece| matches!(piece.kind(), Kind::Rook | Kind::Cannon | Kind::King));
        by_line.is_some_and(|piece| takes(board, piece, from, king))
    })
}

/// Returns `true` if a piece could capture on `to`; counts the pieces between the two squares.
fn takes(board: &Board, piece: Piece, from: Square, to: Square) -> bool {
    let place = |square: Square| (square.file().index() as i32, square.rank().index() as i32);
    let ((file, rank), (to_file, to_rank)) = (place(from), place(to));
    let (files, ranks) = (to_file - file, to_rank - rank);
    let is_empty = |files, ranks| from.offset(files, ranks).is_some_and(|at| board[at.index()].is_none());
    let between = || {
        let steps = files.abs().max(ranks.abs());
        (1..steps).filter(|step| !is_empty(files / steps * step, ranks / steps * step)).count()
    };
    let straight = files == 0 || ranks == 0;
    let in_palace = (3..=5).contains(&to_file) && piece.side().rank(to).index() <= 2;
    match piece.kind() {
        Kind::King if board[to.index()].is_some_and(|victim| victim.kind() == Kind::King) => {
            files == 0 && between() == 0
        }
        Kind::King => in_palace && files.abs() + ranks.abs() == 1,
        Kind::Advisor => in_palace && files.abs() == 1 && ranks.abs() == 1,
        Kind::Elephant => {
            let same_half = (rank <= 4) == (to_rank <= 4);
            files.abs() == 2 && ranks.abs() == 2 && same_half && is_empty(files / 2, ranks / 2)
        }
        Kind::Horse => files.abs() * ranks.abs() == 2 && is_empty(files / 2, ranks / 2),
        Kind::Rook => straight && between() == 0,
        Kind::Cannon => straight && between() == 1,
        Kind::Pawn => {
            let forward = if piece.side() == Side::Red { 1 } else { -1 };
            let crossed = (rank <= 4) != (piece.side() == Side::Red);
            (files, ranks) == (0, forward) || (crossed && files.abs() == 1 && ranks == 0)
        }
    }
}

fn exhaustive_exchange(position: &Position, mv: Move) -> i32 {
    let mut board = position.setup().board;
    let victim = board[mv.to.index()];
    board[mv.to.index()] = board[mv.from.index()].take();
    let gain = victim.map_or(0, |piece| exchange_value(piece.kind()));
    gain - exhaustive(&mut board, mv.to, !position.side())
}

#[test]
fn exchanges_equal_exhaustive_ones() {
    let (mut moves, mut fights) = (0, 0);
    mixed(21, POSITIONS, |position| {
        for mv in position.legal_moves() {
            let value = exhaustive_exchange(position, mv);
            assert_eq!(position.exchange(mv), value, "{position} {mv}");
            for threshold in [value - 1, value, value + 1, -100, 0, 100] {
                assert_eq!(position.exchange_wins(mv, threshold), value >= threshold, "{position} {mv} {threshold}");
            }
            moves += 1;
            fights += usize::from(value != 0);
        }
    });
    assert!(moves > 20 * POSITIONS && fights > moves / 10, "{fights} fights in {moves} moves");
}
