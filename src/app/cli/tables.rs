//! `--endings`: folders with tablebases.

use chuhe_engine::Options;
use clap::Args;
use std::path::PathBuf;

/// Tablebases beside those in the program.
#[derive(Args)]
pub struct TablesArgs {
    /// Folders with tablebases, separated by `;`, besides the built-in ones (`chuhe endings make` fills one)
    #[arg(long, value_name = "FOLDERS")]
    endings: Option<PathBuf>,
}

impl TablesArgs {
    /// The options with these tables.
    pub fn with(&self, options: Options) -> Options {
        Options { table_path: self.endings.clone(), ..options }
    }
}
