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
    pub enum GameEndReason {
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

impl GameEndReason {
    /// Reasons that are a player's fault, in the order of tables. Failed starts are no longer scored.
    pub(crate) const FAULTS: [GameEndReason; 6] = [
        GameEndReason::Crash,
        GameEndReason::Hang,
        GameEndReason::Time,
        GameEndReason::Flood,
        GameEndReason::Garbage,
        GameEndReason::IllegalMove,
    ];
}

/// A string that is not the name of a [`GameEndReason`].
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("no game ends by {0:?}")]
pub struct UnknownEndReason(pub String);

impl fmt::Display for GameEndReason {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.pad(self.name())
    }
}

impl From<GameEndReason> for &'static str {
    fn from(reason: GameEndReason) -> &'static str {
        reason.name()
    }
}

impl TryFrom<String> for GameEndReason {
    type Error = UnknownEndReason;

    fn try_from(text: String) -> Result<GameEndReason, UnknownEndReason> {
        let found = GameEndReason::ALL.into_iter().find(|reason| reason.name() == text);
        found.ok_or(UnknownEndReason(text))
    }
}

impl From<Reason> for GameEndReason {
    fn from(reason: Reason) -> GameEndReason {
        match reason {
            Reason::Mate => GameEndReason::Mate,
            Reason::Stalemate => GameEndReason::Stalemate,
            Reason::NaturalLimit => GameEndReason::NaturalLimit,
            Reason::NoAttackers => GameEndReason::NoAttackers,
            Reason::PerpetualCheck(_) => GameEndReason::PerpetualCheck,
            Reason::PerpetualChase(_) => GameEndReason::PerpetualChase,
            Reason::PerpetualAttack(_) => GameEndReason::PerpetualAttack,
            Reason::MutualOffence(_) => GameEndReason::MutualOffence,
            Reason::Repetition => GameEndReason::Repetition,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reason_is_read_by_its_name() {
        for reason in GameEndReason::ALL {
            let text = serde_json::to_string(&reason).unwrap();
            assert_eq!(text, format!("{:?}", reason.name()));
            assert_eq!(serde_json::from_str::<GameEndReason>(&text).unwrap(), reason);
        }
        assert!(serde_json::from_str::<GameEndReason>("\"boredom\"").is_err());
    }
}
