//! Random repetitions from a seed, for comparing this referee with others.

use super::attack::{self, CHASING_KINDS};
use crate::random::SplitMix64;
use crate::{Bitboard, Kind, Move, Piece, Position, Setup, Side, Square, domain};
use alloc::vec::Vec;

/// Infinite iterator over cycles in which at least one side mostly checks or chases. The same seed gives the
/// same cycles on every platform.
#[derive(Clone, Debug)]
pub struct Cycles {
    random: SplitMix64,
}

/// A position, and moves that lead back to it without a capture and without repeating any other position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SampledCycle {
    /// Position in which the cycle begins and ends.
    pub start: Position,
    /// Moves of the cycle: 4, 6 or 8.
    pub moves: Vec<Move>,
}

/// Maximum number of moves tried per position.
const TRIES: u32 = 4_000;

impl Cycles {
    /// Creates an iterator from a seed.
    pub const fn new(seed: u64) -> Cycles {
        Cycles { random: SplitMix64::new(seed) }
    }
}

impl Iterator for Cycles {
    type Item = SampledCycle;

    fn next(&mut self) -> Option<SampledCycle> {
        loop {
            let Some(start) = random_position(&mut self.random) else { continue };
            let length = [4, 4, 4, 4, 6, 8, 8, 8][self.random.below(8) as usize];
            // Probability, in per cent, that a move of each side must check or attack.
            let insists =
                [[95, 0], [95, 30], [70, 30], [95, 95], [0, 95], [30, 95], [30, 70]][self.random.below(7) as usize];
            let mut hunt =
                Hunt { random: &mut self.random, start: &start, length, insists, tries: TRIES, keys: Vec::new() };
            let mut moves = Vec::with_capacity(length);
            if hunt.search(&mut start.clone(), &mut moves) {
                let cycle = SampledCycle { start, moves };
                if cycle.is_one_sided() || self.random.below(20) == 0 {
                    return Some(cycle);
                }
            }
        }
    }
}

impl SampledCycle {
    /// Returns `true` if a side checks with every move, or aims at one piece after every move; only such
    /// cycles can contain an offence. Ignores pins and protection, so that doubtful cycles are kept.
    fn is_one_sided(&self) -> bool {
        let mut board = self.start.clone();
        let mut aimed_at = Side::ALL.map(|side| attack::possible_victims(&board, !side));
        let mut checking = [true; 2];
        for &mv in &self.moves {
            let mover = board.side();
            let hunted = &mut aimed_at[(!mover).index()];
            if hunted.has(mv.from) {
                *hunted = (*hunted & !Bitboard::of(mv.from)).with(mv.to);
            }
            board.make(mv);
            checking[mover.index()] &= board.in_check();
            let victims = &mut aimed_at[mover.index()];
            let is_aimed_at = |&at: &Square| attack::captures(&board, mover, at, CHASING_KINDS).next().is_some();
            *victims = victims.into_iter().filter(is_aimed_at).collect();
        }
        checking.contains(&true) || aimed_at.iter().any(|victims| victims.has_any())
    }
}

/// Returns a position with a few pieces on random reachable squares; `None` if it is illegal.
fn random_position(random: &mut SplitMix64) -> Option<Position> {
    let mut setup = Setup::empty();
    let mut put = |random: &mut SplitMix64, piece: Piece| {
        let free: Vec<Square> =
            domain(piece.side(), piece.kind()).into_iter().filter(|at| setup.board[at.index()].is_none()).collect();
        // If the palace is full, the piece is omitted.
        if let Some(&at) = free.get(random.below(free.len().max(1) as u64) as usize) {
            setup.board[at.index()] = Some(piece);
        }
    };
    for side in Side::ALL {
        put(random, Piece::new(side, Kind::King));
        let mut left = Kind::ALL.map(Kind::in_a_set);
        for _ in 0..1 + random.below(7) {
            let kinds = [
                Kind::Rook,
                Kind::Rook,
                Kind::Cannon,
                Kind::Cannon,
                Kind::Horse,
                Kind::Horse,
                Kind::Pawn,
                Kind::Advisor,
                Kind::Elephant,
            ];
            let kind = kinds[random.below(9) as usize];
            if left[kind.index()] > 0 {
                left[kind.index()] -= 1;
                put(random, Piece::new(side, kind));
            }
        }
    }
    if random.below(2) == 1 {
        setup.side = Side::Black;
    }
    Position::new(&setup).ok()
}

/// State of the search for a cycle.
struct Hunt<'h> {
    random: &'h mut SplitMix64,
    start: &'h Position,
    length: usize,
    insists: [u64; 2],
    tries: u32,
    keys: Vec<u64>,
}

impl Hunt<'_> {
    fn search(&mut self, board: &mut Position, path: &mut Vec<Move>) -> bool {
        if path.len() == self.length {
            return board.key() == self.start.key();
        }
        if self.keys.contains(&board.key()) {
            return false;
        }
        self.keys.push(board.key());
        let side = board.side();
        let mut moves = board.legal_moves();
        moves.retain(|mv| board.piece_on(mv.to).is_none());
        for index in (1..moves.len()).rev() {
            moves.swap(index, self.random.below(index as u64 + 1) as usize);
        }
        // Number of moves that this side has left after this one.
        let left = (self.length - path.len() - 1) / 2;
        let must_attack = self.random.below(100) < self.insists[side.index()];
        for mv in moves {
            if self.tries == 0 {
                break;
            }
            self.tries -= 1;
            let before = board.clone();
            let undo = board.make(mv);
            path.push(mv);
            let returns = self.displaced(board, side) <= left as u32;
            if returns && (!must_attack || is_hot(&before, board)) && self.search(board, path) {
                return true;
            }
            path.pop();
            board.unmake(mv, undo);
        }
        self.keys.pop();
        false
    }

    /// Returns the number of a side's pieces that are not on their squares in `start`; each needs at least
    /// one move to return.
    fn displaced(&self, board: &Position, side: Side) -> u32 {
        Kind::ALL.into_iter().map(|kind| (board.pieces(side, kind) & !self.start.pieces(side, kind)).count()).sum()
    }
}

/// Returns `true` if a move gives check or makes a new attack.
fn is_hot(before: &Position, after: &Position) -> bool {
    let side = before.side();
    let victims: Bitboard = attack::possible_victims(after, !side);
    after.in_check()
        || victims.into_iter().any(|victim| {
            attack::attacks(after, side, victim, CHASING_KINDS) && !attack::attacks(before, side, victim, CHASING_KINDS)
        })
}
