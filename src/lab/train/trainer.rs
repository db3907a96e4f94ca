//! A training run: batches, steps, epochs, and the state needed to resume it.

use super::adam::Adam;
use super::crew::Crew;
use super::gradient::{Gradient, Target};
use super::model::{MAX_THREAT_WEIGHT, MAX_WEIGHT, MAX_WEIGHT_WITH_THREATS, Model, uses_mirror_images};
use super::samples::{Sample, Samples};
use chuhe_board::random::{GOLDEN_RATIO, SplitMix64};
use chuhe_engine::eval::nnue::features::SLOTS;
use chuhe_engine::eval::nnue::simd::SimdLevel;

/// Lower bound of Adam's denominator.
const EPSILON: f32 = 1e-8;
/// Learning rate of the differences between buckets, relative to that of the shared weights.
const DIFFERENCE_RATE: f32 = 0.4;
/// Weight decay of the differences per step at a learning rate of 1.
const DIFFERENCE_DECAY: f32 = 2.0;

/// Training schedule.
#[derive(Clone, PartialEq, Debug)]
pub struct Schedule {
    /// Number of epochs.
    pub epochs: usize,
    /// Number of samples per step.
    pub batch: usize,
    /// Maximum learning rate, reached after the warm-up.
    pub rate: f32,
    /// Final learning rate, reached along a cosine.
    pub last_rate: f32,
    /// Length of the warm-up in epochs, during which the rate rises from 0.
    pub warm_up: f32,
    /// Weight decay per step at a learning rate of 1.
    pub decay: f32,
    /// Weight of the game's result relative to the search's score, 0–1: at the start and at the end.
    pub result_weight: [f32; 2],
    /// Seed for the order of the samples and for mirroring.
    pub seed: u64,
}

impl Default for Schedule {
    fn default() -> Schedule {
        Schedule {
            epochs: 12,
            batch: 4_096,
            rate: 1e-3,
            last_rate: 3e-6,
            warm_up: 1.0,
            decay: 0.01,
            result_weight: [0.15, 0.15],
            seed: 1,
        }
    }
}

impl Schedule {
    /// Returns the learning rate at a step.
    fn rate(&self, step: usize, steps_an_epoch: usize) -> f32 {
        let steps = (self.epochs * steps_an_epoch).max(1) as f32;
        let warm_up = (self.warm_up * steps_an_epoch as f32).min(steps / 4.0);
        let step = step as f32;
        if step < warm_up {
            return self.rate * (step + 1.0) / warm_up;
        }
        let progress = (step - warm_up) / (steps - warm_up).max(1.0);
        let cosine = 0.5 + 0.5 * (std::f32::consts::PI * progress.min(1.0)).cos();
        self.last_rate + (self.rate - self.last_rate) * cosine
    }

    fn result_weight(&self, epoch: usize) -> f32 {
        let [first, last] = self.result_weight;
        first + (last - first) * epoch as f32 / (self.epochs.max(2) - 1) as f32
    }
}

/// Statistics of an epoch.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Epoch {
    /// Mean squared error on the training samples during the epoch.
    pub training: f32,
    /// Mean squared error on the held-out samples after the epoch.
    pub held_out: f32,
    /// Result weight used for both errors.
    pub result_weight: f32,
}

/// A network in training with the complete state of the optimizer.
#[derive(Clone, PartialEq, Debug)]
pub struct Trainer {
    /// Network.
    pub model: Model,
    /// Means of the gradients and of their squares, by parameter.
    pub(super) moments: [Vec<f32>; 2],
    /// If there are several buckets, the part of their weights that is common to all, and its moments; empty
    /// otherwise.
    pub(super) shared: [Vec<f32>; 3],
    pub(super) steps: usize,
    /// Completed epochs.
    pub history: Vec<Epoch>,
}

impl Trainer {
    /// Creates the state before the first step.
    pub fn new(model: Model) -> Trainer {
        let zeros = vec![0.0; model.parameters.len()];
        let buckets = model.shape.bucket_count();
        let shared = if buckets > 1 {
            let zeros = vec![0.0; SLOTS * model.shape.hidden];
            let mut mean = zeros.clone();
            for set in model.parameters[model.weights()].chunks(zeros.len()) {
                mean.iter_mut().zip(set).for_each(|(mean, weight)| *mean += weight / buckets as f32);
            }
            [mean, zeros.clone(), zeros]
        } else {
            Default::default()
        };
        Trainer { model, moments: [zeros.clone(), zeros], shared, steps: 0, history: Vec::new() }
    }

    /// Trains on every sample once. `progress` is called after each step with the number of samples used and
    /// their mean squared error. It stops the run by returning `false`; the incomplete epoch is not added to
    /// the history.
    pub fn epoch(
        &mut self,
        samples: &Samples,
        schedule: &Schedule,
        crew: &Crew,
        mut progress: impl FnMut(usize, f32) -> bool,
    ) -> Option<Epoch> {
        let epoch = self.history.len();
        let count = samples.training.len();
        let batch = schedule.batch.clamp(1, count.max(1));
        let steps_an_epoch = count / batch;
        let mut random = SplitMix64::new(schedule.seed ^ (epoch as u64 + 1).wrapping_mul(GOLDEN_RATIO));
        let mut order: Vec<u32> = (0..count as u32).collect();
        random.shuffle(&mut order);
        let mirrors = if uses_mirror_images(&self.model.shape) { random.next() | 1 } else { 0 };
        let target = Target { result_weight: schedule.result_weight(epoch), scale: self.model.scale };

        let mut gradients: Vec<Gradient> = (0..crew.count()).map(|_| Gradient::new(&self.model)).collect();
        let mut sum = 0.0;
        for batch in order.chunks_exact(batch) {
            learn(crew, &mut gradients, &self.model, target, &samples.training, batch, mirrors);
            let loss: f64 = gradients.iter_mut().map(|gradient| std::mem::take(&mut gradient.loss)).sum();
            let rate = schedule.rate(self.steps, steps_an_epoch);
            self.steps += 1;
            self.step(crew, &mut gradients, batch.len(), rate, schedule.decay);
            sum += loss / batch.len() as f64;
            if !progress(batch.len(), (loss / batch.len() as f64) as f32) {
                return None;
            }
        }
        let epoch = Epoch {
            training: (sum / steps_an_epoch.max(1) as f64) as f32,
            held_out: self.loss(samples.test(), target, crew),
            result_weight: target.result_weight,
        };
        self.history.push(epoch);
        Some(epoch)
    }

    /// Returns the mean squared error on samples.
    pub fn loss(&self, samples: &[Sample], target: Target, crew: &Crew) -> f32 {
        let losses = crew.map(samples.chunks(crew.part(samples.len())), |part| {
            let mut gradient = Gradient::new(&self.model);
            gradient.add_errors(SimdLevel::best(), &self.model, target, part.iter());
            gradient.loss
        });
        let sum: f64 = losses.iter().sum();
        (sum / samples.len().max(1) as f64) as f32
    }

    /// Performs one step of AdamW on all threads; each thread updates a part of the parameters. Resets the
    /// gradients to 0.
    fn step(&mut self, crew: &Crew, gradients: &mut [Gradient], samples: usize, rate: f32, decay: f32) {
        let first = if self.model.shape.bucket_count() > 1 {
            self.step_buckets(crew, gradients, samples, rate, decay);
            self.model.weights().end
        } else {
            0
        };
        let free = self.model.output_bias().start - first;
        let part = crew.part(self.model.parameters.len() - first);
        let adam = Adam::new(self.steps, samples, rate, decay, EPSILON);
        let slopes = gradients.iter_mut().map(|gradient| gradient.slopes[first..].chunks_mut(part));
        let mut slopes: Vec<_> = slopes.collect();
        let [means, squares] = self.moments.each_mut().map(|list| list[first..].chunks_mut(part));
        let numbers = self.model.parameters[first..].chunks_mut(part).zip(means).zip(squares);
        let parts = numbers.enumerate().map(|(index, ((numbers, means), squares))| {
            let slopes: Vec<&mut [f32]> = slopes.iter_mut().filter_map(Iterator::next).collect();
            // Output biases are not bounded.
            let bounded = free.saturating_sub(index * part).min(numbers.len());
            (numbers, means, squares, slopes, bounded)
        });
        crew.map(parts, |(numbers, means, squares, mut slopes, bounded)| {
            let (sum, others) = slopes.split_first_mut().expect("at least one thread");
            for other in others {
                for (sum, slope) in sum.iter_mut().zip(other.iter_mut()) {
                    *sum += std::mem::take(slope);
                }
            }
            adam.step(numbers, means, squares, sum);
            numbers[..bounded].iter_mut().for_each(|number| *number = number.clamp(-MAX_WEIGHT, MAX_WEIGHT));
        });
        if self.model.shape.threat_units > 0 {
            let (weights, threats, bias) = (self.model.weights(), self.model.threats(), self.model.bias());
            let bounds =
                [(weights, MAX_WEIGHT_WITH_THREATS), (threats, MAX_THREAT_WEIGHT), (bias, MAX_WEIGHT_WITH_THREATS)];
            for (range, most) in bounds {
                self.model.parameters[range].iter_mut().for_each(|number| *number = number.clamp(-most, most));
            }
        }
    }

    /// Performs a step for the input weights of several buckets. Each weight is the sum of a weight that all
    /// buckets share and a difference; both are parameters, so that a rare bucket also learns from the others.
    /// Each thread updates the same part of all buckets.
    fn step_buckets(&mut self, crew: &Crew, gradients: &mut [Gradient], samples: usize, rate: f32, decay: f32) {
        let weights = self.model.weights();
        let set = self.shared[0].len();
        let part = crew.part(set);
        let shared_adam = Adam::new(self.steps, samples, rate, decay, EPSILON);
        let adam = Adam::new(self.steps, samples, DIFFERENCE_RATE * rate, DIFFERENCE_DECAY, EPSILON);
        let lists = [&mut self.model.parameters].into_iter().chain(&mut self.moments);
        let lists = lists.chain(gradients.iter_mut().map(|gradient| &mut gradient.slopes));
        let mut lists: Vec<_> = lists.map(|list| parts(&mut list[weights.clone()], set, part).into_iter()).collect();
        let [shared, means, squares] = self.shared.each_mut().map(|list| list.chunks_mut(part));
        let jobs = shared.zip(means).zip(squares).map(|shared| {
            let lists: Vec<Vec<&mut [f32]>> = lists.iter_mut().filter_map(Iterator::next).collect();
            (shared, lists)
        });
        crew.map(jobs, |(((shared, mean), square), mut lists)| {
            let [weights, means, squares, slopes @ ..] = &mut lists[..] else { return };
            for index in 0..shared.len() {
                let (before, mut total) = (shared[index], 0.0);
                for bucket in 0..weights.len() {
                    let slope = slopes.iter_mut().map(|slopes| std::mem::take(&mut slopes[bucket][index])).sum();
                    let difference = &mut weights[bucket][index];
                    *difference -= before;
                    adam.step_one(difference, &mut means[bucket][index], &mut squares[bucket][index], slope);
                    total += slope;
                }
                shared_adam.step_one(&mut shared[index], &mut mean[index], &mut square[index], total);
                for weights in weights.iter_mut() {
                    weights[index] = (weights[index] + shared[index]).clamp(-MAX_WEIGHT, MAX_WEIGHT);
                }
            }
        });
    }
}

/// Splits a list of equal sets into parts of all sets: by part, then by set.
fn parts(list: &mut [f32], set: usize, part: usize) -> Vec<Vec<&mut [f32]>> {
    let mut parts: Vec<Vec<&mut [f32]>> = (0..set.div_ceil(part)).map(|_| Vec::new()).collect();
    for numbers in list.chunks_mut(set) {
        for (part, numbers) in parts.iter_mut().zip(numbers.chunks_mut(part)) {
            part.push(numbers);
        }
    }
    parts
}

/// Adds the gradients of a batch, distributed over the threads.
fn learn(
    crew: &Crew,
    gradients: &mut [Gradient],
    model: &Model,
    target: Target,
    all: &[Sample],
    batch: &[u32],
    mirrors: u64,
) {
    let parts = gradients.iter_mut().zip(batch.chunks(crew.part(batch.len())));
    crew.map(parts, |(gradient, part)| {
        let samples = part.iter().map(|&index| {
            let mirrored = mirrors != 0 && SplitMix64::new(mirrors ^ u64::from(index)).next() & 1 == 0;
            (&all[index as usize], mirrored)
        });
        gradient.learn(SimdLevel::best(), model, target, samples);
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use chuhe_board::Position;
    use chuhe_engine::eval::evaluate;
    use chuhe_engine::eval::nnue::features::{Mirroring, Outputs, Shape};

    fn two() -> Crew {
        Crew::new(2).expect("2 threads")
    }

    /// Returns a thousand positions from random games, with scores of the hand-written evaluation.
    fn thousand() -> Samples {
        let mut samples = Samples::default();
        let mut random = SplitMix64::new(17);
        while samples.training.len() < 1000 {
            let mut position = Position::start();
            for ply in 0..120 {
                let Some(&mv) = random.pick(&position.legal_moves()) else { break };
                position.make(mv);
                if ply > 20 && ply % 5 == 0 && samples.training.len() < 1000 {
                    samples.add(0, 0, Sample::new(&position, evaluate(&position), random.below(3) as u8));
                }
            }
        }
        samples
    }

    #[test]
    fn a_bucket_without_samples_learns_from_the_others() {
        let shape = Shape { attack_buckets: true, ..Shape::new(32, Mirroring::Wings, Outputs::One) };
        let mut trainer = Trainer::new(Model::new(shape, 300.0, 1));
        let mut samples = Samples::default();
        samples.add(0, 0, Sample::new(&Position::start(), 600, 2));
        let set = SLOTS * 32;
        let before = trainer.model.parameters[trainer.model.weights()].to_vec();
        let schedule = Schedule { decay: 0.0, ..Schedule::default() };
        trainer.epoch(&samples, &schedule, &two(), |_, _| true).expect("an epoch");
        let after = &trainer.model.parameters[trainer.model.weights()];
        let changes: Vec<f32> = before.iter().zip(after).map(|(before, after)| after - before).collect();
        let [full, others @ ..] = &changes.chunks(set).collect::<Vec<_>>()[..] else { panic!("four buckets") };
        let moves = |changes: &[f32]| changes.iter().map(|change| change.abs()).sum::<f32>();
        for other in others {
            assert!(moves(other) > 0.0 && moves(other) < moves(full), "{} {}", moves(other), moves(full));
        }
    }

    #[test]
    fn a_thousand_positions_are_learnt_by_heart() {
        let samples = thousand();
        let schedule = Schedule {
            epochs: 150,
            batch: 100,
            rate: 5e-3,
            last_rate: 1e-5,
            result_weight: [1.0, 1.0],
            decay: 0.0,
            ..Schedule::default()
        };
        let mut trainer = Trainer::new(Model::new(Shape::new(64, Mirroring::Wings, Outputs::One), 300.0, 1));
        let mut losses = Vec::new();
        for _ in 0..schedule.epochs {
            losses.extend(trainer.epoch(&samples, &schedule, &two(), |_, _| true));
        }
        let (first, last) = (losses[0].held_out, losses[losses.len() - 1].held_out);
        assert!(first > 0.1 && last < 0.001, "{first} {last}");
    }

    #[test]
    fn the_seed_decides_the_numbers() {
        let samples = thousand();
        let schedule = Schedule { epochs: 2, batch: 250, ..Schedule::default() };
        let run = || {
            let mut trainer = Trainer::new(Model::new(Shape::new(32, Mirroring::King, Outputs::Rooks), 300.0, 1));
            while trainer.history.len() < 2 {
                trainer.epoch(&samples, &schedule, &two(), |_, _| true);
            }
            trainer
        };
        assert_eq!(run(), run());
    }

    #[test]
    fn the_rate_rises_and_falls() {
        let schedule = Schedule { epochs: 10, ..Schedule::default() };
        let rates: Vec<f32> = (0..1000).map(|step| schedule.rate(step, 100)).collect();
        assert!(rates[0] < 2e-5 && (rates[99] - 1e-3).abs() < 1e-6 && rates[999] < 4e-6);
        assert!(rates[..100].is_sorted() && rates[100..].is_sorted_by(|one, next| one >= next));
    }

    #[test]
    fn a_network_that_diverges_can_be_quantised() {
        let samples = thousand();
        let schedule = Schedule { epochs: 3, batch: 50, rate: 1.0, warm_up: 0.0, ..Schedule::default() };
        for threat_units in [0, 32] {
            let shape = Shape { threat_units, ..Shape::new(32, Mirroring::Wings, Outputs::One) };
            let mut trainer = Trainer::new(Model::new(shape, 300.0, 1));
            for _ in 0..schedule.epochs {
                trainer.epoch(&samples, &schedule, &two(), |_, _| true);
            }
            assert!(trainer.model.quantised().is_ok());
        }
    }

    #[test]
    fn whole_numbers_are_close_to_floating_point() {
        let samples = thousand();
        let schedule = Schedule { epochs: 10, batch: 100, rate: 5e-3, ..Schedule::default() };
        let shape = Shape { threat_units: 64, ..Shape::new(64, Mirroring::Wings, Outputs::Rooks) };
        let mut trainer = Trainer::new(Model::new(shape, 300.0, 1));
        for _ in 0..schedule.epochs {
            trainer.epoch(&samples, &schedule, &two(), |_, _| true);
        }
        let network = std::sync::Arc::new(trainer.model.quantised().expect("small numbers"));
        let (mean, most) = super::super::model::quantisation_error(&trainer.model, &network, &samples.training);
        assert!(mean < 6.0 && most < 40.0, "{mean} {most}");
    }
}
