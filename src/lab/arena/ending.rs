//! Reasons for the end of a game, as written to records and tables.

use chuhe_board::named;
use chuhe_board::rules::Reason;
use serde::{Deserialize, Serialize};
use std::fmt;
use thiserror::Error;

named! {
    /// Reason for the end of a game. Serialised by name; names in existing files must remain readable.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
    #[serde(into = "&'static str", try_from = "String")]
    #[allow(missing_docs)] // the names are self-explanatory
    pub enum Ending {
        Mate = "mate",
        Stalemate = "stalemate",
        NaturalLimit = "natural limit",
        NoAttackers = "no attackers",
        PerpetualCheck = "perpetual check",
        PerpetualChase = "perpetual chase",
        PerpetualAttack = "perpetual attack",
        MutualOffence = "mutual offence",
        Repetition = "repetition",
        Resignation = "resignation",
        Agreement = "agreement",
        AdjudicatedWin = "adjudicated win",
        AdjudicatedDraw = "adjudicated draw",
        Length = "length",
        NoStart = "no start",
        Crash = "crash",
        Hang = "hang",
        Time = "time",
        Flood = "flood",
        Garbage = "garbage",
        IllegalMove = "illegal move",
    }

    /// Returns the name, such as `perpetual check`.
    pub fn name -> &'static str
}

impl Ending {
    /// Reasons that are a player's fault, in the order of tables. Failed starts are no longer scored.
    pub(crate) const FAULTS: [Ending; 6] =
        [Ending::Crash, Ending::Hang, Ending::Time, Ending::Flood, Ending::Garbage, Ending::IllegalMove];
}

/// A string that is not the name of an [`Ending`].
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("no game ends by {0:?}")]
pub struct UnknownEnding(pub String);

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
    type Error = UnknownEnding;

    fn try_from(text: String) -> Result<Ending, UnknownEnding> {
        let found = Ending::ALL.into_iter().find(|ending| ending.name() == text);
        found.ok_or(UnknownEnding(text))
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
        for ending in Ending::ALL {
            let text = serde_json::to_string(&ending).unwrap();
            assert_eq!(text, format!("{:?}", ending.name()));
            assert_eq!(serde_json::from_str::<Ending>(&text).unwrap(), ending);
        }
        assert!(serde_json::from_str::<Ending>("\"boredom\"").is_err());
    }
}
