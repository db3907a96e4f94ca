//! Internal and reported scores.
//!
//! A side that is two pieces ahead wins regardless of another hundred centipawns. Therefore the search
//! compresses scores beyond a decisive advantage: fixed windows and margins then cover larger differences,
//! and the search becomes deep enough to find the mate. A tablebase win exceeds any evaluation, but is not a
//! constant: the search continues through the ending, guided by the evaluation.

use chuhe_board::score::{EVALUATION_LIMIT, Score, TABLEBASE_WIN, is_evaluation};

/// Score in centipawns beyond which scores are compressed.
const DECISIVE: Score = 800;
/// Compression factor beyond the decisive score.
const SLOPE: Score = 3;
/// Bonus for a tablebase win: a win with the lowest evaluation still scores higher than the highest
/// evaluation without a win.
const KNOWN_WIN: Score = 14_500;

/// Converts an evaluation to an internal score.
pub fn internal(score: Score) -> Score {
    let score = score.clamp(-EVALUATION_LIMIT, EVALUATION_LIMIT);
    let beyond = (score.abs() - DECISIVE).max(0);
    score - score.signum() * (beyond - beyond / SLOPE)
}

/// Returns the internal score of a tablebase win for the side to move, given its evaluation. For a loss,
/// negate both the evaluation and the result.
pub(super) fn counted_as_won(score: Score) -> Score {
    (KNOWN_WIN + internal(score)).min(EVALUATION_LIMIT)
}

/// Converts an internal score to a reported one; the inverse of [`internal`].
pub fn reported(score: Score) -> Score {
    let size = score.abs();
    match size {
        _ if !is_evaluation(score) => score,
        0..=DECISIVE => score,
        _ if size > internal(EVALUATION_LIMIT) => score.signum() * TABLEBASE_WIN,
        _ => score.signum() * (DECISIVE + (size - DECISIVE) * SLOPE).min(EVALUATION_LIMIT),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chuhe_board::score::mate_in;

    #[test]
    fn a_reported_score_is_the_inverse_of_the_internal_one() {
        for score in -EVALUATION_LIMIT..=EVALUATION_LIMIT {
            assert!((reported(internal(score)) - score).abs() < SLOPE, "{score}");
        }
        assert!((-EVALUATION_LIMIT..EVALUATION_LIMIT).all(|score| internal(score) <= internal(score + 1)));
        assert_eq!([799, -800, mate_in(7)].map(reported), [799, -800, mate_in(7)]);
    }

    #[test]
    fn a_known_win_is_worth_more_than_any_evaluation() {
        let least = counted_as_won(-EVALUATION_LIMIT);
        assert!(least > internal(EVALUATION_LIMIT));
        for score in [-2_000, 0, 500, EVALUATION_LIMIT] {
            assert!(is_evaluation(counted_as_won(score)));
            assert_eq!(
                (reported(counted_as_won(score)), reported(-counted_as_won(score))),
                (TABLEBASE_WIN, -TABLEBASE_WIN)
            );
        }
    }
}
