//! Scores in centipawns from the point of view of the side to move (a rook is about 1000), and the encoding
//! of mates and wins by repetition.
//!
//! ```text
//! -30000      -29000     -25000    -24000     -22000    -21000     -20000       0       20000
//!    mated in n plies    lost by repetition in n plies   lost in a tablebase    evaluations
//! ```

/// A score in centipawns, from the point of view of the side to move; always within ±[`INFINITE`].
pub type Score = i32;

/// Upper bound of all scores.
pub const INFINITE: Score = 32_000;
/// Score of a mate on the board. A mate in n plies scores `MATE - n`.
pub const MATE: Score = 30_000;
/// Score of a win by the repetition rules on the board. A win in n plies scores `RULE_WIN - n`. It does not
/// count as a mate, because the opponent may still avoid the repetition.
pub const RULE_WIN: Score = 25_000;
/// Maximum score of a win found in a tablebase. The win is certain, but its length is not encoded.
pub const TABLEBASE_WIN: Score = 22_000;
/// Maximum absolute value of an evaluation.
pub const EVALUATION_LIMIT: Score = 20_000;
/// Score of a draw.
pub const DRAW: Score = 0;
/// Maximum length of a searched line, in plies.
pub const MAX_PLY: usize = 128;

/// Maximum distance of a decided score, in plies.
const MAX_DISTANCE: Score = 1_000;

/// Returns the score of mating the opponent `ply` plies from the root.
pub const fn mate_in(ply: usize) -> Score {
    MATE - ply as Score
}

/// Returns the score of being mated or stalemated `ply` plies from the root.
pub const fn mated_in(ply: usize) -> Score {
    -mate_in(ply)
}

/// Returns the score of winning by the repetition rules `ply` plies from the root.
pub const fn rule_win_in(ply: usize) -> Score {
    RULE_WIN - ply as Score
}

/// Returns `true` if the score is a mate for either side.
pub const fn is_mate(score: Score) -> bool {
    score.abs() > MATE - MAX_DISTANCE
}

/// Returns `true` if the score is a mate or a win by repetition for either side, and therefore encodes a
/// distance.
pub const fn is_decided(score: Score) -> bool {
    score.abs() > RULE_WIN - MAX_DISTANCE
}

/// Returns `true` if the score is an evaluation: neither a mate nor a win by repetition or tablebase.
pub const fn is_evaluation(score: Score) -> bool {
    score.abs() <= EVALUATION_LIMIT
}

/// Returns the distance to mate in moves of the winner: positive if the side to move mates, negative if it is
/// being mated; `None` if the score is not a mate.
pub const fn mate_moves(score: Score) -> Option<i32> {
    match is_mate(score) {
        true if score > 0 => Some((MATE - score + 1) / 2),
        true => Some(-(MATE + score) / 2),
        false => None,
    }
}

/// Converts a score whose distance is counted from the root to a score whose distance is counted from the
/// node at `ply`, as stored in the hash table.
pub const fn from_root(score: Score, ply: usize) -> Score {
    if !is_decided(score) {
        score
    } else if score > 0 {
        score + ply as Score
    } else {
        score - ply as Score
    }
}

/// Inverts [`from_root`].
pub const fn to_root(score: Score, ply: usize) -> Score {
    if !is_decided(score) {
        score
    } else if score > 0 {
        score - ply as Score
    } else {
        score + ply as Score
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_are_counted_in_moves_of_the_winner() {
        assert_eq!(mate_moves(mate_in(1)), Some(1));
        assert_eq!(mate_moves(mate_in(3)), Some(2));
        assert_eq!(mate_moves(mated_in(2)), Some(-1));
        assert_eq!(mate_moves(mated_in(0)), Some(0));
        assert_eq!(mate_moves(rule_win_in(3)), None);
    }

    #[test]
    fn distances_survive_the_hash_table() {
        for score in [mate_in(7), mated_in(4), rule_win_in(9), -rule_win_in(2), 35, DRAW] {
            assert_eq!(to_root(from_root(score, 5), 5), score);
        }
        assert_eq!(from_root(mate_in(7), 5), mate_in(2));
    }
}
