//! `--rules` and `--endings`: rules and tablebases of the engine.

use super::tables::TablesArgs;
use chuhe_board::rules::{RuleSet, Terms};
use chuhe_engine::Options;
use clap::Args;

/// Options for every subcommand in which the engine searches positions of games.
#[derive(Args)]
pub(super) struct RulesArgs {
    /// Repetition rules: asian, chinese, league, computer, simple (only perpetual check is forbidden), draw
    /// (every repetition is a draw)
    #[arg(long, default_value_t = RuleSet::default())]
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
