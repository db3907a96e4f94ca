//! Rule sets as data.

use alloc::{borrow::ToOwned, string::String};
use core::fmt;
use core::str::FromStr;
use thiserror::Error;

/// Rule set for repetitions and long games; see `docs/2-rules.md`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum RuleSet {
    /// Rules of the Asian and World Xiangqi Federations.
    #[default]
    Asian,
    /// Chinese national rules of 1999, limited to the parts that depend only on attacks.
    Chinese,
    /// Simplified Asian rules of the UCCI league, as applied by its referee.
    League,
    /// Rules used by Pikafish since 2024.
    Computer,
    /// Perpetual check loses; every other repetition draws.
    Simple,
    /// Every repetition draws.
    Draw,
}

/// Default number of counted plies without a capture after which a game is drawn.
pub const NATURAL_LIMIT: u16 = 120;

/// Definition of chases.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ChaseRule {
    /// No chases are recognised.
    None,
    /// Any new attack after a move, by any piece, taking pins and false roots into account.
    Exact,
    /// Attacks by the moved piece, ignoring pins, as in the league.
    OfTheMovedPiece,
}

/// Condition for an offence other than perpetual check.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum OffenceRule {
    /// Every move chases the same victim; a move that gives check is not a chase.
    OneVictim,
    /// Like [`OffenceRule::OneVictim`], but any check by either side excuses every chase.
    OneVictimUnchecked,
    /// Every move chases the same victim, with the details of the manual of the World Xiangqi Federation: a
    /// chasing move may also give check, a rook that must block the leg of a horse must not be chased, and
    /// an attack that answers an attack must do more than remove protections.
    OneVictimByTheManual,
    /// Every move gives check, threatens mate or chases any piece.
    AnyAttack,
}

/// Parameters of a rule set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct RuleParameters {
    pub(super) name: &'static str,
    pub(super) perpetual_check_loses: bool,
    pub(super) chases: ChaseRule,
    pub(super) offence: OffenceRule,
    folds: usize,
    natural_limit: u16,
    free_checks: u16,
}

const ASIAN: RuleParameters = RuleParameters {
    name: "asian",
    perpetual_check_loses: true,
    chases: ChaseRule::Exact,
    offence: OffenceRule::OneVictimByTheManual,
    folds: 3,
    natural_limit: NATURAL_LIMIT,
    free_checks: 10,
};
const CHINESE: RuleParameters = RuleParameters { name: "chinese", offence: OffenceRule::AnyAttack, ..ASIAN };
const LEAGUE: RuleParameters = RuleParameters {
    name: "league",
    chases: ChaseRule::OfTheMovedPiece,
    offence: OffenceRule::OneVictim,
    folds: 4,
    natural_limit: 100,
    free_checks: 0,
    ..ASIAN
};
const COMPUTER: RuleParameters = RuleParameters { name: "computer", offence: OffenceRule::OneVictimUnchecked, ..ASIAN };
const SIMPLE: RuleParameters = RuleParameters { name: "simple", chases: ChaseRule::None, ..ASIAN };
const DRAW: RuleParameters =
    RuleParameters { name: "draw", perpetual_check_loses: false, chases: ChaseRule::None, ..ASIAN };

impl RuleSet {
    /// All rule sets, the default first. Training records store indices into this list, so new rule sets must
    /// be added at the end.
    pub const ALL: [RuleSet; 6] =
        [RuleSet::Asian, RuleSet::Chinese, RuleSet::League, RuleSet::Computer, RuleSet::Simple, RuleSet::Draw];

    pub(super) const fn parameters(self) -> &'static RuleParameters {
        match self {
            RuleSet::Asian => &ASIAN,
            RuleSet::Chinese => &CHINESE,
            RuleSet::League => &LEAGUE,
            RuleSet::Computer => &COMPUTER,
            RuleSet::Simple => &SIMPLE,
            RuleSet::Draw => &DRAW,
        }
    }

    /// Returns the name by which users select the rule set.
    pub const fn name(self) -> &'static str {
        self.parameters().name
    }

    /// Returns the rule set with its default parameters.
    pub const fn terms(self) -> Terms {
        let parameters = self.parameters();
        Terms {
            rules: self,
            folds: parameters.folds,
            natural_limit: parameters.natural_limit,
            free_checks: parameters.free_checks,
        }
    }
}

impl fmt::Display for RuleSet {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Error for an unknown rule-set name.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("unknown rule set {:?}; use one of {}", .0, RuleSet::ALL.map(RuleSet::name).join(", "))]
pub struct UnknownRuleSet(pub String);

/// Parses the name of a rule set, ignoring case, with or without a trailing `rule`, as written by GUIs.
impl FromStr for RuleSet {
    type Err = UnknownRuleSet;

    fn from_str(text: &str) -> Result<RuleSet, UnknownRuleSet> {
        let lower = text.to_ascii_lowercase();
        let name = lower.strip_suffix("rule").unwrap_or(&lower);
        let known = RuleSet::ALL.into_iter().find(|rules| rules.name() == name);
        let also = || (name == "alwaysdraw").then_some(RuleSet::Draw);
        known.or_else(also).ok_or_else(|| UnknownRuleSet(text.to_owned()))
    }
}

/// A rule set with the parameters that an organiser may change.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Terms {
    /// Rule set.
    pub rules: RuleSet,
    /// Occurrence at which a repetition is judged; at least 2.
    folds: usize,
    /// Number of counted plies without a capture after which a game is drawn.
    pub natural_limit: u16,
    /// Number of checks per side that count towards the limit; further checks and the replies to them do not
    /// count.
    pub free_checks: u16,
}

impl Terms {
    /// Returns the occurrence of a position at which its repetition is judged, at least 2.
    pub const fn folds(self) -> usize {
        self.folds
    }

    /// Returns the terms with repetitions judged at a different occurrence, at least 2.
    pub const fn with_folds(self, folds: usize) -> Terms {
        Terms { folds: if folds < 2 { 2 } else { folds }, ..self }
    }

    /// Returns the terms with a different natural limit.
    pub const fn with_natural_limit(self, plies: u16) -> Terms {
        Terms { natural_limit: plies, ..self }
    }

    /// Returns the terms with a different number of counted checks.
    pub const fn with_free_checks(self, checks: u16) -> Terms {
        Terms { free_checks: checks, ..self }
    }
}

impl From<RuleSet> for Terms {
    fn from(rules: RuleSet) -> Terms {
        rules.terms()
    }
}

impl Default for Terms {
    fn default() -> Terms {
        RuleSet::default().terms()
    }
}
