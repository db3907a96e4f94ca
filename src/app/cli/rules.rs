//! `--rules` and `--endings`: what the engine is told of the rules and of endings.

use super::tables::TablesArgs;
use chuhe_board::rules::{RuleSet, Terms};
use chuhe_engine::Options;
use clap::Args;

/// Flattened into every subcommand that searches games.
#[derive(Args)]
pub struct RulesArgs {
    /// Repetition rules
    #[arg(long, default_value_t = RuleSet::default())]
    rules: RuleSet,

    #[command(flatten)]
    tables: TablesArgs,
}

impl RulesArgs {
    /// The rules with their numbers.
    pub fn terms(&self) -> Terms {
        self.rules.terms()
    }

    /// The options with these rules and tables.
    pub fn with(&self, options: Options) -> Options {
        self.tables.with(Options { rules: self.terms(), ..options })
    }
}
