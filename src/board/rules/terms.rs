//! The rule sets: what each answers to the questions that all share.

use alloc::{borrow::ToOwned, string::String};
use core::fmt;
use core::str::FromStr;
use thiserror::Error;

/// The rules by which repetitions and long games are judged; `docs/2-rules.md` describes each.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum RuleSet {
    /// The rules of the Asian and the World Xiangqi Federation.
    #[default]
    Asian,
    /// The Chinese national rules of 1999, as far as attacks alone can tell.
    Chinese,
    /// The simplified Asian rules of the UCCI league, as its referee judged them.
    League,
    /// The rule that Pikafish plays by since 2024.
    Computer,
    /// Perpetual check loses, every other repetition draws.
    Simple,
    /// Every repetition draws.
    Draw,
}

/// Counted plies without a capture after which a game is drawn, unless the rule set or an organiser says otherwise.
pub const NATURAL_LIMIT: u16 = 120;

/// How a rule set finds chases.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Chases {
    /// It knows none.
    None,
    /// Whatever is attacked after a move and was not before, by whichever piece; pins and false roots are heeded.
    Exact,
    /// What the moved piece attacks, pins not heeded: the league's.
    OfTheMovedPiece,
}

/// What a row of moves must be to offend, short of perpetual check.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Row {
    /// Every move chases the same victim; a move that checks chases nothing.
    OneVictim,
    /// The same, and a check by either side anywhere excuses everything.
    OneVictimUnchecked,
    /// Every move chases the same victim, by the fine print of the manual of the World Xiangqi Federation: a move may check as well, a
    /// rook that a horse ties to its place must not be chased, and an attack that answers must do more than take away protections.
    OneVictimByTheManual,
    /// Every move checks, threatens mate or chases anything.
    AnyAttack,
}

/// A rule set as data.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Answers {
    pub(super) name: &'static str,
    pub(super) perpetual_check_loses: bool,
    pub(super) chases: Chases,
    pub(super) row: Row,
    folds: usize,
    natural_limit: u16,
    free_checks: u16,
}

const ASIAN: Answers = Answers {
    name: "asian",
    perpetual_check_loses: true,
    chases: Chases::Exact,
    row: Row::OneVictimByTheManual,
    folds: 3,
    natural_limit: NATURAL_LIMIT,
    free_checks: 10,
};
const CHINESE: Answers = Answers { name: "chinese", row: Row::AnyAttack, ..ASIAN };
const LEAGUE: Answers = Answers {
    name: "league",
    chases: Chases::OfTheMovedPiece,
    row: Row::OneVictim,
    folds: 4,
    natural_limit: 100,
    free_checks: 0,
    ..ASIAN
};
const COMPUTER: Answers = Answers { name: "computer", row: Row::OneVictimUnchecked, ..ASIAN };
const SIMPLE: Answers = Answers { name: "simple", chases: Chases::None, ..ASIAN };
const DRAW: Answers = Answers { name: "draw", perpetual_check_loses: false, chases: Chases::None, ..ASIAN };

impl RuleSet {
    /// All of them, the default first.
    pub const ALL: [RuleSet; 6] =
        [RuleSet::Asian, RuleSet::Chinese, RuleSet::League, RuleSet::Computer, RuleSet::Simple, RuleSet::Draw];

    pub(super) const fn answers(self) -> &'static Answers {
        match self {
            RuleSet::Asian => &ASIAN,
            RuleSet::Chinese => &CHINESE,
            RuleSet::League => &LEAGUE,
            RuleSet::Computer => &COMPUTER,
            RuleSet::Simple => &SIMPLE,
            RuleSet::Draw => &DRAW,
        }
    }

    /// The name by which it is chosen everywhere.
    pub const fn name(self) -> &'static str {
        self.answers().name
    }

    /// The rule set with its own numbers.
    pub const fn terms(self) -> Terms {
        let answers = self.answers();
        Terms {
            rules: self,
            folds: answers.folds,
            natural_limit: answers.natural_limit,
            free_checks: answers.free_checks,
        }
    }
}

impl fmt::Display for RuleSet {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// No rule set has this name.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("unknown rule set {:?}; use one of {}", .0, RuleSet::ALL.map(RuleSet::name).join(", "))]
pub struct UnknownRuleSet(pub String);

/// Reads a rule set's name, any case, with or without `rule` at the end, as GUIs write it.
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

/// A rule set and the numbers that an organiser may change.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Terms {
    /// The rule set.
    pub rules: RuleSet,
    /// At least 2.
    folds: usize,
    /// Counted plies without a capture after which a game is drawn.
    pub natural_limit: u16,
    /// How many checks of each side count towards the limit; further checks and the answers to them do not.
    pub free_checks: u16,
}

impl Terms {
    /// At which occurrence of a position its repetition is judged, at least 2.
    pub const fn folds(self) -> usize {
        self.folds
    }

    /// The same terms with another fold; less than 2 is taken as 2.
    pub const fn with_folds(self, folds: usize) -> Terms {
        Terms { folds: if folds < 2 { 2 } else { folds }, ..self }
    }

    /// The same terms with another natural limit.
    pub const fn with_natural_limit(self, plies: u16) -> Terms {
        Terms { natural_limit: plies, ..self }
    }

    /// The same terms with another number of checks that count towards the limit.
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
