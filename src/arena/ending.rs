//! How a game ended: its result, and the reason in the words that records and tables use.

use crate::rules::Reason;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Why a game ended. Serialised as its name; names in files that exist must go on being read.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(into = "&'static str", try_from = "String")]
#[allow(missing_docs)] // the table of names says it
pub enum Ending {
    Mate,
    Stalemate,
    NaturalLimit,
    NoAttackers,
    PerpetualCheck,
    PerpetualChase,
    PerpetualAttack,
    MutualOffence,
    Repetition,
    Resignation,
    Agreement,
    AdjudicatedWin,
    AdjudicatedDraw,
    Length,
    NoStart,
    Crash,
    Hang,
    Time,
    Flood,
    Garbage,
    IllegalMove,
}

/// Every ending and its name.
const NAMES: [(Ending, &str); 21] = [
    (Ending::Mate, "mate"),
    (Ending::Stalemate, "stalemate"),
    (Ending::NaturalLimit, "natural limit"),
    (Ending::NoAttackers, "no attackers"),
    (Ending::PerpetualCheck, "perpetual check"),
    (Ending::PerpetualChase, "perpetual chase"),
    (Ending::PerpetualAttack, "perpetual attack"),
    (Ending::MutualOffence, "mutual offence"),
    (Ending::Repetition, "repetition"),
    (Ending::Resignation, "resignation"),
    (Ending::Agreement, "agreement"),
    (Ending::AdjudicatedWin, "adjudicated win"),
    (Ending::AdjudicatedDraw, "adjudicated draw"),
    (Ending::Length, "length"),
    (Ending::NoStart, "no start"),
    (Ending::Crash, "crash"),
    (Ending::Hang, "hang"),
    (Ending::Time, "time"),
    (Ending::Flood, "flood"),
    (Ending::Garbage, "garbage"),
    (Ending::IllegalMove, "illegal move"),
];

impl Ending {
    /// The endings by a player's fault, in the order of tables.
    pub const FAULTS: [Ending; 7] = [
        Ending::NoStart,
        Ending::Crash,
        Ending::Hang,
        Ending::Time,
        Ending::Flood,
        Ending::Garbage,
        Ending::IllegalMove,
    ];

    /// The name, `perpetual check`.
    pub fn name(self) -> &'static str {
        NAMES.iter().find(|(ending, _)| *ending == self).map_or("", |(_, name)| name)
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.pad(self.name())
    }
}

impl From<Ending> for &'static str {
    fn from(ending: Ending) -> &'static str {
        ending.name()
    }
}

impl TryFrom<String> for Ending {
    type Error = String;

    fn try_from(text: String) -> Result<Ending, String> {
        let found = NAMES.iter().find(|(_, name)| *name == text);
        found.map(|(ending, _)| *ending).ok_or_else(|| format!("no game ends by {text:?}"))
    }
}

impl From<Reason> for Ending {
    fn from(reason: Reason) -> Ending {
        match reason {
            Reason::Mate => Ending::Mate,
            Reason::Stalemate => Ending::Stalemate,
            Reason::NaturalLimit => Ending::NaturalLimit,
            Reason::NoAttackers => Ending::NoAttackers,
            Reason::PerpetualCheck(_) => Ending::PerpetualCheck,
            Reason::PerpetualChase(_) => Ending::PerpetualChase,
            Reason::PerpetualAttack(_) => Ending::PerpetualAttack,
            Reason::MutualOffence(_) => Ending::MutualOffence,
            Reason::Repetition => Ending::Repetition,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_ending_is_read_by_its_name() {
        for (ending, name) in NAMES {
            let text = serde_json::to_string(&ending).unwrap();
            assert_eq!(text, format!("{name:?}"));
            assert_eq!(serde_json::from_str::<Ending>(&text).unwrap(), ending);
        }
        assert!(serde_json::from_str::<Ending>("\"boredom\"").is_err());
    }
}
