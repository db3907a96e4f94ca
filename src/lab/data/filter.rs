//! Selection of positions for training, applied when records are read, so that the records remain complete.

use super::records::RecordedPosition;
use chuhe_board::score::{EVALUATION_LIMIT, Score, is_mate};

/// Filter for training positions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Filter {
    /// Keeps positions in check, in which the evaluation is never used.
    pub in_check: bool,
    /// Keeps positions whose best move is a capture, in which the material is about to change.
    pub captures: bool,
    /// Number of plies to skip at the start of each record, since they are similar in many games.
    pub first_plies: usize,
    /// Maximum absolute score, which does not apply to mates. Scores of the repetition rules exceed it and
    /// are rejected, since they are valid only for a single line.
    pub score_limit: Score,
}

impl Default for Filter {
    fn default() -> Filter {
        Filter { in_check: false, captures: false, first_plies: 8, score_limit: EVALUATION_LIMIT - 1 }
    }
}

impl Filter {
    /// Filter that keeps all positions.
    pub const NONE: Filter = Filter { in_check: true, captures: true, first_plies: 0, score_limit: Score::MAX };

    /// Returns `true` if the position is kept.
    pub fn keeps(&self, sample: &RecordedPosition) -> bool {
        (self.in_check || !sample.position.in_check())
            && (self.captures || !sample.is_capture())
            && sample.ply >= self.first_plies
            && (sample.score.abs() <= self.score_limit || is_mate(sample.score))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chuhe_board::rules::Outcome;
    use chuhe_board::score::{mate_in, rule_win_in};
    use chuhe_board::{Move, Position};

    fn sample(fen: &str, mv: &str, score: Score, ply: usize) -> RecordedPosition {
        let position: Position = fen.parse().expect("a position");
        let mv: Move = mv.parse().expect("a move");
        assert!(position.is_legal(mv));
        RecordedPosition { position, mv, score, result: Outcome::Draw, ply }
    }

    #[test]
    fn quiet_positions_in_the_middle_of_a_game_are_kept() {
        const START: &str = chuhe_board::STARTPOS;
        const CHECK: &str = "4k4/9/9/9/9/9/9/4R4/9/3K5 b";
        let filter = Filter::default();
        assert!(filter.keeps(&sample(START, "h2e2", 12, 8)));
        assert!(filter.keeps(&sample(START, "h2e2", mate_in(9), 30)));
        for unfit in [
            sample(START, "h2e2", 12, 7),
            sample(START, "h2h9", 12, 30),
            sample(CHECK, "e9f9", -900, 30),
            sample(START, "h2e2", rule_win_in(9), 30),
        ] {
            assert!(!filter.keeps(&unfit) && Filter::NONE.keeps(&unfit), "{}", unfit.position);
        }
    }
}
