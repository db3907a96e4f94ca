//! Thresholds for inaccuracies, mistakes and blunders.

use super::expected_points;
use chuhe_board::score::{Score, is_mate, mate_moves};
use serde::Serialize;

/// Severity of a bad move. Good moves have no judgement.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Judgement {
    /// Loss of at least 0.05 expected points: from a level position, 60 centipawns.
    Inaccuracy,
    /// Loss of at least 0.10 expected points: from a level position, 122 centipawns.
    Mistake,
    /// Loss of at least 0.15 expected points: from a level position, 186 centipawns.
    Blunder,
}

/// Judgements with their minimum loss of expected points, the most severe first. lichess uses the same
/// thresholds on its own scale.
pub(crate) const THRESHOLDS: [(Judgement, f64); 3] =
    [(Judgement::Blunder, 0.15), (Judgement::Mistake, 0.10), (Judgement::Inaccuracy, 0.05)];

/// Maximum length in moves of a mate that should not be missed. Missing a longer mate is not a mistake if the
/// position remains won.
pub(crate) const OBVIOUS_MATE: i32 = 5;

/// Score in centipawns from which a game is certainly won; at its negative value the game is certainly lost.
const SURELY_WON: Score = 999;
const ALMOST_WON: Score = 700;

impl Judgement {
    /// Returns the judgement of a move with score `played` if the best line has score `best`, both from the
    /// mover's point of view.
    ///
    /// The judgement depends on expected points. Since the curve is flat far from zero, a mate in two missed
    /// by a side that is a rook up would not count. Therefore a short mate that is missed or allowed is at
    /// least an inaccuracy, and it is more serious if the game was not decided otherwise. lichess does the
    /// same.
    pub fn of(best: Score, played: Score) -> Option<Judgement> {
        let loss = loss(best, played);
        let by_points = THRESHOLDS.into_iter().find(|(_, least)| loss >= *least).map(|(judgement, _)| judgement);
        let missed = is_short_mate(best) && !(is_mate(played) && played > 0);
        let allowed = is_short_mate(-played) && !(is_mate(best) && best < 0);
        let by_mate = (missed || allowed).then(|| match if missed { played } else { -best } {
            SURELY_WON.. => Judgement::Inaccuracy,
            ALMOST_WON.. => Judgement::Mistake,
            _ => Judgement::Blunder,
        });
        match (missed, allowed) {
            // Only the mate counts, since the loss in expected points would always be large.
            (true, false) | (false, true) => by_mate,
            _ => by_points.max(by_mate),
        }
    }

    /// Returns the numeric annotation glyph of PGN: `$6` ?!, `$2` ?, `$4` ??.
    pub fn glyph(self) -> u8 {
        match self {
            Judgement::Inaccuracy => 6,
            Judgement::Mistake => 2,
            Judgement::Blunder => 4,
        }
    }

    /// Returns the annotation symbol.
    pub(crate) fn sign(self) -> &'static str {
        match self {
            Judgement::Inaccuracy => "?!",
            Judgement::Mistake => "?",
            Judgement::Blunder => "??",
        }
    }
}

/// Returns the expected points lost by a move, 0 to 1.
pub(crate) fn loss(best: Score, played: Score) -> f64 {
    (expected_points(best) - expected_points(played)).max(0.0)
}

/// Returns `true` if the score is a mate for the mover that a player can be expected to find.
fn is_short_mate(score: Score) -> bool {
    mate_moves(score).is_some_and(|moves| (1..=OBVIOUS_MATE).contains(&moves))
}

#[cfg(test)]
mod tests {
    use super::*;
    use chuhe_board::score::{mate_in, mated_in, rule_win_in};

    #[test]
    fn from_a_level_position_60_122_and_186_centipawns_are_the_thresholds() {
        let judged = |lost: Score| Judgement::of(0, -lost);
        assert_eq!([58, 61, 120, 123, 184, 187].map(judged), {
            use Judgement::*;
            [None, Some(Inaccuracy), Some(Inaccuracy), Some(Mistake), Some(Mistake), Some(Blunder)]
        });
    }

    #[test]
    fn far_ahead_the_same_centipawns_cost_little() {
        assert_eq!(Judgement::of(1800, 1500), None);
        assert_eq!(Judgement::of(-1500, -1900), None);
    }

    #[test]
    fn a_short_mate_that_is_missed_is_judged_by_what_is_left() {
        let best = mate_in(3);
        assert_eq!(Judgement::of(best, 1400), Some(Judgement::Inaccuracy));
        assert_eq!(Judgement::of(best, 800), Some(Judgement::Mistake));
        assert_eq!(Judgement::of(best, 200), Some(Judgement::Blunder));
        assert_eq!(Judgement::of(best, mate_in(9)), None, "a longer mate is still a mate");
        assert_eq!(Judgement::of(mate_in(41), 1500), None, "a mate in 21 may be missed");
    }

    #[test]
    fn a_short_mate_that_is_walked_into_is_judged_by_what_there_was() {
        let played = mated_in(4);
        assert_eq!(Judgement::of(0, played), Some(Judgement::Blunder));
        assert_eq!(Judgement::of(-800, played), Some(Judgement::Mistake));
        assert_eq!(Judgement::of(-1400, played), Some(Judgement::Inaccuracy));
        assert_eq!(Judgement::of(mated_in(8), played), None, "the mover was being mated in any case");
        assert_eq!(Judgement::of(mate_in(3), played), Some(Judgement::Blunder), "from mating to being mated");
    }

    #[test]
    fn a_game_lost_by_the_rules_is_a_blunder() {
        assert_eq!(Judgement::of(0, -rule_win_in(0)), Some(Judgement::Blunder));
        assert_eq!(Judgement::of(rule_win_in(3), 0), Some(Judgement::Blunder));
    }
}
