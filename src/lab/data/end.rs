//! Reasons for the end of a self-play game.

use chuhe_board::Side;
use chuhe_board::rules::{Offence, Reason};
use std::fmt;

/// Reason for the end of a recorded game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// End by the rules.
    Referee(Reason),
    /// One side was winning for the required number of plies.
    WonByScore,
    /// The game was level for the required number of plies.
    DrawnByScore,
    /// The loser's position was hopeless.
    Resigned,
    /// The result was found in a tablebase.
    Known,
    /// The maximum number of plies of a record was reached: a draw.
    TooLong,
    /// The game comes from a game file, with the result recorded there.
    Elsewhere,
}

/// Reasons with their numbers in records; gaps are reserved for new reasons.
const ENDS: [(u8, End); 19] = [
    (1, End::Referee(Reason::Mate)),
    (2, End::Referee(Reason::Stalemate)),
    (3, End::Referee(Reason::NaturalLimit)),
    (4, End::Referee(Reason::NoAttackers)),
    (8, End::Referee(Reason::Repetition)),
    (9, End::Referee(Reason::PerpetualCheck(Side::Red))),
    (10, End::Referee(Reason::PerpetualCheck(Side::Black))),
    (11, End::Referee(Reason::PerpetualChase(Side::Red))),
    (12, End::Referee(Reason::PerpetualChase(Side::Black))),
    (13, End::Referee(Reason::PerpetualAttack(Side::Red))),
    (14, End::Referee(Reason::PerpetualAttack(Side::Black))),
    (15, End::Referee(Reason::MutualOffence(Offence::Check))),
    (16, End::Referee(Reason::MutualOffence(Offence::Attack))),
    (32, End::WonByScore),
    (33, End::DrawnByScore),
    (34, End::Resigned),
    (35, End::TooLong),
    (36, End::Elsewhere),
    (37, End::Known),
];

impl End {
    /// Returns the number that represents this reason in the records.
    pub fn number(self) -> u8 {
        ENDS.into_iter().find(|(_, end)| *end == self).map_or(0, |(number, _)| number)
    }

    /// Returns the reason with this number, if any.
    pub fn of_number(number: u8) -> Option<End> {
        ENDS.into_iter().find(|(known, _)| *known == number).map(|(_, end)| end)
    }
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let by = |offence: &str, side: &Side| format!("{offence} by {}", side.name());
        f.write_str(&match self {
            End::Referee(Reason::Mate) => "mate".to_owned(),
            End::Referee(Reason::Stalemate) => "stalemate".to_owned(),
            End::Referee(Reason::NaturalLimit) => "natural limit".to_owned(),
            End::Referee(Reason::NoAttackers) => "no attackers left".to_owned(),
            End::Referee(Reason::Repetition) => "repetition".to_owned(),
            End::Referee(Reason::PerpetualCheck(side)) => by("perpetual check", side),
            End::Referee(Reason::PerpetualChase(side)) => by("perpetual chase", side),
            End::Referee(Reason::PerpetualAttack(side)) => by("perpetual attack", side),
            End::Referee(Reason::MutualOffence(Offence::Check)) => "perpetual check by both".to_owned(),
            End::Referee(Reason::MutualOffence(_)) => "perpetual attack by both".to_owned(),
            End::WonByScore => "won by score".to_owned(),
            End::DrawnByScore => "drawn by score".to_owned(),
            End::Resigned => "resigned".to_owned(),
            End::Known => "known by a table".to_owned(),
            End::TooLong => "too long".to_owned(),
            End::Elsewhere => "played elsewhere".to_owned(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_end_has_its_number() {
        for (number, end) in ENDS {
            assert_eq!((end.number(), End::of_number(number)), (number, Some(end)));
        }
        assert_eq!(End::of_number(0), None);
    }
}
