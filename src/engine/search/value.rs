//! How the search counts, and what it tells others.
//!
//! A side that is two pieces ahead wins, with a hundred centipawns more or less. So beyond a decisive advantage centipawns count less inside the
//! search: windows and margins, which stay the same, let it look deeper there, towards the mate. And an ending that a table knows to be won is
//! worth more than any evaluation, but no fixed number: the search goes on through it by the evaluation.

use chuhe_board::score::{EVALUATION_LIMIT, Score, TABLE_WIN, is_evaluation};

/// From here a centipawn counts less.
const DECISIVE: Score = 800;
/// How many centipawns beyond count as one.
const SLOPE: Score = 3;
/// What a known win adds: even with the least evaluation it counts more than the greatest without it.
const KNOWN_WIN: Score = 14_500;

/// What an evaluation counts inside the search.
pub fn counted(score: Score) -> Score {
    let score = score.clamp(-EVALUATION_LIMIT, EVALUATION_LIMIT);
    let beyond = (score.abs() - DECISIVE).max(0);
    score - score.signum() * (beyond - beyond / SLOPE)
}

/// What the evaluation of a known win for the side to move counts; of a known loss, its negative.
pub(super) fn counted_as_won(score: Score) -> Score {
    (KNOWN_WIN + counted(score)).min(EVALUATION_LIMIT)
}

/// A score of the search as everybody else counts: the inverse.
pub fn told(score: Score) -> Score {
    let size = score.abs();
    match size {
        _ if !is_evaluation(score) => score,
        0..=DECISIVE => score,
        _ if size > counted(EVALUATION_LIMIT) => score.signum() * TABLE_WIN,
        _ => score.signum() * (DECISIVE + (size - DECISIVE) * SLOPE).min(EVALUATION_LIMIT),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chuhe_board::score::mate_in;

    #[test]
    fn what_is_told_is_what_was_counted() {
        for score in -EVALUATION_LIMIT..=EVALUATION_LIMIT {
            assert!((told(counted(score)) - score).abs() < SLOPE, "{score}");
        }
        assert!((-EVALUATION_LIMIT..EVALUATION_LIMIT).all(|score| counted(score) <= counted(score + 1)));
        assert_eq!([799, -800, mate_in(7)].map(told), [799, -800, mate_in(7)]);
    }

    #[test]
    fn a_known_win_is_worth_more_than_any_evaluation() {
        let least = counted_as_won(-EVALUATION_LIMIT);
        assert!(least > counted(EVALUATION_LIMIT));
        for score in [-2_000, 0, 500, EVALUATION_LIMIT] {
            assert!(is_evaluation(counted_as_won(score)));
            assert_eq!((told(counted_as_won(score)), told(-counted_as_won(score))), (TABLE_WIN, -TABLE_WIN));
        }
    }
}
