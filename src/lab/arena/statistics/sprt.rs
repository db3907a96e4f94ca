//! Sequential probability ratio test between two Elo differences.
//!
//! It is the generalised test used by fishtest and fastchess (`model=logistic`). Each of the two hypotheses,
//! a difference of `elo0` and one of `elo1`, determines the expected score; all other parameters (draw rate,
//! correlation within pairs) have their maximum-likelihood values. The log-likelihood ratio (LLR) measures
//! how much better the second hypothesis explains the results. It is exact for the counts, not a normal
//! approximation: Michel Van den Bergh, "Comments on normalized Elo" and "MLE for the multinomial
//! distribution" (Proposition 1.1), cantate.be/Fishtest. The stopping bounds are Wald's (1945).
//!
//! Elo is logistic: a difference corresponds to a score of `1 / (1 + 10^(−Elo/400))`, independent of the draw
//! rate. BayesElo, used by older match runners, and fishtest's normalized Elo are different scales, on which
//! the same bounds define a different test.

use std::fmt;
use thiserror::Error;

use super::elo::{Elo, MAX_ELO};
use super::results::{Results, class_score};

/// A test of `elo0` against `elo1`. It determines whether a change is an improvement, with as few games as
/// the error rates allow.
///
/// ```
/// use chuhe_lab::arena::statistics::{GameCounts, Sprt, Verdict};
///
/// let test = Sprt::new(0.0, 5.0, 0.05, 0.05).expect("the bounds are in order");
/// assert_eq!(test.to_string(), "SPRT [0.0, 5.0], alpha 0.05, beta 0.05");
/// assert_eq!(test.verdict(&GameCounts::new(3_000, 4_000, 2_700)), Verdict::AcceptH1);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
}

/// State of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// `elo0` is accepted: the change is not an improvement.
    AcceptH0,
    /// `elo1` is accepted: the change is an improvement.
    AcceptH1,
    /// Undecided; more games are required.
    GoOn,
}

/// Reason why a test is invalid.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
pub enum SprtError {
    /// `elo0` is not below `elo1`, or one of them is not within ±[`MAX_ELO`].
    #[error("elo0 {elo0} must be below elo1 {elo1}, both within ±{MAX_ELO}")]
    Hypotheses {
        /// Lower hypothesis.
        elo0: f64,
        /// Upper hypothesis.
        elo1: f64,
    },
    /// `alpha` or `beta` is not between 0 and 1, or their sum is at least 1.
    #[error("alpha {alpha} and beta {beta} must be above 0 and add up to less than 1")]
    ErrorRates {
        /// Rate of wrong acceptance.
        alpha: f64,
        /// Rate of wrong rejection.
        beta: f64,
    },
}

impl Sprt {
    /// Creates a test. For a player of strength `elo0`, it accepts `elo1` with probability `alpha`; for a
    /// player of strength `elo1`, it accepts `elo0` with probability `beta`. Check the verdict after every
    /// game or pair until there is a decision.
    ///
    /// # Errors
    /// Returns an error if the hypotheses or the error rates are invalid.
    pub fn new(elo0: f64, elo1: f64, alpha: f64, beta: f64) -> Result<Self, SprtError> {
        // This form of the condition also rejects NaN.
        if !(-MAX_ELO <= elo0 && elo0 < elo1 && elo1 <= MAX_ELO) {
            return Err(SprtError::Hypotheses { elo0, elo1 });
        }
        if !(alpha > 0.0 && beta > 0.0 && alpha + beta < 1.0) {
            return Err(SprtError::ErrorRates { alpha, beta });
        }
        Ok(Sprt { elo0, elo1, alpha, beta })
    }

    /// Returns `elo0` and `elo1`.
    pub(crate) fn hypotheses(&self) -> (f64, f64) {
        (self.elo0, self.elo1)
    }

    /// Returns the LLR at or below which H0 is accepted, and the LLR at or above which H1 is accepted:
    /// (−2.94, 2.94) for 5 % and 5 %.
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// Returns the log-likelihood ratio of the results; 0 if there are none.
    pub(crate) fn llr(&self, results: &impl Results) -> f64 {
        let counts = results.counts();
        if counts.iter().all(|&count| count == 0) {
            return 0.0;
        }
        // Classes without samples may still be possible. As in fishtest, each counts as a thousandth of a
        // sample.
        let counts: Vec<f64> = counts.iter().map(|&count| (count as f64).max(1e-3)).collect();
        log_likelihood(&counts, Elo::to_score(self.elo1)) - log_likelihood(&counts, Elo::to_score(self.elo0))
    }

    /// Returns the verdict for the results.
    pub fn verdict(&self, results: &impl Results) -> Verdict {
        let (lower, upper) = self.bounds();
        match self.llr(results) {
            llr if llr <= lower => Verdict::AcceptH0,
            llr if llr >= upper => Verdict::AcceptH1,
            _ => Verdict::GoOn,
        }
    }
}

impl fmt::Display for Sprt {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Sprt { elo0, elo1, alpha, beta } = self;
        write!(out, "SPRT [{elo0:.1}, {elo1:.1}], alpha {alpha}, beta {beta}")
    }
}

/// Returns the log-likelihood of `counts` under the maximum-likelihood distribution with mean `score`,
/// without terms that do not depend on `score`.
///
/// This distribution assigns to a class with score `a` and observed share `p` the probability `p / (1 + t·(a
/// − score))`, where `t` is chosen to give the correct mean: the root of `Σ p·(a − score) / (1 + t·(a −
/// score))`, which decreases monotonically between the two poles where a probability becomes infinite.
fn log_likelihood(counts: &[f64], score: f64) -> f64 {
    let classes = || counts.iter().enumerate().map(|(index, &count)| (count, class_score(index, counts.len()) - score));
    let (mut low, mut high) = (-1.0 / (1.0 - score), 1.0 / score);
    // The poles are at most a few thousand apart; 60 bisections reach full precision.
    for _ in 0..60 {
        let t = (low + high) / 2.0;
        let sum: f64 = classes().map(|(count, distance)| count * distance / (1.0 + t * distance)).sum();
        if sum > 0.0 { low = t } else { high = t }
    }
    let t = (low + high) / 2.0;
    -classes().map(|(count, distance)| count * (t * distance).ln_1p()).sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::super::simulation::Truth;
    use super::super::{GameCounts, Pairs};
    use super::*;
    use chuhe_board::random::SplitMix64;

    fn test(elo0: f64, elo1: f64) -> Sprt {
        Sprt::new(elo0, elo1, 0.05, 0.05).expect("in order")
    }

    /// Figures from fastchess, `app/tests/sprt_test.cpp` ("logistic trinomial" 1 and 2, "logistic
    /// pentanomial" 1 and 2), with their tolerance of 1 %.
    #[test]
    fn ratios_agree_with_fastchess() {
        let near = |llr: f64, figure: f64| assert!((llr / figure - 1.0).abs() < 0.01, "{llr} is not {figure}");
        near(test(0.5, 2.5).llr(&GameCounts::new(21_404, 40_708, 21_184)), -1.57);
        near(test(0.0, 2.0).llr(&GameCounts::new(57_433, 106_593, 57_030)), -2.59);
        near(test(0.5, 2.5).llr(&Pairs::new([223, 9_863, 20_279 + 1_000, 10_037, 246])), -3.07);
        near(test(0.0, 2.0).llr(&Pairs::new([871, 26_175, 55_003 + 980, 26_678, 821])), -4.98);
    }

    /// Figure from the README of github.com/jw1912/SPRT for its `--gsprt` option, 4307 wins, 4063 losses,
    /// 8620 draws.
    #[test]
    fn the_ratio_agrees_with_a_worked_example() {
        let llr = test(0.0, 3.0).llr(&GameCounts::new(4_307, 8_620, 4_063));
        assert_eq!(format!("{llr:.2}"), "2.99");
    }

    #[test]
    fn bounds_are_walds() {
        let (lower, upper) = test(0.0, 5.0).bounds();
        assert_eq!(format!("{lower:.2} {upper:.2}"), "-2.94 2.94");
        let (lower, upper) = Sprt::new(0.0, 5.0, 0.1, 0.2).expect("in order").bounds();
        assert_eq!(format!("{lower:.2} {upper:.2}"), "-1.50 2.08");
    }

    #[test]
    fn no_results_decide_nothing() {
        assert_eq!(test(0.0, 5.0).llr(&GameCounts::default()), 0.0);
        assert_eq!(test(0.0, 5.0).verdict(&Pairs::default()), Verdict::GoOn);
    }

    #[test]
    fn one_sided_results_have_a_finite_ratio() {
        for results in [
            GameCounts::new(500, 0, 0),
            GameCounts::new(0, 500, 0),
            GameCounts::new(0, 0, 500),
            GameCounts::new(1, 0, 0),
        ] {
            for (elo0, elo1) in [(0.0, 5.0), (-10.0, 0.0), (-1200.0, 1200.0)] {
                assert!(test(elo0, elo1).llr(&results).is_finite(), "{results:?} {elo0} {elo1}");
            }
        }
        assert_eq!(test(0.0, 10.0).verdict(&GameCounts::new(500, 0, 0)), Verdict::AcceptH1);
        assert_eq!(test(0.0, 10.0).verdict(&GameCounts::new(0, 0, 500)), Verdict::AcceptH0);
    }

    #[test]
    fn mirrored_results_of_a_mirrored_test_have_the_opposite_ratio() {
        let ours = test(-3.0, 1.0).llr(&Pairs::new([10, 60, 200, 70, 12]));
        let theirs = test(-1.0, 3.0).llr(&Pairs::new([12, 70, 200, 60, 10]));
        assert!((ours + theirs).abs() < 1e-9, "{ours} {theirs}");
    }

    #[test]
    fn a_test_out_of_order_is_refused() {
        assert!(Sprt::new(5.0, 0.0, 0.05, 0.05).is_err());
        assert!(Sprt::new(0.0, f64::NAN, 0.05, 0.05).is_err());
        assert!(Sprt::new(0.0, 5.0, 0.0, 0.05).is_err());
        let error = Sprt::new(0.0, 5.0, 0.5, 0.5).expect_err("0.5 and 0.5 add up to 1");
        assert_eq!(error.to_string(), "alpha 0.5 and beta 0.5 must be above 0 and add up to less than 1");
    }

    /// Returns the share of 1,000 runs that accept H1, for a player who is truly `elo` stronger.
    fn accepted(sprt: Sprt, elo: f64, in_pairs: bool) -> f64 {
        let mut random = SplitMix64::new(1945);
        let truth = Truth { score: Elo::to_score(elo), draw_rate: 0.4, opening_swing: 0.15 };
        let runs = 1_000;
        let good = (0..runs).filter(|_| {
            let (mut games, mut pairs) = (GameCounts::default(), Pairs::default());
            loop {
                // Four samples are added at a time for speed; this overestimates the error rates only
                // slightly.
                for _ in 0..4 {
                    truth.add_pair(&mut random, &mut pairs);
                    truth.add_game(&mut random, &mut games);
                }
                match if in_pairs { sprt.verdict(&pairs) } else { sprt.verdict(&games) } {
                    Verdict::GoOn => {}
                    verdict => return verdict == Verdict::AcceptH1,
                }
            }
        });
        good.count() as f64 / f64::from(runs)
    }

    /// A rate of 5 % (10 %) in 1,000 runs has a standard deviation of 0.7 % (1 %); two standard deviations
    /// are allowed.
    #[test]
    fn wrong_verdicts_are_as_rare_as_promised() {
        let sprt = Sprt::new(0.0, 25.0, 0.05, 0.1).expect("in order");
        for in_pairs in [false, true] {
            let (false_alarms, misses) = (accepted(sprt, 0.0, in_pairs), 1.0 - accepted(sprt, 25.0, in_pairs));
            println!("pairs {in_pairs}: alpha {false_alarms}, beta {misses}");
            assert!((0.02..0.065).contains(&false_alarms), "alpha {false_alarms}, pairs {in_pairs}");
            assert!((0.05..0.12).contains(&misses), "beta {misses}, pairs {in_pairs}");
        }
    }
}
