//! Simultaneous perturbation stochastic approximation: perturbs all parameters at once, up or down at random,
//! and moves them towards the setting that wins.
//!
//! The method is Spall's ("Implementation of the simultaneous perturbation algorithm for stochastic
//! optimization", IEEE Transactions on Aerospace and Electronic Systems 34, 1998). Its gains are given by
//! their values at the end of a run, as in fishtest and OpenBench. As in OpenBench, an iteration may have
//! several pairs of games, and parameters are rounded to integers at random. With `N` iterations, `A = N /
//! 10`, `α = 0.602` and `γ = 0.101`, iteration `k` plays `θ + c·Δ` against `θ − c·Δ`, each `Δ` +1 or −1:
//!
//! ```text
//! c(k) = c_end · (N / k)^γ              c_end: the parameter's step
//! a(k) = r_end · c_end² · ((A + N) / (A + k))^α
//! θ   += a(k) / c(k) · (wins − losses) · Δ
//! ```
//!
//! Parameters must be integers during play. Both settings are rounded with the same random number: the
//! rounding is exact on average, and the two settings of a parameter whose step is 1 always differ.

use chuhe_board::random::SplitMix64;
use serde::{Deserialize, Serialize};
use std::ops::AddAssign;

const ALPHA: f64 = 0.602;
const GAMMA: f64 = 0.101;
/// `A` as a share of all iterations; it keeps the first updates small.
const STABILITY: f64 = 0.1;

/// Gains of a run, in steps.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Gains {
    /// Iterations of the whole run.
    pub iterations: u32,
    /// Learning rate at the end of the run: parameter update per game won, in steps.
    pub r_end: f64,
}

impl Gains {
    /// Returns the perturbation `c` of an iteration, counted from 1.
    pub(crate) fn perturbation(self, iteration: u32) -> f64 {
        (f64::from(self.iterations) / f64::from(iteration)).powf(GAMMA)
    }

    /// Returns the update per game won: `a / c`.
    pub(crate) fn learning(self, iteration: u32) -> f64 {
        let all = f64::from(self.iterations);
        let stability = STABILITY * all;
        let decay = ((stability + all) / (stability + f64::from(iteration))).powf(ALPHA);
        self.r_end * decay / self.perturbation(iteration)
    }
}

/// A parameter being tuned.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TunedParameter {
    /// Name of the search parameter.
    pub name: String,
    /// Initial value.
    pub start: i32,
    /// Minimum value.
    pub least: i32,
    /// Maximum value.
    pub most: i32,
    /// Smallest change with a measurable effect, which is the perturbation at the end of a run.
    pub step: i32,
    /// Current value.
    pub now: f64,
    /// Values at [`super::state::State::marks`], in steps from the initial value.
    pub path: Vec<f64>,
}

impl TunedParameter {
    /// Returns the change so far, in steps.
    pub fn change(&self) -> f64 {
        (self.now - f64::from(self.start)) / f64::from(self.step)
    }

    /// Returns the value rounded to the nearest integer.
    pub fn rounded(&self) -> i32 {
        self.now.round() as i32
    }

    /// Rounds `real` up or down within the bounds, depending on `lot`, a number from 0 to 1.
    fn whole(&self, real: f64, lot: f64) -> i32 {
        // The bounds are integers, so a value within them remains within them after rounding.
        (real.clamp(self.least.into(), self.most.into()) + lot).floor() as i32
    }
}

/// Results of games from the point of view of [`Trial::plus`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct BoutResult {
    pub won: u64,
    pub drawn: u64,
    pub lost: u64,
}

impl BoutResult {
    /// Returns wins minus losses.
    pub(crate) fn margin(self) -> i64 {
        self.won as i64 - self.lost as i64
    }

    /// Returns the number of games.
    pub fn games(self) -> u64 {
        self.won + self.drawn + self.lost
    }
}

impl AddAssign for BoutResult {
    fn add_assign(&mut self, more: BoutResult) {
        self.won += more.won;
        self.drawn += more.drawn;
        self.lost += more.lost;
    }
}

/// Two settings that play each other.
#[derive(Clone, PartialEq, Debug)]
pub struct Trial {
    /// Iteration, from 1.
    pub iteration: u32,
    /// Direction in which each parameter is changed: +1 or −1.
    directions: Vec<f64>,
    /// Values after a change in those directions.
    pub plus: Vec<i32>,
    /// Values after a change in the opposite directions.
    pub minus: Vec<i32>,
}

impl Trial {
    /// Creates the trial of an iteration, which is determined by the seed, the iteration and the parameters.
    pub fn new(parameters: &[TunedParameter], gains: Gains, seed: u32, iteration: u32) -> Trial {
        let mut random = SplitMix64::new(u64::from(seed) << 32 | u64::from(iteration));
        let mut random = SplitMix64::new(random.next());
        let size = gains.perturbation(iteration);
        let mut trial = Trial { iteration, directions: Vec::new(), plus: Vec::new(), minus: Vec::new() };
        for number in parameters {
            let direction = if random.below(2) == 1 { 1.0 } else { -1.0 };
            let change = direction * size * f64::from(number.step);
            let lot = random.unit_f64();
            trial.directions.push(direction);
            trial.plus.push(number.whole(number.now + change, lot));
            trial.minus.push(number.whole(number.now - change, lot));
        }
        trial
    }

    /// Moves the parameters according to the results of the trial, within their bounds. Returns the distance
    /// in steps, which is the same for all parameters.
    pub fn update(&self, parameters: &mut [TunedParameter], gains: Gains, result: BoutResult) -> f64 {
        let steps = gains.learning(self.iteration) * result.margin() as f64;
        for (number, direction) in parameters.iter_mut().zip(&self.directions) {
            let moved = number.now + direction * steps * f64::from(number.step);
            number.now = moved.clamp(number.least.into(), number.most.into());
        }
        steps.abs()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(start: i32, least: i32, most: i32, step: i32) -> TunedParameter {
        TunedParameter { name: format!("from {start}"), start, least, most, step, now: start.into(), path: Vec::new() }
    }

    /// Simulates a game between two settings. The strength of a setting decreases by half its squared
    /// distance from `best`, in steps. Between equal settings, three games in ten are drawn.
    fn game(trial: &Trial, parameters: &[TunedParameter], best: &[f64], random: &mut SplitMix64) -> BoutResult {
        let worth = |values: &[i32]| -> f64 {
            let off = |((value, number), best): ((&i32, &TunedParameter), &f64)| {
                ((f64::from(*value) - best) / f64::from(number.step)).powi(2)
            };
            values.iter().zip(parameters).zip(best).map(off).sum::<f64>() * -0.5
        };
        // A difference of 1 is 35 Elo.
        let expected = 1.0 / (1.0 + (-0.2 * (worth(&trial.plus) - worth(&trial.minus))).exp());
        let drawn = 0.6 * expected.min(1.0 - expected);
        let (won, draw) = (expected - drawn / 2.0, random.unit_f64());
        BoutResult {
            won: u64::from(draw < won),
            drawn: u64::from((won..won + drawn).contains(&draw)),
            lost: u64::from(draw >= won + drawn),
        }
    }

    #[test]
    fn numbers_find_the_best_setting_through_the_noise_of_games() {
        let start =
            vec![number(40, 0, 200, 8), number(2000, 500, 8000, 250), number(5, 2, 6, 1), number(100, 10, 150, 10)];
        // The last optimum lies beyond its bound, so the bound is the best reachable value.
        let best = [80.0, 3000.0, 3.0, 190.0];
        for seed in 1..=3 {
            let mut parameters = start.clone();
            let gains = Gains { iterations: 4_000, r_end: 0.02 };
            let mut random = SplitMix64::new(seed.into());
            for iteration in 1..=gains.iterations {
                let trial = Trial::new(&parameters, gains, seed, iteration);
                let mut result = BoutResult::default();
                (0..4).for_each(|_| result += game(&trial, &parameters, &best, &mut random));
                assert_eq!(result.games(), 4);
                trial.update(&mut parameters, gains, result);
            }
            for (number, best) in parameters.iter().zip(best) {
                let best = best.min(number.most.into());
                let off = (number.now - best) / f64::from(number.step);
                assert!(off.abs() < 1.0, "seed {seed}: {number:?} is {off:.2} steps from {best}");
            }
        }
    }

    #[test]
    fn at_the_end_numbers_are_changed_by_a_step_and_moved_by_a_share_of_it() {
        let gains = Gains { iterations: 500, r_end: 0.002 };
        assert_eq!((gains.perturbation(500), gains.learning(500)), (1.0, 0.002));
        // (N / 1)^0.101, and (1.1 N / (0.1 N + 1))^0.602 times the update per game.
        assert!((gains.perturbation(1) - 1.8733).abs() < 1e-4, "{}", gains.perturbation(1));
        assert!((gains.learning(1) - 0.002 * 4.1857 / 1.8733).abs() < 1e-6, "{}", gains.learning(1));
    }

    #[test]
    fn both_settings_of_small_whole_numbers_lie_a_step_away_on_average() {
        let parameters = [TunedParameter { now: 3.3, ..number(3, 2, 6, 1) }];
        let gains = Gains { iterations: 1, r_end: 0.002 };
        let trials: Vec<Trial> = (1..=4000).map(|seed| Trial::new(&parameters, gains, seed, 1)).collect();
        for trial in &trials {
            assert_eq!((trial.plus[0] - trial.minus[0]).abs(), 2);
            assert!(matches!(trial.plus[0].min(trial.minus[0]), 2 | 3));
        }
        let mean = |value: fn(&Trial) -> i32| trials.iter().map(|trial| f64::from(value(trial))).sum::<f64>() / 4000.0;
        assert!((mean(|trial| trial.plus[0].max(trial.minus[0])) - 4.3).abs() < 0.03);
        assert!((mean(|trial| trial.plus[0]) - 3.3).abs() < 0.06);
    }

    #[test]
    fn settings_stay_within_their_bounds() {
        let parameters = [TunedParameter { now: 5.7, ..number(3, 2, 6, 1) }, number(10, 10, 20, 40)];
        let gains = Gains { iterations: 1000, r_end: 0.002 };
        for seed in 1..200 {
            let trial = Trial::new(&parameters, gains, seed, 1);
            for values in [&trial.plus, &trial.minus] {
                assert!(
                    values.iter().zip(&parameters).all(|(value, number)| (number.least..=number.most).contains(value))
                );
            }
        }
    }
}
