//! `--rules` and `--endings`: the parser of rule sets, and the rules and tablebases of the engine.

use super::tables::TablesArgs;
use chuhe_board::rules::{RuleSet, Terms};
use chuhe_engine::Options;
use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use clap::{Arg, Args, Command};
use std::ffi::OsStr;

/// Parser of `--rules`; the help lists every rule set.
#[derive(Clone)]
pub(super) struct RuleSetParser;

impl TypedValueParser for RuleSetParser {
    type Value = RuleSet;

    fn parse_ref(&self, command: &Command, argument: Option<&Arg>, value: &OsStr) -> Result<RuleSet, clap::Error> {
        // Also accepts the names used by GUIs, which are not listed.
        let parser = StringValueParser::new().try_map(|text: String| text.parse::<RuleSet>());
        parser.parse_ref(command, argument, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(RuleSet::ALL.into_iter().map(|rules| PossibleValue::new(rules.name()).help(described(rules)))))
    }
}

/// Returns the description of a rule set in the help.
const fn described(rules: RuleSet) -> &'static str {
    match rules {
        RuleSet::Asian => "Rules of the Asian and World Xiangqi Federations",
        RuleSet::Chinese => "Chinese national rules of 1999",
        RuleSet::League => "Simplified Asian rules of the UCCI league",
        RuleSet::Computer => "Rules used by Pikafish since 2024",
        RuleSet::Simple => "Only perpetual check is forbidden",
        RuleSet::Draw => "Every repetition is a draw",
    }
}

/// Options for every subcommand in which the engine searches positions of games.
#[derive(Args)]
pub(super) struct RulesArgs {
    /// Repetition rules
    #[arg(long, default_value_t = RuleSet::default(), value_parser = RuleSetParser)]
    rules: RuleSet,

    #[command(flatten)]
    tables: TablesArgs,
}

impl RulesArgs {
    /// Returns the rules with their parameters.
    pub(super) fn terms(&self) -> Terms {
        self.rules.terms()
    }

    /// Returns the options with these rules and tables.
    pub(super) fn with(&self, options: Options) -> Options {
        self.tables.with(Options { rules: self.terms(), ..options })
    }
}
