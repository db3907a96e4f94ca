//! Conversion of scores to expected points: 1 for a certain win, 0.5 for a level position, 0 for a certain
//! loss.

use chuhe_board::score::{Score, is_decided};

/// Scale of the logistic curve in centipawns: a score of +300 corresponds to 0.73 expected points.
///
/// Fitted to results of Chuhe's self-play games; `chuhe train` prints the scale of its records, and
/// `docs/11-review.md` gives the command.
pub(crate) const SCALE: f64 = 300.0;

/// Returns the expected points of the side from whose point of view the score is given, from 0 to 1. Mates
/// and wins by the rules score 1, the corresponding losses 0.
///
/// ```
/// use chuhe_engine::eval::expected_points;
///
/// assert_eq!(expected_points(0), 0.5);
/// assert!((expected_points(300) - 0.731).abs() < 0.001);
/// ```
pub fn expected_points(score: Score) -> f64 {
    match is_decided(score) {
        true if score > 0 => 1.0,
        true => 0.0,
        false => 1.0 / (1.0 + (-f64::from(score) / SCALE).exp()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chuhe_board::score::{mate_in, mated_in, rule_win_in};

    #[test]
    fn both_sides_share_one_point() {
        for score in [-1500, -60, 0, 1, 122, 4000, mate_in(3), mated_in(8), rule_win_in(5)] {
            assert!((expected_points(score) + expected_points(-score) - 1.0).abs() < 1e-12, "{score}");
        }
    }

    #[test]
    fn more_is_never_worth_less() {
        let points: Vec<f64> = (-3000..=3000).map(expected_points).collect();
        assert!(points.is_sorted());
        assert_eq!((expected_points(mate_in(1)), expected_points(mated_in(2))), (1.0, 0.0));
    }
}
