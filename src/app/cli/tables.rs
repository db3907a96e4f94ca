//! `--endings`: folders of tablebases.

use chuhe_engine::Options;
use clap::Args;
use std::path::PathBuf;

/// Tablebases in addition to the built-in ones.
#[derive(Args)]
pub(super) struct TablesArgs {
    /// Folders of tablebases, separated by `;`, in addition to the built-in ones (`chuhe endings make` fills
    /// one)
    #[arg(long, value_name = "FOLDERS")]
    endings: Option<PathBuf>,
}

impl TablesArgs {
    /// Returns the options with these tables.
    pub(super) fn with(&self, options: Options) -> Options {
        Options { table_path: self.endings.clone(), ..options }
    }
}
