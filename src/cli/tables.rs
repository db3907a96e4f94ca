//! `--endings`: folders with tables of endings.

use crate::engine::Options;
use clap::Args;
use std::path::PathBuf;

/// Tables of endings beside those in the program.
#[derive(Args)]
pub struct TablesArgs {
    /// Folders with tables of endings, `;` between them, beside the tables in the program (`chuhe endings make` fills one)
    #[arg(long, value_name = "FOLDERS")]
    endings: Option<PathBuf>,
}

impl TablesArgs {
    /// The options with these tables.
    pub fn with(&self, options: Options) -> Options {
        Options { table_path: self.endings.clone(), ..options }
    }
}
