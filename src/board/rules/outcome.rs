//! Results of games and their reasons.

use crate::Side;

/// Result for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Outcome {
    Win,
    Loss,
    Draw,
}

impl Outcome {
    /// Returns the score in half points: 0, 1 or 2.
    pub const fn half_points(self) -> u8 {
        match self {
            Outcome::Loss => 0,
            Outcome::Draw => 1,
            Outcome::Win => 2,
        }
    }

    /// Converts Red's result to the result from `side`'s point of view, and vice versa.
    #[must_use]
    pub fn seen_from(self, side: Side) -> Outcome {
        if side == Side::Red { self } else { !self }
    }
}

/// Returns the result from the other side's point of view.
impl core::ops::Not for Outcome {
    type Output = Outcome;

    fn not(self) -> Outcome {
        match self {
            Outcome::Win => Outcome::Loss,
            Outcome::Loss => Outcome::Win,
            Outcome::Draw => Outcome::Draw,
        }
    }
}

/// Reason why a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reason {
    /// In check without a legal move.
    Mate,
    /// Not in check, without a legal move: a loss in Xiangqi.
    Stalemate,
    /// Too many plies without a capture.
    NaturalLimit,
    /// Neither side has a piece that can cross the river.
    NoAttackers,
    /// This side gave check with every move of a repetition; the other side did not.
    PerpetualCheck(Side),
    /// This side chased one piece with every move of a repetition; the other side did not.
    PerpetualChase(Side),
    /// Under the Chinese rules, this side gave check, threatened mate or chased with every move of a
    /// repetition; the other side did not.
    PerpetualAttack(Side),
    /// Both sides committed the same offence.
    MutualOffence(Offence),
    /// A repetition without an offence.
    Repetition,
}

impl Reason {
    /// Returns the name used in machine-readable results.
    pub const fn name(self) -> &'static str {
        match self {
            Reason::Mate => "mate",
            Reason::Stalemate => "stalemate",
            Reason::NaturalLimit => "natural_limit",
            Reason::NoAttackers => "no_attackers",
            Reason::PerpetualCheck(_) => "perpetual_check",
            Reason::PerpetualChase(_) => "perpetual_chase",
            Reason::PerpetualAttack(_) => "perpetual_attack",
            Reason::MutualOffence(_) => "mutual_offence",
            Reason::Repetition => "repetition",
        }
    }

    /// Returns the offending side, if any.
    pub const fn offender(self) -> Option<Side> {
        match self {
            Reason::PerpetualCheck(side) | Reason::PerpetualChase(side) | Reason::PerpetualAttack(side) => Some(side),
            _ => None,
        }
    }

    /// Returns `true` if the side to move has no legal move.
    pub const fn is_without_moves(self) -> bool {
        matches!(self, Reason::Mate | Reason::Stalemate)
    }

    /// Returns `true` if the game ended by repetition.
    pub const fn is_repetition(self) -> bool {
        matches!(self, Reason::MutualOffence(_) | Reason::Repetition) || self.offender().is_some()
    }
}

/// Offence that a side commits with every move of a repetition. The side with the more serious offence loses;
/// equal offences lead to a draw.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Offence {
    /// No offence.
    None,
    /// Chasing; under the Chinese rules also threatening mate, and any mixture of chases, threats and checks.
    Attack,
    /// Chasing a rook that must block the leg of a horse, which would otherwise give check; under the Asian
    /// rules, more serious than any other chase.
    TiedRook,
    /// Checking.
    Check,
}
