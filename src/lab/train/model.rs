//! A network in training: the architecture of the playing network, in floating point.

use super::samples::Sample;
use chuhe_board::random::SplitMix64;
use chuhe_board::{Bitboard, Kind, Occupancy, Piece, Side, Square};
use chuhe_engine::eval::endings::{IN_FULL, winnable_share};
use chuhe_engine::eval::nnue::features::{Mirroring, SLOTS, Shape, input};
use chuhe_engine::eval::nnue::threats::{Attacked, THREATS, ThreatIndices};
use chuhe_engine::eval::nnue::{
    BadNetwork, MAX_OUTPUT_SUM, MAX_OUTPUT_UNIT, Network, Numbers, Overflow, UNIT, evaluate,
};
use std::ops::Range;
use std::sync::Arc;

/// Maximum absolute weight, so that sums of hidden units without threats fit in 16 bits.
pub(crate) const MAX_WEIGHT: f32 = 1.94;
/// Maximum absolute input weight and hidden bias with threats, for the same reason.
pub(crate) const MAX_WEIGHT_WITH_THREATS: f32 = 1.23;
/// Maximum absolute weight of a threat, so that it fits in 8 bits.
pub(crate) const MAX_THREAT_WEIGHT: f32 = 127.0 / UNIT as f32;

/// Architecture and parameters of a network.
#[derive(Clone, PartialEq, Debug)]
pub struct Model {
    /// Architecture.
    pub shape: Shape,
    /// Scale in centipawns for an output of 1.
    pub scale: f32,
    /// Input weights by input, threat weights by threat, hidden biases, output weights by bucket (for the mover's
    /// units, then for the other side's), output biases.
    pub parameters: Vec<f32>,
}

impl Model {
    /// Creates an untrained network with random parameters.
    pub fn new(shape: Shape, scale: f32, seed: u64) -> Model {
        let mut model = Model { shape, scale, parameters: Vec::new() };
        let mut random = SplitMix64::new(seed);
        let mut numbers = vec![0.0; model.output_bias().end];
        let mut fill = |range: Range<usize>, most: f32| {
            numbers[range].iter_mut().for_each(|number| *number = most * (2.0 * random.unit_f64() as f32 - 1.0));
        };
        fill(model.weights(), 0.1);
        fill(model.output(), (1.0 / (2.0 * model.shape.hidden as f32)).sqrt());
        // Units initialised in the middle of their range all receive gradients.
        numbers[model.bias()].fill(0.25);
        model.parameters = numbers;
        model
    }

    /// Returns the same network with more hidden units, whose output weights are initially 0, and optionally
    /// with more sets of output or input weights, which are initially copies, or more units connected to the
    /// threats, with weights of 0. The scores are unchanged.
    /// Returns `None` if the change would remove parameters, or if the mirroring differs. `seed` initialises the input
    /// weights of the new units.
    pub fn widened(&self, shape: Shape, seed: u64) -> Option<Model> {
        let (old, few) = (self.shape.hidden, self.shape.outputs.count());
        let Shape { hidden, mirroring, king_buckets, attack_buckets, threat_units, outputs } = shape;
        let splits = |same: bool, sets: usize| !same && sets > 1;
        if hidden < old
            || mirroring != self.shape.mirroring
            || (self.shape.attack_buckets && !attack_buckets)
            || threat_units < self.shape.threat_units
            || splits(outputs == self.shape.outputs, few)
            || splits(king_buckets == self.shape.king_buckets, self.shape.king_bucket_count())
        {
            return None;
        }
        let shape = Shape { hidden, mirroring, king_buckets, attack_buckets, threat_units, outputs };
        let mut wide = Model::new(shape, self.scale, seed);
        let (kings, known_kings) = (wide.shape.king_bucket_count(), self.shape.king_bucket_count());
        let known = |row: usize| {
            let (bucket, slot) = (row / SLOTS, row % SLOTS);
            let king = if known_kings == 1 { 0 } else { bucket % kings };
            let attack = if self.shape.attack_buckets { bucket / kings } else { 0 };
            &self.parameters[((attack * known_kings + king) * SLOTS + slot) * old..][..old]
        };
        let weights = wide.weights();
        for (row, known) in wide.parameters[weights].chunks_mut(hidden).zip((0..).map(known)) {
            row[..old].copy_from_slice(known);
        }
        if self.shape.threat_units > 0 {
            let weights = wide.threats();
            let known = self.parameters[self.threats()].chunks(self.shape.threat_units);
            for (row, known) in wide.parameters[weights].chunks_mut(threat_units).zip(known) {
                row[..known.len()].copy_from_slice(known);
            }
        }
        let bias = wide.bias();
        wide.parameters[bias][..old].copy_from_slice(&self.parameters[self.bias()]);
        let output = wide.output();
        let known = self.parameters[self.output()].chunks(old).cycle();
        for (weights, known) in wide.parameters[output].chunks_mut(hidden).zip(known) {
            weights.fill(0.0);
            weights[..old].copy_from_slice(known);
        }
        let bias = wide.output_bias();
        for (bias, known) in wide.parameters[bias].iter_mut().zip(self.parameters[self.output_bias()].iter().cycle()) {
            *bias = *known;
        }
        Some(wide)
    }

    /// Returns the range of the input weights.
    pub fn weights(&self) -> Range<usize> {
        0..self.shape.inputs() * self.shape.hidden
    }

    /// Returns the range of the threat weights.
    pub fn threats(&self) -> Range<usize> {
        let start = self.weights().end;
        start..start + THREATS * self.shape.threat_units
    }

    /// Returns the range of the hidden biases.
    pub fn bias(&self) -> Range<usize> {
        let start = self.threats().end;
        start..start + self.shape.hidden
    }

    /// Returns the range of the output weights.
    pub fn output(&self) -> Range<usize> {
        let start = self.bias().end;
        start..start + self.shape.outputs.count() * 2 * self.shape.hidden
    }

    /// Returns the range of the output biases.
    pub fn output_bias(&self) -> Range<usize> {
        let start = self.output().end;
        start..start + self.shape.outputs.count()
    }

    /// Returns the score of a sample in centipawns.
    pub fn score(&self, sample: &Sample) -> f32 {
        let mut active = SampleInputs::default();
        active.compute(&self.shape, sample, false);
        let hidden = self.shape.hidden;
        let weights = &self.parameters[self.output()][active.bucket * 2 * hidden..][..2 * hidden];
        let mut sum = self.parameters[self.output_bias()][active.bucket];
        let both = active.inputs().into_iter().zip(active.threats());
        for ((inputs, threats), weights) in both.zip(weights.chunks(hidden)) {
            let mut units = self.parameters[self.bias()].to_vec();
            let rows = inputs.iter().map(|&input| &self.parameters[usize::from(input) * hidden..][..hidden]);
            let connected = self.shape.threat_units;
            let threat_weights = &self.parameters[self.threats()];
            let threats = threats.iter().map(|&threat| &threat_weights[usize::from(threat) * connected..][..connected]);
            for row in rows.chain(threats) {
                units.iter_mut().zip(row).for_each(|(unit, weight)| *unit += weight);
            }
            sum += units.iter().zip(weights).map(|(unit, weight)| unit.clamp(0.0, 1.0).powi(2) * weight).sum::<f32>();
        }
        sum * self.scale
    }

    /// Returns the quantised network for play, or an error if its parameters are too large or not finite.
    pub fn quantised(&self) -> Result<Network, BadNetwork> {
        let scale = self.scale.round();
        if self.parameters.iter().chain([&scale]).any(|number| !number.is_finite()) {
            return Err(Overflow::NotFinite.into());
        }
        let too_large = |number: f32| Overflow::Parameter(number);
        let whole = |range: Range<usize>, unit: i32| -> Result<Vec<i16>, Overflow> {
            let quantised = |number: &f32| {
                let whole = (number * unit as f32).round();
                // Conversion by `as` would saturate.
                let is_small = (f32::from(i16::MIN)..=f32::from(i16::MAX)).contains(&whole);
                if is_small { Ok(whole as i16) } else { Err(too_large(*number)) }
            };
            self.parameters[range].iter().map(quantised).collect()
        };
        let eight_bits = |number: &f32| {
            let whole = (number * UNIT as f32).round();
            if whole.abs() <= 127.0 { Ok(whole as i8) } else { Err(too_large(*number)) }
        };
        let output_unit = self.output_unit();
        let bias = |number: &f32| {
            let whole = (number * (UNIT * output_unit) as f32).round();
            let is_small = (f64::from(i32::MIN)..=f64::from(i32::MAX)).contains(&whole.into());
            if is_small { Ok(whole as i32) } else { Err(too_large(*number)) }
        };
        let numbers = Numbers {
            bias: whole(self.bias(), UNIT)?,
            weights: whole(self.weights(), UNIT)?,
            threats: self.parameters[self.threats()].iter().map(eight_bits).collect::<Result<_, _>>()?,
            output_unit: output_unit as u16,
            output: whole(self.output(), output_unit)?,
            output_bias: self.parameters[self.output_bias()].iter().map(bias).collect::<Result<_, _>>()?,
        };
        Network::new(self.shape.clone(), scale as i32, &numbers)
    }
}

impl Model {
    /// Returns the finest scale at which the output weights fit their range.
    fn output_unit(&self) -> i32 {
        let output = &self.parameters[self.output()];
        let largest = output.iter().fold(0.0f32, |most, weight| most.max(weight.abs()));
        // `Network::new` refuses a network without hidden units.
        let sums = output.chunks((2 * self.shape.hidden).max(1)).flat_map(|weights| {
            [1.0, -1.0].map(|sign| weights.iter().map(|weight| (sign * weight).max(0.0)).sum::<f32>())
        });
        let most = sums.fold(0.0f32, f32::max);
        // Rounding may add half a unit to each weight.
        let room = MAX_OUTPUT_SUM as f32 - self.shape.hidden as f32;
        let unit = (f32::from(i16::MAX) / largest.max(1e-6)).min(room / most.max(1e-6));
        (unit as i32).clamp(1, MAX_OUTPUT_UNIT.into())
    }
}

/// Returns the mean and the maximum difference in centipawns between floating-point and quantised scores over
/// samples. Known drawn endings are excluded, because their evaluation is scaled after the network.
pub fn quantisation_error(model: &Model, network: &Arc<Network>, samples: &[Sample]) -> (f64, f64) {
    let (mut count, mut sum, mut most) = (0, 0.0, 0.0f64);
    for sample in samples {
        let Some(position) = sample.position() else { continue };
        if Side::ALL.into_iter().any(|side| winnable_share(&position, side) != IN_FULL) {
            continue;
        }
        let error = (f64::from(model.score(sample)) - f64::from(evaluate(network, &position))).abs();
        (count, sum, most) = (count + 1, sum + error, most.max(error));
    }
    (sum / f64::from(count.max(1)), most)
}

/// Inputs of a sample: the active inputs and threats of both perspectives, and the output bucket.
#[derive(Clone, Debug, Default)]
pub(crate) struct SampleInputs {
    inputs: [[u16; 32]; 2],
    count: usize,
    threats: [Vec<u16>; 2],
    /// Output bucket.
    pub bucket: usize,
}

impl SampleInputs {
    /// Computes the inputs of a sample or of its mirror image.
    #[inline(always)]
    pub(crate) fn compute(&mut self, shape: &Shape, sample: &Sample, mirrored: bool) {
        let mut pieces = [None; 32];
        let (mut mirror_weights, mut kings) = ([0; 2], [None; 2]);
        let (mut rooks, mut others) = ([0; 2], [0; 2]);
        self.count = 0;
        let mut views = [None; 2];
        for ((piece, square), slot) in sample.pieces().zip(&mut pieces) {
            let square = if mirrored { square.mirrored() } else { square };
            *slot = Some((piece, square));
            self.count += 1;
            let index = piece.side().index();
            match piece.kind() {
                Kind::King => kings[index] = Some(square),
                Kind::Rook => rooks[index] += 1,
                Kind::Horse | Kind::Cannon => others[index] += 1,
                _ => {}
            }
            for side in Side::ALL {
                mirror_weights[side.index()] += shape.mirror_weight(side, piece, square);
            }
        }
        for side in Side::ALL {
            let Some(king) = kings[side.index()] else { continue };
            let attackers = [rooks, others].map(|counts| counts[side.index()] > 0);
            let view = shape.view(side, king, mirror_weights[side.index()], attackers);
            views[side.index()] = Some(view);
            for (slot, &(piece, square)) in self.inputs[side.index()].iter_mut().zip(pieces.iter().flatten()) {
                *slot = input(side, view, piece, square) as u16;
            }
        }
        self.bucket = shape.outputs.bucket(rooks, others[0] + others[1]);
        self.threats.iter_mut().for_each(Vec::clear);
        if shape.threat_units > 0 {
            self.add_threats(&pieces, views.map(|view| view.is_some_and(|view| view.mirrored)));
        }
    }

    fn add_threats(&mut self, pieces: &[Option<(Piece, Square)>], mirrored: [bool; 2]) {
        let mut board = [None; 90];
        let (mut occupancy, mut squares) = (Occupancy::default(), [Bitboard::EMPTY; 14]);
        for &(piece, square) in pieces.iter().flatten() {
            board[square.index()] = Some(piece);
            occupancy.toggle(square);
            squares[piece.index()] |= Bitboard::of(square);
        }
        let indices = ThreatIndices::of(mirrored);
        let attacked = Attacked::of(&occupancy, |piece| squares[piece.index()]);
        let victims = attacked.pairs().filter_map(|(attacker, at)| Some((attacker, board[at.index()]?, at)));
        for (attacker, victim, square) in victims {
            let threat = indices.get(attacker, victim, square);
            self.threats.iter_mut().zip(threat).for_each(|(threats, threat)| threats.push(threat));
        }
    }

    /// Returns the inputs from the mover's perspective and from the other side's.
    #[inline(always)]
    pub(crate) fn inputs(&self) -> [&[u16]; 2] {
        [&self.inputs[0][..self.count], &self.inputs[1][..self.count]]
    }

    /// Returns the threats from the mover's perspective and from the other side's.
    #[inline(always)]
    pub(crate) fn threats(&self) -> [&[u16]; 2] {
        [&self.threats[0], &self.threats[1]]
    }
}

/// Returns `true` if the mirror images of samples have different inputs.
pub(crate) fn uses_mirror_images(shape: &Shape) -> bool {
    shape.mirroring == Mirroring::King
}

#[cfg(test)]
mod tests {
    use super::*;
    use chuhe_board::Position;
    use chuhe_engine::eval::nnue::features::Outputs;

    #[test]
    fn parameters_that_are_too_large_or_not_finite_are_not_quantised() {
        let shape = Shape { threat_units: 32, ..Shape::new(32, Mirroring::King, Outputs::One) };
        let model = Model::new(shape, 400.0, 5);
        assert!(model.quantised().is_ok());
        for range in [model.weights(), model.threats(), model.bias(), model.output(), model.output_bias()] {
            for value in [f32::NAN, f32::INFINITY, 1e9, -1e9] {
                let mut wrong = model.clone();
                wrong.parameters[range.start] = value;
                assert!(wrong.quantised().is_err(), "{range:?} {value}");
            }
        }
        assert!(Model { scale: f32::NAN, ..model }.quantised().is_err());
    }

    #[test]
    fn a_widened_network_scores_as_before_until_it_learns() {
        let shape = Shape { threat_units: 32, ..Shape::new(32, Mirroring::King, Outputs::One) };
        let mut narrow = Model::new(shape, 400.0, 5);
        let threats = narrow.threats();
        narrow.parameters[threats].iter_mut().zip([0.1, -0.2, 0.15].iter().cycle()).for_each(|(old, new)| *old = *new);
        let (one, three) = ([0; 6], [0, 1, 2, 2, 2, 2]);
        let with = |hidden: usize, outputs, king_buckets, attack_buckets| Shape {
            king_buckets,
            attack_buckets,
            threat_units: hidden.min(64),
            ..Shape::new(hidden, Mirroring::King, outputs)
        };
        let shape = with(96, Outputs::Rooks, three, true);
        // One king bucket with attack buckets, and several without, are widened too.
        let steps = [with(32, Outputs::One, one, true), with(32, Outputs::One, three, false)];
        let [wide, ..] = [None, Some(steps[0].clone()), Some(steps[1].clone())].map(|step| {
            let start = step.map_or(narrow.clone(), |step| narrow.widened(step, 6).expect("nothing is removed"));
            start.widened(shape.clone(), 6).expect("nothing is removed")
        });
        assert_eq!((wide.shape.bucket_count(), &wide.shape), (12, &shape));
        let fens = ["startpos", "4k4/9/9/9/9/9/9/4C4/4A4/3RK4 w", "3k5/4a4/9/9/4p1r2/9/9/4B4/4A4/3AK4 b"];
        let unlike = Model::new(wide.shape.clone(), 400.0, 5);
        let mut differing = 0;
        for fen in fens {
            let position = if fen == "startpos" { Position::start() } else { fen.parse().expect("a legal position") };
            let sample = Sample::new(&position, 0, 1);
            assert!((narrow.score(&sample) - wide.score(&sample)).abs() < 0.01, "{fen}");
            differing += u32::from((narrow.score(&sample) - unlike.score(&sample)).abs() > 1.0);
        }
        assert!(differing > 0, "another network has different scores");
        for smaller in [
            with(64, Outputs::Rooks, three, true),
            with(96, Outputs::One, three, true),
            with(96, Outputs::Rooks, one, true),
            with(96, Outputs::Rooks, three, false),
            Shape { threat_units: 32, ..shape.clone() },
            Shape { mirroring: Mirroring::Wings, ..shape },
        ] {
            assert!(wide.widened(smaller, 1).is_none());
        }
    }
}
