//! Elo difference of a match score with its confidence interval.
//!
//! The interval is Wilson's score interval (1927), generalised from coin tosses to game results. With `mean`
//! the mean score of `n` samples and `z` = 1.96, it contains every score `s` with `|mean − s| ≤ z · √(r ·
//! s·(1−s) / n)`, where `r` is the ratio of a sample's observed variance to that of a coin with the same
//! mean. For games without draws `r` is 1; for other games and for pairs it is lower. Unlike `mean ± z ·
//! √(variance / n)`, which cutechess, fastchess and fishtest print, it stays within 0 and 1, does not have
//! width 0 if every game was won, and has the stated coverage for few games; for many games the results are
//! the same. To keep `r` above 0 if every game was drawn, it is computed from counts with half a sample added
//! at each end.
//!
//! The likelihood of superiority uses the same variance, so it exceeds 97.5 % if and only if the interval
//! lies above 0.

use std::fmt;

use super::results::{Results, class_score};

/// Maximum absolute Elo difference, which corresponds to a score of 0.999. Beyond it, an estimate reflects
/// the number of games rather than the strength. It is also the estimate for a player that won or lost every
/// game, and the limit of an interval that reaches a score of 0 % or 100 %.
pub const MAX_ELO: f64 = 1200.0;

/// Quantile of the normal distribution with 2.5 % above it.
const Z: f64 = 1.959_963_984_540_054;

/// Estimated Elo difference in the logistic model; positive if the player whose results were counted is
/// stronger.
///
/// `Display` formats the estimate with its interval: `+27.9 [-33.6, +91.5]`. If every game was won or lost,
/// only one end is printed: `above +166.2`. If there are no games, the text is `0.0 [-1200.0, +1200.0]`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Elo {
    /// Most likely difference, −[`MAX_ELO`] to [`MAX_ELO`].
    pub difference: f64,
    /// Lower end of the 95 % interval.
    pub low: f64,
    /// Upper end of the 95 % interval.
    pub high: f64,
    /// Probability that the difference is above 0, from 0 to 1.
    pub superiority: f64,
}

impl Elo {
    /// Computes the estimate from results.
    pub fn of(results: &impl Results) -> Self {
        let counts: Vec<f64> = results.counts().iter().map(|&count| count as f64).collect();
        let samples: f64 = counts.iter().sum();
        let mean = if samples > 0.0 { moments(&counts).0 } else { 0.5 };

        let mut padded = counts;
        padded[0] += 0.5;
        *padded.last_mut().expect("results have at least a loss and a win") += 0.5;
        let (padded_mean, padded_variance) = moments(&padded);
        let ratio = padded_variance / (padded_mean * (1.0 - padded_mean));

        // Number of coin tosses that contain the same information as the samples, for Wilson's interval.
        let coins = samples / ratio;
        let middle = (coins * mean + Z * Z / 2.0) / (coins + Z * Z);
        let reach = Z / (coins + Z * Z) * (coins * mean * (1.0 - mean) + Z * Z / 4.0).sqrt();
        Elo {
            difference: Self::from_score(mean),
            low: Self::from_score(middle - reach),
            high: Self::from_score(middle + reach),
            superiority: normal_below((mean - 0.5) * 2.0 * coins.sqrt()),
        }
    }

    /// Returns half the width of the interval, for a short `difference ± margin`. The interval is slightly
    /// asymmetric; print it in full if there is room.
    pub fn margin(&self) -> f64 {
        (self.high - self.low) / 2.0
    }

    /// Returns the Elo difference at which a player's expected score is `score` (0 to 1), clamped to
    /// ±[`MAX_ELO`].
    ///
    /// ```
    /// # use chuhe_lab::arena::statistics::Elo;
    /// assert_eq!(Elo::from_score(0.64).round(), 100.0);
    /// assert_eq!(Elo::from_score(1.0), 1200.0);
    /// ```
    pub fn from_score(score: f64) -> f64 {
        let score = score.clamp(0.0, 1.0);
        (400.0 * (score / (1.0 - score)).log10()).clamp(-MAX_ELO, MAX_ELO)
    }

    /// Returns the expected score, 0 to 1, of a player stronger by `difference`.
    pub(crate) fn to_score(difference: f64) -> f64 {
        1.0 / (1.0 + 10f64.powf(-difference / 400.0))
    }
}

impl fmt::Display for Elo {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Elo { difference, low, high, .. } = self;
        if *difference >= MAX_ELO {
            return write!(out, "above {}", Signed(*low));
        }
        if *difference <= -MAX_ELO {
            return write!(out, "below {}", Signed(*high));
        }
        write!(out, "{} [{}, {}]", Signed(*difference), Signed(*low), Signed(*high))
    }
}

/// Formats an Elo value with a sign and one decimal; 0 has no sign.
struct Signed(f64);

impl fmt::Display for Signed {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Adding 0 turns −0 into 0.
        let tenths = (self.0 * 10.0).round() + 0.0;
        if tenths == 0.0 { write!(out, "0.0") } else { write!(out, "{:+.1}", tenths / 10.0) }
    }
}

/// Returns the mean and the variance of the score of a sample.
fn moments(counts: &[f64]) -> (f64, f64) {
    let total: f64 = counts.iter().sum();
    let average = |value: &dyn Fn(f64) -> f64| {
        let values = counts.iter().enumerate();
        values.map(|(index, count)| count * value(class_score(index, counts.len()))).sum::<f64>() / total
    };
    let mean = average(&|worth| worth);
    (mean, average(&|worth| (worth - mean).powi(2)))
}

/// Returns the cumulative standard normal distribution at `z`, accurate to 7 decimals.
///
/// Abramowitz and Stegun, Handbook of Mathematical Functions, 26.2.17.
fn normal_below(z: f64) -> f64 {
    let t = 1.0 / (1.0 + 0.231_641_9 * z.abs());
    let polynomial =
        t * (0.319_381_530 + t * (-0.356_563_782 + t * (1.781_477_937 + t * (-1.821_255_978 + t * 1.330_274_429))));
    let tail = (-z * z / 2.0).exp() / std::f64::consts::TAU.sqrt() * polynomial;
    if z < 0.0 { tail } else { 1.0 - tail }
}

#[cfg(test)]
mod tests {
    use super::super::simulation::Truth;
    use super::super::{GameCounts, Pairs};
    use super::*;
    use chuhe_board::random::SplitMix64;

    /// Compares `difference` and `margin` with a tolerance of 1 % (like fastchess's own tests), and
    /// `superiority` with a tolerance of 0.1 %.
    fn assert_agrees(elo: Elo, difference: f64, margin: f64, superiority: f64) {
        assert!((elo.difference - difference).abs() < 0.05, "{elo} is not {difference}");
        assert!((elo.margin() / margin - 1.0).abs() < 0.012, "± {} is not {margin}", elo.margin());
        assert!((elo.superiority - superiority).abs() < 0.001, "{} is not {superiority}", elo.superiority);
    }

    /// Figures from fastchess, `app/tests/elo_test.cpp` ("EloWDL 2", "EloWDL 1").
    #[test]
    fn single_games_agree_with_fastchess() {
        assert_agrees(Elo::of(&GameCounts::new(136, 111, 96)), 40.70, 30.43, 0.9960);
        let weaker = Elo::of(&GameCounts::new(76, 123, 89));
        assert!((weaker.superiority - 0.1553).abs() < 0.001, "{}", weaker.superiority);
    }

    /// Figures from fastchess, `app/tests/elo_test.cpp` ("EloPentanomial 1" to "3").
    #[test]
    fn pairs_agree_with_fastchess() {
        assert_agrees(Elo::of(&Pairs::new([34, 54, 31 + 32, 64, 75])), 55.58, 27.65, 1.0);
        assert_agrees(Elo::of(&Pairs::new([332, 433, 457 + 41, 333, 334])), -8.64, 10.33, 0.0505);
        assert_agrees(Elo::of(&Pairs::new([7895, 8757, 5485 + 200, 568, 9999])), -21.04, 2.95, 0.0);
    }

    /// Lines that cutechess-cli printed for two matches of 300 and 100 games: "Score of OopsMate vs Sayuri:
    /// 99 - 97 - 104 … Elo difference: 2.3 +/- 31.8, LOS: 55.7 %, DrawRatio: 34.7 %" and "45 - 37 - 18 … 27.9
    /// +/- 62.4, LOS: 81.2 %" (github.com/PS-Wizard/OopsMate, archive/data/results/v16_lazysmp.md).
    #[test]
    fn single_games_agree_with_cutechess() {
        let games = GameCounts::new(99, 104, 97);
        assert_agrees(Elo::of(&games), 2.3, 31.8, 0.557);
        assert_eq!(format!("{:.1}", 100.0 * games.draw_rate()), "34.7");
        let few = Elo::of(&GameCounts::new(45, 18, 37));
        assert!((few.difference - 27.9).abs() < 0.05 && (few.superiority - 0.812).abs() < 0.001, "{few:?}");
        assert!((few.margin() / 62.4 - 1.0).abs() < 0.03, "{}", few.margin());
    }

    /// Without draws, the interval is Wilson's; published tables give 0.490 to 0.943 for 8 in 10.
    #[test]
    fn games_without_draws_have_wilsons_interval() {
        let elo = Elo::of(&GameCounts::new(8, 0, 2));
        assert!((Elo::to_score(elo.low) - 0.4902).abs() < 0.0002, "{elo}");
        assert!((Elo::to_score(elo.high) - 0.9433).abs() < 0.0002, "{elo}");
    }

    #[test]
    fn one_sided_results_stay_finite_and_open_ended() {
        assert_eq!(Elo::of(&GameCounts::default()).to_string(), "0.0 [-1200.0, +1200.0]");
        assert_eq!(Elo::of(&GameCounts::new(1, 0, 0)).to_string(), "above -233.8");
        assert_eq!(Elo::of(&GameCounts::new(0, 0, 10)).to_string(), "below -166.2");
        assert_eq!(Elo::of(&Pairs::new([0, 0, 0, 0, 5])).to_string(), "above +45.8");
    }

    #[test]
    fn draws_alone_do_not_prove_equality() {
        let (few, many) = (Elo::of(&GameCounts::new(0, 4, 0)), Elo::of(&GameCounts::new(0, 400, 0)));
        assert_eq!(few.difference, 0.0);
        assert!(few.margin() > 100.0 && many.margin() < 2.0, "{few} {many}");
        assert_eq!(format!("{:.3}", few.superiority), "0.500");
    }

    #[test]
    fn the_opponent_sees_the_mirror_image() {
        let (ours, theirs) = (Elo::of(&GameCounts::new(30, 20, 10)), Elo::of(&GameCounts::new(10, 20, 30)));
        assert!((ours.difference + theirs.difference).abs() < 1e-9);
        assert!((ours.low + theirs.high).abs() < 1e-9);
        assert!((ours.superiority + theirs.superiority - 1.0).abs() < 1e-7);
    }

    #[test]
    fn superiority_passes_97_percent_and_a_half_where_the_interval_passes_zero() {
        for wins in 50..80 {
            let elo = Elo::of(&GameCounts::new(wins, 40, 50));
            assert_eq!(elo.superiority > 0.975, elo.low > 0.0, "{elo:?}");
        }
    }

    #[test]
    fn the_normal_distribution_is_the_tables() {
        for (z, share) in [(0.0, 0.5), (1.0, 0.841_344_7), (-1.959_964, 0.025), (3.0, 0.998_650_1)] {
            assert!((normal_below(z) - share).abs() < 2e-7, "{z}");
        }
    }

    #[test]
    fn zero_has_no_sign() {
        assert_eq!([-0.04, 0.04, -0.0, -0.06].map(|elo| Signed(elo).to_string()), ["0.0", "0.0", "0.0", "-0.1"]);
    }

    /// Returns the share of 4,000 matches in which the interval of `samples` samples contains the true score.
    fn coverage(truth: Truth, samples: u32, in_pairs: bool) -> f64 {
        let mut random = SplitMix64::new(90);
        let elo = Elo::from_score(truth.score);
        let matches = 4_000;
        let held = (0..matches).filter(|_| {
            let (mut games, mut pairs) = (GameCounts::default(), Pairs::default());
            for _ in 0..samples {
                if in_pairs {
                    truth.add_pair(&mut random, &mut pairs);
                } else {
                    truth.add_game(&mut random, &mut games);
                }
            }
            let estimate = if in_pairs { Elo::of(&pairs) } else { Elo::of(&games) };
            (estimate.low..=estimate.high).contains(&elo)
        });
        held.count() as f64 / f64::from(matches)
    }

    /// Results of few games are discrete, so the coverage cannot be exactly 95 %; it must never be much
    /// lower.
    #[test]
    fn intervals_hold_the_truth_as_often_as_they_promise() {
        for in_pairs in [false, true] {
            for samples in [8, 20, 60, 250] {
                for (score, draw_rate, opening_swing) in [
                    (0.5, 0.0, 0.2),
                    (0.5, 0.5, 0.2),
                    (0.5, 0.8, 0.1),
                    (0.6, 0.3, 0.1),
                    (0.8, 0.2, 0.0),
                    (0.9, 0.1, 0.0),
                ] {
                    let truth = Truth { score, draw_rate, opening_swing };
                    let held = coverage(truth, samples, in_pairs);
                    println!("{truth:?}, {samples} samples, pairs {in_pairs}: {held}");
                    assert!(held > 0.925, "{truth:?}, {samples} samples, pairs {in_pairs}: {held}");
                    if samples >= 60 {
                        assert!(held < 0.975, "{truth:?}, {samples} samples, pairs {in_pairs}: {held}");
                    }
                }
            }
        }
    }
}
