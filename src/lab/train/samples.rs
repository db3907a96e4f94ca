//! Compact training positions, split by game into a training set and a test set.

use chuhe_board::random::SplitMix64;
use chuhe_board::score::Score;
use chuhe_board::{Bitboard, Piece, Position, Setup, Side, Square};

/// A position with its labels in 32 bytes, stored from the mover's point of view, with the mover as Red.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sample {
    /// Occupied squares: bit `9 · rank + file`, lowest byte first.
    occupied: [u8; 12],
    /// Pieces on the occupied squares in order, four bits each, low nibble first.
    pieces: [u8; 16],
    score: i16,
    result: u8,
}

const _: () = assert!(size_of::<Sample>() <= 32);

impl Sample {
    /// Packs a position with its search score in centipawns and the result of its game in half points, 0–2,
    /// both from the point of view of the side to move.
    pub fn new(position: &Position, score: Score, half_points: u8) -> Sample {
        let mover = position.side();
        let mut pieces = [0; 16];
        let mut occupied = Bitboard::EMPTY;
        let seen = |square: Square| if mover == Side::Red { square } else { square.flipped() };
        for square in position.occupancy().all() {
            occupied = occupied.with(seen(square));
        }
        for (number, square) in occupied.into_iter().take(32).enumerate() {
            if let Some(piece) = position.piece_on(seen(square)) {
                let code = piece.kind().index() as u8 + if piece.side() == mover { 0 } else { 7 };
                pieces[number / 2] |= code << (4 * (number % 2));
            }
        }
        let mut bytes = [0; 12];
        bytes.copy_from_slice(&occupied.bits().to_le_bytes()[..12]);
        let score = score.clamp(i16::MIN.into(), i16::MAX.into()) as i16;
        Sample { occupied: bytes, pieces, score, result: half_points.min(2) }
    }

    /// Returns the pieces from the mover's point of view, with the mover as Red.
    pub fn pieces(&self) -> impl Iterator<Item = (Piece, Square)> + '_ {
        let mut bits = [0; 16];
        bits[..12].copy_from_slice(&self.occupied);
        let squares = Bitboard::from_bits(u128::from_le_bytes(bits)).into_iter();
        squares.zip(0..32usize).map(|(square, number)| {
            let code = usize::from(self.pieces[number / 2] >> (4 * (number % 2)) & 15);
            (Piece::ALL[code.min(13)], square)
        })
    }

    /// Returns the position with Red to move.
    pub fn position(&self) -> Option<Position> {
        let mut setup = Setup::empty();
        for (piece, square) in self.pieces() {
            setup.board[square.index()] = Some(piece);
        }
        Position::new(&setup).ok()
    }

    /// Returns the search score in centipawns from the mover's point of view.
    pub fn score(&self) -> Score {
        self.score.into()
    }

    /// Returns the result of the game for the mover: 0, ½ or 1.
    pub fn result(&self) -> f32 {
        f32::from(self.result) / 2.0
    }
}

/// All samples of a run. Whole games are held out for testing, since positions from the same game are too
/// similar to be in both sets.
#[derive(Clone, Debug, Default)]
pub struct Samples {
    /// Training set.
    pub training: Vec<Sample>,
    /// Test set.
    pub held_out: Vec<Sample>,
}

impl Samples {
    /// Adds a sample from a game. The game's number, the same for all its samples, selects the set: one in
    /// `one_in` games is held out, or none if `one_in` is 0.
    pub fn add(&mut self, game: u64, one_in: u64, sample: Sample) {
        let held_out = one_in > 0 && SplitMix64::new(game).below(one_in) == 0;
        if held_out { self.held_out.push(sample) } else { self.training.push(sample) }
    }

    /// Returns the held-out samples, or the training set if there are none.
    pub fn test(&self) -> &[Sample] {
        if self.held_out.is_empty() { &self.training } else { &self.held_out }
    }
}

/// Returns the share of wins by the side with the better score, among samples of decided games with an
/// absolute score of at least `least`. A share of about one half indicates labels with incorrect signs.
/// Returns `None` if there are no such samples.
pub fn agreement(samples: &[Sample], least: Score) -> Option<f64> {
    let decided = samples.iter().filter(|sample| sample.result != 1 && sample.score().abs() >= least);
    let (mut all, mut agreeing) = (0u64, 0u64);
    for sample in decided {
        all += 1;
        agreeing += u64::from((sample.score > 0) == (sample.result == 2));
    }
    (all > 0).then(|| agreeing as f64 / all as f64)
}

/// Returns the scale in centipawns at which scores predict results best, with the logistic curve `1 / (1 +
/// exp(−score / scale))`.
pub(crate) fn best_scale(pairs: &[(f32, f32)]) -> f64 {
    let loss = |scale: f64| -> f64 {
        pairs.iter().map(|&(score, result)| cross_entropy(f64::from(score) / scale, f64::from(result))).sum()
    };
    // The loss has a single minimum, which a golden-section search over logarithms finds.
    let golden = (5f64.sqrt() - 1.0) / 2.0;
    let (mut low, mut high) = (30f64.ln(), 10_000f64.ln());
    for _ in 0..30 {
        let (left, right) = (high - golden * (high - low), low + golden * (high - low));
        if loss(left.exp()) < loss(right.exp()) { high = right } else { low = left }
    }
    ((low + high) / 2.0).exp()
}

/// Returns the best scale for the samples' own scores, computed from at most 200,000 samples.
pub fn scale_of_scores(samples: &[Sample]) -> f64 {
    let step = (samples.len() / 200_000).max(1);
    let pairs: Vec<(f32, f32)> =
        samples.iter().step_by(step).map(|sample| (f32::from(sample.score), sample.result())).collect();
    best_scale(&pairs)
}

/// Returns the logistic function of `x`.
pub(crate) fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

/// Returns the cross entropy, in nats, between a prediction given as log odds and an outcome from 0 to 1.
pub(crate) fn cross_entropy(log_odds: f64, happened: f64) -> f64 {
    // ln(1 + e^x) without overflow.
    let soft_plus = log_odds.max(0.0) + (-log_odds.abs()).exp().ln_1p();
    soft_plus - happened * log_odds
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_comes_back_as_its_mover_sees_it() {
        for (fen, mover) in [
            ("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR b - - 1 1", Side::Black),
            ("3k5/4P4/9/9/9/9/9/9/4A4/4K3c w - - 0 1", Side::Red),
        ] {
            let position: Position = fen.parse().expect("a position");
            assert_eq!(position.side(), mover);
            let sample = Sample::new(&position, -123, 2);
            let seen = if mover == Side::Red { position.clone() } else { position.flipped() };
            let back = sample.position().expect("a legal position");
            assert_eq!(back.setup().board, seen.setup().board);
            assert_eq!((sample.score(), sample.result()), (-123, 1.0));
        }
    }

    #[test]
    fn samples_of_a_game_stand_on_one_side() {
        let sample = Sample::new(&Position::start(), 0, 1);
        let mut samples = Samples::default();
        for game in 0..1000 {
            let before = (samples.training.len(), samples.held_out.len());
            (0..3).for_each(|_| samples.add(game, 20, sample));
            let after = (samples.training.len(), samples.held_out.len());
            assert!(before.0 == after.0 || before.1 == after.1);
        }
        assert!((20..100).contains(&(samples.held_out.len() / 3)), "{}", samples.held_out.len());
    }

    #[test]
    fn the_best_scale_is_found_again() {
        let mut random = SplitMix64::new(1);
        let pairs: Vec<(f32, f32)> = (0..50_000)
            .map(|_| {
                let score = random.unit_f64() * 2000.0 - 1000.0;
                let won = random.unit_f64() < 1.0 / (1.0 + (-score / 350.0).exp());
                (score as f32, f32::from(u8::from(won)))
            })
            .collect();
        let scale = best_scale(&pairs);
        assert!((330.0..370.0).contains(&scale), "{scale}");
    }

    #[test]
    fn agreement_sees_a_lost_sign() {
        let position = Position::start();
        let right: Vec<Sample> = (0..10).map(|n| Sample::new(&position, 300, if n < 9 { 2 } else { 0 })).collect();
        let wrong: Vec<Sample> = (0..10).map(|n| Sample::new(&position, 300, if n < 9 { 0 } else { 2 })).collect();
        assert!(agreement(&right, 100) > Some(0.85) && agreement(&wrong, 100) < Some(0.15));
        assert_eq!(agreement(&right, 400), None);
    }
}
