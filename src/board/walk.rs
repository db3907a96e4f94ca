//! The slow generator: walks every line square by square, makes every move and checks whether the king can be
//! captured.
//!
//! It uses no table, so it serves as the oracle for the fast generator in tests and as the baseline that
//! shows the benefit of the tables.

use super::{Kind, Move, Piece, Position, Side, Square};
use alloc::vec::Vec;

const ORTHOGONAL: [(i32, i32); 4] = [(-1, 0), (1, 0), (0, -1), (0, 1)];
const DIAGONAL: [(i32, i32); 4] = [(-1, -1), (-1, 1), (1, -1), (1, 1)];

type Board = [Option<Piece>; 90];

/// Returns the legal moves in no particular order.
pub fn legal_moves(position: &Position) -> Vec<Move> {
    let mut board = position.setup().board;
    let side = position.side();
    let mut moves = Vec::with_capacity(64);
    for from in Square::ALL {
        if let Some(piece) = board[from.index()].filter(|piece| piece.side() == side) {
            walk(&board, piece, from, |to| moves.push(Move::new(from, to)));
        }
    }
    moves.retain(|mv| {
        let (mover, captured) = (board[mv.from.index()].take(), board[mv.to.index()]);
        board[mv.to.index()] = mover;
        let safe = !king_is_attacked(&board, side);
        (board[mv.from.index()], board[mv.to.index()]) = (mover, captured);
        safe
    });
    moves
}

/// Returns `true` if the enemy could capture the king of `side` with its next move, or if the kings face each
/// other.
pub fn king_is_attacked(board: &Board, side: Side) -> bool {
    let king = Piece::new(side, Kind::King);
    let mut attacked = false;
    for from in Square::ALL {
        if let Some(piece) = board[from.index()].filter(|piece| piece.side() != side) {
            let mut see = |to: Square| attacked |= board[to.index()] == Some(king);
            if piece.kind() == Kind::King {
                walk_line(board, Piece::new(!side, Kind::Rook), from, (0, 1), &mut see);
                walk_line(board, Piece::new(!side, Kind::Rook), from, (0, -1), &mut see);
            } else {
                walk(board, piece, from, see);
            }
        }
    }
    attacked
}

/// Visits the squares to which a piece can move: empty or occupied by an enemy.
fn walk(board: &Board, piece: Piece, from: Square, mut visit: impl FnMut(Square)) {
    let side = piece.side();
    let free = |to: &Square| board[to.index()].is_none_or(|there| there.side() != side);
    let in_palace = |to: &Square| (3..=5).contains(&to.file().index()) && side.rank(*to).index() <= 2;
    let is_empty = |at: Option<Square>| at.is_some_and(|at| board[at.index()].is_none());
    match piece.kind() {
        Kind::King | Kind::Advisor => {
            let ways = if piece.kind() == Kind::King { ORTHOGONAL } else { DIAGONAL };
            ways.iter().filter_map(|way| from.offset(way.0, way.1)).filter(in_palace).filter(free).for_each(visit);
        }
        Kind::Elephant => DIAGONAL
            .iter()
            .filter(|way| is_empty(from.offset(way.0, way.1)))
            .filter_map(|way| from.offset(2 * way.0, 2 * way.1))
            .filter(|to| !side.has_crossed(*to))
            .filter(free)
            .for_each(visit),
        Kind::Horse => {
            for (files, ranks) in ORTHOGONAL.into_iter().filter(|way| is_empty(from.offset(way.0, way.1))) {
                for turn in [-1, 1] {
                    let to = from.offset(2 * files + turn * ranks, 2 * ranks + turn * files);
                    to.into_iter().filter(free).for_each(&mut visit);
                }
            }
        }
        Kind::Pawn => {
            let forward = if side == Side::Red { 1 } else { -1 };
            let ways: &[(i32, i32)] = &[(0, forward), (-1, 0), (1, 0)];
            let ways = if side.has_crossed(from) { ways } else { &ways[..1] };
            ways.iter().filter_map(|way| from.offset(way.0, way.1)).filter(free).for_each(visit);
        }
        Kind::Rook | Kind::Cannon => {
            ORTHOGONAL.into_iter().for_each(|way| walk_line(board, piece, from, way, &mut visit))
        }
    }
}

fn walk_line(board: &Board, piece: Piece, from: Square, way: (i32, i32), visit: &mut impl FnMut(Square)) {
    let needed = usize::from(piece.kind() == Kind::Cannon);
    let (mut at, mut met) = (from, 0);
    while let Some(to) = at.offset(way.0, way.1) {
        at = to;
        match board[to.index()] {
            None if met == 0 => visit(to),
            None => {}
            Some(_) if met < needed => met += 1,
            Some(there) => {
                if there.side() != piece.side() {
                    visit(to);
                }
                return;
            }
        }
    }
}
