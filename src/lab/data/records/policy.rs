//! Adaptive probabilities of moves.
//!
//! Each legal move has several features, each with a weight; the sum of the weights is the logarithm of the
//! move's relative probability. After every move the weights are updated (multinomial logistic regression).
//! All arithmetic uses integers, so the results are the same on all machines.

use super::coder::{Coder, WHOLE};
use super::game::GameFault;
use chuhe_board::{Move, Position, Side, Square};

/// Weight that doubles a probability.
const DOUBLE: i32 = 4096;
/// 2 to the power of -n/256, in 1/65,536.
const POWERS: [u32; 256] = {
    let mut powers = [0; 256];
    // 2 to the power of -1/256, in units of 2 to the power of -63.
    let step: u128 = 9_198_432_556_164_277_330;
    let mut power: u128 = 1 << 63;
    let mut index = 0;
    while index < 256 {
        powers[index] = (power >> 47) as u32;
        power = (power * step) >> 63;
        index += 1;
    }
    powers
};
/// Reciprocal of the learning rate.
const STEPS: i32 = 128;
/// Errors below this bound, in 1/65,536, are ignored.
const IGNORED: i32 = 32;
/// Value of each kind of piece, used to find the cheapest attacker.
const VALUES: [u8; KINDS] = [5, 2, 2, 3, 4, 3, 1];
/// Numbers of kinds of piece and of squares.
const KINDS: usize = 7;
const SQUARES: usize = 90;
/// Number of values for a victim or another piece that may be missing: its kind, or [`KINDS`].
const VICTIMS: usize = KINDS + 1;
/// Number of values of [`Attacks::by`].
const ATTACKERS: usize = 11;
/// Number of relations to the side's previous move: the move may start at its target, end at its origin,
/// both or neither.
const SAME_PIECE: usize = 4;
/// Number of relations to the side's move before: the same move, another one, or none.
const SAME_MOVE: usize = 3;
/// Sizes of the feature tables, in the order in which [`Policy::list_moves`] computes their features: piece
/// and target; piece and origin; piece, victim and cheapest enemy attacker of the target; piece, cheapest
/// enemy attackers of origin and target, cheapest friendly defender of the origin; relation to the side's two
/// previous moves, piece and victim; recapture, opponent's last piece, piece.
const SIZES: [usize; 6] = [
    KINDS * SQUARES,
    KINDS * SQUARES,
    KINDS * VICTIMS * ATTACKERS,
    KINDS * ATTACKERS * ATTACKERS * ATTACKERS,
    SAME_PIECE * SAME_MOVE * KINDS * VICTIMS,
    2 * VICTIMS * KINDS,
];
const FEATURES: usize = SIZES.len();

/// Model of the moves.
pub(super) struct Policy {
    weights: Vec<i32>,
    moves: Vec<(Move, [usize; FEATURES])>,
    shares: Vec<u32>,
}

/// A previous move of the game.
pub(super) struct PastMove {
    mv: Move,
    /// Index of the kind of piece that moved.
    kind: usize,
}

impl Default for Policy {
    fn default() -> Policy {
        Policy { weights: vec![0; SIZES.iter().sum()], moves: Vec::new(), shares: Vec::new() }
    }
}

impl Policy {
    /// Codes a move in a position; pass `None` when decoding.
    ///
    /// # Errors
    /// Returns an error if the move is illegal or there is no legal move.
    pub(super) fn code(
        &mut self,
        coder: &mut impl Coder,
        position: &Position,
        past: &mut Vec<PastMove>,
        mv: Option<Move>,
    ) -> Result<Move, GameFault> {
        self.list_moves(position, past);
        if self.moves.is_empty() {
            return Err(GameFault::Move(past.len() + 1));
        }
        let place = |mv| self.moves.iter().position(|(legal, _)| *legal == mv).ok_or(GameFault::Move(past.len() + 1));
        let given = mv.map_or(Ok(0), place)?;
        let chosen = if self.moves.len() > 1 { self.choose(coder, given)? } else { 0 };
        let mv = self.moves[chosen].0;
        past.push(PastMove { mv, kind: position.piece_on(mv.from).map_or(0, |piece| piece.kind().index()) });
        Ok(mv)
    }

    fn choose(&mut self, coder: &mut impl Coder, given: usize) -> Result<usize, GameFault> {
        let sum = |features: &[usize; FEATURES]| features.iter().map(|&feature| self.weights[feature]).sum::<i32>();
        let sums: Vec<i32> = self.moves.iter().map(|(_, features)| sum(features)).collect();
        let best = sums.iter().copied().max().unwrap_or(0);
        let powers: Vec<u32> = sums.iter().map(|sum| power((best - sum) as u32)).collect();
        let all: u64 = powers.iter().copied().map(u64::from).sum();
        let free = u64::from(WHOLE) - powers.len() as u64;
        self.shares.clear();
        self.shares.extend(powers.iter().map(|&power| 1 + (u64::from(power) * free / all) as u32));
        let rest = WHOLE - self.shares.iter().sum::<u32>();
        self.shares[0] += rest;
        let chosen = coder.choice(&self.shares, given)?;
        for (index, ((_, features), power)) in self.moves.iter().zip(&powers).enumerate() {
            let share = (u64::from(*power) << 16) / all;
            let error = if index == chosen { 65_536 - share as i32 } else { -(share as i32) };
            if error.abs() > IGNORED {
                let step = error / STEPS;
                features.iter().for_each(|&feature| self.weights[feature] += step);
            }
        }
        Ok(chosen)
    }

    /// Lists the legal moves with their features.
    fn list_moves(&mut self, position: &Position, past: &[PastMove]) {
        let side = position.side();
        let seen = |square: Square| if side == Side::Red { square } else { square.flipped() }.index();
        let mut attacked = Attacks { position, known: [[u8::MAX; SQUARES]; 2] };
        let (last, own, own_before) = (past.last(), past.iter().rev().nth(1), past.iter().rev().nth(3));
        let mut moves: Vec<Move> = position.legal_moves().into_iter().collect();
        // Sorting makes the order independent of the move generator.
        moves.sort_unstable_by_key(|mv| (mv.from, mv.to));
        self.moves.clear();
        self.moves.extend(moves.into_iter().map(|mv| {
            let kind = position.piece_on(mv.from).map_or(0, |piece| piece.kind().index());
            let victim = position.piece_on(mv.to).map_or(KINDS, |piece| piece.kind().index());
            let (from, to) = (attacked.by(!side, mv.from), attacked.by(!side, mv.to));
            let guarded = attacked.by(side, mv.from);
            let again = own.map_or(0, |own| usize::from(own.mv.to == mv.from) + 2 * usize::from(own.mv.from == mv.to));
            let before = own_before.map_or(SAME_MOVE - 1, |own| usize::from(own.mv == mv));
            let retakes = last.is_some_and(|last| last.mv.to == mv.to);
            let last_kind = last.map_or(KINDS, |last| last.kind);
            let places = [
                kind * SQUARES + seen(mv.to),
                kind * SQUARES + seen(mv.from),
                (kind * VICTIMS + victim) * ATTACKERS + to,
                ((kind * ATTACKERS + from) * ATTACKERS + to) * ATTACKERS + guarded,
                ((again * SAME_MOVE + before) * KINDS + kind) * VICTIMS + victim,
                (usize::from(retakes) * VICTIMS + last_kind) * KINDS + kind,
            ];
            let mut start = 0;
            let mut features = [0; FEATURES];
            for ((feature, place), size) in features.iter_mut().zip(places).zip(SIZES) {
                debug_assert!(place < size, "{place} of {size}");
                *feature = start + place;
                start += size;
            }
            (mv, features)
        }));
    }
}

/// Returns 2 to the power of -`weight` / [`DOUBLE`], in 1/65,536.
fn power(weight: u32) -> u32 {
    let fraction = weight % DOUBLE as u32 / (DOUBLE as u32 / 256);
    POWERS[fraction as usize].checked_shr(weight / DOUBLE as u32).unwrap_or(0)
}

/// Attackers of squares, computed on demand.
struct Attacks<'p> {
    position: &'p Position,
    known: [[u8; SQUARES]; 2],
}

impl Attacks<'_> {
    /// Returns 0 if no piece of `side` attacks a square, otherwise the value of the cheapest attacker; adds 5
    /// if there are several attackers.
    fn by(&mut self, side: Side, square: Square) -> usize {
        let known = &mut self.known[side.index()][square.index()];
        if *known == u8::MAX {
            let attackers = self.position.attackers(side, square);
            let value = |square| self.position.piece_on(square).map_or(5, |piece| VALUES[piece.kind().index()]);
            let cheapest = attackers.into_iter().map(value).min().unwrap_or(0);
            *known = cheapest + if attackers.several() { 5 } else { 0 };
        }
        usize::from(*known)
    }
}
