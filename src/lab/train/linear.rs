//! Fitting the weights of the hand-written evaluation by logistic regression.
//!
//! The evaluation is linear in its weights, and a position is represented by a list of term counts and its
//! game phase. The fit adjusts the weights so that `1 / (1 + exp(−evaluation / scale))` predicts the results
//! of games as well as possible, with a penalty for deviations from the initial weights. Finally all weights
//! are scaled so that a rook on a full board is worth 1000 again.

use super::adam::Adam;
use super::crew::Crew;
use super::samples::{Sample, best_scale, cross_entropy, scale_of_scores, sigmoid};
use chuhe_board::random::SplitMix64;
use chuhe_board::{Kind, Side};
use chuhe_engine::eval::endings::{IN_FULL, winnable_share};
use chuhe_engine::eval::handcrafted::features;
use chuhe_engine::eval::handcrafted::weights::*;
use chuhe_engine::eval::handcrafted::{FULL_BOARD, Tapered, material};
use std::fmt::Write;

/// Options of a fit.
#[derive(Clone, Debug)]
pub struct Options {
    /// Number of passes over the samples.
    pub epochs: usize,
    /// Number of samples per step.
    pub batch: usize,
    /// Initial step size of a weight in centipawns; it decreases to a hundredth along a cosine.
    pub rate: f32,
    /// Weight of the game's result relative to the search's score, 0–1.
    pub result_weight: f32,
    /// Standard deviation of the prior in centipawns: weights with little evidence stay near their initial
    /// values.
    pub prior: f32,
    /// Seed for the order of the samples.
    pub seed: u64,
}

impl Default for Options {
    fn default() -> Options {
        Options { epochs: 30, batch: 16_384, rate: 1.0, result_weight: 0.5, prior: 400.0, seed: 1 }
    }
}

/// A set of weights and its predictive quality.
#[derive(Clone, Debug)]
pub struct WeightSet {
    /// Weights by term.
    pub weights: Vec<Tapered>,
    /// Tempo: value of the right to move.
    pub tempo: i32,
    /// Scale at which this set predicts results best, in centipawns.
    pub scale: f64,
    /// Cross entropy on the results of held-out games, in nats.
    pub loss: f64,
}

/// Result of a fit.
#[derive(Clone, Debug)]
pub struct Fit {
    /// Current weights.
    pub before: WeightSet,
    /// Fitted weights.
    pub after: WeightSet,
    /// Loss of a prediction by the search scores, a reference that no static evaluation can reach.
    pub loss_of_scores: f64,
    /// Number of terms that occur in no sample; they are unchanged.
    pub unseen: usize,
}

/// Number of parameters: two per term, plus the tempo.
const PARAMETER_COUNT: usize = 2 * TERMS + 1;
/// Number of positions per independent sample, since the positions in a game share its result.
const POSITIONS_PER_SAMPLE: f32 = 30.0;
/// Learning rate of the last step, relative to the first, so that the weights settle.
const END_RATE: f32 = 0.01;

/// Samples as lists of terms.
struct Rows {
    /// End of each sample's terms.
    ends: Vec<usize>,
    /// Terms, each with its count for the mover minus its count for the other side.
    terms: Vec<(u16, i16)>,
    /// Game phase of each sample, 0–1; 1 is a full board.
    fullness: Vec<f32>,
    /// Scaling factors for an advantage, 0–1, of the mover and of the other side.
    winnable: Vec<[f32; 2]>,
    targets: Vec<f32>,
    results: Vec<f32>,
}

impl Rows {
    fn new() -> Rows {
        Rows {
            ends: vec![0],
            terms: Vec::new(),
            fullness: Vec::new(),
            winnable: Vec::new(),
            targets: Vec::new(),
            results: Vec::new(),
        }
    }

    /// Converts samples; skips samples with an impossible position.
    fn of(samples: &[Sample], crew: &Crew, target: impl Fn(&Sample) -> f32 + Sync) -> Rows {
        let parts = crew.map(samples.chunks(crew.part(samples.len())), |samples| {
            let mut rows = Rows::new();
            samples.iter().for_each(|sample| rows.add(sample, target(sample)));
            rows
        });
        let mut all = Rows::new();
        for part in parts {
            let base = all.terms.len();
            all.ends.extend(part.ends[1..].iter().map(|end| base + end));
            all.terms.extend(part.terms);
            all.fullness.extend(part.fullness);
            all.winnable.extend(part.winnable);
            all.targets.extend(part.targets);
            all.results.extend(part.results);
        }
        all
    }

    fn add(&mut self, sample: &Sample, target: f32) {
        let Some(position) = sample.position() else { return };
        let mut counts = [0i16; TERMS];
        features::count(&position, |term, side, count| {
            counts[term] += if side == Side::Red { count as i16 } else { -count as i16 };
        });
        let seen = counts.iter().enumerate().filter(|(_, count)| **count != 0);
        self.terms.extend(seen.map(|(term, &count)| (term as u16, count)));
        self.ends.push(self.terms.len());
        self.fullness.push(material(&position) as f32 / FULL_BOARD as f32);
        self.winnable.push(Side::ALL.map(|side| winnable_share(&position, side) as f32 / IN_FULL as f32));
        self.targets.push(target);
        self.results.push(sample.result());
    }

    fn len(&self) -> usize {
        self.targets.len()
    }

    fn terms(&self, row: usize) -> &[(u16, i16)] {
        &self.terms[self.ends[row]..self.ends[row + 1]]
    }

    /// Returns the evaluation in centipawns.
    fn score(&self, row: usize, parameters: &[f32]) -> f32 {
        let advantage = self.advantage(row, parameters);
        advantage * self.scaling_factor(row, advantage) + parameters[2 * TERMS]
    }

    /// Returns the sum of the terms.
    fn advantage(&self, row: usize, parameters: &[f32]) -> f32 {
        let (mut full, mut empty) = (0.0, 0.0);
        for &(term, count) in self.terms(row) {
            full += parameters[2 * usize::from(term)] * f32::from(count);
            empty += parameters[2 * usize::from(term) + 1] * f32::from(count);
        }
        empty + (full - empty) * self.fullness[row]
    }

    /// Returns the scaling factor of the advantage.
    fn scaling_factor(&self, row: usize, advantage: f32) -> f32 {
        self.winnable[row][usize::from(advantage <= 0.0)]
    }

    /// Adds the gradient of one sample's cross entropy with respect to the weights.
    fn add_gradient(&self, row: usize, parameters: &[f32], scale: f32, gradient: &mut [f32]) {
        let error = (sigmoid(self.score(row, parameters) / scale) - self.targets[row]) / scale;
        let slope = error * self.scaling_factor(row, self.advantage(row, parameters));
        let full = self.fullness[row];
        for &(term, count) in self.terms(row) {
            gradient[2 * usize::from(term)] += slope * f32::from(count) * full;
            gradient[2 * usize::from(term) + 1] += slope * f32::from(count) * (1.0 - full);
        }
        gradient[2 * TERMS] += error;
    }

    fn table(&self, parameters: &[f32]) -> WeightSet {
        let pairs: Vec<(f32, f32)> =
            (0..self.len()).map(|row| (self.score(row, parameters), self.results[row])).collect();
        let scale = best_scale(&pairs);
        let loss = mean_cross_entropy(&pairs, scale);
        let weights = parameters[..2 * TERMS].chunks(2);
        let weights = weights.map(|pair| Tapered::new(pair[0].round() as i32, pair[1].round() as i32)).collect();
        WeightSet { weights, tempo: parameters[2 * TERMS].round() as i32, scale, loss }
    }
}

fn mean_cross_entropy(pairs: &[(f32, f32)], scale: f64) -> f64 {
    let sum: f64 =
        pairs.iter().map(|&(score, result)| cross_entropy(f64::from(score) / scale, f64::from(result))).sum();
    sum / pairs.len().max(1) as f64
}

/// Returns the current weights.
fn current_parameters() -> Vec<f32> {
    let pairs = WEIGHTS.iter().flat_map(|weight| [weight.full as f32, weight.empty as f32]);
    pairs.chain([TEMPO as f32]).collect()
}

/// Returns `true` if a weight is fixed, such as the value of the king.
fn is_fixed(parameter: usize) -> bool {
    parameter / 2 == MATERIAL + Kind::King.index()
}

/// Fits the weights to `training` and evaluates old and new weights on `test`. `progress` is called after
/// each epoch with the mean loss of the first positions of its steps, at most 256 of each.
pub fn fit(
    training: &[Sample],
    test: &[Sample],
    options: &Options,
    crew: &Crew,
    mut progress: impl FnMut(usize, f64),
) -> Fit {
    let scale = scale_of_scores(training) as f32;
    let weight = options.result_weight.clamp(0.0, 1.0);
    let target = |sample: &Sample| weight * sample.result() + (1.0 - weight) * sigmoid(sample.score() as f32 / scale);
    let test_rows = Rows::of(test, crew, target);
    let rows = Rows::of(training, crew, target);
    let start = current_parameters();
    let mut parameters = start.clone();
    let mut seen = [false; TERMS];
    rows.terms.iter().for_each(|&(term, _)| seen[usize::from(term)] = true);

    let mut order: Vec<u32> = (0..rows.len() as u32).collect();
    let mut random = SplitMix64::new(options.seed);
    let (mut means, mut squares, mut step) = (vec![0.0; PARAMETER_COUNT], vec![0.0; PARAMETER_COUNT], 0);
    let batch_size = options.batch.clamp(1, rows.len().max(1));
    let steps = options.epochs * (rows.len() / batch_size);
    let prior_strength = POSITIONS_PER_SAMPLE / (options.prior * options.prior) / rows.len().max(1) as f32;
    for epoch in 1..=options.epochs {
        random.shuffle(&mut order);
        let mut loss = 0.0;
        for batch in order.chunks_exact(batch_size) {
            let mut gradient = gradient_of(&rows, batch, &parameters, scale, crew);
            loss += mean_loss(&rows, &batch[..batch.len().min(256)], &parameters, scale);
            for parameter in 0..PARAMETER_COUNT {
                gradient[parameter] += prior_strength * (parameters[parameter] - start[parameter]);
                if is_fixed(parameter) || (parameter < 2 * TERMS && !seen[parameter / 2]) {
                    gradient[parameter] = 0.0;
                }
            }
            let rate = options.rate * relative_rate(step, steps);
            step += 1;
            Adam::new(step, 1, rate, 0.0, 1e-12).step(&mut parameters, &mut means, &mut squares, &mut gradient);
        }
        progress(epoch, loss / (rows.len() / batch_size).max(1) as f64);
    }

    // The search's margins assume that a rook is worth 1000.
    let rescaling = 1000.0 / parameters[2 * (MATERIAL + Kind::Rook.index())];
    let rounded: Vec<f32> = parameters.iter().map(|parameter| (parameter * rescaling).round()).collect();
    let scores: Vec<(f32, f32)> = test.iter().map(|sample| (sample.score() as f32, sample.result())).collect();
    Fit {
        before: test_rows.table(&start),
        after: test_rows.table(&rounded),
        loss_of_scores: mean_cross_entropy(&scores, best_scale(&scores)),
        unseen: seen.iter().filter(|seen| !**seen).count(),
    }
}

/// Returns the learning rate of a step, relative to the first.
fn relative_rate(step: usize, steps: usize) -> f32 {
    let done = step as f32 / steps.max(1) as f32;
    let cosine = 0.5 + 0.5 * (std::f32::consts::PI * done).cos();
    END_RATE + (1.0 - END_RATE) * cosine
}

fn mean_loss(rows: &Rows, batch: &[u32], parameters: &[f32], scale: f32) -> f64 {
    let losses = batch.iter().map(|&row| {
        let row = row as usize;
        cross_entropy(f64::from(rows.score(row, parameters) / scale), f64::from(rows.targets[row]))
    });
    losses.sum::<f64>() / batch.len().max(1) as f64
}

/// Returns the mean gradient of a batch.
fn gradient_of(rows: &Rows, batch: &[u32], parameters: &[f32], scale: f32, crew: &Crew) -> Vec<f32> {
    let parts = crew.map(batch.chunks(crew.part(batch.len())), |part| {
        let mut gradient = vec![0.0; PARAMETER_COUNT];
        part.iter().for_each(|&row| rows.add_gradient(row as usize, parameters, scale, &mut gradient));
        gradient
    });
    let mut sum = vec![0.0; PARAMETER_COUNT];
    for part in parts {
        sum.iter_mut().zip(part).for_each(|(sum, part)| *sum += part / batch.len() as f32);
    }
    sum
}

/// Returns the tempo and the weights as Rust source for `src/engine/eval/handcrafted/weights.rs`.
pub fn source(weights: &[Tapered], tempo: i32) -> String {
    let mut text = format!(
        "/// Tempo: value of the right to move.\npub const TEMPO: i32 = {tempo};\n\n\
         const fn w(full: i32, empty: i32) -> Tapered {{\n    Tapered::new(full, empty)\n}}\n\n\
         /// Weights by term.\n#[rustfmt::skip]\npub static WEIGHTS: [Tapered; TERMS] = [\n"
    );
    for group in GROUPS {
        let _ = writeln!(text, "    // {}", group.name);
        let weights = &weights[group.terms.clone()];
        if group.terms.start == PLACEMENT {
            for (kind, places) in Kind::ALL.into_iter().zip(weights.chunks(50)) {
                let _ = writeln!(text, "    // {}, rank 0 first", kind.name());
                lines(&mut text, places, 5);
            }
        } else {
            let a_line = match group.terms.start {
                PLACEMENT_WITHOUT_ADVISORS | PLACEMENT_WITHOUT_ELEPHANTS => 5,
                ATTACKS => 14,
                CHECKS => 4,
                _ => 9,
            };
            lines(&mut text, weights, a_line);
        }
    }
    text + "];\n"
}

fn lines(text: &mut String, weights: &[Tapered], a_line: usize) {
    for line in weights.chunks(a_line) {
        let words: Vec<String> = line.iter().map(|weight| format!("w({}, {}),", weight.full, weight.empty)).collect();
        let _ = writeln!(text, "    {}", words.join(" "));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chuhe_board::Position;
    use chuhe_engine::eval::evaluate;

    fn two() -> Crew {
        Crew::new(2).expect("2 threads")
    }

    fn random_positions(games: u64) -> Vec<Position> {
        let mut positions = Vec::new();
        for seed in 0..games {
            let mut random = SplitMix64::new(seed);
            let mut position = Position::start();
            for ply in 0..150 {
                let Some(&mv) = random.pick(&position.legal_moves()) else { break };
                position.make(mv);
                if ply > 10 && ply % 4 == 0 {
                    positions.push(position.clone());
                }
            }
        }
        positions
    }

    #[test]
    fn rows_add_up_to_the_evaluation() {
        let mut positions = random_positions(20);
        let endings =
            ["3ak1b2/4a4/4b4/9/9/9/9/9/9/R3K4 w", "4k4/9/9/9/9/n8/9/9/4A4/3AK4 b", "3k5/9/9/9/9/9/9/9/9/R3K4 w"];
        positions.extend(endings.map(|fen| fen.parse::<Position>().expect("a legal FEN")));
        let samples: Vec<Sample> = positions.iter().map(|position| Sample::new(position, 0, 1)).collect();
        let rows = Rows::of(&samples, &two(), |_| 0.5);
        assert_eq!(rows.len(), positions.len());
        for (row, position) in positions.iter().enumerate() {
            let (summed, evaluated) = (rows.score(row, &current_parameters()), evaluate(position) as f32);
            assert!((summed - evaluated).abs() <= 1.0, "{summed} {evaluated} {position}");
        }
    }

    #[test]
    fn gradients_are_slopes() {
        let positions = random_positions(3);
        let samples: Vec<Sample> = positions.iter().map(|position| Sample::new(position, 0, 2)).collect();
        let rows = Rows::of(&samples, &two(), |_| 0.8);
        let all: Vec<u32> = (0..rows.len() as u32).collect();
        let parameters = current_parameters();
        let gradient = gradient_of(&rows, &all, &parameters, 300.0, &two());
        let loss = |parameters: &[f32]| -> f64 {
            let losses = (0..rows.len())
                .map(|row| cross_entropy(f64::from(rows.score(row, parameters)) / 300.0, f64::from(rows.targets[row])));
            losses.sum::<f64>() / rows.len() as f64
        };
        let rook = 2 * (MATERIAL + Kind::Rook.index());
        for parameter in [rook, rook + 1, 2 * TERMS, 2 * PLACEMENT + 2 * 200, PARAMETER_COUNT - 3] {
            let (mut more, mut less) = (parameters.clone(), parameters.clone());
            more[parameter] += 1.0;
            less[parameter] -= 1.0;
            let slope = (loss(&more) - loss(&less)) / 2.0;
            assert!(
                (slope - f64::from(gradient[parameter])).abs() < 1e-6,
                "{parameter}: {slope} {}",
                gradient[parameter]
            );
        }
    }

    #[test]
    fn the_source_of_the_table_in_force_is_the_table_in_force() {
        let file = include_str!("../../engine/eval/handcrafted/weights.rs");
        let source = source(&WEIGHTS, TEMPO);
        assert!(file.contains(&source), "{source}");
    }

    /// Results are sampled from an evaluation in which horses are worth 200 more; the fit must find this
    /// difference.
    #[test]
    fn a_wrong_number_is_corrected() {
        let mut random = SplitMix64::new(5);
        let horses = |position: &Position, side| position.pieces(side, Kind::Horse).count() as i32;
        let samples: Vec<Sample> = random_positions(700)
            .iter()
            .map(|position| {
                let more = horses(position, position.side()) - horses(position, !position.side());
                let truth = f64::from(evaluate(position) + 200 * more);
                let won = random.unit_f64() < 1.0 / (1.0 + (-truth / 300.0).exp());
                Sample::new(position, truth as i32, 2 * u8::from(won))
            })
            .collect();
        let options = Options { batch: 512, rate: 4.0, epochs: 20, prior: 100.0, ..Options::default() };
        let (test, training) = samples.split_at(samples.len() / 5);
        let fitted = fit(training, test, &options, &two(), |_, _| {});
        let horse = fitted.after.weights[MATERIAL + Kind::Horse.index()];
        assert!(horse.full > WEIGHTS[MATERIAL + Kind::Horse.index()].full + 60, "{horse:?}");
        assert_eq!(fitted.after.weights[MATERIAL + Kind::Rook.index()].full, 1000);
        assert_eq!(fitted.after.weights[MATERIAL], Tapered::default());
        assert!(fitted.after.loss < fitted.before.loss - 0.002, "{fitted:?}");
    }
}
