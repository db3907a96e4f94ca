//! Who has won, and why.

use crate::Side;

/// The result for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Outcome {
    Win,
    Loss,
    Draw,
}

/// The same result from the other side.
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

/// Why a game has ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reason {
    /// In check without a legal move.
    Mate,
    /// Not in check without a legal move: a loss in Xiangqi.
    Stalemate,
    /// Too many plies without a capture.
    NaturalLimit,
    /// Neither side has a piece that can cross the river.
    NoAttackers,
    /// This side checked with every move of a repetition, the other did not.
    PerpetualCheck(Side),
    /// This side chased one piece with every move of a repetition, the other did not.
    PerpetualChase(Side),
    /// This side checked, threatened mate or chased with every move of a repetition, which the Chinese rules forbid; the other did not.
    PerpetualAttack(Side),
    /// Both sides offended alike.
    MutualOffence(Offence),
    /// A repetition in which neither side offends.
    Repetition,
}

impl Reason {
    /// Its name in results that programs read.
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

    /// The side that offends, if one does.
    pub const fn offender(self) -> Option<Side> {
        match self {
            Reason::PerpetualCheck(side) | Reason::PerpetualChase(side) | Reason::PerpetualAttack(side) => Some(side),
            _ => None,
        }
    }

    /// Returns whether the side to move has no legal move.
    pub const fn is_without_moves(self) -> bool {
        matches!(self, Reason::Mate | Reason::Stalemate)
    }

    /// Whether it is a repetition that ended the game.
    pub const fn is_repetition(self) -> bool {
        matches!(self, Reason::MutualOffence(_) | Reason::Repetition) || self.offender().is_some()
    }
}

/// What a side does wrong with every move of a repetition. The greater offence loses, equal ones draw.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Offence {
    /// Nothing.
    None,
    /// Chasing; in the Chinese rules also threatening mate, and all of these in turn.
    Attack,
    /// Chasing a rook that a horse ties to its place: in the Asian rules worse than any other chase.
    TiedRook,
    /// Checking.
    Check,
}
