//! Gradients of the network's parameters: the inner loops of training.

use super::model::{Model, SampleInputs};
use super::samples::{Sample, sigmoid};
use chuhe_engine::eval::nnue::features::Shape;
use chuhe_engine::eval::nnue::simd::{Registers, SimdLevel};

/// Training target.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Target {
    /// Weight of the game's result relative to the search's score, 0–1.
    pub result_weight: f32,
    /// Scale in centipawns: the score with log odds of 1.
    pub scale: f32,
}

impl Target {
    /// Returns the target of a sample, 0–1.
    #[inline(always)]
    pub fn of(&self, sample: &Sample) -> f32 {
        let by_score = sigmoid(sample.score() as f32 / self.scale);
        self.result_weight * sample.result() + (1.0 - self.result_weight) * by_score
    }
}

/// Gradient computed by one thread in a step.
#[derive(Clone, Debug)]
pub(crate) struct Gradient {
    /// Derivatives of the sum of squared errors, by parameter.
    pub slopes: Vec<f32>,
    /// Sum of squared errors.
    pub loss: f64,
    inputs: SampleInputs,
    units: [Vec<f32>; 2],
}

impl Gradient {
    /// Creates a zero gradient.
    pub(crate) fn new(model: &Model) -> Gradient {
        let units = vec![0.0; model.shape.hidden];
        Gradient {
            slopes: vec![0.0; model.parameters.len()],
            loss: 0.0,
            inputs: SampleInputs::default(),
            units: [units.clone(), units],
        }
    }

    /// Adds the gradients of samples; the flag of a sample selects its mirror image.
    pub(crate) fn learn<'s>(
        &mut self,
        level: SimdLevel,
        model: &Model,
        target: Target,
        samples: impl Iterator<Item = (&'s Sample, bool)>,
    ) {
        match level.registers() {
            Registers::Plain => self.learn_plain::<true>(model, target, samples),
            #[cfg(target_arch = "aarch64")]
            Registers::Neon => self.learn_plain::<true>(model, target, samples),
            // SAFETY: such a level exists only if the processor supports its instructions.
            #[cfg(target_arch = "x86_64")]
            Registers::Avx2 => unsafe { self.learn_avx2::<true>(model, target, samples) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Registers::Avx512 => unsafe { self.learn_avx512::<true>(model, target, samples) },
        }
    }

    /// Adds the errors of samples without computing gradients.
    pub(crate) fn add_errors<'s>(
        &mut self,
        level: SimdLevel,
        model: &Model,
        target: Target,
        samples: impl Iterator<Item = &'s Sample>,
    ) {
        let samples = samples.map(|sample| (sample, false));
        match level.registers() {
            Registers::Plain => self.learn_plain::<false>(model, target, samples),
            #[cfg(target_arch = "aarch64")]
            Registers::Neon => self.learn_plain::<false>(model, target, samples),
            // SAFETY: as in `learn`.
            #[cfg(target_arch = "x86_64")]
            Registers::Avx2 => unsafe { self.learn_avx2::<false>(model, target, samples) },
            // SAFETY: as in `learn`.
            #[cfg(target_arch = "x86_64")]
            Registers::Avx512 => unsafe { self.learn_avx512::<false>(model, target, samples) },
        }
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn learn_avx2<'s, const WITH_GRADIENT: bool>(
        &mut self,
        model: &Model,
        target: Target,
        samples: impl Iterator<Item = (&'s Sample, bool)>,
    ) {
        self.learn_plain::<WITH_GRADIENT>(model, target, samples);
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx512f,avx512bw")]
    fn learn_avx512<'s, const WITH_GRADIENT: bool>(
        &mut self,
        model: &Model,
        target: Target,
        samples: impl Iterator<Item = (&'s Sample, bool)>,
    ) {
        self.learn_plain::<WITH_GRADIENT>(model, target, samples);
    }

    #[inline(always)]
    fn learn_plain<'s, const WITH_GRADIENT: bool>(
        &mut self,
        model: &Model,
        target: Target,
        samples: impl Iterator<Item = (&'s Sample, bool)>,
    ) {
        let Shape { hidden, threat_units: connected, .. } = model.shape;
        let (weights, rest) = model.parameters.split_at(model.weights().end);
        let (threat_weights, rest) = rest.split_at(model.threats().len());
        let (bias, rest) = rest.split_at(hidden);
        let (output, output_bias) = rest.split_at(model.output().len());
        let (slopes, rest) = self.slopes.split_at_mut(weights.len());
        let (threat_slopes, rest) = rest.split_at_mut(threat_weights.len());
        let (bias_slopes, rest) = rest.split_at_mut(hidden);
        let (output_slopes, output_bias_slopes) = rest.split_at_mut(output.len());
        for (sample, mirrored) in samples {
            self.inputs.compute(&model.shape, sample, mirrored);
            let bucket = self.inputs.bucket;
            let [mover, other] = self.inputs.inputs();
            let [mover_threats, other_threats] = self.inputs.threats();
            let [mover_units, other_units] = &mut self.units;
            let both = 2 * hidden * bucket..2 * hidden * (bucket + 1);
            let (mover_output, other_output) = output[both.clone()].split_at(hidden);

            mover_units.copy_from_slice(bias);
            other_units.copy_from_slice(bias);
            add_rows(mover_units, weights, mover);
            add_rows(other_units, weights, other);
            add_rows(&mut mover_units[..connected], threat_weights, mover_threats);
            add_rows(&mut other_units[..connected], threat_weights, other_threats);
            let sum = squares_times(mover_units, mover_output) + squares_times(other_units, other_output);
            let forecast = sigmoid(sum + output_bias[bucket]);
            let error = forecast - target.of(sample);
            self.loss += f64::from(error * error);
            if WITH_GRADIENT {
                let slope = 2.0 * error * forecast * (1.0 - forecast);
                output_bias_slopes[bucket] += slope;
                let (mover_slopes, other_slopes) = output_slopes[both].split_at_mut(hidden);
                back_through_units(mover_units, mover_output, slope, mover_slopes, bias_slopes);
                back_through_units(other_units, other_output, slope, other_slopes, bias_slopes);
                add_to_rows(slopes, mover_units, mover);
                add_to_rows(slopes, other_units, other);
                add_to_rows(threat_slopes, &mover_units[..connected], mover_threats);
                add_to_rows(threat_slopes, &other_units[..connected], other_threats);
            }
        }
    }
}

/// Number of values held in registers at a time.
const TILE: usize = 32;

/// Computes `units += active rows`.
#[inline(always)]
fn add_rows(units: &mut [f32], weights: &[f32], on: &[u16]) {
    let hidden = units.len();
    for (tile, units) in units.as_chunks_mut::<TILE>().0.iter_mut().enumerate() {
        let mut sum = *units;
        for &input in on {
            let start = usize::from(input) * hidden + tile * TILE;
            let Some((row, _)) = weights[start..].split_first_chunk::<TILE>() else { continue };
            for lane in 0..TILE {
                sum[lane] += row[lane];
            }
        }
        *units = sum;
    }
}

/// Computes `active rows += slopes`.
#[inline(always)]
fn add_to_rows(rows: &mut [f32], slopes: &[f32], on: &[u16]) {
    let hidden = slopes.len();
    for (tile, slopes) in slopes.as_chunks::<TILE>().0.iter().enumerate() {
        let slopes = *slopes;
        for &input in on {
            let start = usize::from(input) * hidden + tile * TILE;
            let Some((row, _)) = rows[start..].split_first_chunk_mut::<TILE>() else { continue };
            for lane in 0..TILE {
                row[lane] += slopes[lane];
            }
        }
    }
}

/// Returns the sum of `clamp(unit, 0, 1)² · weight`.
#[inline(always)]
fn squares_times(units: &[f32], weights: &[f32]) -> f32 {
    let mut sums = [0.0; TILE];
    for (units, weights) in units.as_chunks::<TILE>().0.iter().zip(weights.as_chunks::<TILE>().0) {
        for lane in 0..TILE {
            let unit = units[lane].clamp(0.0, 1.0);
            sums[lane] += unit * unit * weights[lane];
        }
    }
    sums.iter().sum()
}

/// Replaces units by their derivatives, and adds the derivatives of the output weights and the bias.
#[inline(always)]
fn back_through_units(
    units: &mut [f32],
    weights: &[f32],
    slope: f32,
    weight_slopes: &mut [f32],
    bias_slopes: &mut [f32],
) {
    let units = units.as_chunks_mut::<TILE>().0.iter_mut().zip(weights.as_chunks::<TILE>().0);
    let slopes = weight_slopes.as_chunks_mut::<TILE>().0.iter_mut().zip(bias_slopes.as_chunks_mut::<TILE>().0);
    for ((units, weights), (weight_slopes, bias_slopes)) in units.zip(slopes) {
        for lane in 0..TILE {
            let unit = units[lane].clamp(0.0, 1.0);
            weight_slopes[lane] += slope * unit * unit;
            let derivative = if unit == units[lane] { 2.0 * unit } else { 0.0 };
            units[lane] = slope * weights[lane] * derivative;
            bias_slopes[lane] += units[lane];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chuhe_board::Position;
    use chuhe_board::random::SplitMix64;
    use chuhe_engine::eval::nnue::features::{Mirroring, Outputs, Shape};

    fn samples() -> Vec<Sample> {
        let mut random = SplitMix64::new(3);
        let mut position = Position::start();
        let mut samples = Vec::new();
        for ply in 0..200 {
            let Some(&mv) = random.pick(&position.legal_moves()) else { break };
            position.make(mv);
            if ply % 3 == 0 {
                samples.push(Sample::new(&position, random.below(800) as i32 - 400, random.below(3) as u8));
            }
        }
        samples
    }

    fn loss(level: SimdLevel, model: &Model, target: Target, samples: &[Sample]) -> f64 {
        let mut gradient = Gradient::new(model);
        gradient.add_errors(level, model, target, samples.iter());
        gradient.loss
    }

    #[test]
    fn slopes_are_slopes() {
        let shape = Shape::new(64, Mirroring::Wings, Outputs::Rooks);
        let shape = Shape { king_buckets: [0, 0, 1, 1, 1, 1], threat_units: 32, ..shape };
        let target = Target { result_weight: 0.5, scale: 300.0 };
        let (model, samples) = (Model::new(shape, 300.0, 7), samples());
        for level in SimdLevel::available() {
            let mut gradient = Gradient::new(&model);
            gradient.learn(level, &model, target, samples.iter().map(|sample| (sample, false)));
            assert!((gradient.loss - loss(level, &model, target, &samples)).abs() < 1e-9);
            let mut random = SplitMix64::new(9);
            let ranges = [model.weights(), model.threats(), model.bias(), model.output(), model.output_bias()];
            let mut checked = 0;
            for range in ranges {
                let numbers = range.len() as u64;
                for number in (0..2000).map(|_| range.start + random.below(numbers) as usize) {
                    let slope = f64::from(gradient.slopes[number]);
                    if slope == 0.0 || checked > 400 {
                        continue;
                    }
                    checked += 1;
                    // The difference is inaccurate if a unit crosses the edge of its range within the step,
                    // so smaller steps are tried too.
                    let close = [3e-3, 1e-3, 3e-4].iter().any(|&step| {
                        let (mut more, mut less) = (model.clone(), model.clone());
                        more.parameters[number] += step;
                        less.parameters[number] -= step;
                        let rise = loss(level, &more, target, &samples) - loss(level, &less, target, &samples);
                        let measured = rise / f64::from(2.0 * step);
                        (measured - slope).abs() < 2e-3 + 0.03 * slope.abs()
                    });
                    assert!(close, "{level:?} {number}: {slope}");
                }
                checked = 0;
            }
        }
    }

    #[test]
    fn every_level_learns_the_same() {
        let shape = Shape { threat_units: 32, ..Shape::new(64, Mirroring::King, Outputs::Rooks) };
        let target = Target { result_weight: 0.5, scale: 300.0 };
        let (model, samples) = (Model::new(shape, 300.0, 7), samples());
        let of = |level| {
            let mut gradient = Gradient::new(&model);
            gradient.learn(level, &model, target, samples.iter().map(|sample| (sample, true)));
            gradient.slopes
        };
        let slopes: Vec<_> = SimdLevel::available().into_iter().map(of).collect();
        for other in &slopes[1..] {
            let same = slopes[0].iter().zip(other).all(|(one, other)| (one - other).abs() <= 1e-5 + 1e-4 * one.abs());
            assert!(same);
        }
    }

    #[test]
    fn the_loops_agree_with_the_model() {
        let shape = Shape { threat_units: 32, ..Shape::new(32, Mirroring::Wings, Outputs::Rooks) };
        let (mut model, samples) = (Model::new(shape, 250.0, 1), samples());
        let threats = model.threats();
        model.parameters[threats].iter_mut().zip([0.1, -0.2, 0.15].iter().cycle()).for_each(|(old, new)| *old = *new);
        let target = Target { result_weight: 1.0, scale: 250.0 };
        let slow: f64 = samples
            .iter()
            .map(|sample| f64::from((sigmoid(model.score(sample) / 250.0) - sample.result()).powi(2)))
            .sum();
        assert!((loss(SimdLevel::best(), &model, target, &samples) - slow).abs() < 1e-4);
    }
}
