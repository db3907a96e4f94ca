//! Reasons for the end of a self-play game.

use chuhe_board::Side;
use chuhe_board::rules::{Offence, Reason};
use std::fmt;

/// Reason for the end of a recorded game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RecordedEnd {
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

/// All reasons.
const ENDS: [RecordedEnd; 19] = [
    RecordedEnd::Referee(Reason::Mate),
    RecordedEnd::Referee(Reason::Stalemate),
    RecordedEnd::Referee(Reason::NaturalLimit),
    RecordedEnd::Referee(Reason::NoAttackers),
    RecordedEnd::Referee(Reason::Repetition),
    RecordedEnd::Referee(Reason::PerpetualCheck(Side::Red)),
    RecordedEnd::Referee(Reason::PerpetualCheck(Side::Black)),
    RecordedEnd::Referee(Reason::PerpetualChase(Side::Red)),
    RecordedEnd::Referee(Reason::PerpetualChase(Side::Black)),
    RecordedEnd::Referee(Reason::PerpetualAttack(Side::Red)),
    RecordedEnd::Referee(Reason::PerpetualAttack(Side::Black)),
    RecordedEnd::Referee(Reason::MutualOffence(Offence::Check)),
    RecordedEnd::Referee(Reason::MutualOffence(Offence::Attack)),
    RecordedEnd::WonByScore,
    RecordedEnd::DrawnByScore,
    RecordedEnd::Resigned,
    RecordedEnd::TooLong,
    RecordedEnd::Elsewhere,
    RecordedEnd::Known,
];

impl RecordedEnd {
    /// Returns the number that represents this reason in the records; gaps are reserved for new reasons.
    pub const fn number(self) -> u8 {
        match self {
            RecordedEnd::Referee(Reason::Mate) => 1,
            RecordedEnd::Referee(Reason::Stalemate) => 2,
            RecordedEnd::Referee(Reason::NaturalLimit) => 3,
            RecordedEnd::Referee(Reason::NoAttackers) => 4,
            RecordedEnd::Referee(Reason::Repetition) => 8,
            RecordedEnd::Referee(Reason::PerpetualCheck(Side::Red)) => 9,
            RecordedEnd::Referee(Reason::PerpetualCheck(Side::Black)) => 10,
            RecordedEnd::Referee(Reason::PerpetualChase(Side::Red)) => 11,
            RecordedEnd::Referee(Reason::PerpetualChase(Side::Black)) => 12,
            RecordedEnd::Referee(Reason::PerpetualAttack(Side::Red)) => 13,
            RecordedEnd::Referee(Reason::PerpetualAttack(Side::Black)) => 14,
            RecordedEnd::Referee(Reason::MutualOffence(Offence::Check)) => 15,
            // The referee reports every other mutual offence as an attack.
            RecordedEnd::Referee(Reason::MutualOffence(_)) => 16,
            RecordedEnd::WonByScore => 32,
            RecordedEnd::DrawnByScore => 33,
            RecordedEnd::Resigned => 34,
            RecordedEnd::TooLong => 35,
            RecordedEnd::Elsewhere => 36,
            RecordedEnd::Known => 37,
        }
    }

    /// Returns the reason with this number, if any.
    pub fn of_number(number: u8) -> Option<RecordedEnd> {
        ENDS.into_iter().find(|end| end.number() == number)
    }
}

impl fmt::Display for RecordedEnd {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let by = |offence: &str, side: &Side| format!("{offence} by {}", side.name());
        f.write_str(&match self {
            RecordedEnd::Referee(Reason::Mate) => "mate".to_owned(),
            RecordedEnd::Referee(Reason::Stalemate) => "stalemate".to_owned(),
            RecordedEnd::Referee(Reason::NaturalLimit) => "natural limit".to_owned(),
            RecordedEnd::Referee(Reason::NoAttackers) => "no attackers left".to_owned(),
            RecordedEnd::Referee(Reason::Repetition) => "repetition".to_owned(),
            RecordedEnd::Referee(Reason::PerpetualCheck(side)) => by("perpetual check", side),
            RecordedEnd::Referee(Reason::PerpetualChase(side)) => by("perpetual chase", side),
            RecordedEnd::Referee(Reason::PerpetualAttack(side)) => by("perpetual attack", side),
            RecordedEnd::Referee(Reason::MutualOffence(Offence::Check)) => "perpetual check by both".to_owned(),
            RecordedEnd::Referee(Reason::MutualOffence(_)) => "perpetual attack by both".to_owned(),
            RecordedEnd::WonByScore => "won by score".to_owned(),
            RecordedEnd::DrawnByScore => "drawn by score".to_owned(),
            RecordedEnd::Resigned => "resigned".to_owned(),
            RecordedEnd::Known => "known by a table".to_owned(),
            RecordedEnd::TooLong => "too long".to_owned(),
            RecordedEnd::Elsewhere => "played elsewhere".to_owned(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_end_has_its_number() {
        let numbers = ENDS.map(RecordedEnd::number);
        assert_eq!(numbers, [1, 2, 3, 4, 8, 9, 10, 11, 12, 13, 14, 15, 16, 32, 33, 34, 35, 36, 37]);
        for end in ENDS {
            assert_eq!(RecordedEnd::of_number(end.number()), Some(end));
        }
        assert_eq!(RecordedEnd::of_number(0), None);
    }
}
